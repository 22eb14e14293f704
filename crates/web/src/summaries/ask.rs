//! `POST /api/ai/url`, `POST /api/ai/file` and `POST /api/ai/text`.

use crate::{
    app::App,
    extract::{Body, LargeBody, Member},
    http::{
        error::{ApiError, Code},
        openapi::TooManyTries,
        wire::Answer,
    },
    summaries::types::{FileForm, SummaryResult, TextBody, UrlBody},
};
use actix_multipart::{Field, Multipart};
use actix_web::{HttpRequest, post, web::Data};
use futures_util::TryStreamExt;
use identity::RateLimitBucket;
use kernel::UserId;
use summaries::{MemberSummaryError, MemberSummaryQueries, NewSummary, SourceKind, SummarySource, engine};
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

/// Has a page of the public web summarised. For paid members. It answers at once; the summary's state tells how far the work is.
#[utoipa::path(
    tag = "summariser", request_body = UrlBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key is the same summary.")),
    responses((status = 200, description = "The summary that waits.", body = Answer<SummaryResult>), TooManyTries),
    security(("token" = []))
)]
#[post("/api/ai/url")]
pub(super) async fn summarise_url(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    Body(body): Body<UrlBody>,
) -> Result<Answer<SummaryResult>, ApiError> {
    let typed = body.url.trim();
    // Browsers copy some URLs without the scheme.
    let address = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
    let invalid = || ApiError::invalid("url", page_fetch::FetchError::InvalidUrl.to_string());
    let url = Url::parse(&address).map_err(|_| invalid())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(ApiError::invalid("url", page_fetch::FetchError::SchemeNotAllowed.to_string()));
    }
    let host = url.host_str().filter(|host| !typed.is_empty() && !host.is_empty()).ok_or_else(invalid)?.to_owned();
    let source = SummarySource { kind: SourceKind::Link, name: host.clone(), url: Some(url.into()) };
    let new = NewSummary { key: key_of(&request), title: host, source, document: None };
    ask(&app, claims.user, new).await
}

/// Has a file summarised: PDF, EPUB, Word (DOCX), HTML, Markdown or text, of at most 25 MB. For paid members.
#[utoipa::path(
    tag = "summariser", request_body(content = FileForm, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key is the same summary.")),
    responses((status = 200, description = "The summary that waits.", body = Answer<SummaryResult>), TooManyTries),
    security(("token" = []))
)]
#[post("/api/ai/file")]
pub(super) async fn summarise_file(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    mut body: Multipart,
) -> Result<Answer<SummaryResult>, ApiError> {
    let missing = || ApiError::invalid("file", "Please choose a file.");
    let broken = |_| ApiError::new(Code::BadRequest, "The body broke off.");
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
    responses((status = 200, description = "The summary that waits.", body = Answer<SummaryResult>), TooManyTries),
    security(("token" = []))
)]
#[post("/api/ai/text")]
pub(super) async fn summarise_text(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    LargeBody(body): LargeBody<TextBody>,
) -> Result<Answer<SummaryResult>, ApiError> {
    let text = body.text.trim();
    if text.is_empty() {
        return Err(ApiError::invalid("text", "Please paste a text."));
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

/// Stores the request for a summary, within the member's rate limit.
async fn ask(app: &App, member: UserId, new: NewSummary) -> Result<Answer<SummaryResult>, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Summary, member.to_string()).await?;
    let summary = app.write_tx(move |tx| {
        let id = ask_summary(tx, member, &new)?;
        Ok::<_, ApiError>(tx.pg.member_summary(member, id)?.ok_or(MemberSummaryError::UnknownSummary)?)
    });
    let summary = summary.await?;
    Ok(Answer::new(SummaryResult { summary: (&summary).into() }))
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
