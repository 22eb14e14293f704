//! Editing books: adding, changing by number and version, revisions, publication at a moment.

use std::fmt::Write as _;

use admin::{
    AuditEvent, EditCommands, EditQueries, FieldChange, NewRevision, Revision, RowRef, RowVersion, Subject, SubjectKind,
};
use catalogue::{
    AuthorDraft, BookDraft, BookExtras, BookRef, Catalogue, CatalogueError, CatalogueLists, CatalogueQueries,
    EditingCommands, EditingQueries, ListedBook, ListedQuery, Naming, Quote, slug_of, thumb_of_infographic,
};
use jobs::{JobDefinition, JobKind, PayloadError};
use kernel::{BookId, CategoryId, GoalId, MINUTE, Page, Slug, StoreError, Timestamp};
use postgres::Pg;
use serde::{Deserialize, Serialize};
use worker::TransactionalJob;

use crate::{
    audit::{AuditTrail, run_as},
    recording_files,
    tx::{Transactions, Tx},
};
use crate::{
    catalogue::editing::changes::{BookChange, after_book_change},
    editing::{EditError, Versioned, advance, begin, editor, versioned},
};

/// A book with all that editors see of it.
#[derive(Clone, Debug)]
pub struct EditedBook {
    /// Its number.
    pub id: BookId,
    /// What was written.
    pub draft: BookDraft,
    pub author: AuthorDraft,
    /// What it has besides.
    pub extras: BookExtras,
    /// The numbers of its categories, in their order.
    pub categories: Vec<CategoryId>,
    /// The numbers of its goals.
    pub goals: Vec<GoalId>,
    pub version: RowVersion,
}

/// What an editor writes about a book. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookEdit {
    pub title: Option<String>,
    /// The author's name. An author who is not known is added.
    pub author: Option<String>,
    /// About the author.
    pub author_desc: Option<String>,
    /// What one takes away from it.
    pub description: Option<String>,
    /// The summary, as HTML.
    pub body: Option<String>,
    /// Sentences worth quoting.
    pub quotes: Option<Vec<Quote>>,
    /// The categories, in their order.
    pub categories: Option<Vec<CategoryId>>,
    pub goals: Option<Vec<GoalId>>,
    /// The names of its tags.
    pub tags: Option<Vec<String>>,
    /// Whether anyone may read it.
    pub free: Option<bool>,
    /// The editors' mark.
    pub is_popular: Option<bool>,
    /// Whether it is announced only.
    pub coming_soon: Option<bool>,
    /// Whether it is in the catalogue at all.
    pub published: Option<bool>,
    /// When it can be read; a moment that is past is now (`catalogue.publication-moment`).
    pub publish_at: Option<Option<Timestamp>>,
    /// The year of the first publication.
    pub year: Option<Option<i32>>,
    /// Its name in addresses.
    pub subid: Option<Slug>,
    /// When it came into the catalogue.
    pub upload_date: Option<Timestamp>,
}

/// What a revision keeps of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenBook {
    /// The name in addresses.
    pub subid: String,
    pub title: String,
    /// The author's name.
    pub author: String,
    /// About the author.
    pub author_desc: String,
    /// What one takes away from it.
    pub description: String,
    /// The summary, as clean HTML.
    pub body: String,
    /// Sentences worth quoting: text and chapter.
    pub quotes: Vec<(String, String)>,
    /// The categories, by their numbers.
    pub categories: Vec<i64>,
    /// The goals, by their numbers.
    pub goals: Vec<i64>,
    pub tags: Vec<String>,
    /// Whether anyone may read it.
    pub free: bool,
    /// The editors' mark.
    pub is_popular: bool,
    /// Whether it is announced only.
    pub coming_soon: bool,
    /// Whether it is in the catalogue at all.
    pub published: bool,
    /// When it can be read, in milliseconds.
    pub publish_at: Option<i64>,
    /// The year of the first publication.
    pub year: Option<i32>,
    /// When it came into the catalogue, in milliseconds.
    pub upload_date: i64,
}

impl From<&EditedBook> for WrittenBook {
    fn from(book: &EditedBook) -> Self {
        let draft = &book.draft;
        Self {
            subid: draft.subid.to_string(),
            title: draft.title.clone(),
            author: book.author.name.clone(),
            author_desc: book.author.description.clone(),
            description: draft.description.clone(),
            body: draft.body.clone(),
            quotes: draft.quotes.iter().map(|quote| (quote.text.clone(), quote.chapter.clone())).collect(),
            categories: book.categories.iter().map(|id| id.get()).collect(),
            goals: book.goals.iter().map(|id| id.get()).collect(),
            tags: draft.tags.clone(),
            free: draft.free,
            is_popular: draft.is_popular,
            coming_soon: draft.coming_soon,
            published: draft.published,
            publish_at: book.extras.publish_at.map(Timestamp::millis),
            year: draft.year,
            upload_date: draft.upload_date.millis(),
        }
    }
}

impl WrittenBook {
    /// The fields as texts for people, by their names on the wire.
    fn fields(&self) -> [(&'static str, Option<String>); 17] {
        let flag = |flag: bool| Some(flag.to_string());
        let ids = |ids: &[i64]| Some(ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
        let quotes = self.quotes.iter().fold(String::new(), |mut text, (quote, chapter)| {
            let _ = writeln!(text, "{quote} ({chapter})");
            text
        });
        [
            ("title", Some(self.title.clone())),
            ("subid", Some(self.subid.clone())),
            ("author", Some(self.author.clone())),
            ("authorDesc", Some(self.author_desc.clone())),
            ("description", Some(self.description.clone())),
            ("body", Some(self.body.clone())),
            ("quotes", Some(quotes)),
            ("categories", ids(&self.categories)),
            ("goals", ids(&self.goals)),
            ("tags", Some(self.tags.join(", "))),
            ("free", flag(self.free)),
            ("isPopular", flag(self.is_popular)),
            ("comingSoon", flag(self.coming_soon)),
            ("published", flag(self.published)),
            ("publishAt", self.publish_at.map(|at| at.to_string())),
            ("year", self.year.map(|year| year.to_string())),
            ("uploadDate", Some(self.upload_date.to_string())),
        ]
    }

    /// The names of the fields in which two differ.
    pub fn changed_fields(&self, other: &Self) -> Vec<&'static str> {
        let pairs = self.fields().into_iter().zip(other.fields());
        pairs.filter(|((_, one), (_, other))| one != other).map(|((field, _), _)| field).collect()
    }

    fn changes_to(&self, after: &Self) -> Vec<Option<FieldChange>> {
        let pairs = self.fields().into_iter().zip(after.fields());
        pairs.map(|((field, from), (_, to))| FieldChange::between(field, from.as_deref(), to.as_deref())).collect()
    }
}

/// A revision of a book.
#[derive(Clone, Debug)]
pub struct BookRevision {
    pub revision: Revision,
    /// What the book said.
    pub written: WrittenBook,
    /// The fields that differ from the revision before.
    pub changed: Vec<&'static str>,
}

const fn row_of(id: BookId) -> RowRef {
    RowRef { kind: SubjectKind::Book, id: id.get() }
}

fn subject(book: &EditedBook) -> Subject {
    Subject::named(SubjectKind::Book, book.id.get(), &book.draft.title)
}

/// The number of a book, published or not.
pub fn find_book<A>(tx: &mut Tx<'_, '_, A>, book: &BookRef) -> Result<Option<BookId>, StoreError> {
    match book {
        BookRef::Id(id) => Ok(tx.pg.book_extras(*id)?.map(|_| *id)),
        BookRef::Subid(subid) => Ok(tx.pg.find_book_draft(subid)?.map(|(id, _)| id)),
    }
}

/// Reads a book as editors see it; `None` when there is no such book.
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

/// A page of the books as editors list them.
#[derive(Clone, Debug)]
pub struct BookPage {
    pub page: Page<Versioned<ListedBook>, BookId>,
    /// How many books the filter admits.
    pub count: u64,
}

/// Reads a page of the books as editors list them.
pub fn listed_books<A>(tx: &mut Tx<'_, '_, A>, query: &ListedQuery) -> Result<BookPage, StoreError> {
    let found = tx.pg.listed_books(query)?;
    let books = versioned(tx, SubjectKind::Book, found, |book| book.id.get())?;
    let page = Page::from_surplus(books, query.limit, |book| book.row.id);
    Ok(BookPage { page, count: tx.pg.count_listed_books(&query.filter)? })
}

/// Adds a book. Without a word about it, it is no part of the catalogue yet.
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
    let blank = BookDraft {
        subid,
        title: String::new(),
        author: author_of(tx, edit, None)?,
        description: String::new(),
        body: String::new(),
        quotes: Vec::new(),
        image: None,
        media: None,
        video: None,
        year: None,
        categories: Vec::new(),
        goals: Vec::new(),
        tags: Vec::new(),
        free: false,
        is_popular: false,
        coming_soon: false,
        published: false,
        upload_date: now,
    };
    let (draft, publish_at) = applied(tx, edit, blank, None)?;
    let id = recording_files::save_book(tx.pg, &draft, now)?.id();
    tx.pg.update_book_extras(id, &BookExtras { publish_at, ..BookExtras::default() })?;
    let after = edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    store_revision(tx, trail, &after)?;
    after_book_change(tx, id, BookChange::Text)?;
    trail.record(AuditEvent::new("book.create", subject(&after)));
    Ok(after)
}

/// Changes a book, based on the version that the editor has read. A draft that says what is there already changes nothing.
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
    // Recordings are changed by uploads only; whatever there is by now stays.
    (draft.media, draft.video) = (None, None);
    recording_files::save_book(tx.pg, &draft, now)?;
    if publish_at != before.extras.publish_at {
        tx.pg.update_book_extras(id, &BookExtras { publish_at, ..before.extras.clone() })?;
    }
    finish(tx, trail, &before, "book.update")
}

/// A file of a book, by its key in the object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookFile {
    /// The cover.
    Photo(String),
    /// The drawing.
    Vector(String),
    Infographic(String),
    Audio(String),
    /// The episode about the book.
    Podcast(String),
    Video(String),
}

impl BookFile {
    /// The field that it fills on the wire, and its key.
    const fn field(&self) -> (&'static str, &String) {
        match self {
            Self::Photo(key) => ("image", key),
            Self::Vector(key) => ("vector", key),
            Self::Infographic(key) => ("infographicUrl", key),
            Self::Audio(key) => ("mediaUrl", key),
            Self::Podcast(key) => ("podcastUrl", key),
            Self::Video(key) => ("video", key),
        }
    }
}

/// Puts an uploaded file in the place of a book's. It is no new version of what is written.
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
    let place = match file {
        BookFile::Photo(_) => &mut draft.image,
        BookFile::Audio(_) => &mut draft.media,
        BookFile::Video(_) => &mut draft.video,
        BookFile::Vector(_) => &mut extras.vector,
        BookFile::Infographic(_) => &mut extras.infographic,
        BookFile::Podcast(_) => &mut extras.podcast,
    };
    *place = Some(key.clone());
    recording_files::save_book(tx.pg, &draft, now)?;
    tx.pg.update_book_extras(id, &extras)?;
    let there = match file {
        BookFile::Photo(_) => &before.draft.image,
        BookFile::Audio(_) => &before.draft.media,
        BookFile::Video(_) => &before.draft.video,
        BookFile::Vector(_) => &before.extras.vector,
        BookFile::Infographic(_) => &before.extras.infographic,
        BookFile::Podcast(_) => &before.extras.podcast,
    };
    match file {
        // Their files are looked after where the book is saved.
        BookFile::Audio(_) | BookFile::Video(_) => {}
        BookFile::Infographic(_) => replaced_infographic(tx, id, there.as_deref(), Some(key))?,
        BookFile::Photo(_) | BookFile::Vector(_) | BookFile::Podcast(_) => {
            recording_files::replaced_upload(tx.pg, there.as_deref(), Some(key), now)?;
        }
    }
    if matches!(file, BookFile::Photo(_)) {
        after_book_change(tx, id, BookChange::Text)?;
    }
    let change = FieldChange::between(field, there.as_deref(), Some(key));
    trail.record(AuditEvent::new("book.upload", subject(&before)).with([change]));
    edited_book(tx, id)?.ok_or(EditError::Unknown("book"))
}

/// Notes that one uploaded infographic of a book is in the place of another one, with its thumbnail.
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

/// Takes the uploaded infographic away from a book: readers see the drawn one again, if there is one.
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

/// Changes what is written of a book as a part of another workflow: its next version, with a revision.
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

/// Locks the books that name something, so that no editor saves one while the name changes.
pub(super) fn lock_books(tx: &mut Tx<'_, '_>, naming: Naming) -> Result<Vec<BookId>, StoreError> {
    let found = tx.pg.books_naming(naming)?;
    found.into_iter().map(|(id, _)| tx.pg.lock_row(row_of(id)).map(|_| id)).collect()
}

/// Gives books in which a name was changed their next versions: an editor who has read the old name is told.
pub(super) fn advance_books(tx: &mut Tx<'_, '_>, trail: &AuditTrail, books: &[BookId]) -> Result<(), EditError> {
    for id in books {
        advance(tx, trail, row_of(*id))?;
        after_book_change(tx, *id, BookChange::Names)?;
        let book = edited_book(tx, *id)?.ok_or(EditError::Unknown("book"))?;
        store_revision(tx, trail, &book)?;
    }
    Ok(())
}

/// Records what became of a book that was changed: the next version, a revision, an entry of the audit log.
fn finish(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    before: &EditedBook,
    action: &'static str,
) -> Result<EditedBook, EditError> {
    let after = edited_book(tx, before.id)?.ok_or(EditError::Unknown("book"))?;
    let (from, to) = (WrittenBook::from(before), WrittenBook::from(&after));
    let changes = from.changes_to(&to);
    if changes.iter().all(Option::is_none) {
        return Ok(after);
    }
    if tx.pg.revisions(row_of(before.id))?.is_empty() {
        // What the seed or an earlier version of the product has saved can be restored too.
        let content = serde_json::to_string(&from)?;
        let (row, version) = (row_of(before.id), before.version.number);
        let at = before.version.at.unwrap_or(before.draft.upload_date);
        tx.pg.insert_revision(NewRevision { row, version, by: None, at, content: &content })?;
    }
    advance(tx, trail, row_of(before.id))?;
    let is_renamed = (&from.title, &from.author, &from.subid) != (&to.title, &to.author, &to.subid);
    after_book_change(tx, before.id, if is_renamed { BookChange::Names } else { BookChange::Text })?;
    let after = edited_book(tx, before.id)?.ok_or(EditError::Unknown("book"))?;
    store_revision(tx, trail, &after)?;
    trail.record(AuditEvent::new(action, subject(&after)).with(changes));
    Ok(after)
}

fn store_revision(tx: &mut Tx<'_, '_>, trail: &AuditTrail, book: &EditedBook) -> Result<(), EditError> {
    let content = serde_json::to_string(&WrittenBook::from(book))?;
    let (row, version, by, at) = (row_of(book.id), book.version.number, editor(trail), tx.now());
    Ok(tx.pg.insert_revision(NewRevision { row, version, by, at, content: &content })?)
}

/// The revisions of a book, the latest first.
pub fn book_revisions<A>(tx: &mut Tx<'_, '_, A>, id: BookId) -> Result<Vec<BookRevision>, EditError> {
    let mut found: Vec<BookRevision> = Vec::new();
    for revision in tx.pg.revisions(row_of(id))? {
        let written: WrittenBook = serde_json::from_str(&revision.content)?;
        if let Some(later) = found.last_mut() {
            later.changed = later.written.changed_fields(&written);
        }
        found.push(BookRevision { revision, written, changed: Vec::new() });
    }
    Ok(found)
}

/// Puts what a revision says in the place of what there is: as another change, so nothing is lost.
pub fn restore_revision(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: BookId,
    revision: i64,
    read: Option<i64>,
) -> Result<EditedBook, EditError> {
    let found = book_revisions(tx, id)?.into_iter().find(|one| one.revision.id == revision);
    let written = found.ok_or(EditError::Unknown("revision"))?.written;
    let there: Vec<CategoryId> = tx.pg.categories()?.iter().map(|one| one.id).collect();
    let goals: Vec<GoalId> = tx.pg.goals()?.iter().map(|one| one.id).collect();
    // Categories and goals that are gone are left out. How the book is published stays as it is.
    let categories = written.categories.into_iter().map(CategoryId::from_store).filter(|id| there.contains(id));
    let edit = BookEdit {
        title: Some(written.title),
        author: Some(written.author),
        author_desc: Some(written.author_desc),
        description: Some(written.description),
        body: Some(written.body),
        quotes: Some(written.quotes.into_iter().map(|(text, chapter)| Quote { text, chapter }).collect()),
        categories: Some(categories.collect()),
        goals: Some(written.goals.into_iter().map(GoalId::from_store).filter(|id| goals.contains(id)).collect()),
        tags: Some(written.tags),
        year: Some(written.year),
        ..BookEdit::default()
    };
    edit_book(tx, trail, id, read, &edit)
}

/// A name in addresses for a title that no book has.
fn free_subid(tx: &mut Tx<'_, '_>, title: &str) -> Result<Slug, EditError> {
    let base = slug_of(title).ok_or(EditError::Missing { field: "subid", label: "Address" })?;
    let mut subid = base.clone();
    for number in 2.. {
        if tx.pg.find_book_draft(&subid)?.is_none() {
            break;
        }
        subid = Slug::parse(&format!("{base}-{number}")).map_err(|_| EditError::Taken("subid"))?;
    }
    Ok(subid)
}

/// The author that an edit names, added or changed as it says.
fn author_of(tx: &mut Tx<'_, '_>, edit: &BookEdit, there: Option<&AuthorDraft>) -> Result<Slug, EditError> {
    let missing = EditError::Missing { field: "author", label: "Author" };
    let name = edit.author.as_deref().map(kernel::one_line).or_else(|| there.map(|one| one.name.clone()));
    let name = name.filter(|name| !name.is_empty()).ok_or(missing)?;
    let same = there.filter(|one| one.name == name).cloned();
    let author = if let Some(same) = same {
        same
    } else {
        let invalid = || CatalogueError::Invalid { field: "author", message: "This name has no letters.".to_owned() };
        let slug = slug_of(&name).ok_or_else(invalid)?;
        let found = tx.pg.author(&slug)?.map(|author| author.draft);
        found.unwrap_or(AuthorDraft { slug, name, sort_name: None, description: String::new() })
    };
    let description = edit.author_desc.clone().unwrap_or_else(|| author.description.clone());
    let now = tx.now();
    tx.pg.save_author(&AuthorDraft { description, ..author.clone() }, now)?;
    Ok(author.slug)
}

/// A draft with what an edit says, and when the book can be read.
fn applied(
    tx: &mut Tx<'_, '_>,
    edit: &BookEdit,
    there: BookDraft,
    publish_at: Option<Timestamp>,
) -> Result<(BookDraft, Option<Timestamp>), EditError> {
    let edit = edit.clone();
    let categories = match edit.categories {
        None => there.categories,
        Some(ids) => {
            let all = tx.pg.categories()?;
            let of = |id: CategoryId| all.iter().find(|one| one.id == id).map(|one| one.draft.subid.clone());
            ids.into_iter().map(|id| of(id).ok_or(EditError::Unknown("category"))).collect::<Result<_, _>>()?
        }
    };
    let goals = match edit.goals {
        None => there.goals,
        Some(ids) => {
            let all = tx.pg.goals()?;
            let of = |id: GoalId| all.iter().find(|one| one.id == id).map(|one| one.draft.slug.clone());
            ids.into_iter().map(|id| of(id).ok_or(EditError::Unknown("goal"))).collect::<Result<_, _>>()?
        }
    };
    if categories.is_empty() {
        return Err(EditError::Missing { field: "categories", label: "Categories" });
    }
    let mut draft = BookDraft {
        subid: edit.subid.unwrap_or(there.subid),
        title: edit.title.unwrap_or(there.title),
        description: edit.description.unwrap_or(there.description),
        body: edit.body.unwrap_or(there.body),
        quotes: edit.quotes.unwrap_or(there.quotes),
        year: edit.year.unwrap_or(there.year),
        categories,
        goals,
        tags: edit.tags.unwrap_or(there.tags),
        free: edit.free.unwrap_or(there.free),
        is_popular: edit.is_popular.unwrap_or(there.is_popular),
        coming_soon: edit.coming_soon.unwrap_or(there.coming_soon),
        published: edit.published.unwrap_or(there.published),
        upload_date: edit.upload_date.unwrap_or(there.upload_date),
        author: there.author,
        image: there.image,
        media: there.media,
        video: there.video,
    };
    let now = tx.now();
    let mut publish_at = edit.publish_at.unwrap_or(publish_at);
    if publish_at.is_some_and(|at| at <= now) {
        (draft.published, draft.coming_soon, publish_at) = (true, false, None);
    } else if draft.is_counted() {
        publish_at = None;
    }
    Ok((draft, publish_at))
}

/// Publishes the books whose moment has come.
#[derive(Debug)]
pub struct PublishBooks {
    /// What the workflow works on.
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

/// Publishes the books whose moment has come, each as a change that is recorded. One that can't be published (its text was
/// removed meanwhile) loses its moment.
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
