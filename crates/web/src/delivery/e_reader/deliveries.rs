//! `POST /kindle/send/{bookId}`, `GET /kindle/deliveries` and `POST /kindle/deliveries/{id}/retry`.

use actix_web::{get, post, web::Data};
use identity::RateLimitBucket;
use kernel::DeliveryId;
use workflows::{delivery::e_reader, rate_limits};

use crate::{
    app::App,
    catalogue::types::book_name,
    delivery::e_reader::types::{AcceptedDelivery, DeliveriesParams, DeliveriesResult},
    extract::{Member, Path, Query},
    http::{
        error::ApiError,
        openapi::{Conflict, TooManyTries, ValidationFailed},
        wire::Answer,
    },
};

/// Mails the book as an EPUB to the member's e-reader. For paid members who have set its address. A book that is on its
/// way is not sent twice.
#[utoipa::path(tag = "e-reader", params(("bookId" = String, Path, description = "The id or the `subid` of a book.")), responses((status = 200, description = "It is on its way.", body = Answer<AcceptedDelivery>), TooManyTries, ValidationFailed), security(("token" = [])))]
#[post("/api/kindle/send/{bookId}")]
pub(super) async fn send_to_kindle(
    app: Data<App>,
    Member(claims): Member,
    book: Path<String>,
) -> Result<Answer<AcceptedDelivery>, ApiError> {
    let book = book_name::in_path(&book)?;
    rate_limits::count(&app.transactions, RateLimitBucket::EReader, claims.user.to_string()).await?;
    let delivery = app.write_tx(move |tx| e_reader::send_book(tx, claims.user, &book)).await?;
    Ok(Answer::new(AcceptedDelivery { delivery: delivery.get() }))
}

/// A page of what was sent to the member's e-reader, the newest first, and what became of it.
#[utoipa::path(tag = "e-reader", params(DeliveriesParams), responses((status = 200, description = "A page of deliveries.", body = Answer<DeliveriesResult>)), security(("token" = [])))]
#[get("/api/kindle/deliveries")]
pub(super) async fn kindle_deliveries(
    app: Data<App>,
    Member(claims): Member,
    params: Query<DeliveriesParams>,
) -> Result<Answer<DeliveriesResult>, ApiError> {
    let (after, limit) = params.read()?;
    let log = app.read_tx(move |tx| e_reader::delivery_log(tx, claims.user, after, limit)).await?;
    Ok(Answer::new(log.into()))
}

/// Tries a failed delivery again. For paid members.
#[utoipa::path(tag = "e-reader", params(("id" = i64, Path, description = "The id of a delivery.", minimum = 1)), responses((status = 200, description = "It is on its way.", body = Answer<AcceptedDelivery>), Conflict, TooManyTries, ValidationFailed), security(("token" = [])))]
#[post("/api/kindle/deliveries/{id}/retry")]
pub(super) async fn retry_delivery(
    app: Data<App>,
    Member(claims): Member,
    id: Path<i64>,
) -> Result<Answer<AcceptedDelivery>, ApiError> {
    let id = DeliveryId::new(*id).map_err(|_| ApiError::not_found("delivery"))?;
    rate_limits::count(&app.transactions, RateLimitBucket::EReader, claims.user.to_string()).await?;
    let delivery = app.write_tx(move |tx| e_reader::retry_delivery(tx, claims.user, id)).await?;
    Ok(Answer::new(AcceptedDelivery { delivery: delivery.get() }))
}
