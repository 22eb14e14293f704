//! `GET /api/user-book-history/{id}`.

use actix_web::{get, web::Data};
use workflows::reading;

use super::{book_name, known_facts::known_facts};
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path},
    routes::reading_progress::types::PlaceResult,
    wire::Answer,
};

/// Where the reader is in a book, as all devices together say. Takes nothing from the allowance.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "Where the reader is.", body = Answer<PlaceResult>)),
    security(("token" = []))
)]
#[get("/api/user-book-history/{id}")]
pub(super) async fn place(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<PlaceResult>, ApiError> {
    let book = known_facts(&app, book_name::in_path(&id)?).await?;
    let place = app.read_tx(move |tx| reading::place(tx, claims.user, book.id)).await?;
    Ok(Answer::new(place.into()))
}
