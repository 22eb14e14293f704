//! `POST /api/library`.

use actix_web::{post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::reading;

use super::book_name::BookName;
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    openapi::NotFound,
    routes::reading_progress::types::InLibrary,
    wire::Answer,
};

/// A book to keep.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Addition {
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
}

/// Adds a book to the reader's library. One that is there stays where it is.
#[utoipa::path(
    tag = "reading",
    request_body = Addition,
    responses((status = 200, description = "The book is in the library.", body = Answer<InLibrary>), NotFound),
    security(("token" = []))
)]
#[post("/api/library")]
pub(super) async fn add_to_library(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Addition>,
) -> Result<Answer<InLibrary>, ApiError> {
    let book = BookName::read(body.book_id.as_ref())?;
    app.write_tx(move |tx| reading::add_to_library(tx, claims.user, &book)).await?;
    Ok(Answer::new(InLibrary { is_in_library: true }))
}
