//! Uploads of a book's files (`catalogue.files-uploaded`).

use crate::{
    app::App,
    catalogue::{back_office::books_types::EditorBookResult, types::book_name},
    editing::run,
    extract::{ActingEditor, Editor, Path},
    http::{
        error::ApiError,
        openapi::NotFound,
        upload::{FileKind, UploadForm, cleaned_svg_of, store_file},
        wire::Answer,
    },
};
use actix_multipart::Multipart;
use actix_web::{HttpRequest, delete, post, web::Data};
use catalogue::{BookFile, thumb_of_infographic};
use kernel::{BookId, Slug};
use media::CleanedSvg;
use serde::Serialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;
use workflows::{
    catalogue::editing::books::{attach_file, edited_book, find_book, remove_infographic},
    editing::EditError,
};

/// The width of an uploaded infographic's thumbnail, in pixels: small enough that its text is illegible.
const INFOGRAPHIC_THUMB: u32 = 320;

/// The book to which a file belongs: its id, and its slug for the file's key.
async fn owner(app: &App, text: &str) -> Result<(BookId, Slug), ApiError> {
    let name = book_name::in_path(text)?;
    let found = app.read_tx::<_, EditError, _>(move |tx| {
        let id = find_book(tx, &name)?.ok_or(EditError::Unknown("book"))?;
        let book = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
        Ok((id, book.draft.subid))
    });
    Ok(found.await?)
}

/// Stores a file under a name that the server chooses, and assigns it to the book.
async fn upload(
    (app, acting): (&App, ActingEditor),
    (id, request, body): (&str, &HttpRequest, Multipart),
    kind: FileKind,
    name: fn(&Slug) -> String,
    file: fn(String) -> BookFile,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let (id, subid) = owner(app, id).await?;
    let key = store_file(&app.media, request, body, kind, &name(&subid)).await?;
    let file = file(key);
    if let BookFile::Infographic(key) = &file {
        app.media.put_small_form(key, INFOGRAPHIC_THUMB, &thumb_of_infographic(key)).await?;
    }
    let book = run(app, acting, move |tx, trail| attach_file(tx, trail, id, &file)).await?;
    Ok(Answer::new(EditorBookResult::signed(&book, &app.signer().await?, app.env.now())))
}

/// A cover: a JPEG, PNG or WebP of at most 20 MB, which is encoded again in the sizes that pages need.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The book with the file.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[post("/api/admin/books/photo/{id}")]
pub(crate) async fn upload_photo(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = |subid: &Slug| format!("covers/{subid}");
    upload((&app, acting), (&id, &request, body), FileKind::Picture, name, BookFile::Photo).await
}

/// An SVG as it would be stored.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CleanedSvgResult {
    /// The drawing, as text.
    svg: String,
    /// The names of the elements and attributes that were removed because they could run, load or link to something, or style
    /// the drawing: `script`, `onload`, `href`.
    removed: BTreeSet<String>,
}

/// What is left of an SVG of at most 2 MB when it is cleaned. Nothing is stored.
#[utoipa::path(
    tag = "admin",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The cleaned drawing.", body = Answer<CleanedSvgResult>)),
    security(("token" = []))
)]
#[post("/api/admin/drawings/clean")]
pub(crate) async fn clean_drawing(
    _: Editor,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<CleanedSvgResult>, ApiError> {
    let CleanedSvg { svg, removed } = cleaned_svg_of(&request, body).await?;
    let svg = String::from_utf8(svg).map_err(ApiError::internal)?;
    Ok(Answer::new(CleanedSvgResult { svg, removed }))
}

/// A drawing: an SVG of at most 2 MB, which is cleaned, or a picture.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The book with the file.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[post("/api/admin/books/vector/{id}")]
pub(crate) async fn upload_vector(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = |subid: &Slug| format!("covers/{subid}-vector");
    upload((&app, acting), (&id, &request, body), FileKind::Drawing, name, BookFile::Vector).await
}

/// An infographic: a JPEG, PNG or WebP of at most 20 MB.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The book with the file.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[post("/api/admin/books/infographic/{id}")]
pub(crate) async fn upload_infographic(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = |subid: &Slug| format!("infographics/{subid}-uploaded");
    upload((&app, acting), (&id, &request, body), FileKind::Picture, name, BookFile::Infographic).await
}

/// Takes the uploaded infographic away. Readers see the drawn one again, if there is one.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    responses((status = 200, description = "The book without the file.", body = Answer<EditorBookResult>), NotFound),
    security(("token" = []))
)]
#[delete("/api/admin/books/infographic/{id}")]
pub(crate) async fn remove_uploaded_infographic(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let (id, _) = owner(&app, &id).await?;
    let book = run(&app, acting, move |tx, trail| remove_infographic(tx, trail, id)).await?;
    Ok(Answer::new(EditorBookResult::signed(&book, &app.signer().await?, app.env.now())))
}

/// The audio: MP3, M4A, OGG or WAV, of at most 1 GB. It takes the place of what was read aloud.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The book with the file.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[post("/api/admin/books/media/{id}")]
pub(crate) async fn upload_media(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = |subid: &Slug| format!("audio/{subid}");
    upload((&app, acting), (&id, &request, body), FileKind::Audio, name, BookFile::Audio).await
}

/// The episode about the book: MP3, M4A, OGG or WAV, of at most 1 GB.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The book with the file.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[post("/api/admin/books/podcast/{id}")]
pub(crate) async fn upload_podcast(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = |subid: &Slug| format!("audio/{subid}-podcast");
    upload((&app, acting), (&id, &request, body), FileKind::Audio, name, BookFile::Podcast).await
}

/// The video: MP4 or `WebM`, of at most 5 GB, within 30 minutes.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The id of a book, or its name in addresses.")),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The book with the file.", body = Answer<EditorBookResult>)),
    security(("token" = []))
)]
#[post("/api/admin/books/video/{id}")]
pub(crate) async fn upload_video(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<EditorBookResult>, ApiError> {
    let name = |subid: &Slug| format!("video/{subid}");
    upload((&app, acting), (&id, &request, body), FileKind::Video, name, BookFile::Video).await
}
