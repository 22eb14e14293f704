//! Links between key ideas for editors: list, propose, add, change, delete (`catalogue.idea-links`, `catalogue.link-proposals`).

use actix_web::{delete, get, post, put, web::Data};
use kernel::{IdeaLinkId, StoreError};
use workflows::{
    catalogue::editing::idea_links::{self, IdeaLinksPage},
    editing::EditError,
};

use crate::{
    app::App,
    catalogue::back_office::idea_links_types::{
        EditorIdeaLinkResult, EditorIdeaLinksResult, IdeaLinkForm, IdeaLinksParams, IdeasOfBookParams,
        IdeasOfBookResult, ProposedIdeaLinksResult,
    },
    editing::{number, run},
    extract::{ActingEditor, Body, Editor, Path, Query},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// A page of all links between key ideas, the newest first.
#[utoipa::path(tag = "admin", params(IdeaLinksParams), responses((status = 200, description = "A page of links.", body = Answer<EditorIdeaLinksResult>)), security(("token" = [])))]
#[get("/api/admin/idea-links")]
pub(crate) async fn list_edited_idea_links(
    app: Data<App>,
    _: Editor,
    params: Query<IdeaLinksParams>,
) -> Result<Answer<EditorIdeaLinksResult>, ApiError> {
    let query = params.read()?;
    let IdeaLinksPage { page, total } =
        app.read_tx_from_replica::<_, StoreError, _>(move |tx| idea_links::idea_links(tx, &query)).await?;
    let next = page.next.map(|id| id.to_string());
    let links = page.items.into_iter().map(Into::into).collect();
    Ok(Answer::new(EditorIdeaLinksResult { links, total: total.into(), next }))
}

/// The headings of a book's key ideas, to choose from.
#[utoipa::path(tag = "admin", params(IdeasOfBookParams), responses((status = 200, description = "The headings.", body = Answer<IdeasOfBookResult>), NotFound), security(("token" = [])))]
#[get("/api/admin/idea-links/ideas")]
pub(crate) async fn list_ideas_of_book(
    app: Data<App>,
    _: Editor,
    params: Query<IdeasOfBookParams>,
) -> Result<Answer<IdeasOfBookResult>, ApiError> {
    let book = params.read()?.ok_or_else(|| ApiError::invalid("bookId", "Please specify a book."))?;
    let found = app.read_tx::<_, StoreError, _>(move |tx| idea_links::ideas_of_book(tx, &book)).await?;
    let ideas = found.ok_or_else(|| ApiError::not_found("book"))?;
    Ok(Answer::new(IdeasOfBookResult { ideas }))
}

/// Pairs of key ideas that are alike and have no link: of a book, or of the books with the fewest links.
#[utoipa::path(tag = "admin", params(IdeasOfBookParams), responses((status = 200, description = "The pairs.", body = Answer<ProposedIdeaLinksResult>), NotFound), security(("token" = [])))]
#[get("/api/admin/idea-links/proposals")]
pub(crate) async fn list_proposed_links(
    app: Data<App>,
    _: Editor,
    params: Query<IdeasOfBookParams>,
) -> Result<Answer<ProposedIdeaLinksResult>, ApiError> {
    let book = params.read()?;
    let proposed =
        app.read_tx_from_replica::<_, EditError, _>(move |tx| idea_links::proposed_links(tx, book.as_ref())).await?;
    Ok(Answer::new(ProposedIdeaLinksResult { proposals: proposed.into_iter().map(Into::into).collect() }))
}

/// A link between key ideas.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "An id.", minimum = 1)),
    responses((status = 200, description = "The link.", body = Answer<EditorIdeaLinkResult>)),
    security(("token" = []))
)]
#[get("/api/admin/idea-links/{id}")]
pub(crate) async fn show_idea_link(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorIdeaLinkResult>, ApiError> {
    let id: IdeaLinkId = number(&id, "idea link")?;
    let found = app.read_tx::<_, EditError, _>(move |tx| idea_links::idea_link(tx, id)).await?;
    Ok(Answer::new(EditorIdeaLinkResult { link: found.into() }))
}

/// Adds a link between two key ideas, or notes that they have nothing in common (`dismissed`).
#[utoipa::path(
    tag = "admin",
    request_body = IdeaLinkForm,
    responses((status = 200, description = "The link.", body = Answer<EditorIdeaLinkResult>), NotFound),
    security(("token" = []))
)]
#[post("/api/admin/idea-links")]
pub(crate) async fn add_new_idea_link(
    app: Data<App>,
    acting: ActingEditor,
    Body(form): Body<IdeaLinkForm>,
) -> Result<Answer<EditorIdeaLinkResult>, ApiError> {
    let edit = form.read()?;
    let added = run(&app, acting, move |tx, trail| idea_links::add_idea_link(tx, trail, edit)).await?;
    Ok(Answer::new(EditorIdeaLinkResult { link: added.into() }))
}

/// Changes a link, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "An id.", minimum = 1)),
    request_body = IdeaLinkForm,
    responses((status = 200, description = "The updated link.", body = Answer<EditorIdeaLinkResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/idea-links/{id}")]
pub(crate) async fn change_idea_link(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    Body(form): Body<IdeaLinkForm>,
) -> Result<Answer<EditorIdeaLinkResult>, ApiError> {
    let based: (IdeaLinkId, _) = (number(&id, "idea link")?, form.version);
    let edit = form.read()?;
    let edited = run(&app, acting, move |tx, trail| idea_links::edit_idea_link(tx, trail, based, edit)).await?;
    Ok(Answer::new(EditorIdeaLinkResult { link: edited.into() }))
}

/// Deletes a link. Its two ideas may be proposed again.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "An id.", minimum = 1)), responses((status = 200, description = "The link is gone.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/admin/idea-links/{id}")]
pub(crate) async fn remove_idea_link(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: IdeaLinkId = number(&id, "idea link")?;
    run(&app, acting, move |tx, trail| idea_links::delete_idea_link(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}
