//! `/api/user/import`: reads an archive into the account (`identity.account-import`).

use actix_multipart::Multipart;
use actix_web::{HttpRequest, HttpResponse, delete, get, http::header, post, web::Data};
use identity::{
    AccountImport, IMPORT_MAX_BYTES, ImportCommands, ImportFigure, ImportQueries, KeptCount, RateLimitBucket,
};
use kernel::{StoreError, Timestamp, UserId};
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{
    identity::account_import::{ArchiveFileError, ask_import, check_archive},
    rate_limits,
};

use crate::{
    app::App,
    extract::Member,
    http::{
        error::ApiError,
        openapi::{Conflict, TooManyTries},
        upload::{UploadTexts, read_file},
        wire::{Answer, Nothing},
    },
};

/// What is said of a file that is not there, or too large.
const TEXTS: UploadTexts =
    UploadTexts { missing: "Please select your archive.", too_large: "The archive is larger than 50 MB." };

/// An archive.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the body, which is streamed")]
pub(super) struct ArchiveUpload {
    /// The zip, of at most 50 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// What became of the entries of one kind.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportFigure)]
pub(super) struct Figure {
    /// `places`, `library`, `ratings`, `notices`, `highlights`, `cards`, `commitments`, `ideas`, `lists`, `summaries`, `days` or
    /// `settings`.
    kind: &'static str,
    /// Those that are in the account now, whether they were before or not.
    imported: u32,
    /// Those whose book is not here.
    kept: u32,
    /// Those that could not be read.
    unreadable: u32,
}

impl From<&ImportFigure> for Figure {
    fn from(figure: &ImportFigure) -> Self {
        let ImportFigure { kind, imported, kept, unreadable } = *figure;
        Self { kind: kind.as_str(), imported, kept, unreadable }
    }
}

/// The last import into an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AccountImport)]
pub(super) struct ImportState {
    /// `queued`, `running`, `done` or `failed`.
    state: &'static str,
    /// Whether it looked again for what is kept; otherwise an archive was uploaded.
    is_retry: bool,
    /// In milliseconds since the Unix epoch.
    requested_at: i64,
    /// When it was done or failed; null until then.
    done_at: Option<i64>,
    /// Why it failed; null unless it did.
    error: Option<String>,
    /// By kind; empty until it is done. Kinds of which the archive had nothing are left out.
    figures: Vec<Figure>,
}

impl From<AccountImport> for ImportState {
    fn from(import: AccountImport) -> Self {
        Self {
            state: import.state.as_str(),
            is_retry: import.is_retry,
            requested_at: import.requested_at.millis(),
            done_at: import.ended_at.map(Timestamp::millis),
            error: import.failure,
            figures: import.figures.iter().map(Figure::from).collect(),
        }
    }
}

/// How much of a kind is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KeptEntries {
    /// As in `ImportFigure`.
    kind: &'static str,
    count: u32,
}

/// A book that is not here, with what is kept of it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KeptBook {
    title: String,
    author: String,
    entries: Vec<KeptEntries>,
}

/// The last import, and what is kept.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImportOverview {
    /// Null: nothing was imported yet.
    last_import: Option<ImportState>,
    /// By title and author.
    kept: Vec<KeptBook>,
}

/// What is kept, book by book.
fn kept_books(kept: Vec<KeptCount>) -> Vec<KeptBook> {
    let mut books: Vec<KeptBook> = Vec::new();
    for KeptCount { title, author, kind, entries } in kept {
        let counted = KeptEntries { kind: kind.as_str(), count: entries };
        match books.last_mut().filter(|last| (&last.title, &last.author) == (&title, &author)) {
            Some(last) => last.entries.push(counted),
            None => books.push(KeptBook { title, author, entries: vec![counted] }),
        }
    }
    books
}

async fn count_attempt(app: &App, member: UserId) -> Result<(), ApiError> {
    Ok(rate_limits::count(&app.transactions, RateLimitBucket::Import, member.to_string()).await?)
}

/// Queues an import.
async fn ask(app: &App, member: UserId, archive: Option<Vec<u8>>) -> Result<HttpResponse, ApiError> {
    let queued = app.write_tx(move |tx| ask_import(tx, member, archive)).await?;
    Ok(HttpResponse::Accepted()
        .insert_header((header::LOCATION, "/api/user/import"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(Answer::new(ImportState::from(queued))))
}

/// Adds what an archive has to the account: of another site of this kind, or of another account here. What is in the account stays;
/// the same archive twice is as once. The work is queued: `GET /api/user/import` says when it is done.
#[utoipa::path(tag = "identity", request_body(content = ArchiveUpload, content_type = "multipart/form-data"), responses((status = 202, description = "The import is queued.", body = Answer<ImportState>), Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/user/import")]
pub(super) async fn import_archive(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    body: Multipart,
) -> Result<HttpResponse, ApiError> {
    // Also of what is refused.
    count_attempt(&app, claims.user).await?;
    let bytes = read_file(&request, body, IMPORT_MAX_BYTES as u64, TEXTS).await?;
    if bytes.is_empty() {
        return Err(ApiError::invalid("file", TEXTS.missing));
    }
    let checked = actix_web::rt::task::spawn_blocking(move || check_archive(&bytes).map(|()| bytes)).await;
    let bytes = checked.map_err(ApiError::internal)?;
    let bytes = bytes.map_err(|error: ArchiveFileError| ApiError::invalid("file", error.to_string()))?;
    ask(&app, claims.user, Some(bytes)).await
}

/// The last import into the account, and what is kept for books that are not here.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The last import and what is kept.", body = Answer<ImportOverview>)), security(("token" = [])))]
#[get("/api/user/import")]
pub(super) async fn last_import(app: Data<App>, Member(claims): Member) -> Result<Answer<ImportOverview>, ApiError> {
    let member = claims.user;
    let read = app.db.read::<_, StoreError, _>(move |pg| Ok((pg.last_import(member)?, pg.kept_counts(member)?)));
    let (last, kept) = read.await?;
    Ok(Answer::new(ImportOverview { last_import: last.map(ImportState::from), kept: kept_books(kept) }))
}

/// Looks in the catalogue again for the books of what is kept.
#[utoipa::path(tag = "identity", responses((status = 202, description = "The search is queued.", body = Answer<ImportState>), Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/user/import/kept")]
pub(super) async fn import_kept(app: Data<App>, Member(claims): Member) -> Result<HttpResponse, ApiError> {
    count_attempt(&app, claims.user).await?;
    ask(&app, claims.user, None).await
}

/// Removes everything that is kept for books that are not here.
#[utoipa::path(tag = "identity", responses((status = 200, description = "Nothing is kept now.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/import/kept")]
pub(super) async fn remove_kept(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.db.write::<_, StoreError, _>(move |pg| pg.drop_all_kept(claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}
