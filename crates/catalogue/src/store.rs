//! What the catalogue needs from storage.

use std::collections::{BTreeSet, HashMap};

use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, DateCursor, GoalId, Limit, Slug, StoreError, TagId, Timestamp,
};

use crate::{
    Author, AuthorCard, AuthorCursor, AuthorDraft, AuthorsQuery, Body, Book, BookCard, BookCursor, BookDraft, BookName,
    BookRef, Category, CategoryDraft, Collection, CollectionDraft, EditingCommands, FilterName, Filters, Goal,
    GoalDraft, InfographicPeriod, Letter, ListQuery, NearWords, Tag, Visual, VisualBook, VisualSet, VisualsDraft,
    words::Terms,
};

/// Reads, callable by everyone who holds a connection.
pub trait CatalogueQueries {
    /// A published book.
    fn book(&mut self, book: &BookRef) -> Result<Option<Book>, StoreError>;

    /// Readable books, those that the editors marked first, then by trend.
    fn popular_books(&mut self, limit: usize) -> Result<Vec<BookCard>, StoreError>;

    /// How many books can be read: published, and not coming soon.
    fn book_count(&mut self) -> Result<u64, StoreError>;

    /// The names in addresses of books that can be read, each with when the book last changed, in the order of their numbers:
    /// so many behind the first `skipped`.
    fn book_addresses(&mut self, skipped: u64, limit: u64) -> Result<Vec<(Slug, Timestamp)>, StoreError>;

    /// All categories, in their order.
    fn categories(&mut self) -> Result<Vec<Category>, StoreError>;

    /// All goals, in their order.
    fn goals(&mut self) -> Result<Vec<Goal>, StoreError>;

    /// The letters under which there are authors of published books, in the order of the directory.
    fn letters(&mut self) -> Result<Vec<Letter>, StoreError>;

    /// A collection.
    fn collection(&mut self, id: CollectionId) -> Result<Option<Collection>, StoreError>;

    /// An author.
    fn author(&mut self, slug: &Slug) -> Result<Option<Author>, StoreError>;

    /// What editors wrote about every author, in the order of the slugs; also of those without a published book.
    fn author_drafts(&mut self) -> Result<Vec<AuthorDraft>, StoreError>;

    /// What those of the books that exist are called, published or not, by their names in addresses, in any order.
    fn books_called(&mut self, books: &[Slug]) -> Result<Vec<BookName>, StoreError>;

    /// What editors wrote about a book, published or not.
    fn find_book_draft(&mut self, subid: &Slug) -> Result<Option<(BookId, BookDraft)>, StoreError>;

    /// A book's illustrated key ideas, in their order.
    fn visuals(&mut self, book: BookId) -> Result<Vec<Visual>, StoreError>;

    /// The pictures that are made of all of a book's key ideas.
    fn visual_set(&mut self, book: BookId) -> Result<Option<VisualSet>, StoreError>;

    /// What was written of a book's key ideas, also of those without a picture, and the keys of what was drawn of all of them,
    /// whatever was uploaded. `None` when there is no key idea.
    fn visuals_draft(&mut self, book: BookId) -> Result<Option<VisualsDraft>, StoreError>;

    /// How many books that can be read have illustrated key ideas.
    fn visual_books_total(&mut self) -> Result<u64, StoreError>;

    /// From when until when each infographic could be had, in any order.
    fn infographic_periods(&mut self) -> Result<Vec<InfographicPeriod>, StoreError>;

    /// Those of the books that are published, in any order.
    fn find_book_cards(&mut self, books: &[BookId]) -> Result<Vec<BookCard>, StoreError>;

    /// What those of the books that exist are called, published or not, in any order.
    fn find_book_names(&mut self, books: &[BookId]) -> Result<Vec<BookName>, StoreError>;

    /// The books of a list behind `query.after`, each with its key: up to one more than the limit.
    fn list_book_cards(&mut self, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError>;

    /// The published books that fit best, among a bounded number that fit at all: up to one more than the limit.
    fn search_book_cards(&mut self, search: &Search<'_>) -> Result<Vec<RankedBook>, StoreError>;

    /// The first of the filters that names nothing; the order is that of [`FilterName`].
    fn find_unknown_filter(&mut self, filters: &Filters) -> Result<Option<FilterName>, StoreError>;

    /// Those of the stems that some text has.
    fn known_stems(&mut self, stems: &[String]) -> Result<Vec<String>, StoreError>;

    /// Known words that begin like this, the shortest first.
    fn words_beginning(&mut self, beginning: &str, limit: usize) -> Result<Vec<String>, StoreError>;

    /// Known words that look like this one, in any order: the nearest by edits are among them.
    fn words_like(&mut self, word: &str) -> Result<Vec<String>, StoreError>;

    /// Readable books in order of merit: rating, popularity and age. Without those in `excluded`; of these categories
    /// only, if any are given.
    fn best_book_cards(
        &mut self,
        categories: Option<&[CategoryId]>,
        excluded: &[BookId],
        limit: usize,
    ) -> Result<Vec<BookCard>, StoreError>;

    /// A free book with a text: a marked one rather than another, a newer one rather than an older.
    fn find_free_book(&mut self) -> Result<Option<BookId>, StoreError>;

    /// Authors of published books in the order of the directory, behind `query.after`: up to one more than the limit.
    fn list_authors(&mut self, query: &AuthorsQuery) -> Result<Vec<(AuthorCard, AuthorCursor)>, StoreError>;

    /// Authors of published books whose names look like this folded text or begin like it, in any order: the nearest
    /// are among them.
    fn authors_like(&mut self, text: &str) -> Result<Vec<AuthorCard>, StoreError>;

    /// Tags of published books that look like this folded text or begin like it, in any order: the nearest are among
    /// them.
    fn tags_like(&mut self, text: &str) -> Result<Vec<Tag>, StoreError>;

    /// Collections whose titles look like this folded text or begin like it, in any order: the nearest are among them.
    fn collections_like(&mut self, text: &str) -> Result<Vec<Collection>, StoreError>;

    /// Collections, the newest first, behind `after`: up to one more than the limit.
    fn list_collections(
        &mut self,
        after: Option<DateCursor<CollectionId>>,
        limit: Limit,
    ) -> Result<Vec<Collection>, StoreError>;

    /// The collection of that title, the oldest of several.
    fn find_collection_titled(&mut self, title: &str) -> Result<Option<Collection>, StoreError>;

    /// The books that can be read and have illustrated key ideas, those with the highest number first, below `after`: up to one
    /// more than the limit.
    fn list_visual_books(&mut self, after: Option<BookId>, limit: Limit) -> Result<Vec<VisualBook>, StoreError>;
}

/// Changes without a rule, callable by everyone who holds a transaction.
pub trait CatalogueCommands: CatalogueQueries {
    /// Counts opens of full texts on the day (UTC) of `now`. Books that are gone are passed over.
    fn add_book_opens(&mut self, opens: &HashMap<BookId, u64>, now: Timestamp) -> Result<(), StoreError>;

    /// Ranks what is trending by opens of the last 14 days (UTC), each worth half of one three days later.
    fn refresh_trending(&mut self, now: Timestamp) -> Result<(), StoreError>;
}

/// Storage of books and of what they are found by. Every method is one statement or one small group of them; the rules
/// are in [`crate::Catalogue`].
pub trait CatalogueStore: CatalogueCommands + EditingCommands {
    /// Adds an author, or replaces the one of the same slug. Its words become known.
    fn put_author(&mut self, author: &AuthorDraft) -> Result<AuthorId, StoreError>;

    /// Adds a category, or replaces the one of the same name in addresses.
    fn put_category(&mut self, category: &CategoryDraft) -> Result<CategoryId, StoreError>;

    /// Adds a goal, or replaces the one of the same slug.
    fn put_goal(&mut self, goal: &GoalDraft) -> Result<GoalId, StoreError>;

    /// Adds a collection of categories and books that are there, or replaces the one of that number.
    fn put_collection(
        &mut self,
        there: Option<CollectionId>,
        collection: &CollectionDraft,
        ties: &CollectionTies,
    ) -> Result<CollectionId, StoreError>;

    /// Gives a tag another name.
    fn rename_tag_row(&mut self, tag: TagId, name: &Tag) -> Result<(), StoreError>;

    /// Adds a book, or replaces the one of the same subid with all that belongs to it. What readers did to it stays, and
    /// so do audio and video of which the draft says nothing.
    fn put_book(&mut self, book: &BookRecord<'_>) -> Result<BookId, StoreError>;

    /// Replaces a book's illustrated key ideas.
    fn put_visuals(&mut self, book: BookId, visuals: &VisualsDraft, now: Timestamp) -> Result<(), StoreError>;
}

/// What a collection gathers, by numbers, in the editors' order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionTies {
    pub categories: Vec<CategoryId>,
    /// Its chosen books.
    pub books: Vec<BookId>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The words.
    pub terms: &'a Terms,
    /// What else is near: a book fits then that has any of these. Otherwise it has all of the terms.
    pub near: Option<&'a NearWords>,
    /// Which books.
    pub filters: &'a Filters,
    /// The score and the number of the last book of the page before.
    pub after: Option<(i64, BookId)>,
    /// How many.
    pub limit: Limit,
}

impl Search<'_> {
    /// The terms by which books are looked up: those that were typed, and related ones when it is widened.
    pub fn sought(&self) -> Terms {
        self.near.map_or_else(|| self.terms.clone(), |near| near.terms(self.terms))
    }
}

/// A book that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedBook {
    /// The book.
    pub card: BookCard,
    /// How well it fits: more is better.
    pub score: i64,
    /// Title, author, tags, categories or headings speak of it, not only the text.
    pub in_headings: bool,
    /// How many books fit in all, as far as they are counted.
    pub candidates: usize,
    /// The section that fits best, if any has one of the words.
    pub section: Option<MatchingSection>,
}

/// A section in which something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchingSection {
    /// Its place, from 0.
    pub place: usize,
    /// Its heading.
    pub title: String,
    /// Its whole plain text.
    pub text: String,
    /// How many bytes of it the preview shows.
    pub previewed: usize,
}

/// A book as it is stored: what the editors wrote, and what follows from it.
#[derive(Clone, Debug)]
pub struct BookRecord<'a> {
    /// What the editors wrote, with the normalised body.
    pub draft: &'a BookDraft,
    /// The body, divided.
    pub body: &'a Body,
    pub author: &'a Author,
    /// The categories, in their order.
    pub categories: &'a [Category],
    pub goals: &'a [Goal],
    pub tags: &'a [Tag],
    /// The words that become known.
    pub vocabulary: BTreeSet<String>,
    /// The present moment.
    pub now: Timestamp,
}
