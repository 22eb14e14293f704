//! Lists of books that a member keeps (`study.own-lists`), merged from the reports of several devices (`study.list-merge`), and how they are
//! shared (`study.list-sharing`).
//!
//! The web app merges by the same rules; `list_cases.json` is the table of cases that both keep.

use std::collections::BTreeMap;

use kernel::{BookId, Env, ListId, Slug, TeamListId, Timestamp, UserId, many_lines, one_line};

use crate::{Register, StudyError, words::words};

/// The longest name of a list, in characters.
pub const LIST_NAME_MAX_CHARS: usize = 100;
/// The longest note of a list, in characters.
pub const LIST_NOTE_MAX_CHARS: usize = 2_000;
/// The most books of a list.
pub const LIST_BOOKS: usize = 200;
/// The most lists of a member.
pub const OWN_LISTS: usize = 200;
/// The most lists of others that a member follows.
pub const FOLLOWED_LISTS: usize = 200;
/// A public list is for search engines from this many books on.
pub const INDEXED_FROM: usize = 3;
/// How many of the books that were taken off a list are remembered: those taken off last.
const KEPT_REMOVALS: usize = 2 * LIST_BOOKS;
/// The longest rank, in bytes.
const RANK_MAX_BYTES: usize = 200;
/// The length of a random slug: 22 characters of 5 random bits.
const RANDOM_SLUG_CHARS: usize = 22;

/// The name of a list: one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListName(String);

impl ListName {
    /// Sanitizes a line and checks its length.
    pub fn new(text: &str) -> Result<Self, StudyError> {
        let name = one_line(text);
        if name.is_empty() {
            return Err(StudyError::NoListName);
        }
        if name.chars().count() > LIST_NAME_MAX_CHARS { Err(StudyError::ListNameTooLong) } else { Ok(Self(name)) }
    }

    /// A name from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the owner says of a list, in several lines; empty: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListNote(String);

impl ListNote {
    /// Sanitizes a text of several lines and checks its length.
    pub fn new(text: &str) -> Result<Self, StudyError> {
        let note = many_lines(text);
        if note.chars().count() > LIST_NOTE_MAX_CHARS { Err(StudyError::ListNoteTooLong) } else { Ok(Self(note)) }
    }

    /// A note from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a book stands in its list: ranks are compared as texts, so there is always one between two others. Devices make them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(String);

impl Rank {
    /// Checks a rank: digits and letters of ASCII.
    pub fn parse(text: &str) -> Result<Self, StudyError> {
        let is_rank =
            (1..=RANK_MAX_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_rank { Ok(Self(text.to_owned())) } else { Err(StudyError::InvalidRank) }
    }

    /// A rank from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What devices report of a list, in part or as a whole. Two states of one list merge to the same state in any order, any number of
/// times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListState {
    pub created_at: Timestamp,
    pub name: Register<ListName>,
    pub note: Register<ListNote>,
    /// Every book that it has or once had; without a rank: it was taken off.
    pub books: BTreeMap<BookId, Register<Option<Rank>>>,
    /// When it was deleted; a later change brings it back.
    pub deleted_at: Option<Timestamp>,
    /// A moment at or after which it was changed: of books that have been deleted since nothing else is known.
    pub changed_at: Timestamp,
}

impl ListState {
    /// A state of which only the creation is known: the other parts lose against any that was set.
    pub const fn new(created_at: Timestamp) -> Self {
        Self {
            created_at,
            name: Register::unset(ListName(String::new())),
            note: Register::unset(ListNote(String::new())),
            books: BTreeMap::new(),
            deleted_at: None,
            changed_at: Timestamp::from_millis(0),
        }
    }

    /// Adds what a report says of a book. Of a book that is named twice the greater register wins.
    pub fn set_book(&mut self, book: BookId, rank: Option<Rank>, at: Timestamp) {
        merge_book(&mut self.books, book, Register::new(rank, at));
    }

    /// Checks what a report has made of a list: it has a name, and at most [`LIST_BOOKS`] books unless it is deleted (`study.own-lists`).
    pub fn check(&self) -> Result<(), StudyError> {
        if self.name.value.0.is_empty() {
            return Err(StudyError::NoListName);
        }
        let is_too_long = self.is_shown() && self.shown_books().len() > LIST_BOOKS;
        if is_too_long { Err(StudyError::TooManyBooks) } else { Ok(()) }
    }

    /// The state without what was taken off long ago: of removals the last [`KEPT_REMOVALS`] are remembered.
    #[must_use]
    pub fn pruned(mut self) -> Self {
        let mut removals: Vec<(Timestamp, BookId)> =
            self.books.iter().filter(|(_, rank)| rank.value.is_none()).map(|(book, rank)| (rank.at, *book)).collect();
        removals.sort_unstable();
        for (_, book) in removals.iter().rev().skip(KEPT_REMOVALS) {
            self.books.remove(book);
        }
        self
    }

    /// The state with its moments corrected: that of the creation by one function, all others by the other, as those of a
    /// highlight are ([`crate::HighlightState::with_moments`]).
    #[must_use]
    pub fn with_moments(
        self,
        created_at: impl FnOnce(Timestamp) -> Timestamp,
        correct: impl Fn(Timestamp) -> Timestamp,
    ) -> Self {
        Self {
            created_at: created_at(self.created_at),
            name: self.name.with_moment(&correct),
            note: self.note.with_moment(&correct),
            books: self.books.into_iter().map(|(book, rank)| (book, rank.with_moment(&correct))).collect(),
            deleted_at: self.deleted_at.map(&correct),
            changed_at: self.changed_at,
        }
    }

    /// What two states of one list say together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let mut books = self.books;
        for (book, rank) in other.books {
            merge_book(&mut books, book, rank);
        }
        Self {
            created_at: self.created_at.min(other.created_at),
            name: self.name.merged(other.name),
            note: self.note.merged(other.note),
            books,
            deleted_at: self.deleted_at.max(other.deleted_at),
            changed_at: self.changed_at.max(other.changed_at),
        }
    }

    /// The latest moment of any part, the deletion excepted.
    pub fn edited_at(&self) -> Timestamp {
        let books = self.books.values().map(|rank| rank.at);
        [self.name.at, self.note.at, self.changed_at].into_iter().chain(books).fold(self.created_at, Timestamp::max)
    }

    /// Whether it was not deleted, or changed since.
    pub fn is_shown(&self) -> bool {
        self.deleted_at.is_none_or(|deleted| deleted < self.edited_at())
    }

    /// The books that it has, in their order (`study.list-order`).
    pub fn shown_books(&self) -> Vec<BookId> {
        let mut ranked: Vec<(&Rank, BookId)> =
            self.books.iter().filter_map(|(book, rank)| Some((rank.value.as_ref()?, *book))).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, book)| book).collect()
    }
}

fn merge_book(books: &mut BTreeMap<BookId, Register<Option<Rank>>>, book: BookId, rank: Register<Option<Rank>>) {
    let known = books.entry(book).or_insert_with(|| rank.clone());
    if *known < rank {
        *known = rank;
    }
}

words! {
    /// To whom a list is shown besides its owner (`study.list-sharing`).
    Sharing {
        /// To nobody.
        Private = "private",
        /// To everybody who has its link.
        Link = "link",
        /// To everybody, on a public page.
        Public = "public",
    }
}

/// The last part of the URL of a shared list: made of its name, or random.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListSlug(String);

impl ListSlug {
    /// That of a public list.
    pub fn of_name(slug: &Slug) -> Self {
        Self(slug.as_str().to_owned())
    }

    /// One that can't be guessed. Its letters are upper case: no name makes it.
    pub fn random(env: &dyn Env) -> Self {
        Self(kernel::random_text(env, RANDOM_SLUG_CHARS))
    }

    /// From a URL or from the database: not checked.
    pub const fn from_text(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The slug of a public list with this name, before numbering ([`Slug::numbered`]).
pub fn slug_of_list(name: &ListName) -> Result<Slug, StudyError> {
    // A name without Latin letters has none of its own, and one that fills a slug leaves no room for a number.
    let has_room = |slug: &Slug| slug.as_str().len() + 8 <= Slug::MAX_BYTES;
    let own = Slug::of_name(name.as_str()).filter(has_room);
    own.map_or_else(|| Slug::parse("list").map_err(|_| StudyError::NoListName), Ok)
}

/// A list of books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingList {
    pub id: ListId,
    /// What the devices have reported.
    pub state: ListState,
    pub sharing: Sharing,
    /// The last part of its URL; `None`: it is private.
    pub slug: Option<ListSlug>,
    /// Since when it is shared, or was before it was taken down.
    pub shared_at: Option<Timestamp>,
    /// An admin has taken it down: it can't be shared.
    pub is_taken_down: bool,
    /// As the list of the owner's team; `None`: the team does not see it.
    pub team_list: Option<TeamListId>,
}

/// A list as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredList {
    pub list: ReadingList,
    /// Greater than that of all records of the member that were stored before.
    pub version: u64,
}

/// A list with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedList {
    pub owner: UserId,
    pub stored: StoredList,
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, Timestamp};
    use proptest::prelude::*;

    use super::{
        LIST_BOOKS, LIST_NAME_MAX_CHARS, LIST_NOTE_MAX_CHARS, ListName, ListNote, ListState, Rank, slug_of_list,
    };
    use crate::{Register, StudyError, merge_properties::merge_properties};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn name(text: &str) -> ListName {
        ListName::new(text).expect("a name")
    }

    fn rank(text: &str) -> Rank {
        Rank::parse(text).expect("a rank")
    }

    const fn book(number: i64) -> BookId {
        BookId::from_store(number)
    }

    #[test]
    fn names_and_notes_have_their_lengths() {
        assert_eq!((LIST_NAME_MAX_CHARS, LIST_NOTE_MAX_CHARS, LIST_BOOKS), (100, 2_000, 200));
        assert_eq!(name(" For\r\n work \0").as_str(), "For work");
        assert_eq!(name(&"é".repeat(100)).as_str().chars().count(), 100);
        assert_eq!(ListName::new(&"é".repeat(101)), Err(StudyError::ListNameTooLong));
        assert_eq!(ListName::new(" \n\u{a0}"), Err(StudyError::NoListName));
        assert_eq!(ListNote::new("One\r\n\r\nTwo ").map(|note| note.0), Ok("One\n\nTwo".to_owned()));
        assert!(ListNote::new(&"é".repeat(2_000)).is_ok());
        assert_eq!(ListNote::new(&"é".repeat(2_001)), Err(StudyError::ListNoteTooLong));
        for text in ["", "a-0", "é", &"a".repeat(201)] {
            assert_eq!(Rank::parse(text), Err(StudyError::InvalidRank), "{text:?}");
        }
    }

    #[test]
    fn a_new_list_has_a_name_and_up_to_200_books() {
        let mut state = ListState::new(NOW);
        assert_eq!(state.check(), Err(StudyError::NoListName));
        state.name = Register::new(name("Work"), NOW);
        for number in 1..=200 {
            state.set_book(book(number), Some(rank("a0")), NOW);
        }
        assert_eq!(state.check(), Ok(()));
        state.set_book(book(201), Some(rank("a0")), NOW);
        assert_eq!(state.check(), Err(StudyError::TooManyBooks));
        state.deleted_at = Some(NOW);
        assert_eq!(state.check(), Ok(()), "it can be deleted");
        state.deleted_at = None;
        state.set_book(book(1), None, NOW.plus(1));
        assert_eq!(state.check(), Ok(()));
    }

    #[test]
    fn the_books_that_were_taken_off_last_are_remembered() {
        let mut state = ListState::new(NOW);
        state.set_book(book(1_000), Some(rank("a0")), NOW);
        for number in 1..=401 {
            state.set_book(book(number), None, NOW.plus(number));
        }
        let pruned = state.clone().pruned();
        assert_eq!((pruned.books.len(), pruned.books.contains_key(&book(1))), (401, false));
        assert_eq!((pruned.clone().merged(state).pruned(), pruned.shown_books()), (pruned.clone(), vec![book(1_000)]));
    }

    #[test]
    fn a_list_that_was_brought_back_stays_when_the_book_that_did_it_is_deleted() {
        let deleted = ListState { deleted_at: Some(NOW.plus(8)), ..ListState::new(NOW) };
        assert!(!deleted.is_shown());
        assert!(ListState { changed_at: NOW.plus(9), ..deleted }.is_shown());
    }

    #[test]
    fn books_stand_in_the_order_of_their_ranks_then_of_their_ids() {
        let mut state = ListState::new(NOW);
        for (number, at) in [(4, "a1"), (3, "Zz"), (9, "a0"), (2, "a0V"), (1, "a0")] {
            state.set_book(book(number), Some(rank(at)), NOW);
        }
        state.set_book(book(7), None, NOW);
        assert_eq!(state.shown_books(), [3, 1, 9, 2, 4].map(book));
    }

    #[test]
    fn the_slug_of_a_list_is_that_of_its_name() {
        let slug = |text: &str| slug_of_list(&name(text)).expect("a slug").to_string();
        assert_eq!(slug("How to decide, in 2026"), "how-to-decide-in-2026");
        assert_eq!((slug("本"), slug("2026")), ("list".to_owned(), "list".to_owned()));
    }

    #[derive(serde::Deserialize)]
    struct Case {
        name: String,
        states: Vec<CaseState>,
        merged: CaseState,
        shown: bool,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CaseState {
        created_at: i64,
        name: CaseText,
        note: CaseText,
        books: Vec<CaseBook>,
        deleted_at: Option<i64>,
    }

    #[derive(serde::Deserialize)]
    struct CaseText {
        value: String,
        at: i64,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CaseBook {
        book_id: i64,
        rank: Option<String>,
        at: i64,
    }

    impl From<CaseState> for ListState {
        fn from(case: CaseState) -> Self {
            let at = Timestamp::from_millis;
            let mut state = Self {
                name: Register::new(ListName::from_store(case.name.value), at(case.name.at)),
                note: Register::new(ListNote::from_store(case.note.value), at(case.note.at)),
                deleted_at: case.deleted_at.map(at),
                ..Self::new(at(case.created_at))
            };
            for one in case.books {
                state.set_book(book(one.book_id), one.rank.as_deref().map(rank), at(one.at));
            }
            state
        }
    }

    #[test]
    fn the_cases_that_the_web_app_shares_merge_in_any_order() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("list_cases.json")).expect("the table is JSON");
        assert!(cases.len() >= 12);
        for Case { name, states, merged: expected, shown } in cases {
            let mut states: Vec<ListState> = states.into_iter().map(Into::into).collect();
            let expected = ListState::from(expected);
            assert_eq!(merged(&states), expected, "{name}");
            states.reverse();
            assert_eq!(merged(&states), expected, "{name}, reversed");
            assert_eq!(expected.is_shown(), shown, "{name}");
        }
    }

    fn some_reports() -> impl Strategy<Value = Vec<ListState>> {
        let named = ("[ab]{1,2}", 0..9_i64).prop_map(|(words, at)| Register::new(name(&words), NOW.plus(at)));
        let noted = ("[ab]{0,2}", 0..9_i64);
        let noted = noted.prop_map(|(words, at)| Register::new(ListNote::from_store(words), NOW.plus(at)));
        let books = proptest::collection::vec((1..5_i64, proptest::option::of("[ab]{1,2}"), 0..9_i64), 0..6);
        let report = (0..3_i64, named, noted, books, proptest::option::of(0..9_i64));
        let report = report.prop_map(|(created, name, note, books, deleted)| {
            let deleted_at = deleted.map(|at| NOW.plus(at));
            let mut state = ListState { name, note, deleted_at, ..ListState::new(NOW.plus(created)) };
            for (number, at_rank, at) in books {
                state.set_book(book(number), at_rank.as_deref().map(rank), NOW.plus(at));
            }
            state
        });
        proptest::collection::vec(report, 1..=12)
    }

    merge_properties!(ListState);

    proptest! {
        /// No book appears that no device has put on, and none is lost that the latest report of it has on.
        #[test]
        fn of_each_book_the_latest_word_counts(said in some_reports()) {
            let all = merged(&said);
            for number in 1..5 {
                let latest = said.iter().filter_map(|report| report.books.get(&book(number))).max();
                prop_assert_eq!(all.books.get(&book(number)), latest);
                let is_on = latest.is_some_and(|rank| rank.value.is_some());
                prop_assert_eq!(all.shown_books().contains(&book(number)), is_on);
            }
        }

        #[test]
        fn a_later_change_brings_a_deleted_list_back(said in some_reports(), later in 9..20_i64) {
            let mut report = ListState::new(NOW);
            report.set_book(book(1), Some(rank("a0")), NOW.plus(later));
            prop_assert!(merged(&said).merged(report).is_shown());
        }
    }
}
