//! Illustrated key ideas for editors: list, show, add, change, reorder, remove, and upload pictures (`catalogue.visual-calls`).

use crate::{
    app::App,
    catalogue::back_office::visuals_types::{
        EditorVisual, EditorVisualResult, EditorVisualsResult, VisualForm, VisualOrder,
    },
    editing::{number, run},
    extract::{ActingEditor, Body, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        upload::{FileKind, UploadForm, store_file},
        wire::{Answer, Nothing},
    },
};
use actix_multipart::Multipart;
use actix_web::{HttpRequest, delete, get, post, put, web::Data};
use kernel::{StoreError, VisualId};
use workflows::{
    catalogue::editing::visuals,
    editing::{EditError, Versioned},
};

/// The width of the thumbnail of an uploaded picture, in pixels.
const THUMB: u32 = 640;

async fn answer(app: &App, one: Versioned<visuals::BookVisual>) -> Result<Answer<EditorVisualResult>, ApiError> {
    let visual = EditorVisual::signed(one, &app.signer().await?, app.env.now());
    Ok(Answer::new(EditorVisualResult { visual }))
}

async fn list(app: &App, all: Vec<Versioned<visuals::BookVisual>>) -> Result<Answer<EditorVisualsResult>, ApiError> {
    let (signer, now) = (app.signer().await?, app.env.now());
    let visuals = all.into_iter().map(|one| EditorVisual::signed(one, &signer, now)).collect();
    Ok(Answer::new(EditorVisualsResult { visuals }))
}

/// All key ideas, by book and then in the order in which readers see them.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorVisualsResult>)), security(("token" = [])))]
#[get("/api/admin/visuals")]
pub(crate) async fn list_edited_visuals(app: Data<App>, _: Editor) -> Result<Answer<EditorVisualsResult>, ApiError> {
    list(&app, app.read_tx::<_, StoreError, _>(visuals::visuals).await?).await
}

/// A key idea.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "The row.", body = Answer<EditorVisualResult>)),
    security(("token" = []))
)]
#[get("/api/admin/visuals/{id}")]
pub(crate) async fn show_visual(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorVisualResult>, ApiError> {
    let id: VisualId = number(&id, "visual")?;
    answer(&app, app.read_tx::<_, EditError, _>(move |tx| visuals::visual(tx, id)).await?).await
}

/// Adds one, behind the others of its book. Readers see it once it has a picture.
#[utoipa::path(
    tag = "admin",
    request_body = VisualForm,
    responses((status = 200, description = "The row.", body = Answer<EditorVisualResult>), NotFound),
    security(("token" = []))
)]
#[post("/api/admin/visuals")]
pub(crate) async fn add_new_visual(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<VisualForm>,
) -> Result<Answer<EditorVisualResult>, ApiError> {
    let edit = form.read(true)?;
    answer(&app, run(&app, acting, move |tx, trail| visuals::add_visual(tx, trail, edit)).await?).await
}

/// Brings the key ideas of a book into an order.
#[utoipa::path(
    tag = "admin",
    request_body = VisualOrder,
    responses((status = 200, description = "The book's key ideas in their order.", body = Answer<EditorVisualsResult>), NotFound, Conflict),
    security(("token" = []))
)]
#[put("/api/admin/visuals/order")]
pub(crate) async fn order_book_visuals(
    app: Data<App>,
    acting: ActingEditor,
    Body(form): Body<VisualOrder>,
) -> Result<Answer<EditorVisualsResult>, ApiError> {
    let (book, order) = form.read()?;
    let ordered = run(&app, acting, move |tx, trail| visuals::order_visuals(tx, trail, &book, &order)).await?;
    list(&app, ordered).await
}

/// Changes one, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body = VisualForm,
    responses((status = 200, description = "The updated entry.", body = Answer<EditorVisualResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/visuals/{id}")]
pub(crate) async fn change_visual(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<VisualForm>,
) -> Result<Answer<EditorVisualResult>, ApiError> {
    let based: (VisualId, _) = (number(&id, "visual")?, form.version);
    let edit = form.read(false)?;
    answer(&app, run(&app, acting, move |tx, trail| visuals::edit_visual(tx, trail, based, edit)).await?).await
}

/// Removes one.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    responses((status = 200, description = "It is gone.", body = Answer<Nothing>)),
    security(("token" = []))
)]
#[delete("/api/admin/visuals/{id}")]
pub(crate) async fn remove_visual(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: VisualId = number(&id, "visual")?;
    run(&app, acting, move |tx, trail| visuals::delete_visual(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// The picture of a key idea: a JPEG, PNG or WebP of at most 20 MB, which is encoded again in the sizes that pages need.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "Its id.", minimum = 1)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The row with the file.", body = Answer<EditorVisualResult>)),
    security(("token" = []))
)]
#[post("/api/admin/visuals/photo/{id}")]
pub(crate) async fn upload_visual_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorVisualResult>, ApiError> {
    let id: VisualId = number(&id, "visual")?;
    let subid = app.read_tx::<_, EditError, _>(move |tx| Ok(visuals::visual(tx, id)?.row.subid)).await?;
    let key = store_file(&app.media, &request, body, FileKind::Picture, &format!("visuals/{subid}-{id}")).await?;
    let thumb = key.replacen("visuals/", "thumbs/visual-", 1);
    app.media.put_small_form(&key, THUMB, &thumb).await?;
    let keys = (key, thumb);
    let attach = run(&app, acting, move |tx, trail| visuals::attach_visual_photo(tx, trail, id, (&keys.0, &keys.1)));
    answer(&app, attach.await?).await
}
