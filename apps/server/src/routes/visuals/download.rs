//! `GET /api/infographics/{id}/download`.

use actix_web::{get, web::Data};
use catalogue::BookRef;
use media::Format;
use workflows::visuals;

use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path, Query},
    openapi::Forbidden,
    routes::visuals::types::{DownloadParams, DownloadResult, InfographicFormat},
    wire::Answer,
};

/// Width of an infographic in pixels: the largest of the forms that drawings take.
const PIXELS: u32 = 1280;

/// Where a paid member finds an infographic to keep.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book."), DownloadParams),
    responses((status = 200, description = "Its address.", body = Answer<DownloadResult>), Forbidden),
    security(("token" = []))
)]
#[get("/api/infographics/{id}/download")]
pub(super) async fn download_infographic(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    params: Query<DownloadParams>,
) -> Result<Answer<DownloadResult>, ApiError> {
    let (reader, now) = (claims.user, app.env.now());
    let book = BookRef::parse(&id).ok_or_else(|| ApiError::not_found("book"))?;
    let (book, set) = app.read_tx(move |tx| visuals::download_infographic(tx, reader, &book)).await?;
    let key = match params.format.unwrap_or_default() {
        InfographicFormat::Svg => Some(set.infographic),
        InfographicFormat::Png => app.media.raster(&set.infographic, PIXELS, Format::Png).await?,
    };
    let key = key.ok_or_else(|| ApiError::not_found("infographic"))?;
    let signed = app.signer().await?.presign(&key, Some(reader), now);
    Ok(Answer::new(DownloadResult {
        url: format!("{}&download={}-infographic", signed.url, book.card.subid),
        until: signed.expires_at.millis(),
    }))
}
