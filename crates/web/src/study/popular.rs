//! `GET /api/study/popular/{book}`.

use actix_web::{get, web::Data};
use workflows::study::places;

use crate::{
    app::App,
    catalogue::types::book_name,
    extract::{Path, StudyReader},
    http::{
        error::ApiError,
        openapi::{Forbidden, NotFound},
        wire::Answer,
    },
    study::types::PopularResult,
};

/// What many members have highlighted in a book, without names. For those who may read its text; empty for a member who has
/// switched it off.
#[utoipa::path(
    tag = "study",
    params(("book" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The passages.", body = Answer<PopularResult>), Forbidden, NotFound),
    security(("token" = []), ("apiToken" = []))
)]
#[get("/api/study/popular/{book}")]
pub(super) async fn popular_passages(
    app: Data<App>,
    StudyReader(member): StudyReader,
    book: Path<String>,
) -> Result<Answer<PopularResult>, ApiError> {
    let book = book_name::in_path(&book)?;
    let passages = app.read_tx(move |tx| places::shown_passages(tx, member, &book)).await?;
    Ok(Answer::new(PopularResult { passages: passages.into_iter().map(Into::into).collect() }))
}
