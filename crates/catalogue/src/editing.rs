//! What editors read and change: books, authors, tags and key ideas, published or not.

use kernel::{
    AuthorId, BookId, CategoryId, CollectionId, GoalId, Limit, ListTotal, Slug, StoreError, TagId, Timestamp, VisualId,
};

use crate::{Author, EditedVisual, GoalPicture, SearchCount, Tag, VisualSet};
#[cfg(doc)]
use crate::{FEWEST_SEARCHES, SEARCH_DAYS};

/// A book's uploads and publication moment, which are not part of its draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookExtras {
    /// The key of an uploaded drawing.
    pub vector: Option<String>,
    /// The key of an uploaded infographic.
    pub infographic: Option<String>,
    /// The key of a podcast episode about the book.
    pub podcast: Option<String>,
    /// When a book that is unpublished or coming soon becomes readable.
    pub publish_at: Option<Timestamp>,
}

/// A row of the editors' list of books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBook {
    pub id: BookId,
    /// The URL slug.
    pub subid: Slug,
    pub title: String,
    /// The author's name.
    pub author: String,
    /// The cover's key.
    pub image: Option<String>,
    /// Whether anyone may read it.
    pub free: bool,
    /// Marked as popular by an editor.
    pub is_popular: bool,
    /// Whether it is only announced.
    pub coming_soon: bool,
    /// Whether readers see it at all.
    pub published: bool,
    /// When it becomes readable; `None`: not scheduled.
    pub publish_at: Option<Timestamp>,
    /// When it was added to the catalogue.
    pub upload_date: Timestamp,
    /// When it was saved last.
    pub updated_at: Timestamp,
    /// Its categories, in their order.
    pub categories: Vec<CategoryId>,
    pub has_body: bool,
    pub has_audio: bool,
    pub has_video: bool,
    pub has_podcast: bool,
    /// Whether it has an uploaded infographic.
    pub has_infographic: bool,
    /// Whether a key idea is illustrated.
    pub has_key_ideas: bool,
}

/// The publication state of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookState {
    /// Unpublished and not scheduled.
    Draft,
    /// Readable.
    Published,
    /// Becomes readable at a set moment.
    Scheduled,
    /// Announced and not scheduled.
    ComingSoon,
}

/// Something that a book may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    Cover,
    Audio,
    /// Illustrated key ideas.
    KeyIdeas,
}

/// The order of the editors' list of books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListedSort {
    #[default]
    UploadDate,
    Id,
    Title,
    /// By the moment of publication; books that are not scheduled are the greatest.
    PublishAt,
}

/// The filter of the editors' list of books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedFilter {
    /// Part of the title, the author's name or the slug, ignoring case; or the exact id.
    pub text: Option<String>,
    /// Only books in this state.
    pub state: Option<BookState>,
    /// Only books that lack this.
    pub lacking: Option<Lacking>,
    /// Only books of this category.
    pub category: Option<CategoryId>,
    /// `true`: only books that anyone may read; `false`: only the others.
    pub free: Option<bool>,
    /// `true`: only books that are marked as popular; `false`: only the others.
    pub popular: Option<bool>,
}

/// A query for one page of the editors' list of books.
#[derive(Clone, Debug)]
pub struct ListedQuery {
    pub filter: ListedFilter,
    pub sort: ListedSort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// The last book of the previous page.
    pub after: Option<BookId>,
    pub limit: Limit,
}

/// A row of the editors' list of authors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAuthor {
    pub author: Author,
    /// The number of books by this author, published or not.
    pub books: u64,
}

/// A row of the editors' list of tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTag {
    pub id: TagId,
    pub tag: Tag,
    /// The number of books with this tag, published or not.
    pub books: u64,
}

/// A query for one page of authors or tags, in the order of their names.
#[derive(Clone, Debug)]
pub struct NamesQuery<Id> {
    /// Part of the name, ignoring case; or the exact id.
    pub text: Option<String>,
    /// Only those without any book.
    pub unused: bool,
    /// The last entry of the previous page.
    pub after: Option<Id>,
    pub limit: Limit,
}

/// Something that books refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    Author(AuthorId),
    Category(CategoryId),
    Goal(GoalId),
    Tag(TagId),
}

/// Reads for editors, callable with any connection.
pub trait EditingQueries {
    /// A book's uploads and publication moment, which are not part of its draft.
    fn book_extras(&mut self, book: BookId) -> Result<Option<BookExtras>, StoreError>;

    /// The editors' list of books: up to one more than the limit, which shows that another page follows.
    fn listed_books(&mut self, query: &ListedQuery) -> Result<Vec<ListedBook>, StoreError>;

    /// The most frequent searches without a result in the last [`SEARCH_DAYS`] days (UTC), the day of `now` included, that were
    /// made at least [`FEWEST_SEARCHES`] times: most frequent first, then by their words, up to `limit`.
    fn unanswered_searches(&mut self, now: Timestamp, limit: usize) -> Result<Vec<SearchCount>, StoreError>;

    /// The number of books that match the filter.
    fn count_listed_books(&mut self, filter: &ListedFilter) -> Result<ListTotal, StoreError>;

    /// The editors' list of authors, in the order of the directory: up to one more than the limit.
    fn listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<Vec<ListedAuthor>, StoreError>;

    /// The number of authors that match the query, on all pages.
    fn count_listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<ListTotal, StoreError>;

    /// The author with this id; `None` when there is none.
    fn listed_author(&mut self, author: AuthorId) -> Result<Option<ListedAuthor>, StoreError>;

    /// The editors' list of tags, by slug: up to one more than the limit.
    fn listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<Vec<ListedTag>, StoreError>;

    /// The number of tags that match the query, on all pages.
    fn count_listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<ListTotal, StoreError>;

    /// The tag with this id; `None` when there is none.
    fn listed_tag(&mut self, tag: TagId) -> Result<Option<ListedTag>, StoreError>;

    /// The id of the tag with this slug.
    fn find_tag(&mut self, slug: &Slug) -> Result<Option<TagId>, StoreError>;

    /// The books that refer to this, published or not, ordered by id.
    fn books_naming(&mut self, name: Naming) -> Result<Vec<(BookId, Slug)>, StoreError>;

    /// The slugs of the books whose publication moment has come.
    fn books_to_publish(&mut self, now: Timestamp) -> Result<Vec<Slug>, StoreError>;

    /// The object-store keys of a book's files except its recordings: its pictures, its podcast episode, the pictures
    /// of its key ideas. Sorted, without duplicates.
    fn book_files(&mut self, book: BookId) -> Result<Vec<String>, StoreError>;

    /// All key ideas, by book and within it in their order, with or without a picture.
    fn edited_visuals(&mut self) -> Result<Vec<EditedVisual>, StoreError>;

    /// The key idea with this id, with or without a picture.
    fn edited_visual(&mut self, id: VisualId) -> Result<Option<EditedVisual>, StoreError>;
}

/// Writes that need no rule, callable in any transaction. Each one notifies all nodes of the change.
pub trait EditingCommands: EditingQueries {
    /// Replaces a book's extras.
    fn update_book_extras(&mut self, book: BookId, extras: &BookExtras) -> Result<(), StoreError>;

    /// Changes a book's slug, also where posts and insights refer to it. Returns `false`, and changes nothing, when
    /// another book has the slug, or when copies of this book were sold under its present one.
    fn rename_book(&mut self, book: BookId, subid: &Slug) -> Result<bool, StoreError>;

    /// Replaces a goal's picture; `key` is its key in the object store.
    fn set_goal_picture(&mut self, goal: GoalId, picture: GoalPicture, key: &str) -> Result<(), StoreError>;

    /// Deletes an author without books. Returns `false`, and changes nothing, when there are books or no such author.
    fn delete_author(&mut self, author: AuthorId) -> Result<bool, StoreError>;

    /// Deletes a tag without books. Returns `false`, and changes nothing, when there are books or no such tag.
    fn delete_tag(&mut self, tag: TagId) -> Result<bool, StoreError>;

    /// Deletes a category without books, also from collections and from members' choices. Returns `false`, and changes
    /// nothing, when there are books or no such category.
    fn delete_category(&mut self, category: CategoryId) -> Result<bool, StoreError>;

    /// Deletes a goal without books, also from members' choices. Returns `false`, and changes nothing, when there are
    /// books or no such goal.
    fn delete_goal(&mut self, goal: GoalId) -> Result<bool, StoreError>;

    /// Deletes a collection; `false` when there is none with this id.
    fn delete_collection(&mut self, collection: CollectionId) -> Result<bool, StoreError>;

    /// Deletes a book with everything that belongs to it; posts and insights no longer refer to it. Returns `false`,
    /// and changes nothing, when a member has opened, saved, planned, rated or bought it, or when there is no such
    /// book.
    fn delete_book(&mut self, book: BookId) -> Result<bool, StoreError>;

    /// Adds a key idea after the others of its book, without a picture. `idea.id` is ignored.
    fn insert_visual(&mut self, idea: &EditedVisual) -> Result<VisualId, StoreError>;

    /// Replaces a key idea. If it moves to another book, it comes last there.
    fn update_visual(&mut self, idea: &EditedVisual) -> Result<(), StoreError>;

    /// Deletes a key idea. When no key idea of the book has a picture left, the book's [`VisualSet`] is deleted too.
    fn delete_visual(&mut self, id: VisualId) -> Result<(), StoreError>;

    /// Reorders a book's key ideas; those that `order` does not name come last.
    fn order_visuals(&mut self, book: BookId, order: &[VisualId]) -> Result<(), StoreError>;

    /// Stores the picture that lists show for a book's key ideas; `false`, and nothing changed, when there is one
    /// already.
    fn insert_visual_set(&mut self, book: BookId, image: &str, now: Timestamp) -> Result<bool, StoreError>;

    /// Replaces the pictures that were drawn from all of a book's key ideas. Does nothing when no key idea has a
    /// picture any more.
    fn put_visual_set(&mut self, set: &VisualSet, now: Timestamp) -> Result<(), StoreError>;

    /// Records whether a book's infographic is available from `now` on. Saving the book, its key ideas or its pictures
    /// does this by itself; call it after changing a single key idea or an uploaded infographic.
    fn note_infographic(&mut self, book: BookId, now: Timestamp) -> Result<(), StoreError>;
}
