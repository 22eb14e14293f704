//! Lists of books, and the books of lists.

use std::collections::BTreeMap;

use catalogue::{CatalogueLists, SoughtBook};
use identity::{ImportKind, KeptEntry, NamedBook};
use kernel::{BookId, ListId, Timestamp};
use serde::Deserialize;
use serde_json::json;
use study::{ListName, ListNote, ListState, Rank, Register, Study};

use super::entry::{BookFields, Entry, EntryError, Importing, Lenient, Moment, key_of};
use crate::{
    calendar::moment,
    study::lists::{ListError, merge_list},
};

/// The most books of a list in an archive; ours have at most 200.
const MAX_BOOKS: usize = 1_000;

impl From<ListError> for EntryError {
    fn from(error: ListError) -> Self {
        match error {
            ListError::Store(error) => Self::Store(error),
            _ => Self::Unreadable,
        }
    }
}

#[derive(Debug, Deserialize)]
struct BookOfList {
    #[serde(flatten)]
    book: BookFields,
    rank: String,
    at: Moment,
}

/// A list. Here it is private.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListEntry {
    id: i64,
    name: String,
    name_at: Moment,
    note: String,
    note_at: Option<Moment>,
    books: Vec<Lenient<BookOfList>>,
    created_at: Moment,
    edited_at: Moment,
}

/// What became of the books of a list.
#[derive(Debug, Default)]
pub(super) struct ListBooks {
    /// Those that are not in the catalogue.
    pub(super) kept: Vec<KeptEntry>,
    /// The keys of the others.
    pub(super) found: Vec<String>,
}

impl ListEntry {
    /// Imports the list with those of its books that are here.
    pub(super) fn import(&self, importing: &mut Importing<'_, '_, '_>) -> Result<ListBooks, EntryError> {
        let id = ListId::new(self.id).map_err(|_| EntryError::Unreadable)?;
        let now = importing.now;
        if self.books.len() > MAX_BOOKS {
            return Err(EntryError::Unreadable);
        }
        let mut report = ListState {
            name: Register::new(ListName::new(&self.name)?, self.name_at.until(now)),
            note: Register::unset(ListNote::default()),
            books: BTreeMap::new(),
            changed_at: self.edited_at.until(now),
            ..ListState::new(self.created_at.until(now))
        };
        if let Some(at) = self.note_at {
            report.note = Register::new(ListNote::new(&self.note)?, at.until(now));
        }
        let named: Vec<(&BookOfList, NamedBook)> =
            self.books.iter().filter_map(Lenient::read).filter_map(|book| Some((book, book.book.named()?))).collect();
        let sought: Vec<SoughtBook> = named.iter().map(|(_, book)| sought(book)).collect();
        let mut books = ListBooks::default();
        for ((book, name), found) in named.into_iter().zip(importing.tx.pg.match_books(&sought)?) {
            let Ok(rank) = Rank::parse(&book.rank) else { continue };
            let at = book.at.until(now);
            let Some(found) = found else {
                books.kept.push(kept_book(self.id, name, &rank, at));
                continue;
            };
            report.set_book(found, Some(rank), at);
            books.found.push(key_of(&self.id.to_string(), Some(&name)));
        }
        merge_list(importing.tx, &mut importing.locked, (importing.member, id), report)?;
        Ok(books)
    }
}

/// The book, as the catalogue looks for it.
pub(super) fn sought(book: &NamedBook) -> SoughtBook {
    SoughtBook { subid: book.subid.clone(), title: book.title.clone(), author: book.author.clone() }
}

/// A book of a list that is not in the catalogue, as [`KeptListBook`] reads it.
fn kept_book(list: i64, book: NamedBook, rank: &Rank, at: Timestamp) -> KeptEntry {
    let entry = json!({
        "listId": list,
        "subid": book.subid,
        "title": book.title,
        "author": book.author,
        "rank": rank.as_str(),
        "at": moment(at).to_string(),
    });
    let key = key_of(&list.to_string(), Some(&book));
    KeptEntry { kind: ImportKind::Lists, key, book, entry: entry.to_string() }
}

/// A book of a list, as it is kept.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeptListBook {
    list_id: i64,
    #[serde(flatten)]
    book: BookFields,
    rank: String,
    at: Moment,
}

impl Entry for KeptListBook {
    const KIND: ImportKind = ImportKind::Lists;

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    fn key(&self) -> String {
        self.list_id.to_string()
    }

    fn check(&self) -> Result<(), EntryError> {
        Ok(Rank::parse(&self.rank).map(|_| ())?)
    }

    /// Puts it on its list. Of a list that is not there, nothing is left to import.
    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let book = book.ok_or(EntryError::Unreadable)?;
        let id = ListId::new(self.list_id).map_err(|_| EntryError::Unreadable)?;
        let rank = Rank::parse(&self.rank)?;
        let Some(known) = importing.tx.pg.locked_list(&importing.locked, id)? else { return Ok(()) };
        let mut report = ListState::new(known.list.state.created_at);
        report.set_book(book, Some(rank), self.at.until(importing.now));
        merge_list(importing.tx, &mut importing.locked, (importing.member, id), report)?;
        Ok(())
    }
}
