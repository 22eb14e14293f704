//! `PUT` and `DELETE /api/books/rating/{id}`.

use actix_web::{delete, put, web::Data};
use reading_progress::Rating;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Number;
use utoipa::ToSchema;
use workflows::reading_progress::reading;

use crate::{
    app::App,
    catalogue::types::book_name::{self, BookName},
    extract::{Body, Member, Path},
    http::{error::ApiError, whole::whole, wire::Answer},
    reading_progress::types::{RatingResult, TakenBackResult},
};

/// What the reader thinks of a summary.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RatingForm {
    /// One to five stars.
    #[schema(value_type = i64, required, minimum = 1, maximum = 5)]
    rating: Option<Number>,
    /// In the reader's own words.
    #[schema(max_length = 500)]
    feedback: Option<String>,
    /// Without effect: the address names the book.
    #[serde(rename = "subid")]
    #[allow(dead_code, reason = "members' clients send it")]
    #[schema(value_type = Option<String>)]
    subid: Option<IgnoredAny>,
    /// Without effect: the address names the book.
    #[allow(dead_code, reason = "members' clients send it")]
    #[schema(value_type = Option<BookName>)]
    book_id: Option<IgnoredAny>,
}

/// Rates a summary that the reader has opened or completed, in the place of what the reader thought before.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    request_body = RatingForm,
    responses((status = 200, description = "The updated rating.", body = Answer<RatingResult>)),
    security(("token" = []))
)]
#[put("/api/books/rating/{id}")]
pub(super) async fn rate(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    Body(form): Body<RatingForm>,
) -> Result<Answer<RatingResult>, ApiError> {
    let book = book_name::in_path(&id)?;
    let stars = form.rating.as_ref().and_then(whole);
    let rating = Rating::new(stars, form.feedback.as_deref().unwrap_or_default())?;
    let answer = RatingResult { rating: (&rating).into() };
    app.write_tx(move |tx| reading::rate(tx, claims.user, &book, &rating)).await?;
    Ok(Answer::new(answer))
}

/// Takes the reader's rating back. One that is not there is no error.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "There is no rating by this reader.", body = Answer<TakenBackResult>)),
    security(("token" = []))
)]
#[delete("/api/books/rating/{id}")]
pub(super) async fn take_back(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<TakenBackResult>, ApiError> {
    let book = book_name::in_path(&id)?;
    app.write_tx(move |tx| reading::take_rating_back(tx, claims.user, &book)).await?;
    Ok(Answer::new(TakenBackResult { has_ratings_from_user: false }))
}
