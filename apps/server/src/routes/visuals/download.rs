//! `GET /api/infographics/{id}/download`.

use actix_web::{get, web::Data};
use catalogue::BookRef;

use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path, Query},
    flows::visuals,
    media::Media,
    wire::{
        Answer, Failures,
        visual::{DownloadParams, DownloadResult, InfographicFormat},
    },
};

/// Width of an infographic in pixels.
const PIXELS: u32 = 1280;

/// Where a paid member finds an infographic to keep.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book."), DownloadParams),
    responses((status = 200, description = "Its address.", body = Answer<DownloadResult>), Failures),
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
    let (book, set) = app.db.read(move |pg| visuals::infographic(pg, reader, &book, now)).await?;
    let key = match params.format.unwrap_or_default() {
        InfographicFormat::Svg => Some(set.infographic),
        InfographicFormat::Png => pixels(&app, &set.infographic, book.card.subid.as_str()).await?,
    };
    let key = key.ok_or_else(|| ApiError::not_found("infographic"))?;
    let signed = Media::signed(&app, &key, Some(reader), now).await?;
    Ok(Answer::new(DownloadResult {
        url: format!("{}&download={}-infographic", signed.address, book.card.subid),
        until: signed.until.millis(),
    }))
}

/// The key of a poster's pixels; `None` when the poster is gone.
async fn pixels(app: &App, poster: &str, subid: &str) -> Result<Option<String>, ApiError> {
    let Some(svg) = app.media.bytes(poster).await? else { return Ok(None) };
    let svg = String::from_utf8(svg.to_vec()).map_err(ApiError::internal)?;
    let drawn = actix_web::web::block(move || artwork::raster::png(&svg, PIXELS)).await;
    let png = drawn.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    Ok(Some(app.media.put(&format!("infographics/{subid}.png"), png).await?))
}
