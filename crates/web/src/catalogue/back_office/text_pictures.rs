//! Uploads of pictures for the texts of books, posts and pages (`catalogue.text-pictures`).

use actix_multipart::Multipart;
use actix_web::{HttpRequest, post, web::Data};
use kernel::TEXT_PICTURES;
use media::Media;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::recording_files::keep_text_pictures;

use crate::{
    app::App,
    editing::run,
    extract::ActingEditor,
    http::{
        error::ApiError,
        upload::{FileKind, UploadForm, store_file},
        wire::Answer,
    },
};

/// A stored picture that no text shows yet.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TextPictureResult {
    /// Its address: the `src` of an `img` within the text.
    url: String,
    /// Its width in pixels: of a drawing, the width at which it is drawn.
    width: u32,
    /// Its height in pixels.
    height: u32,
}

/// A picture for a text: a JPEG, PNG or WebP of at most 20 MB, or an SVG of at most 2 MB, which is cleaned. One that no text shows a
/// day later is removed.
#[utoipa::path(
    tag = "admin",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The stored picture.", body = Answer<TextPictureResult>)),
    security(("token" = []))
)]
#[post("/api/admin/pictures")]
pub(crate) async fn upload_text_picture(
    app: Data<App>,
    acting: ActingEditor,
    request: HttpRequest,
    body: Multipart,
) -> Result<Answer<TextPictureResult>, ApiError> {
    let key = store_file(&app.media, &request, body, FileKind::Drawing, &format!("{TEXT_PICTURES}/text")).await?;
    let (width, height) =
        app.media.picture_size(&key).await?.ok_or_else(|| ApiError::internal("a stored picture is missing"))?;
    let (url, now) = (Media::url(&key), app.env.now());
    let address = url.clone();
    run(&app, acting, move |tx, _| Ok(keep_text_pictures(tx.pg, &address, now)?)).await?;
    Ok(Answer::new(TextPictureResult { url, width, height }))
}
