//! `GET /api/ai/summaries/{id}/pdf` and `…/epub`, `POST …/send`: downloads a member's summary, or sends it to an e-reader.

use crate::{
    app::App,
    delivery::e_reader::types::AcceptedDelivery,
    extract::{Member, Path},
    http::{
        error::{ApiError, Code},
        openapi::{Conflict, TooManyTries, ValidationFailed},
        wire::Answer,
    },
    summaries::list::read_id,
};
use actix_web::{HttpResponse, get, http::header, post, web::Data};
use identity::RateLimitBucket;
use kernel::{StoreError, UserId};
use media::disposition::attachment;
use summaries::{MemberSummaryError, MemberSummaryQueries};
use workflows::delivery::book_files::Format;
use workflows::{delivery::e_reader, rate_limits};

/// The summary as a PDF.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = Vec<u8>), Conflict, TooManyTries), security(("token" = [])))]
#[get("/api/ai/summaries/{id}/pdf")]
pub(super) async fn summary_pdf(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    answer(&app, claims.user, &id, Format::Pdf).await
}

/// The summary as an EPUB.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), responses((status = 200, description = "The EPUB.", content_type = "application/epub+zip", body = Vec<u8>), Conflict, TooManyTries), security(("token" = [])))]
#[get("/api/ai/summaries/{id}/epub")]
pub(super) async fn summary_epub(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    answer(&app, claims.user, &id, Format::Epub).await
}

/// Mails the summary as an EPUB to the member's e-reader, as `POST /kindle/send/{bookId}` mails a book. For paid members who
/// have set its address. A summary that is on its way is not sent twice; `409` before it is made.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), responses((status = 200, description = "It is on its way.", body = Answer<AcceptedDelivery>), Conflict, TooManyTries, ValidationFailed), security(("token" = [])))]
#[post("/api/ai/summaries/{id}/send")]
pub(super) async fn send_summary(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<AcceptedDelivery>, ApiError> {
    let id = read_id(&id)?;
    rate_limits::count(&app.transactions, RateLimitBucket::EReader, claims.user.to_string()).await?;
    let delivery = app.write_tx(move |tx| e_reader::send_summary(tx, claims.user, id)).await?;
    Ok(Answer::new(AcceptedDelivery { delivery: delivery.get() }))
}

async fn answer(app: &Data<App>, member: UserId, id: &str, format: Format) -> Result<HttpResponse, ApiError> {
    let id = read_id(id)?;
    rate_limits::count(&app.transactions, RateLimitBucket::Download, member.to_string()).await?;
    let found = app.db.read::<_, StoreError, _>(move |pg| {
        let Some(summary) = pg.member_summary(member, id)? else { return Ok(None) };
        Ok(Some((summary, pg.member_summary_text(member, id)?)))
    });
    let (summary, text) = found.await?.ok_or(MemberSummaryError::UnknownSummary)?;
    let unfinished = || ApiError::new(Code::AlreadyThere, "This summary is not finished yet.");
    let text = text.ok_or_else(unfinished)?;
    let name = attachment(&summary.title, &format!("summary-{id}"), format.ending());
    let file = app.book_files.make_member_summary(&summary, &text, format).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, format.content_type()))
        .insert_header((header::CONTENT_DISPOSITION, name))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}
