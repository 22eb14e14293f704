//! Imports an archive into an account (`identity.account-import`): the request, and the job that reads the archive entry by entry, in
//! transactions of a hundred. Each entry is merged with what is there, so an import that was broken off is begun again.

mod archive_file;
mod entry;
mod list_entries;
mod reading_entries;
mod settings_entries;
mod study_entries;
mod summary_entry;

use std::{collections::HashMap, sync::Arc};

use catalogue::{CatalogueLists, SoughtBook};
use identity::{
    AccountImport, BegunImport, ImportCommands, ImportFigure, ImportKind, ImportQueries, KEPT_BYTES, KEPT_ENTRIES,
    KeptEntry, KeptSize, NamedBook,
};
use jobs::{Job, JobDefinition, JobKind, JobRequest, Jobs, LongJob, Outcome, PayloadError, Queue, RetryPolicy, State};
use kernel::{BookId, Env, MINUTE, SECOND, StoreError, SummaryId, UserId};
use postgres::Pg;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use study::Study;
use summaries::{KnownSummary, MemberSummaries};
use tokio::{sync::mpsc, task::JoinHandle};
use worker::RecordEnd;

use self::{
    archive_file::ArchiveFile,
    entry::{Entry, EntryError, Figures, Importing, key_of},
    list_entries::{KeptListBook, ListEntry, sought},
    reading_entries::{LibraryBook, NoticeEntry, PlaceEntry, RatingEntry},
    settings_entries::{ChoiceEntry, ProgressFile, SettingsFile, import_choices},
    study_entries::{CardEntry, CommitmentEntry, HighlightEntry, IdeaEntry},
    summary_entry::SummaryEntry,
};
use crate::{
    study::settings::time_zone,
    tx::{Transactions, Tx},
};

pub use archive_file::{ArchiveFileError, check_archive};

/// The job that imports an archive. Its payload is the member's id.
pub const IMPORT_ACCOUNT: JobKind = JobKind {
    retry: RetryPolicy { max_attempts: 4, max_uncertain: 4, first_wait: 5 * SECOND, longest_wait: MINUTE },
    ..JobKind::long("import_account").in_queue(Queue { name: "imports", slots: 1 })
};

/// How many entries are imported in one transaction.
const BATCH: usize = 100;
/// The largest entry of most chapters, in bytes. As much is kept of one at most.
const ENTRY_BYTES: usize = 64 * 1024;
/// The largest card with its answers, list with its books, or file of one object, in bytes.
const LONG_ENTRY_BYTES: usize = 2 * 1024 * 1024;
/// How many answers of cards are recorded in one statement.
const ANSWERS: usize = 1_000;
/// The most own summaries of an archive.
const MAX_SUMMARIES: usize = 1_000;
/// The subject of the jobs, as admins see it.
const ABOUT: &str = "import";

/// Why an import is not begun.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The account was deleted meanwhile.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// The one before is under way.
    #[error("An archive is being imported already.")]
    UnderWay,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Queues the import of an archive; without one, what is kept is looked for again.
pub fn ask_import(tx: &mut Tx<'_, '_>, member: UserId, archive: Option<Vec<u8>>) -> Result<AccountImport, ImportError> {
    let now = tx.now();
    let is_queued = tx.pg.queue_import(member, archive, now)?;
    let import = tx.pg.last_import(member)?.ok_or(ImportError::SignedOut)?;
    if !is_queued {
        return Err(ImportError::UnderWay);
    }
    let payload = member.to_string();
    let work = JobRequest { kind: IMPORT_ACCOUNT, about: ABOUT, recipient: None, payload: payload.as_bytes() };
    tx.pg.queue_job(work, now)?;
    Ok(import)
}

/// A file of an archive, or what is kept of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chapter {
    Summaries,
    History,
    Library,
    Ratings,
    Notices,
    Progress,
    Choices,
    Highlights,
    ReviewCards,
    Commitments,
    CompletedIdeas,
    Lists,
    /// Books of lists, as they are kept.
    ListBooks,
    Settings,
    /// What was kept where the archive was made.
    Kept,
}

impl Chapter {
    /// The files of an archive, in the order in which they are imported: cards need their highlights, and those the summaries.
    const FILES: [(&'static str, Self); 14] = [
        ("summaries.json", Self::Summaries),
        ("history.json", Self::History),
        ("library.json", Self::Library),
        ("ratings.json", Self::Ratings),
        ("notices.json", Self::Notices),
        ("progress.json", Self::Progress),
        ("choices.json", Self::Choices),
        ("highlights.json", Self::Highlights),
        ("review-cards.json", Self::ReviewCards),
        ("commitments.json", Self::Commitments),
        ("completed-ideas.json", Self::CompletedIdeas),
        ("lists.json", Self::Lists),
        ("study-settings.json", Self::Settings),
        ("kept-entries.json", Self::Kept),
    ];

    /// Whether its file is one object instead of a list.
    const fn is_object(self) -> bool {
        matches!(self, Self::Progress | Self::Settings)
    }

    /// The largest entry that is read, in bytes. A list that an entry should not have takes many times its length in memory.
    const fn entry_bytes(self) -> usize {
        match self {
            Self::Summaries => usize::MAX,
            Self::ReviewCards | Self::Lists | Self::Progress | Self::Settings => LONG_ENTRY_BYTES,
            _ => ENTRY_BYTES,
        }
    }

    /// Where entries of a kind are kept; `None`: they need no book.
    const fn of_kept(kind: ImportKind) -> Option<Self> {
        match kind {
            ImportKind::Places => Some(Self::History),
            ImportKind::Library => Some(Self::Library),
            ImportKind::Ratings => Some(Self::Ratings),
            ImportKind::Notices => Some(Self::Notices),
            ImportKind::Highlights => Some(Self::Highlights),
            ImportKind::Cards => Some(Self::ReviewCards),
            ImportKind::Commitments => Some(Self::Commitments),
            ImportKind::Ideas => Some(Self::CompletedIdeas),
            ImportKind::Lists => Some(Self::ListBooks),
            ImportKind::Summaries | ImportKind::Days | ImportKind::Settings => None,
        }
    }
}

/// Entries of one chapter, as JSON.
type Batch = (Chapter, Vec<Box<str>>);

/// Why an import ended early.
#[derive(Debug)]
enum Failure {
    Archive(ArchiveFileError),
    /// The account was deleted meanwhile.
    Gone,
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ArchiveFileError> for Failure {
    fn from(error: ArchiveFileError) -> Self {
        Self::Archive(error)
    }
}

/// What an import has found out so far.
#[derive(Debug, Default)]
struct Tally {
    figures: Figures,
    /// The ids of own summaries, by those in the archive.
    summaries: HashMap<i64, SummaryId>,
    /// The own summaries that are there; `None`: not read yet.
    known: Option<Vec<KnownSummary>>,
}

/// Batches that come one by one, and the thread that reads them from an archive.
struct Batches {
    receiver: mpsc::Receiver<Result<Batch, ArchiveFileError>>,
    /// `None`: what is kept is looked for again.
    reader: Option<JoinHandle<()>>,
}

/// The job that imports archives.
#[derive(Clone)]
pub struct ImportAccount {
    pub transactions: Transactions,
    /// The clock.
    pub env: Arc<dyn Env>,
}

impl std::fmt::Debug for ImportAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ImportAccount")
    }
}

impl JobDefinition for ImportAccount {
    const KIND: JobKind = IMPORT_ACCOUNT;
    type Payload = UserId;

    fn decode(&self, payload: &[u8]) -> Result<UserId, PayloadError> {
        let text = std::str::from_utf8(payload).ok();
        text.and_then(|text| text.parse().ok()).ok_or_else(|| PayloadError("It names no member.".to_owned()))
    }
}

impl LongJob for ImportAccount {
    async fn run_long(&self, member: &UserId) -> Outcome {
        match self.import(*member).await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

impl RecordEnd for ImportAccount {
    /// If the job became a dead letter, tells the member that the import failed.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, member: &UserId) -> Result<(), StoreError> {
        if job.state != State::SetAside {
            return Ok(());
        }
        let Some(import) = pg.last_import(*member)? else { return Ok(()) };
        let failure = "Something went wrong on our end. Please try again.";
        pg.end_import(*member, import.requested_at, Err(failure), self.env.now())
    }
}

impl ImportAccount {
    async fn import(&self, member: UserId) -> Result<(), StoreError> {
        let begun = self.transactions.write::<_, StoreError, _>(move |tx| tx.pg.begin_import(member)).await?;
        let Some(BegunImport { requested_at, archive }) = begun else { return Ok(()) };
        let batches = match archive {
            Some(archive) => archive_batches(archive),
            None => self.kept_batches(member).await?,
        };
        let outcome = match self.import_all(member, batches).await {
            Ok(figures) => Ok(figures),
            Err(Failure::Archive(error)) => Err(error.to_string()),
            Err(Failure::Gone) => return Ok(()),
            Err(Failure::Store(error)) => return Err(error),
        };
        let end = move |tx: &mut Tx<'_, '_>| {
            let now = tx.now();
            tx.pg.end_import(member, requested_at, outcome.as_deref().map_err(String::as_str), now)
        };
        self.transactions.write(end).await
    }

    /// Imports the batches one by one, and returns what became of their entries.
    async fn import_all(&self, member: UserId, batches: Batches) -> Result<Vec<ImportFigure>, Failure> {
        let Batches { mut receiver, reader } = batches;
        let mut tally = Tally { figures: Figures::new(reader.is_none()), ..Tally::default() };
        while let Some(batch) = receiver.recv().await {
            let batch = batch?;
            let work = move |tx: &mut Tx<'_, '_>| {
                let mut tally = tally;
                import_batch(tx, member, &mut tally, &batch)?;
                Ok::<_, Failure>(tally)
            };
            tally = self.transactions.write(work).await?;
        }
        if let Some(reader) = reader {
            // A reader that has panicked has not read to the end.
            reader.await.map_err(|_| ArchiveFileError::Damaged)?;
        }
        Ok(tally.figures.in_order())
    }

    /// What is kept, by chapter.
    async fn kept_batches(&self, member: UserId) -> Result<Batches, StoreError> {
        let kept = self.transactions.read::<_, StoreError, _>(move |tx| tx.pg.kept_entries(member)).await?;
        let mut by_chapter: Vec<Batch> = Vec::new();
        for KeptEntry { kind, entry, .. } in kept {
            let Some(chapter) = Chapter::of_kept(kind) else { continue };
            match by_chapter.last_mut() {
                Some((last, entries)) if *last == chapter && entries.len() < BATCH => entries.push(entry.into()),
                _ => by_chapter.push((chapter, vec![entry.into()])),
            }
        }
        let (sender, receiver) = mpsc::channel(by_chapter.len().max(1));
        for batch in by_chapter {
            // The channel is as long as the list.
            let _ = sender.try_send(Ok(batch));
        }
        Ok(Batches { receiver, reader: None })
    }
}

/// The entries of an archive. It is unpacked and read on a thread of its own, no faster than its entries are imported.
fn archive_batches(archive: Vec<u8>) -> Batches {
    let (sender, receiver) = mpsc::channel(1);
    let reader = tokio::task::spawn_blocking(move || {
        if let Err(error) = read_archive(&archive, &sender) {
            // Nobody waits for it when the import has ended for another reason.
            let _ = sender.blocking_send(Err(error));
        }
    });
    Batches { receiver, reader: Some(reader) }
}

fn read_archive(
    archive: &[u8],
    sender: &mpsc::Sender<Result<Batch, ArchiveFileError>>,
) -> Result<(), ArchiveFileError> {
    let mut file = ArchiveFile::open(archive)?;
    for (name, chapter) in Chapter::FILES {
        let (mut entries, mut bytes) = (Vec::new(), 0);
        let send = |entries: Vec<Box<str>>| sender.blocking_send(Ok((chapter, entries))).is_ok();
        let mut is_open = true;
        file.read_entries(name, !chapter.is_object(), |entry| {
            // One that is too long is counted as one that can't be read.
            let entry = if entry.len() <= chapter.entry_bytes() { entry } else { Box::default() };
            bytes += entry.len();
            entries.push(entry);
            if entries.len() >= BATCH || bytes > LONG_ENTRY_BYTES {
                bytes = 0;
                is_open = send(std::mem::take(&mut entries));
            }
            is_open
        })?;
        if !is_open || (!entries.is_empty() && !send(entries)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Imports entries in one transaction.
fn import_batch(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    tally: &mut Tally,
    (chapter, entries): &Batch,
) -> Result<(), Failure> {
    let locked = tx.pg.lock_records(member)?.ok_or(Failure::Gone)?;
    let zone = time_zone(tx, member)?;
    if *chapter == Chapter::Summaries {
        return import_summaries(tx, member, tally, entries);
    }
    let Tally { figures, summaries, .. } = tally;
    let mut importing = Importing::new(tx, (member, locked), zone, summaries);
    match chapter {
        // Above.
        Chapter::Summaries => Ok(()),
        Chapter::History => import_entries::<PlaceEntry>(&mut importing, figures, entries),
        Chapter::Library => import_entries::<LibraryBook>(&mut importing, figures, entries),
        Chapter::Ratings => import_entries::<RatingEntry>(&mut importing, figures, entries),
        Chapter::Notices => import_entries::<NoticeEntry>(&mut importing, figures, entries),
        Chapter::Highlights => import_entries::<HighlightEntry>(&mut importing, figures, entries),
        Chapter::ReviewCards => {
            import_entries::<CardEntry>(&mut importing, figures, entries)?;
            let answers = std::mem::take(&mut importing.answers);
            for some in answers.chunks(ANSWERS) {
                importing.tx.pg.record_answers(&mut importing.locked, some)?;
            }
            Ok(())
        }
        Chapter::Commitments => import_entries::<CommitmentEntry>(&mut importing, figures, entries),
        Chapter::CompletedIdeas => import_entries::<IdeaEntry>(&mut importing, figures, entries),
        Chapter::ListBooks => import_entries::<KeptListBook>(&mut importing, figures, entries),
        Chapter::Lists => import_lists(&mut importing, figures, entries),
        Chapter::Progress => import_progress(&mut importing, figures, entries),
        Chapter::Choices => {
            let choices: Vec<ChoiceEntry> = entries.iter().filter_map(|entry| parse(entry)).collect();
            let is_taken = import_choices(&mut importing, &choices);
            count_settings(figures, is_taken)
        }
        Chapter::Settings => {
            for entry in entries {
                let file: Result<SettingsFile, EntryError> = parse(entry).ok_or(EntryError::Unreadable);
                let is_taken = file.and_then(|file| file.import(&mut importing));
                count_settings(figures, is_taken)?;
            }
            Ok(())
        }
        Chapter::Kept => import_kept(tx, member, tally, entries),
    }
}

/// Whether JSON has an escaped U+0000, which the database can't store. The words `\\u0000` of a text have their backslash escaped.
fn has_null(json: &str) -> bool {
    json.match_indices("\\u0000").any(|(at, _)| {
        let before = json[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        before % 2 == 0
    })
}

/// An entry as its type; `None`: it has another form, or a character that the database can't store.
fn parse<T: DeserializeOwned>(entry: &str) -> Option<T> {
    if has_null(entry) {
        return None;
    }
    serde_json::from_str(entry).ok()
}

/// An entry with its book, if that is here.
struct Matched<'e, E> {
    text: &'e str,
    entry: E,
    named: Option<NamedBook>,
    book: Option<BookId>,
}

/// Parses entries and looks for their books.
fn matched<'e, E: Entry>(
    importing: &mut Importing<'_, '_, '_>,
    figures: &mut Figures,
    entries: &'e [Box<str>],
) -> Result<Vec<Matched<'e, E>>, StoreError> {
    let mut parsed: Vec<Matched<'_, E>> = Vec::with_capacity(entries.len());
    for text in entries {
        match parse::<E>(text).filter(|entry| entry.check().is_ok()) {
            Some(entry) => parsed.push(Matched { text, named: entry.book(), entry, book: None }),
            None => figures.of(E::KIND).unreadable += 1,
        }
    }
    let sought: Vec<SoughtBook> = parsed.iter().filter_map(|one| one.named.as_ref()).map(sought).collect();
    let mut found = importing.tx.pg.match_books(&sought)?.into_iter();
    for one in parsed.iter_mut().filter(|one| one.named.is_some()) {
        one.book = found.next().flatten();
    }
    // What is stored of books is locked in one order, whatever that of the archive is: two imports can't deadlock.
    parsed.sort_by_key(|one| (one.book, one.entry.summary()));
    Ok(parsed)
}

/// Imports entries of one kind, and keeps those whose book is not in the catalogue (`identity.kept-entries`).
fn import_entries<E: Entry>(
    importing: &mut Importing<'_, '_, '_>,
    figures: &mut Figures,
    entries: &[Box<str>],
) -> Result<(), Failure> {
    let (mut kept, mut done) = (Vec::new(), Vec::new());
    for Matched { text, entry, named, book } in matched::<E>(importing, figures, entries)? {
        let key = key_of(&entry.key(), named.as_ref().filter(|_| !entry.stands_alone()));
        let missing = named.filter(|_| book.is_none());
        let is_imported = missing.is_none() || entry.stands_alone();
        if is_imported {
            match entry.import(importing, book) {
                // Of an archive only the lists are counted, not the books that came to them later; of what was kept, what has found its
                // book.
                Ok(()) if figures.is_retry && missing.is_some() => {}
                Ok(()) if !figures.is_retry && E::KIND == ImportKind::Lists => {}
                Ok(()) => figures.count_imported(E::KIND, &key, entry.stands_alone()),
                Err(EntryError::Store(error)) => return Err(error.into()),
                Err(EntryError::Unreadable) => {
                    figures.of(E::KIND).unreadable += 1;
                    continue;
                }
            }
        }
        if let Some(book) = missing {
            let entry = KeptEntry { kind: E::KIND, key, book, entry: text.to_owned() };
            kept.push((entry, !is_imported));
        } else {
            // What was kept has found its book.
            done.push((E::KIND, key));
        }
    }
    importing.tx.pg.drop_kept_entries(importing.member, &done)?;
    keep(importing, figures, kept)
}

/// Keeps entries, each with whether it is counted as kept. Those beyond the limits are counted as unreadable.
fn keep(
    importing: &mut Importing<'_, '_, '_>,
    figures: &mut Figures,
    kept: Vec<(KeptEntry, bool)>,
) -> Result<(), Failure> {
    if kept.is_empty() {
        return Ok(());
    }
    let KeptSize { mut entries, mut bytes } = importing.tx.pg.kept_size(importing.member)?;
    let mut fitting = Vec::with_capacity(kept.len());
    for (entry, is_counted) in kept {
        let figure = figures.of(entry.kind);
        let more = entry.entry.len();
        if more > ENTRY_BYTES || entries >= KEPT_ENTRIES || bytes.saturating_add(more) > KEPT_BYTES {
            figure.unreadable += u32::from(is_counted);
            continue;
        }
        (entries, bytes) = (entries + 1, bytes + more);
        figure.kept += u32::from(is_counted);
        fitting.push(entry);
    }
    Ok(importing.tx.pg.keep_entries(importing.member, &fitting)?)
}

fn import_lists(
    importing: &mut Importing<'_, '_, '_>,
    figures: &mut Figures,
    entries: &[Box<str>],
) -> Result<(), Failure> {
    let (mut kept, mut found) = (Vec::new(), Vec::new());
    for entry in entries {
        let list: Result<ListEntry, EntryError> = parse(entry).ok_or(EntryError::Unreadable);
        let figure = figures.of(ImportKind::Lists);
        match list.and_then(|list| list.import(importing)) {
            Ok(books) => {
                figure.imported += 1;
                kept.extend(books.kept.into_iter().map(|book| (book, true)));
                found.extend(books.found.into_iter().map(|key| (ImportKind::Lists, key)));
            }
            Err(EntryError::Unreadable) => figure.unreadable += 1,
            Err(EntryError::Store(error)) => return Err(error.into()),
        }
    }
    importing.tx.pg.drop_kept_entries(importing.member, &found)?;
    keep(importing, figures, kept)
}

/// Adds finished summaries; others have nothing to read.
fn import_summaries(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    tally: &mut Tally,
    entries: &[Box<str>],
) -> Result<(), Failure> {
    let now = tx.now();
    let Tally { figures, summaries, known } = tally;
    let figure = figures.of(ImportKind::Summaries);
    let known = match known {
        Some(known) => known,
        None => known.insert(tx.pg.known_summaries(member)?),
    };
    for entry in entries {
        let parsed: Option<SummaryEntry> = parse(entry);
        let old = parsed.as_ref().map(|entry| entry.id);
        match parsed.map(|entry| entry.finished(now)) {
            Some(Ok(Some(summary))) if summaries.len() < MAX_SUMMARIES => {
                let id = tx.pg.import_summary(member, known, &summary)?;
                summaries.extend(old.map(|old| (old, id)));
                figure.imported += 1;
            }
            Some(Ok(None)) => {}
            Some(Ok(Some(_)) | Err(_)) | None => figure.unreadable += 1,
        }
    }
    Ok(())
}

fn import_progress(
    importing: &mut Importing<'_, '_, '_>,
    figures: &mut Figures,
    entries: &[Box<str>],
) -> Result<(), Failure> {
    for entry in entries {
        let Some(file) = parse::<ProgressFile>(entry) else {
            figures.of(ImportKind::Days).unreadable += 1;
            continue;
        };
        match file.import_days(importing) {
            Ok(days) => figures.of(ImportKind::Days).imported += u32::try_from(days).unwrap_or(u32::MAX),
            Err(EntryError::Unreadable) => figures.of(ImportKind::Days).unreadable += 1,
            Err(EntryError::Store(error)) => return Err(error.into()),
        }
        count_settings(figures, file.import_goal(importing))?;
    }
    Ok(())
}

/// Settings count as one, whatever there was to take over.
fn count_settings(figures: &mut Figures, is_taken: Result<bool, EntryError>) -> Result<(), Failure> {
    let figure = figures.of(ImportKind::Settings);
    match is_taken {
        Ok(true) => figure.imported = 1,
        Ok(false) => {}
        Err(EntryError::Unreadable) => figure.unreadable = 1,
        Err(EntryError::Store(error)) => return Err(error.into()),
    }
    Ok(())
}

/// An entry that was kept where the archive was made.
#[derive(Debug, Deserialize)]
struct KeptFields {
    kind: String,
    /// As it stood in the archive before.
    entry: Box<RawValue>,
}

/// Imports what was kept elsewhere, each as an entry of its kind.
fn import_kept(tx: &mut Tx<'_, '_>, member: UserId, tally: &mut Tally, entries: &[Box<str>]) -> Result<(), Failure> {
    let mut batches: Vec<Batch> = Vec::new();
    for entry in entries {
        let Some(kept) = parse::<KeptFields>(entry) else { continue };
        let Some(chapter) = ImportKind::from_name(&kept.kind).and_then(Chapter::of_kept) else { continue };
        let text: Box<str> = kept.entry.into();
        match batches.iter_mut().find(|(known, _)| *known == chapter) {
            Some((_, texts)) => texts.push(text),
            None => batches.push((chapter, vec![text])),
        }
    }
    batches.iter().try_for_each(|batch| import_batch(tx, member, tally, batch))
}

#[cfg(test)]
mod tests {
    use super::has_null;

    #[test]
    fn a_null_is_told_from_the_words_that_write_one() {
        for (text, has) in
            [("\u{0}", true), ("\\u0000", false), ("\\\u{0}", true), ("u0000", false), ("\\\\u0000", false)]
        {
            let json = serde_json::to_string(text).expect("a text");
            assert_eq!(has_null(&json), has, "{json}");
        }
    }
}
