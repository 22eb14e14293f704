//! Summaries of a member's own pages, files and texts (`summaries.paid-members`): the request, and the job that makes them.
//!
//! The server parses no document itself: `page-fetch` fetches pages, and a separate process reads every document, including
//! fetched pages.

use std::{ops::Range, sync::Arc, time::Duration};

use jobs::{Job, JobDefinition, JobKind, JobRequest, Jobs, LongJob, Outcome, PayloadError, Queue, State};
use kernel::{Env, StoreError, SummaryId, UserId};
use page_fetch::{FetchError, PageFetcher};
use postgres::Pg;
use summaries::{
    Engine, FailureCode, FinishedSummary, MemberSummaries, MemberSummaryCommands, MemberSummaryError,
    MemberSummaryQueries, NewSummary, SourceKind, SummaryFailure, SummaryLanguage, SummaryState, SummaryText,
    WaitingSource,
    engine::{self, Draft, Length, Prompt, Source, Summary, SummaryModel},
};
use text_extraction::{Document, DocumentKind, ExtractionError, ReadError, Reader};
use worker::RecordEnd;

use crate::{
    account::account,
    rights::grants_of,
    tx::{Transactions, Tx},
};

/// The job that makes a summary. Its payload is the summary's id.
pub const SUMMARISE: JobKind = JobKind::long("summarise").in_queue(Queue { name: "summaries", slots: 2 });

/// How often the job checks whether a summary that a model is writing was canceled or deleted.
const CANCEL_CHECK: Duration = Duration::from_secs(2);

/// The subject of the jobs, as admins see it.
const ABOUT: &str = "summary";

/// Why no summary is made.
#[derive(Debug, thiserror::Error)]
pub enum SummariseError {
    /// The member's account was deleted meanwhile.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// The member has no plan.
    #[error("Please upgrade to have your own pages and files summarized.")]
    UpgradeRequired,
    /// A rule of members' summaries refuses it.
    #[error(transparent)]
    Summary(#[from] MemberSummaryError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Records a paid member's request for a summary, and queues its job. The same idempotency key returns the same summary.
pub fn ask_summary(tx: &mut Tx<'_, '_>, member: UserId, summary: &NewSummary) -> Result<SummaryId, SummariseError> {
    let now = tx.now();
    let account = account(tx.pg, member, now)?.ok_or(SummariseError::SignedOut)?;
    if !reading_progress::has_plan(&grants_of(&account.entitlements), now) {
        return Err(SummariseError::UpgradeRequired);
    }
    let (id, is_new) = tx.pg.ask_summary(member, summary, now)?;
    if is_new {
        let payload = id.to_string();
        let work = JobRequest { kind: SUMMARISE, about: ABOUT, recipient: None, payload: payload.as_bytes() };
        tx.pg.queue_job(work, now)?;
    }
    Ok(id)
}

/// The job that makes summaries.
#[derive(Clone)]
pub struct Summarise {
    pub transactions: Transactions,
    /// The clock.
    pub env: Arc<dyn Env>,
    pub fetcher: PageFetcher,
    pub reader: Reader,
    /// The language model, if one is configured. The built-in engine replaces it if it fails.
    pub model: Option<Arc<dyn SummaryModel>>,
}

impl std::fmt::Debug for Summarise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Summarise")
    }
}

/// Why the work on a summary ended without one.
enum AbortReason {
    /// The summary can't be made.
    Failed(SummaryFailure),
    /// The summary was canceled or deleted.
    Gone,
    /// The job must be retried, for this reason.
    Again(String),
}

impl From<StoreError> for AbortReason {
    fn from(error: StoreError) -> Self {
        Self::Again(error.to_string())
    }
}

impl JobDefinition for Summarise {
    const KIND: JobKind = SUMMARISE;
    type Payload = SummaryId;

    fn decode(&self, payload: &[u8]) -> Result<SummaryId, PayloadError> {
        let text = std::str::from_utf8(payload).ok();
        text.and_then(|text| text.parse().ok()).ok_or_else(|| PayloadError("It names no summary.".to_owned()))
    }
}

impl LongJob for Summarise {
    async fn run_long(&self, id: &SummaryId) -> Outcome {
        let id = *id;
        let now = || self.env.now();
        let recorded = match self.make(id).await {
            Ok(made) => {
                let at = now();
                self.transactions.write(move |tx| tx.pg.finish_summary(id, &made, at)).await
            }
            Err(AbortReason::Failed(failure)) => {
                let at = now();
                self.transactions.write(move |tx| tx.pg.fail_summary(id, &failure, at)).await
            }
            Err(AbortReason::Gone) => Ok(()),
            Err(AbortReason::Again(reason)) => return Outcome::Failed { reason, is_permanent: false },
        };
        match recorded {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

impl RecordEnd for Summarise {
    /// If the job became a dead letter, tells the member that the summary failed.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, id: &SummaryId) -> Result<(), StoreError> {
        if job.state != State::SetAside {
            return Ok(());
        }
        let text = "Something went wrong on our end. Please try again.".to_owned();
        pg.fail_summary(*id, &SummaryFailure { code: FailureCode::Interrupted, text }, self.env.now())
    }
}

impl Summarise {
    async fn make(&self, id: SummaryId) -> Result<FinishedSummary, AbortReason> {
        let waiting = self.transactions.read::<_, StoreError, _>(move |tx| tx.pg.waiting_source(id)).await?;
        let waiting = waiting.ok_or(AbortReason::Gone)?;
        let document = self.read(id, waiting).await?;
        if engine::is_too_short(&document.text) {
            return Err(AbortReason::Failed(SummaryFailure {
                code: FailureCode::NoText,
                text: MemberSummaryError::TextTooShort.to_string(),
            }));
        }
        self.advance(id, SummaryState::Summarising).await?;
        match &self.model {
            None => blocking(move || summarise(document, false)).await?,
            Some(model) => self.write_by_model(id, model, document).await,
        }
    }

    /// The model's summary of a document; if the model writes nothing usable, the built-in engine's, marked as a fallback.
    async fn write_by_model(
        &self,
        id: SummaryId,
        model: &Arc<dyn SummaryModel>,
        document: Document,
    ) -> Result<FinishedSummary, AbortReason> {
        let limit = model.max_input();
        let (document, prompt) = blocking(move || {
            let prompt = Prompt::new(&source_of(&document, &headings_of(&document)), limit);
            (document, prompt)
        })
        .await?;
        if prompt.is_empty() {
            return Err(no_text());
        }
        let mut writing = model.write(&prompt, &|_| ());
        let written = loop {
            tokio::select! {
                written = &mut writing => break written,
                // Stops the model if the summary was canceled or deleted.
                () = tokio::time::sleep(CANCEL_CHECK) => {
                    let waits = self.transactions.read::<_, StoreError, _>(move |tx| tx.pg.waiting_source(id)).await?;
                    waits.ok_or(AbortReason::Gone)?;
                }
            }
        };
        drop(writing);
        let draft = match written {
            Ok(draft) => draft,
            Err(error) => {
                tracing::warn!(summary = id.get(), %error, "the language model wrote no summary");
                Draft::default()
            }
        };
        blocking(move || finish_draft(document, &prompt, draft)).await?
    }

    /// Records the state of the work. Fails with [`AbortReason::Gone`] if the summary was canceled or deleted.
    async fn advance(&self, id: SummaryId, state: SummaryState) -> Result<(), AbortReason> {
        let goes_on = self.transactions.write::<_, StoreError, _>(move |tx| tx.pg.advance_member_summary(id, state));
        if goes_on.await? { Ok(()) } else { Err(AbortReason::Gone) }
    }

    async fn read(&self, id: SummaryId, waiting: WaitingSource) -> Result<Document, AbortReason> {
        let WaitingSource { source, document } = waiting;
        let (bytes, charset) = match (source.kind, document) {
            (SourceKind::Text, Some(bytes)) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return Ok(Document { kind: DocumentKind::Text, title: None, text, headings: Vec::new() });
            }
            (_, Some(bytes)) => (bytes, None),
            (_, None) => {
                self.advance(id, SummaryState::Fetching).await?;
                let page = self.fetcher.fetch(source.url.as_deref().unwrap_or_default()).await;
                let page = page.map_err(|error| AbortReason::Failed(fetch_failure(&error)))?;
                (page.bytes, page.charset)
            }
        };
        self.advance(id, SummaryState::Reading).await?;
        let reader = self.reader.clone();
        match blocking(move || reader.read(bytes, charset.as_deref())).await? {
            Ok(document) => Ok(document),
            Err(error @ (ReadError::Unavailable(_) | ReadError::Cancelled)) => {
                Err(AbortReason::Again(error.to_string()))
            }
            Err(error) => {
                if let ReadError::Crashed { status } = &error {
                    tracing::warn!(summary = id.get(), %status, "the reader of a member's document broke");
                }
                Err(AbortReason::Failed(read_failure(&error)))
            }
        }
    }
}

/// Runs computing or blocking work on a blocking thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AbortReason> {
    tokio::task::spawn_blocking(work).await.map_err(|error| AbortReason::Again(error.to_string()))
}

fn headings_of(document: &Document) -> Vec<Range<usize>> {
    document.headings.iter().map(|heading| heading.range.clone()).collect()
}

/// Headings that do not match the text are detected in the text instead.
fn source_of<'a>(document: &'a Document, headings: &'a [Range<usize>]) -> Source<'a> {
    Source::new(&document.text, headings).unwrap_or_else(|_| Source::plain(&document.text))
}

fn no_text() -> AbortReason {
    let text = "There is not enough text in it for a summary.".to_owned();
    AbortReason::Failed(SummaryFailure { code: FailureCode::NoText, text })
}

/// The built-in engine's summary of a document. `fell_back`: in place of a model.
fn summarise(document: Document, fell_back: bool) -> Result<FinishedSummary, AbortReason> {
    let headings = headings_of(&document);
    let made = engine::summarise(&source_of(&document, &headings), Length::Automatic);
    finished(document, made, Engine::BuiltIn, fell_back)
}

/// The model's draft, reduced to what the document supports. Falls back to the built-in engine if no idea is supported.
fn finish_draft(document: Document, prompt: &Prompt, draft: Draft) -> Result<FinishedSummary, AbortReason> {
    let headings = headings_of(&document);
    let (made, report) = engine::validate(&source_of(&document, &headings), prompt, draft);
    if !made.ideas.iter().any(|idea| idea.is_supported) {
        return summarise(document, true);
    }
    tracing::debug!(?report, "a model's summary was checked");
    finished(document, made, Engine::Model, false)
}

fn finished(
    document: Document,
    made: Summary,
    engine: Engine,
    fell_back: bool,
) -> Result<FinishedSummary, AbortReason> {
    if made.ideas.is_empty() {
        return Err(no_text());
    }
    let language = made
        .language
        .map(|language| SummaryLanguage { code: language.code().to_owned(), name: language.english_name().to_owned() });
    let headings = headings_of(&document);
    let text = SummaryText { text: document.text, headings, ideas: made.ideas };
    Ok(FinishedSummary { title: document.title, engine, fell_back, language, text })
}

fn fetch_failure(error: &FetchError) -> SummaryFailure {
    let code = match error {
        FetchError::InvalidUrl
        | FetchError::SchemeNotAllowed
        | FetchError::CredentialsInUrl
        | FetchError::HostNotFound
        | FetchError::Unreachable
        | FetchError::TooManyRedirects
        | FetchError::Status(_) => FailureCode::Unreachable,
        FetchError::AddressNotPublic => FailureCode::ForbiddenAddress,
        FetchError::TimedOut(_) => FailureCode::TooSlow,
        FetchError::TooLarge { .. } => FailureCode::TooLarge,
        FetchError::UnsupportedType | FetchError::UnsupportedEncoding => FailureCode::NotText,
    };
    SummaryFailure { code, text: error.to_string() }
}

fn read_failure(error: &ReadError) -> SummaryFailure {
    let code = match error {
        ReadError::TimedOut(_) => FailureCode::TooSlow,
        ReadError::OutOfMemory => FailureCode::TooLarge,
        ReadError::Crashed { .. } | ReadError::Cancelled | ReadError::Unavailable(_) => FailureCode::Unreadable,
        ReadError::Document(error) => match error {
            ExtractionError::FileTooLarge { .. }
            | ExtractionError::UnpacksTooLarge { .. }
            | ExtractionError::TooManyParts { .. }
            | ExtractionError::TooManyPages { .. }
            | ExtractionError::TooMuchText { .. } => FailureCode::TooLarge,
            ExtractionError::Foreign(_) => FailureCode::NotText,
            ExtractionError::Protected => FailureCode::Encrypted,
            ExtractionError::Scanned => FailureCode::Scanned,
            ExtractionError::Damaged(_) | ExtractionError::TooDeep => FailureCode::Unreadable,
            ExtractionError::Empty | ExtractionError::NoText => FailureCode::NoText,
        },
    };
    SummaryFailure { code, text: error.to_string() }
}
