//! Editing books: adding, changing by id and version, revisions, scheduled publication.

use admin::{AuditEvent, EditCommands, EditQueries, FieldChange, RowRef, RowVersion, Subject, SubjectKind};
use catalogue::{
    AuthorDraft, Body, BookChange, BookDraft, BookEdit, BookExtras, BookFile, BookRef, Catalogue, CatalogueLists,
    CatalogueQueries, EditingCommands, EditingQueries, IdeaLinkCommands, ListedBook, ListedQuery, Naming, WrittenBook,
    renamed_ideas, slug_of, thumb_of_infographic,
};
use jobs::{JobDefinition, JobKind, PayloadError};
use kernel::{BookId, CategoryId, GoalId, ListTotal, MINUTE, Page, Slug, StoreError, Timestamp};
use postgres::Pg;
use worker::TransactionalJob;

use crate::{
    audit::{AuditTrail, run_as},
    recording_files,
    tx::{Transactions, Tx},
};
use crate::{
    catalogue::editing::changes::after_book_change,
    editing::{
        EditError, RowRevision, Versioned, advance, begin, keep_revision, row_revisions, store_revision, versioned,
    },
};

/// A book with everything that editors see of it.
#[derive(Clone, Debug)]
pub struct EditedBook {
    pub id: BookId,
    pub draft: BookDraft,
    pub author: AuthorDraft,
    /// Its other files and its publication time.
    pub extras: BookExtras,
    /// The ids of its categories, in their order.
    pub categories: Vec<CategoryId>,
    pub goals: Vec<GoalId>,
    pub version: RowVersion,
}

impl EditedBook {
    /// The fields that a revision stores.
    pub fn written(&self) -> WrittenBook {
        let draft = &self.draft;
        WrittenBook {
            subid: draft.subid.to_string(),
            title: draft.title.clone(),
            author: self.author.name.clone(),
            author_desc: self.author.description.clone(),
            description: draft.description.clone(),
            body: draft.body.clone(),
            quotes: draft.quotes.iter().map(|quote| (quote.text.clone(), quote.chapter.clone())).collect(),
            categories: self.categories.iter().map(|id| id.get()).collect(),
            goals: self.goals.iter().map(|id| id.get()).collect(),
            tags: draft.tags.clone(),
            free: draft.free,
            is_popular: draft.is_popular,
            coming_soon: draft.coming_soon,
            published: draft.published,
            publish_at: self.extras.publish_at.map(Timestamp::millis),
            year: draft.year,
            upload_date: draft.upload_date.millis(),
        }
    }
}

/// A stored revision of a book.
pub type BookRevision = RowRevision<WrittenBook>;

const fn row_of(id: BookId) -> RowRef {
    RowRef { kind: SubjectKind::Book, id: id.get() }
}

fn subject(book: &EditedBook) -> Subject {
    Subject::named(SubjectKind::Book, book.id.get(), &book.draft.title)
}

/// The id of a book, published or not; `None` if there is no such book.
pub fn find_book<A>(tx: &mut Tx<'_, '_, A>, book: &BookRef) -> Result<Option<BookId>, StoreError> {
    match book {
        BookRef::Id(id) => Ok(tx.pg.book_extras(*id)?.map(|_| *id)),
        BookRef::Subid(subid) => Ok(tx.pg.find_book_draft(subid)?.map(|(id, _)| id)),
    }
}

/// Reads a book as editors see it; `None` if there is no such book.
pub fn edited_book<A>(tx: &mut Tx<'_, '_, A>, id: BookId) -> Result<Option<EditedBook>, StoreError> {
    let Some(name) = tx.pg.book_names(&[id])?.remove(&id) else { return Ok(None) };
    let (Some((_, draft)), Some(extras)) = (tx.pg.find_book_draft(&name.subid)?, tx.pg.book_extras(id)?) else {
        return Ok(None);
    };
    let Some(author) = tx.pg.author(&draft.author)? else { return Ok(None) };
    let (all_categories, all_goals) = (tx.pg.categories()?, tx.pg.goals()?);
    let of_subid = |subid: &Slug| all_categories.iter().find(|one| one.draft.subid == *subid).map(|one| one.id);
    let of_slug = |slug: &Slug| all_goals.iter().find(|one| one.draft.slug == *slug).map(|one| one.id);
    Ok(Some(EditedBook {
        id,
        author: author.draft,
        extras,
        categories: draft.categories.iter().filter_map(of_subid).collect(),
        goals: draft.goals.iter().filter_map(of_slug).collect(),
        draft,
        version: tx.pg.row_version(row_of(id))?,
    }))
}

/// A page of the books that editors list.
#[derive(Clone, Debug)]
pub struct ListedBooks {
    pub page: Page<Versioned<ListedBook>, BookId>,
    /// How many books match the filter.
    pub total: ListTotal,
}

/// Reads a page of the books that editors list.
pub fn listed_books<A>(tx: &mut Tx<'_, '_, A>, query: &ListedQuery) -> Result<ListedBooks, StoreError> {
    let found = tx.pg.listed_books(query)?;
    let books = versioned(tx, SubjectKind::Book, found, |book| book.id.get())?;
    let page = Page::from_surplus(books, query.limit, |book| book.row.id);
    Ok(ListedBooks { page, total: tx.pg.count_listed_books(&query.filter)? })
}

/// Adds a book. It is not published unless the edit says so.
pub fn add_book(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: &BookEdit) -> Result<EditedBook, EditError> {
    let now = tx.now();
    let title = edit.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let title = title.ok_or(EditError::Missing { field: "title", label: "Title" })?;
    if edit.author.is_none() {
        return Err(EditError::Missing { field: "author", label: "Author" });
    }
    let subid = match &edit.subid {
        Some(subid) if tx.pg.find_book_draft(subid)?.is_some() => return Err(EditError::Taken("subid")),
        Some(subid) => subid.clone(),
        None => free_subid(tx, title)?,
    };
    let blank = BookDraft::blank(subid, author_of(tx, edit, None)?, now);
    let (draft, publish_at) = applied(tx, edit, blank, None)?;
    let id = recording_files::save_book(tx.pg, &draft, now)?.id();
    tx.pg.update_book_extras(id, &BookExtras { publish_at, ..BookExtras::default() })?;
    let after = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    store_revision(tx, trail, (row_of(id), after.version.number), &after.written())?;
    after_book_change(tx, id, BookChange::Text)?;
    trail.record(AuditEvent::new("book.create", subject(&after)));
    Ok(after)
}

/// Changes a book, based on the version that the editor has read. An edit that changes no field creates no version.
pub fn edit_book(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: BookId,
    read: Option<i64>,
    edit: &BookEdit,
) -> Result<EditedBook, EditError> {
    let now = tx.now();
    begin(tx, row_of(id), read)?;
    let before = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    if let Some(subid) = edit.subid.as_ref().filter(|subid| **subid != before.draft.subid)
        && !tx.pg.rename_book(id, subid)?
    {
        return Err(EditError::Taken("subid"));
    }
    let author = author_of(tx, edit, Some(&before.author))?;
    let there = BookDraft { author, ..before.draft.clone() };
    let (mut draft, publish_at) = applied(tx, edit, there, before.extras.publish_at)?;
    // Recordings change by uploads only; the current ones stay.
    (draft.media, draft.video) = (None, None);
    recording_files::save_book(tx.pg, &draft, now)?;
    if publish_at != before.extras.publish_at {
        tx.pg.update_book_extras(id, &BookExtras { publish_at, ..before.extras.clone() })?;
    }
    finish(tx, trail, &before, "book.update")
}

/// Replaces a file of a book with an uploaded one. This creates no version.
pub fn attach_file(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: BookId,
    file: &BookFile,
) -> Result<EditedBook, EditError> {
    let now = tx.now();
    begin(tx, row_of(id), None)?;
    let before = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    let mut draft = BookDraft { media: None, video: None, ..before.draft.clone() };
    let mut extras = before.extras.clone();
    let (field, key) = file.field();
    file.put(&mut draft, &mut extras);
    recording_files::save_book(tx.pg, &draft, now)?;
    tx.pg.update_book_extras(id, &extras)?;
    let there = file.there(&before.draft, &before.extras);
    match file {
        // `save_book` replaces their files.
        BookFile::Audio(_) | BookFile::Video(_) => {}
        BookFile::Infographic(_) => replaced_infographic(tx, id, there, Some(key))?,
        BookFile::Photo(_) | BookFile::Vector(_) | BookFile::Podcast(_) => {
            recording_files::replaced_upload(tx.pg, there, Some(key), now)?;
        }
    }
    if matches!(file, BookFile::Photo(_)) {
        after_book_change(tx, id, BookChange::Text)?;
    }
    let change = FieldChange::between(field, there, Some(key));
    trail.record(AuditEvent::new("book.upload", subject(&before)).with([change]));
    edited_book(tx, id)?.ok_or(EditError::Unknown("book"))
}

/// Records that an uploaded infographic and its thumbnail replaced earlier ones.
fn replaced_infographic(
    tx: &mut Tx<'_, '_>,
    id: BookId,
    before: Option<&str>,
    after: Option<&str>,
) -> Result<(), StoreError> {
    let now = tx.now();
    tx.pg.note_infographic(id, now)?;
    recording_files::replaced_upload(tx.pg, before, after, now)?;
    let (before, after) = (before.map(thumb_of_infographic), after.map(thumb_of_infographic));
    recording_files::replaced_upload(tx.pg, before.as_deref(), after.as_deref(), now)
}

/// Removes a book's uploaded infographic: readers see the drawn one again, if there is one.
pub fn remove_infographic(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: BookId) -> Result<EditedBook, EditError> {
    begin(tx, row_of(id), None)?;
    let before = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    let Some(key) = before.extras.infographic.as_deref() else { return Ok(before) };
    tx.pg.update_book_extras(id, &BookExtras { infographic: None, ..before.extras.clone() })?;
    replaced_infographic(tx, id, Some(key), None)?;
    let change = FieldChange::between("infographicUrl", Some(key), None);
    trail.record(AuditEvent::new("book.file_remove", subject(&before)).with([change]));
    edited_book(tx, id)?.ok_or(EditError::Unknown("book"))
}

/// Changes a book's fields as part of another workflow; creates a version and a revision.
pub(super) fn rewrite_book(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: BookId,
    change: impl FnOnce(&mut BookDraft),
) -> Result<(), EditError> {
    let now = tx.now();
    begin(tx, row_of(id), None)?;
    let before = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    let mut draft = BookDraft { media: None, video: None, ..before.draft.clone() };
    change(&mut draft);
    recording_files::save_book(tx.pg, &draft, now)?;
    finish(tx, trail, &before, "book.update").map(|_| ())
}

/// Locks the books that refer to this, so that no editor saves one while the name changes.
pub(super) fn lock_books(tx: &mut Tx<'_, '_>, naming: Naming) -> Result<Vec<BookId>, StoreError> {
    let found = tx.pg.books_naming(naming)?;
    found.into_iter().map(|(id, _)| tx.pg.lock_row(row_of(id)).map(|_| id)).collect()
}

/// Creates the next version of books whose names have changed, so that an editor who has read the old one gets a conflict.
pub(super) fn advance_books(tx: &mut Tx<'_, '_>, trail: &AuditTrail, books: &[BookId]) -> Result<(), EditError> {
    for id in books {
        advance(tx, trail, row_of(*id))?;
        after_book_change(tx, *id, BookChange::Names)?;
        let book = edited_book(tx, *id)?.ok_or(EditError::Unknown("book"))?;
        store_revision(tx, trail, (row_of(*id), book.version.number), &book.written())?;
    }
    Ok(())
}

/// Records a change of a book: its next version, a revision, an entry in the audit log. Does nothing if no field changed.
fn finish(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    before: &EditedBook,
    action: &'static str,
) -> Result<EditedBook, EditError> {
    let after = edited_book(tx, before.id)?.ok_or(EditError::Unknown("book"))?;
    let (from, to) = (before.written(), after.written());
    let Some(change) = BookChange::between(&from, &to) else { return Ok(after) };
    advance(tx, trail, row_of(before.id))?;
    rename_linked_ideas(tx, before.id, (&from.body, &to.body))?;
    after_book_change(tx, before.id, change)?;
    let kept = (row_of(before.id), &before.version, before.draft.upload_date);
    keep_revision(tx, trail, kept, (&from, &to))?;
    let after = edited_book(tx, before.id)?.ok_or(EditError::Unknown("book"))?;
    let changes = from.changes_to(&to);
    let changes = changes.iter().map(|(field, from, to)| FieldChange::between(field, from.as_deref(), to.as_deref()));
    trail.record(AuditEvent::new(action, subject(&after)).with(changes));
    Ok(after)
}

/// Changes the headings that links between key ideas name where the edit has changed them.
fn rename_linked_ideas(tx: &mut Tx<'_, '_>, book: BookId, (from, to): (&str, &str)) -> Result<(), StoreError> {
    if from == to {
        return Ok(());
    }
    let headings = |body| Body::from_html(body).sections.into_iter().map(|section| section.title).collect::<Vec<_>>();
    for (before, after) in renamed_ideas(&headings(from), &headings(to)) {
        tx.pg.rename_linked_idea(book, before, after)?;
    }
    Ok(())
}

/// The revisions of a book, latest first.
pub fn book_revisions<A>(tx: &mut Tx<'_, '_, A>, id: BookId) -> Result<Vec<BookRevision>, EditError> {
    row_revisions(tx, row_of(id), |from: &WrittenBook, to| {
        from.changes_to(to).into_iter().map(|(field, ..)| field.to_owned()).collect()
    })
}

/// Restores a revision, as another change: nothing is lost.
pub fn restore_revision(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: BookId,
    revision: i64,
    read: Option<i64>,
) -> Result<EditedBook, EditError> {
    let found = book_revisions(tx, id)?.into_iter().find(|one| one.revision.id == revision);
    let written = found.ok_or(EditError::Unknown("revision"))?.written;
    let edit = written.into_edit(&tx.pg.categories()?, &tx.pg.goals()?);
    edit_book(tx, trail, id, read, &edit)
}

/// A free slug for a book with this title.
fn free_subid(tx: &mut Tx<'_, '_>, title: &str) -> Result<Slug, EditError> {
    let base = slug_of(title).ok_or(EditError::Missing { field: "subid", label: "Address" })?;
    for subid in base.numbered() {
        if tx.pg.find_book_draft(&subid)?.is_none() {
            return Ok(subid);
        }
    }
    Err(EditError::Taken("subid"))
}

/// The slug of an edit's author, who is added or changed as the edit says.
fn author_of(tx: &mut Tx<'_, '_>, edit: &BookEdit, there: Option<&AuthorDraft>) -> Result<Slug, EditError> {
    let (slug, name) = edit.author_name(there)?;
    let found = tx.pg.author(&slug)?.map(|author| author.draft);
    let (author, now) = (edit.author((slug, name), found), tx.now());
    tx.pg.save_author(&author, now)?;
    Ok(author.slug)
}

/// The draft with an edit applied, and its publication time.
fn applied(
    tx: &mut Tx<'_, '_>,
    edit: &BookEdit,
    there: BookDraft,
    publish_at: Option<Timestamp>,
) -> Result<(BookDraft, Option<Timestamp>), EditError> {
    let (categories, goals, now) = (tx.pg.categories()?, tx.pg.goals()?, tx.now());
    Ok(edit.applied(there, publish_at, (&categories, &goals), now)?)
}

/// The job that publishes books whose publication time has come.
#[derive(Debug)]
pub struct PublishBooks {
    pub transactions: Transactions,
}

impl JobDefinition for PublishBooks {
    const KIND: JobKind = JobKind::transactional("publish_books").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl TransactionalJob for PublishBooks {
    fn run_transactional(&self, pg: &mut Pg<'_>, (): &()) -> Result<(), StoreError> {
        publish_due(&mut self.transactions.tx(pg))
    }
}

/// Publishes the books whose publication time has come, each as a recorded change. A book that can't be published, because its
/// text was removed meanwhile, loses its publication time.
fn publish_due(tx: &mut Tx<'_, '_>) -> Result<(), StoreError> {
    let now = tx.now();
    for subid in tx.pg.books_to_publish(now)? {
        let Some((id, _)) = tx.pg.find_book_draft(&subid)? else { continue };
        let published = run_as::<_, EditError>(tx, admin::Actor::System("publish_books"), |tx, trail| {
            let edit = BookEdit { publish_at: Some(Some(now)), ..BookEdit::default() };
            edit_book(tx, trail, id, None, &edit)
        });
        match published {
            Ok(_) => {}
            Err(EditError::Store(error)) => return Err(error),
            Err(error) => {
                tracing::warn!(%error, book = %id, "a book could not be published at its moment");
                let extras = tx.pg.book_extras(id)?.unwrap_or_default();
                tx.pg.update_book_extras(id, &BookExtras { publish_at: None, ..extras })?;
            }
        }
    }
    Ok(())
}
