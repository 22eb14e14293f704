//! `POST /api/ai/url`, `POST /api/ai/file` and `POST /api/ai/text`: each waits for the summary that it asks for.

use std::pin::pin;

use crate::{
    app::App,
    extract::{Body, LargeBody, Member},
    http::{
        error::{ApiError, Code},
        openapi::{NotFound, TooManyTries},
        wire::Answer,
    },
    summaries::{
        errors::refusal,
        types::{AskedSummary, FileForm, TextBody, UrlBody},
    },
};
use actix_multipart::{Field, Multipart};
use actix_web::{HttpRequest, HttpResponse, http::header, post, web::Data};
use futures_util::TryStreamExt;
use identity::RateLimitBucket;
use kernel::{StoreError, SummaryId, UserId};
use summaries::{
    MemberSummary, MemberSummaryCommands, MemberSummaryError, MemberSummaryQueries, NewSummary, SourceKind,
    SummarySource, engine,
};
use tokio::time::{Instant, timeout_at};
use url::Url;
use workflows::{rate_limits, summaries::summarise::ask_summary};

/// The largest file, in bytes (`summaries.file-kinds`).
const FILE_BYTES: usize = 25 * 1024 * 1024;
/// The maximum length of a pasted text, in characters.
const TEXT_CHARS: usize = 1_000_000;
/// The maximum length of an idempotency key, in bytes.
const KEY_BYTES: usize = 100;
/// The maximum length of a pasted text's first line to become its title, in characters.
const TITLE_CHARS: usize = 80;
/// The number of words in the title when the first line is longer.
const TITLE_WORDS: usize = 8;

/// What is answered when neither a link nor a file is given (`summaries.one-source`).
const NO_SOURCE: &str = "Please select a file or url";

/// Has a page of the public web summarised. For paid members.
#[utoipa::path(
    tag = "summariser", request_body = UrlBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key is the same summary.")),
    responses(
        (status = 200, description = "The finished summary.", body = Answer<AskedSummary>),
        (status = 202, description = "It takes longer: `Location` is where to ask for it.", body = Answer<AskedSummary>),
        NotFound,
        TooManyTries
    ),
    security(("token" = []))
)]
#[post("/api/ai/url")]
pub(super) async fn summarise_url(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    Body(body): Body<UrlBody>,
) -> Result<HttpResponse, ApiError> {
    let typed = body.url.trim();
    if typed.is_empty() {
        return Err(ApiError::invalid("url", NO_SOURCE));
    }
    // Browsers copy some URLs without the scheme.
    let address = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
    let invalid = || ApiError::invalid("url", page_fetch::FetchError::InvalidUrl.to_string());
    let url = Url::parse(&address).map_err(|_| invalid())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(ApiError::invalid("url", page_fetch::FetchError::SchemeNotAllowed.to_string()));
    }
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(invalid)?.to_owned();
    let source = SummarySource { kind: SourceKind::Link, name: host.clone(), url: Some(url.into()) };
    let new = NewSummary { key: key_of(&request), title: host, source, document: None };
    ask(&app, claims.user, new).await
}

/// Has a file summarised: PDF, EPUB, Word (DOCX), HTML, Markdown or text, of at most 25 MB. For paid members.
#[utoipa::path(
    tag = "summariser", request_body(content = FileForm, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key is the same summary.")),
    responses(
        (status = 200, description = "The finished summary.", body = Answer<AskedSummary>),
        (status = 202, description = "It takes longer: `Location` is where to ask for it.", body = Answer<AskedSummary>),
        NotFound,
        TooManyTries
    ),
    security(("token" = []))
)]
#[post("/api/ai/file")]
pub(super) async fn summarise_file(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    mut body: Multipart,
) -> Result<HttpResponse, ApiError> {
    let missing = || ApiError::invalid("file", NO_SOURCE);
    let broken = |_| ApiError::new(Code::BadRequest, "The request body was cut off.");
    while let Some(mut field) = body.try_next().await.map_err(|_| missing())? {
        if field.name() == Some("file") {
            let name = file_name(&field);
            let mut bytes = Vec::new();
            while let Some(chunk) = field.try_next().await.map_err(broken)? {
                if bytes.len() + chunk.len() > FILE_BYTES {
                    return Err(ApiError::new(Code::PayloadTooLarge, "The file is larger than 25 MB."));
                }
                bytes.extend_from_slice(&chunk);
            }
            if bytes.is_empty() {
                return Err(missing());
            }
            let title = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem).replace('_', " ");
            let source = SummarySource { kind: SourceKind::File, name, url: None };
            let new = NewSummary { key: key_of(&request), title, source, document: Some(bytes) };
            return ask(&app, claims.user, new).await;
        }
        // Other fields are read and ignored.
        while field.try_next().await.map_err(broken)?.is_some() {}
    }
    Err(missing())
}

/// Has a text summarised. For paid members.
#[utoipa::path(
    tag = "summariser", request_body = TextBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key is the same summary.")),
    responses(
        (status = 200, description = "The finished summary.", body = Answer<AskedSummary>),
        (status = 202, description = "It takes longer: `Location` is where to ask for it.", body = Answer<AskedSummary>),
        NotFound,
        TooManyTries
    ),
    security(("token" = []))
)]
#[post("/api/ai/text")]
pub(super) async fn summarise_text(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    LargeBody(body): LargeBody<TextBody>,
) -> Result<HttpResponse, ApiError> {
    let text = body.text.trim();
    if text.is_empty() {
        return Err(ApiError::invalid("text", "Please paste some text."));
    }
    if text.chars().count() > TEXT_CHARS {
        return Err(ApiError::invalid("text", "Please paste at most 1,000,000 characters."));
    }
    if engine::is_too_short(text) {
        return Err(MemberSummaryError::TextTooShort.into());
    }
    let title = body.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| title_of(text));
    let source = SummarySource { kind: SourceKind::Text, name: "Pasted text".to_owned(), url: None };
    let new = NewSummary { key: key_of(&request), title, source, document: Some(text.as_bytes().to_vec()) };
    ask(&app, claims.user, new).await
}

/// Stores the request for a summary, within the member's rate limit, and waits for the summary (`summaries.finished-answer`). One
/// that can't be made is refused and leaves nothing.
async fn ask(app: &App, member: UserId, new: NewSummary) -> Result<HttpResponse, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Summary, member.to_string()).await?;
    let id = app.write_tx(move |tx| ask_summary(tx, member, &new)).await?;
    let summary = ended(app, member, id).await?.ok_or(MemberSummaryError::UnknownSummary)?;
    if let Some(failure) = &summary.failure {
        app.db.write::<_, StoreError, _>(move |pg| pg.delete_member_summary(member, id)).await?;
        return Err(refusal(summary.source.kind, failure));
    }
    if summary.state.is_unfinished() {
        return Ok(HttpResponse::Accepted()
            .insert_header((header::LOCATION, format!("/api/ai/summaries/{id}")))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .json(Answer::new(AskedSummary::new(&summary, None))));
    }
    let text = app.db.read::<_, StoreError, _>(move |pg| pg.member_summary_text(member, id)).await?;
    let asked = AskedSummary::new(&summary, text.as_ref());
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(Answer::new(asked)))
}

/// Waits until a summary is finished, has failed or is deleted, as long as the configuration says, and not while the process
/// drains. Gives it as it is then.
async fn ended(app: &App, member: UserId, id: SummaryId) -> Result<Option<MemberSummary>, ApiError> {
    let deadline = Instant::now() + app.config.summary_wait;
    loop {
        // Registered before the summary is read, so that an end in between is not missed.
        let mut change = pin!(app.summaries_ended.notified());
        change.as_mut().enable();
        let summary = app.db.read::<_, StoreError, _>(move |pg| pg.member_summary(member, id)).await?;
        let is_under_way = summary.as_ref().is_some_and(|summary| summary.state.is_unfinished());
        if !is_under_way || app.is_draining() || timeout_at(deadline, change).await.is_err() {
            return Ok(summary);
        }
    }
}

/// The title of a pasted text: its first line, or the beginning of that.
fn title_of(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    if line.chars().count() <= TITLE_CHARS {
        return line.to_owned();
    }
    let words: Vec<&str> = line.split_whitespace().take(TITLE_WORDS).collect();
    format!("{} …", words.join(" "))
}

/// The request's idempotency key; `None` when it is missing, blank or longer than [`KEY_BYTES`].
fn key_of(request: &HttpRequest) -> Option<String> {
    let key = request.headers().get("idempotency-key")?.to_str().ok()?.trim();
    (!key.is_empty() && key.len() <= KEY_BYTES).then(|| key.to_owned())
}

/// The file name without folders and control characters.
fn file_name(field: &Field) -> String {
    let sent = field.content_disposition().and_then(|disposition| disposition.get_filename()).unwrap_or_default();
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    if name.trim().is_empty() { "File".to_owned() } else { name.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_pasted_text_is_called_by_its_first_line() {
        assert_eq!(title_of("Simplicity\n\nMost of the luxuries …"), "Simplicity");
        let long = "Most of the luxuries and many of the so-called comforts of life are not only not indispensable.";
        assert_eq!(title_of(long), "Most of the luxuries and many of the …");
    }
}
