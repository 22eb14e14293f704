//! `GET /api/study/highlights/{id}/picture`.

use actix_web::{HttpResponse, get, http::header, web::Data};
use identity::RateLimitBucket;
use kernel::{HighlightId, StoreError};
use workflows::{rate_limits, study::picture::highlight_picture};

use crate::{
    app::App,
    extract::{Path, StudyReader},
    http::{
        error::ApiError,
        openapi::{NotFound, TooManyTries},
    },
};

/// A highlight as a picture that can be shared: a PNG of 1200 by 1500 with the words and what they are from. Nothing in it says
/// whose highlight it is.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a highlight.", minimum = 1, maximum = 9_007_199_254_740_991_i64)),
    responses(
        (status = 200, description = "The picture.", content_type = "image/png", body = Vec<u8>),
        NotFound,
        TooManyTries
    ),
    security(("token" = []), ("apiToken" = []))
)]
#[get("/api/study/highlights/{id}/picture")]
pub(super) async fn picture_of_highlight(
    app: Data<App>,
    StudyReader(member): StudyReader,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let missing = || ApiError::not_found("highlight");
    let id: HighlightId = id.parse().map_err(|_| missing())?;
    rate_limits::count(&app.transactions, RateLimitBucket::Picture, member.to_string()).await?;
    let picture = app.read_tx::<_, StoreError, _>(move |tx| highlight_picture(tx, member, id)).await?;
    let picture = picture.ok_or_else(missing)?;
    if !picture.has_all_letters() {
        return Err(ApiError::invalid("id", "The picture can’t show the letters of this passage."));
    }
    let site = app.config.site.name.clone();
    let file = app.media.draw_unkept(move || picture.svg(&site)).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "image/png"))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}
