//! Authors and tags for editors: list, add, change, merge, delete (`catalogue.names-merged`).

use crate::{
    app::App,
    catalogue::back_office::names_types::{
        AuthorForm, EditorAuthorResult, EditorAuthorsResult, EditorTagResult, EditorTagsResult, MergeForm, NamesParams,
        TagForm,
    },
    editing::{number, run},
    extract::{ActingEditor, Body, Editor, LargeBody, Path, Query},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};
use actix_web::{delete, get, post, put, web::Data};
use kernel::{AuthorId, StoreError, TagId};
use workflows::{
    catalogue::editing::names::{self, NamesPage},
    editing::EditError,
};

/// A page of all authors, by their names in the directory.
#[utoipa::path(tag = "admin", params(NamesParams), responses((status = 200, description = "A page of authors.", body = Answer<EditorAuthorsResult>)), security(("token" = [])))]
#[get("/api/admin/authors")]
pub(crate) async fn list_edited_authors(
    app: Data<App>,
    _: Editor,
    params: Query<NamesParams>,
) -> Result<Answer<EditorAuthorsResult>, ApiError> {
    let query = params.read()?;
    let NamesPage { page, total } =
        app.read_tx_from_replica::<_, StoreError, _>(move |tx| names::authors(tx, &query)).await?;
    let next = page.next.map(|id| id.to_string());
    Ok(Answer::new(EditorAuthorsResult {
        authors: page.items.into_iter().map(Into::into).collect(),
        total: total.into(),
        next,
    }))
}

/// An author.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "An id.", minimum = 1)),
    responses((status = 200, description = "The author.", body = Answer<EditorAuthorResult>)),
    security(("token" = []))
)]
#[get("/api/admin/authors/{id}")]
pub(crate) async fn show_author(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorAuthorResult>, ApiError> {
    let id: AuthorId = number(&id, "author")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| names::author(tx, id)).await?;
    Ok(Answer::new(EditorAuthorResult { author: found.into() }))
}

/// Adds an author.
#[utoipa::path(
    tag = "admin",
    request_body = AuthorForm,
    responses((status = 200, description = "The author.", body = Answer<EditorAuthorResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/authors")]
pub(crate) async fn add_new_author(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<AuthorForm>,
) -> Result<Answer<EditorAuthorResult>, ApiError> {
    let edit = form.read(true)?;
    let added = run(&app, acting, move |tx, trail| names::add_author(tx, trail, edit)).await?;
    Ok(Answer::new(EditorAuthorResult { author: added.into() }))
}

/// Changes an author, based on the version that the editor has read. A new name reaches the books.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "An id.", minimum = 1)),
    request_body = AuthorForm,
    responses((status = 200, description = "The author by now.", body = Answer<EditorAuthorResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/authors/{id}")]
pub(crate) async fn change_author(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<AuthorForm>,
) -> Result<Answer<EditorAuthorResult>, ApiError> {
    let based: (AuthorId, _) = (number(&id, "author")?, form.version);
    let edit = form.read(false)?;
    let edited = run(&app, acting, move |tx, trail| names::edit_author(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorAuthorResult { author: edited.into() }))
}

/// Merges an author into another one, who has the books of both. The author's own address leads nowhere any more.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of the one that goes.", minimum = 1)),
    request_body = MergeForm,
    responses((status = 200, description = "The one that stays.", body = Answer<EditorAuthorResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/authors/{id}/merge")]
pub(crate) async fn merge_author(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    Body(form): Body<MergeForm>,
) -> Result<Answer<EditorAuthorResult>, ApiError> {
    let from: (AuthorId, _) = (number(&id, "author")?, form.version);
    let into = AuthorId::new(form.into).map_err(|_| ApiError::not_found("author"))?;
    let kept = run(&app, acting, move |tx, trail| names::merge_authors(tx, trail, from, into)).await?;
    Ok(Answer::new(EditorAuthorResult { author: kept.into() }))
}

/// Deletes an author without books.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "An id.", minimum = 1)), responses((status = 200, description = "The author is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/authors/{id}")]
pub(crate) async fn remove_author(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: AuthorId = number(&id, "author")?;
    run(&app, acting, move |tx, trail| names::delete_author(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// A page of all tags, by their names.
#[utoipa::path(tag = "admin", params(NamesParams), responses((status = 200, description = "A page of tags.", body = Answer<EditorTagsResult>)), security(("token" = [])))]
#[get("/api/admin/tags")]
pub(crate) async fn list_edited_tags(
    app: Data<App>,
    _: Editor,
    params: Query<NamesParams>,
) -> Result<Answer<EditorTagsResult>, ApiError> {
    let query = params.read()?;
    let NamesPage { page, total } =
        app.read_tx_from_replica::<_, StoreError, _>(move |tx| names::tags(tx, &query)).await?;
    let next = page.next.map(|id| id.to_string());
    Ok(Answer::new(EditorTagsResult {
        tags: page.items.into_iter().map(Into::into).collect(),
        total: total.into(),
        next,
    }))
}

/// A tag.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The tag.", body = Answer<EditorTagResult>)),
    security(("token" = []))
)]
#[get("/api/admin/tags/{id}")]
pub(crate) async fn show_tag(app: Data<App>, _: Editor, id: Path<String>) -> Result<Answer<EditorTagResult>, ApiError> {
    let id: TagId = number(&id, "tag")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| names::tag(tx, id)).await?;
    Ok(Answer::new(EditorTagResult { tag: found.into() }))
}

/// Renames a tag, based on the version that the editor has read. Its address goes along, and so do its books.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = TagForm,
    responses((status = 200, description = "The updated tag.", body = Answer<EditorTagResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/tags/{id}")]
pub(crate) async fn change_tag(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    Body(form): Body<TagForm>,
) -> Result<Answer<EditorTagResult>, ApiError> {
    let based: (TagId, _) = (number(&id, "tag")?, form.version);
    let name = form.read()?;
    let edited = run(&app, acting, move |tx, trail| names::rename_tag(tx, trail, based, &name)).await?;
    Ok(Answer::new(EditorTagResult { tag: edited.into() }))
}

/// Merges a tag into another one, which has the books of both.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of the one that goes.", minimum = 1)),
    request_body = MergeForm,
    responses((status = 200, description = "The one that stays.", body = Answer<EditorTagResult>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/tags/{id}/merge")]
pub(crate) async fn merge_tag(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    Body(form): Body<MergeForm>,
) -> Result<Answer<EditorTagResult>, ApiError> {
    let from: (TagId, _) = (number(&id, "tag")?, form.version);
    let into = TagId::new(form.into).map_err(|_| ApiError::not_found("tag"))?;
    let kept = run(&app, acting, move |tx, trail| names::merge_tags(tx, trail, from, into)).await?;
    Ok(Answer::new(EditorTagResult { tag: kept.into() }))
}

/// Deletes a tag, also from the books that have it.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/tags/{id}")]
pub(crate) async fn remove_tag(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: TagId = number(&id, "tag")?;
    run(&app, acting, move |tx, trail| names::delete_tag(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}
