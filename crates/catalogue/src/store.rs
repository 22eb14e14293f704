//! What the catalogue needs from storage.

use std::collections::{BTreeSet, HashMap};

use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, DateCursor, GoalId, Limit, Slug, StoreError, TagId, Timestamp,
};

use crate::{
    Author, AuthorCard, AuthorCursor, AuthorDraft, AuthorsQuery, Body, Book, BookCard, BookCursor, BookDraft, BookName,
    BookRef, BookTexts, Category, CategoryDraft, Collection, CollectionDraft, EditingCommands, FilterName, Filters,
    Goal, GoalDraft, InfographicPeriod, Letter, ListQuery, NearWords, RankedIdea, Tag, Visual, VisualBook, VisualSet,
    VisualsDraft,
    words::{KnownWord, Terms},
};

/// Reads, callable with any connection.
pub trait CatalogueQueries {
    /// The published book with this id or slug.
    fn book(&mut self, book: &BookRef) -> Result<Option<Book>, StoreError>;

    /// The plain texts of a book, published or not.
    fn book_texts(&mut self, book: BookId) -> Result<Option<BookTexts>, StoreError>;

    /// The titles of the sections of books, published or not; books that are not there are left out.
    fn section_titles(&mut self, books: &[BookId]) -> Result<HashMap<BookId, Vec<String>>, StoreError>;

    /// Readable books: those marked as popular first, then by trend.
    fn popular_books(&mut self, limit: usize) -> Result<Vec<BookCard>, StoreError>;

    /// The number of readable books: published and not coming soon.
    fn book_count(&mut self) -> Result<u64, StoreError>;

    /// The slug and the last change of each readable book, ordered by id: up to `limit` of them, after the first
    /// `skipped`.
    fn book_addresses(&mut self, skipped: u64, limit: u64) -> Result<Vec<(Slug, Timestamp)>, StoreError>;

    /// All categories, in their order.
    fn categories(&mut self) -> Result<Vec<Category>, StoreError>;

    /// All goals, in their order.
    fn goals(&mut self) -> Result<Vec<Goal>, StoreError>;

    /// The letters under which the directory lists authors of readable books, in its order.
    fn letters(&mut self) -> Result<Vec<Letter>, StoreError>;

    /// The collection with this id.
    fn collection(&mut self, id: CollectionId) -> Result<Option<Collection>, StoreError>;

    /// The author with this slug, who may have no books.
    fn author(&mut self, slug: &Slug) -> Result<Option<Author>, StoreError>;

    /// The drafts of all authors, ordered by slug, including authors without a published book.
    fn author_drafts(&mut self) -> Result<Vec<AuthorDraft>, StoreError>;

    /// The names of the existing ones among these books, published or not, in any order.
    fn books_called(&mut self, books: &[Slug]) -> Result<Vec<BookName>, StoreError>;

    /// The id and the draft of a book, published or not.
    fn find_book_draft(&mut self, subid: &Slug) -> Result<Option<(BookId, BookDraft)>, StoreError>;

    /// A book's illustrated key ideas, in their order.
    fn visuals(&mut self, book: BookId) -> Result<Vec<Visual>, StoreError>;

    /// The pictures that are made from all of a book's key ideas. An uploaded infographic replaces the drawn one.
    fn visual_set(&mut self, book: BookId) -> Result<Option<VisualSet>, StoreError>;

    /// A book's key ideas as editors wrote them, including those without a picture, and the keys of the drawn pictures,
    /// even where an infographic was uploaded. `None` when the book has no key idea.
    fn visuals_draft(&mut self, book: BookId) -> Result<Option<VisualsDraft>, StoreError>;

    /// The number of readable books with illustrated key ideas.
    fn visual_books_total(&mut self) -> Result<u64, StoreError>;

    /// The periods in which infographics were available, in any order.
    fn infographic_periods(&mut self) -> Result<Vec<InfographicPeriod>, StoreError>;

    /// The cards of the published ones among these books, in any order.
    fn find_book_cards(&mut self, books: &[BookId]) -> Result<Vec<BookCard>, StoreError>;

    /// The names of the existing ones among these books, published or not, in any order.
    fn find_book_names(&mut self, books: &[BookId]) -> Result<Vec<BookName>, StoreError>;

    /// The published books with one of these slugs or, in whatever case, titles, by id.
    fn find_books_named(&mut self, subids: &[String], titles: &[String]) -> Result<Vec<BookName>, StoreError>;

    /// The books of a list after `query.after`, each with its cursor: up to one more than the limit, which shows that
    /// another page follows.
    fn list_book_cards(&mut self, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError>;

    /// The published books that match best, chosen from a bounded number of matches: up to one more than the limit.
    fn search_book_cards(&mut self, search: &Search<'_>) -> Result<Vec<RankedBook>, StoreError>;

    /// The key ideas of these books that have any of the words, in any order. Text without a heading is no idea.
    fn rank_ideas(&mut self, words: &NearWords, books: &[BookId]) -> Result<Vec<RankedIdea>, StoreError>;

    /// The first filter that refers to something that does not exist, in the order of [`FilterName`].
    fn find_unknown_filter(&mut self, filters: &Filters) -> Result<Option<FilterName>, StoreError>;

    /// The ones among these stems that some text contains.
    fn known_stems(&mut self, stems: &[String]) -> Result<Vec<String>, StoreError>;

    /// Known words that begin with this text, shortest first.
    fn words_beginning(&mut self, beginning: &str, limit: usize) -> Result<Vec<String>, StoreError>;

    /// Known words that are similar to this one, in any order; the nearest by edit distance are among them, and the
    /// nearest of those that stand in a title or an author's name.
    fn words_like(&mut self, word: &str) -> Result<Vec<KnownWord>, StoreError>;

    /// What a widened search needs of the vocabulary: see [`WideningWords`].
    fn widening_words(&mut self, stems: &[String], words: &[String]) -> Result<WideningWords, StoreError>;

    /// Readable books, best first by rating, popularity and age, without those in `excluded`; only from `categories`,
    /// if given.
    fn best_book_cards(
        &mut self,
        categories: Option<&[CategoryId]>,
        excluded: &[BookId],
        limit: usize,
    ) -> Result<Vec<BookCard>, StoreError>;

    /// A free readable book: preferably one that is marked as popular, then the newest.
    fn find_free_book(&mut self) -> Result<Option<BookId>, StoreError>;

    /// Authors of readable books after `query.after`, in the order of the directory: up to one more than the limit.
    fn list_authors(&mut self, query: &AuthorsQuery) -> Result<Vec<(AuthorCard, AuthorCursor)>, StoreError>;

    /// Authors of readable books whose names are similar to this folded text or begin with it, in any order; the
    /// nearest are among them.
    fn authors_like(&mut self, text: &str) -> Result<Vec<AuthorCard>, StoreError>;

    /// Tags of published books that are similar to this folded text or begin with it, in any order; the nearest are
    /// among them.
    fn tags_like(&mut self, text: &str) -> Result<Vec<Tag>, StoreError>;

    /// Collections whose titles are similar to this folded text or begin with it, in any order; the nearest are among
    /// them.
    fn collections_like(&mut self, text: &str) -> Result<Vec<Collection>, StoreError>;

    /// Collections after `after`, newest first: up to one more than the limit.
    fn list_collections(
        &mut self,
        after: Option<DateCursor<CollectionId>>,
        limit: Limit,
    ) -> Result<Vec<Collection>, StoreError>;

    /// The collection with this title; the oldest one if there are several.
    fn find_collection_titled(&mut self, title: &str) -> Result<Option<Collection>, StoreError>;

    /// Readable books with illustrated key ideas and ids below `after`, the highest id first: up to one more than the
    /// limit.
    fn list_visual_books(&mut self, after: Option<BookId>, limit: Limit) -> Result<Vec<VisualBook>, StoreError>;
}

/// Writes that need no rule, callable in any transaction.
pub trait CatalogueCommands: CatalogueQueries {
    /// Adds views of full texts to the UTC day of `now`. Deleted books are ignored.
    fn add_book_opens(&mut self, opens: &HashMap<BookId, u64>, now: Timestamp) -> Result<(), StoreError>;

    /// Adds searches without a result, by their words, to the UTC day of `now`. A day keeps at most [`SEARCHES_PER_DAY`] different
    /// ones: more are ignored.
    fn add_unanswered_searches(&mut self, searches: &HashMap<String, u64>, now: Timestamp) -> Result<(), StoreError>;

    /// Deletes the searches of days (UTC) that ended [`SEARCHES_KEPT_DAYS`] days ago or earlier.
    fn sweep_unanswered_searches(&mut self, now: Timestamp) -> Result<(), StoreError>;

    /// Recomputes the trends from the views of the last 14 days (UTC). The weight of a view halves every three days.
    fn refresh_trending(&mut self, now: Timestamp) -> Result<(), StoreError>;
}

/// Storage of the catalogue. Each method is one statement or a small group of them; the rules are in
/// [`crate::Catalogue`].
pub trait CatalogueStore: CatalogueCommands + EditingCommands {
    /// Adds an author, or replaces the one with the same slug.
    fn put_author(&mut self, author: &AuthorDraft) -> Result<AuthorId, StoreError>;

    /// Adds a category, or replaces the one with the same slug.
    fn put_category(&mut self, category: &CategoryDraft) -> Result<CategoryId, StoreError>;

    /// Adds a goal, or replaces the one with the same slug.
    fn put_goal(&mut self, goal: &GoalDraft) -> Result<GoalId, StoreError>;

    /// Adds a collection of existing categories and books, or replaces the one with the id `there`.
    fn put_collection(
        &mut self,
        there: Option<CollectionId>,
        collection: &CollectionDraft,
        ties: &CollectionTies,
    ) -> Result<CollectionId, StoreError>;

    /// Changes a tag's name and slug.
    fn rename_tag_row(&mut self, tag: TagId, name: &Tag) -> Result<(), StoreError>;

    /// Adds a book, or replaces the one with the same slug and everything that belongs to it. Members' data about it
    /// stays, and so do audio and video when the draft has none.
    fn put_book(&mut self, book: &BookRecord<'_>) -> Result<BookId, StoreError>;

    /// Replaces a book's illustrated key ideas.
    fn put_visuals(&mut self, book: BookId, visuals: &VisualsDraft, now: Timestamp) -> Result<(), StoreError>;
}

/// The ids of a collection's categories and books, in the editors' order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionTies {
    pub categories: Vec<CategoryId>,
    pub books: Vec<BookId>,
}

/// What a widened search needs of the vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WideningWords {
    /// The given stems that some text contains.
    pub known_stems: Vec<String>,
    /// Words of titles and authors' names that are spelled like the given words, in any order; the most similar ones are
    /// among them.
    pub names: Vec<String>,
}

/// The most books of a widened search that lack the words themselves (`catalogue.near-hits`).
pub const NEAR_HITS: usize = 5;

/// A search as the store runs it.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub terms: &'a Terms,
    /// Related words, when the search is widened. Otherwise a book needs all terms. In a widened search the books that are
    /// about the words by another name of their topic come first, then those that have all terms, then those with any of
    /// the words: up to [`NEAR_HITS`] together with the others, and none when some book is about the words.
    pub near: Option<&'a NearWords>,
    pub filters: &'a Filters,
    /// The score and the id of the last book of the previous page.
    pub after: Option<(i64, BookId)>,
    pub limit: Limit,
}

impl Search<'_> {
    /// The terms that books are looked up by: the typed ones, and related ones when the search is widened.
    pub fn sought(&self) -> Terms {
        self.near.map_or_else(|| self.terms.clone(), |near| near.terms(self.terms))
    }
}

/// A book that matches a search.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedBook {
    pub card: BookCard,
    /// How well it matches; higher is better.
    pub score: i64,
    /// Whether some book of the whole result is about the words (`catalogue.near-notice`); the same for all its books.
    pub some_about: bool,
    /// The number of books that the search lists on all its pages, up to the store's bound.
    pub listed: usize,
    /// The section that matches best; `None` when no section has any of the words.
    pub section: Option<MatchingSection>,
}

/// A section that matches a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchingSection {
    /// Its index, from 0.
    pub place: usize,
    pub title: String,
    /// Its whole plain text.
    pub text: String,
    /// How many bytes of `text` the preview shows.
    pub previewed: usize,
}

/// A book as it is stored: its draft, and what is derived from it.
#[derive(Clone, Debug)]
pub struct BookRecord<'a> {
    /// The editors' draft, with the normalized body.
    pub draft: &'a BookDraft,
    /// The body, divided into sections.
    pub body: &'a Body,
    pub author: &'a Author,
    /// The categories, in their order.
    pub categories: &'a [Category],
    pub goals: &'a [Goal],
    pub tags: &'a [Tag],
    /// The words that are added to the search vocabulary.
    pub vocabulary: BTreeSet<String>,
    /// Those of them that stand in the title or the author's name.
    pub name_words: BTreeSet<String>,
    pub now: Timestamp,
}
