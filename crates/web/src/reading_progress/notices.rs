//! `GET` and `POST /api/user/notices`, `DELETE /api/user/notices/{id}`.

use actix_web::{delete, get, post, web::Data};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::reading_progress::publication_notices;

use crate::{
    app::App,
    catalogue::types::book_name::{self, BookName},
    extract::{Body, Member, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::Answer,
    },
};

/// The books of which a member gets a mail when they can be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticesResult {
    /// Their ids, the latest request first.
    #[schema(value_type = Vec<i64>)]
    pub books: Vec<i64>,
}

/// Whether a notice of a book is requested.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticeState {
    /// It is.
    pub is_requested: bool,
}

/// A book that is coming soon.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticeRequest {
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
}

/// The books of which the member gets a mail when they can be read.
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "The books.", body = Answer<NoticesResult>)),
    security(("token" = []))
)]
#[get("/api/user/notices")]
pub(super) async fn notices(app: Data<App>, Member(claims): Member) -> Result<Answer<NoticesResult>, ApiError> {
    let books = app.read_tx(move |tx| publication_notices::requested_notices(tx, claims.user)).await?;
    Ok(Answer::new(NoticesResult { books: books.into_iter().map(kernel::BookId::get).collect() }))
}

/// Requests one mail for the moment when a book that is coming soon can be read. Requesting it again changes nothing.
#[utoipa::path(
    tag = "reading",
    request_body = NoticeRequest,
    responses((status = 200, description = "A mail will be sent.", body = Answer<NoticeState>), NotFound, Conflict),
    security(("token" = []))
)]
#[post("/api/user/notices")]
pub(super) async fn request_notice(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<NoticeRequest>,
) -> Result<Answer<NoticeState>, ApiError> {
    let book = BookName::read(body.book_id.as_ref())?;
    app.write_tx(move |tx| publication_notices::request_notice(tx, claims.user, &book)).await?;
    Ok(Answer::new(NoticeState { is_requested: true }))
}

/// Withdraws the request, if there is one.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "No mail will be sent.", body = Answer<NoticeState>)),
    security(("token" = []))
)]
#[delete("/api/user/notices/{id}")]
pub(super) async fn withdraw_notice(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<NoticeState>, ApiError> {
    let book = book_name::in_path(&id)?;
    app.write_tx(move |tx| publication_notices::withdraw_notice(tx, claims.user, &book)).await?;
    Ok(Answer::new(NoticeState { is_requested: false }))
}
