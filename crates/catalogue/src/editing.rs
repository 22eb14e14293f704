//! What editors see and change of books, authors and tags, published or not.

use kernel::{AuthorId, BookId, CategoryId, CollectionId, GoalId, Limit, Slug, StoreError, TagId, Timestamp, VisualId};

use crate::{Author, EditedVisual, GoalPicture, Tag, VisualSet};

/// What a book has besides its draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookExtras {
    /// The key of an uploaded drawing.
    pub vector: Option<String>,
    /// The key of an uploaded infographic.
    pub infographic: Option<String>,
    /// The key of an episode about the book.
    pub podcast: Option<String>,
    /// When a book that is not published, or is coming soon, can be read.
    pub publish_at: Option<Timestamp>,
}

/// A book as editors list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBook {
    /// Its number.
    pub id: BookId,
    /// Its name in addresses.
    pub subid: Slug,
    pub title: String,
    /// The author's name.
    pub author: String,
    /// The cover's key.
    pub image: Option<String>,
    /// Anyone may read it.
    pub free: bool,
    /// The editors' mark.
    pub is_popular: bool,
    /// It is announced only.
    pub coming_soon: bool,
    /// It is in the catalogue at all.
    pub published: bool,
    /// When it can be read.
    pub publish_at: Option<Timestamp>,
    /// When it came into the catalogue.
    pub upload_date: Timestamp,
    /// When it was saved last.
    pub updated_at: Timestamp,
    /// Its categories, in their order.
    pub categories: Vec<CategoryId>,
    /// Whether it has a text.
    pub has_body: bool,
    pub has_audio: bool,
    pub has_video: bool,
    /// Whether it has an episode.
    pub has_podcast: bool,
    /// Whether it has an uploaded infographic.
    pub has_infographic: bool,
}

/// How a book stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookState {
    /// Not in the catalogue, without a moment at which it will be.
    Draft,
    /// Can be read.
    Published,
    /// Becomes readable at a moment.
    Scheduled,
    /// Announced, without a moment at which it can be read.
    ComingSoon,
}

/// The order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListedSort {
    #[default]
    UploadDate,
    /// By the number.
    Id,
    Title,
}

/// Which books editors list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedFilter {
    /// A part of the title, the author's name or the name in addresses, whatever its case; or a whole number.
    pub text: Option<String>,
    /// Only those that stand so.
    pub state: Option<BookState>,
    /// Only those of this category.
    pub category: Option<CategoryId>,
    /// Only those that anyone may read, or only the others.
    pub free: Option<bool>,
    /// Only those with the editors' mark, or only the others.
    pub popular: Option<bool>,
}

/// A page of the list.
#[derive(Clone, Debug)]
pub struct ListedQuery {
    /// Which books.
    pub filter: ListedFilter,
    /// In which order.
    pub sort: ListedSort,
    /// The greatest first.
    pub descending: bool,
    /// The last book of the page before.
    pub after: Option<BookId>,
    /// How many.
    pub limit: Limit,
}

/// An author as editors list them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAuthor {
    pub author: Author,
    /// How many books there are by this author, published or not.
    pub books: u64,
}

/// A tag as editors list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTag {
    /// Its number.
    pub id: TagId,
    /// Its name, and its name in addresses.
    pub tag: Tag,
    /// How many books have it, published or not.
    pub books: u64,
}

/// A page of authors or tags, by their names.
#[derive(Clone, Debug)]
pub struct NamesQuery<Id> {
    /// A part of the name, whatever its case; or a whole number.
    pub text: Option<String>,
    /// Only those that no book names.
    pub unused: bool,
    /// The last one of the page before.
    pub after: Option<Id>,
    /// How many.
    pub limit: Limit,
}

/// What books name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    Author(AuthorId),
    Category(CategoryId),
    Goal(GoalId),
    Tag(TagId),
}

/// Reads for editors, callable by everyone who holds a connection.
pub trait EditingQueries {
    /// What a book has besides its draft.
    fn book_extras(&mut self, book: BookId) -> Result<Option<BookExtras>, StoreError>;

    /// Books as editors list them: up to one more than the limit.
    fn listed_books(&mut self, query: &ListedQuery) -> Result<Vec<ListedBook>, StoreError>;

    /// How many books the filter admits.
    fn count_listed_books(&mut self, filter: &ListedFilter) -> Result<u64, StoreError>;

    /// Authors as editors list them, by their names in a directory: up to one more than the limit.
    fn listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<Vec<ListedAuthor>, StoreError>;

    /// How many authors the query admits, on whatever page.
    fn count_listed_authors(&mut self, query: &NamesQuery<AuthorId>) -> Result<u64, StoreError>;

    /// An author.
    fn listed_author(&mut self, author: AuthorId) -> Result<Option<ListedAuthor>, StoreError>;

    /// Tags as editors list them, by their names in addresses: up to one more than the limit.
    fn listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<Vec<ListedTag>, StoreError>;

    /// How many tags the query admits, on whatever page.
    fn count_listed_tags(&mut self, query: &NamesQuery<TagId>) -> Result<u64, StoreError>;

    /// A tag.
    fn listed_tag(&mut self, tag: TagId) -> Result<Option<ListedTag>, StoreError>;

    /// The number of the tag of that name in addresses.
    fn find_tag(&mut self, slug: &Slug) -> Result<Option<TagId>, StoreError>;

    /// The books, published or not, that name something, by their numbers.
    fn books_naming(&mut self, name: Naming) -> Result<Vec<(BookId, Slug)>, StoreError>;

    /// The books whose moment to be read has come, by their names in addresses.
    fn books_to_publish(&mut self, now: Timestamp) -> Result<Vec<Slug>, StoreError>;

    /// The keys of a book's files besides its recordings: its pictures, its episode, those of its key ideas. Each once, in
    /// their order.
    fn book_files(&mut self, book: BookId) -> Result<Vec<String>, StoreError>;

    /// All key ideas, by book and then in their order, with or without a picture.
    fn edited_visuals(&mut self) -> Result<Vec<EditedVisual>, StoreError>;

    /// A key idea, with or without a picture.
    fn edited_visual(&mut self, id: VisualId) -> Result<Option<EditedVisual>, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction. They tell every node.
pub trait EditingCommands: EditingQueries {
    /// Replaces what a book has besides its draft.
    fn update_book_extras(&mut self, book: BookId, extras: &BookExtras) -> Result<(), StoreError>;

    /// Gives a book another name in addresses, also where posts and insights name it; `false`, and nothing changed, when
    /// another book has the name, or when copies of this one were bought under its own.
    fn rename_book(&mut self, book: BookId, subid: &Slug) -> Result<bool, StoreError>;

    /// Puts a picture in the place of a goal's, by its key in the object store.
    fn set_goal_picture(&mut self, goal: GoalId, picture: GoalPicture, key: &str) -> Result<(), StoreError>;

    /// Removes an author without books; `false`, and nothing changed, when there are books or no such author.
    fn delete_author(&mut self, author: AuthorId) -> Result<bool, StoreError>;

    /// Removes a tag that no book has; `false`, and nothing changed, otherwise.
    fn delete_tag(&mut self, tag: TagId) -> Result<bool, StoreError>;

    /// Removes a category that no book has, also from collections and from what members chose; `false`, and nothing
    /// changed, otherwise.
    fn delete_category(&mut self, category: CategoryId) -> Result<bool, StoreError>;

    /// Removes a goal that no book has, also from what members chose; `false`, and nothing changed, otherwise.
    fn delete_goal(&mut self, goal: GoalId) -> Result<bool, StoreError>;

    /// Removes a collection; `false` when there is none of this number.
    fn delete_collection(&mut self, collection: CollectionId) -> Result<bool, StoreError>;

    /// Removes a book with all that belongs to it; posts and insights name it no more. `false`, and nothing changed, when
    /// a member has opened, kept, planned, rated or bought it, or when there is no such book.
    fn delete_book(&mut self, book: BookId) -> Result<bool, StoreError>;

    /// Adds a key idea behind the others of its book, without a picture. `idea.id` says nothing.
    fn insert_visual(&mut self, idea: &EditedVisual) -> Result<VisualId, StoreError>;

    /// Replaces a key idea. In another book it stands behind that one's.
    fn update_visual(&mut self, idea: &EditedVisual) -> Result<(), StoreError>;

    /// Removes a key idea. With the last picture of a book what was made of all of them goes too.
    fn delete_visual(&mut self, id: VisualId) -> Result<(), StoreError>;

    /// Brings a book's key ideas into this order; those that it does not name stay behind the others.
    fn order_visuals(&mut self, book: BookId, order: &[VisualId]) -> Result<(), StoreError>;

    /// Stores the picture that lists show of a book's key ideas, unless there is one: `false` then.
    fn insert_visual_set(&mut self, book: BookId, image: &str, now: Timestamp) -> Result<bool, StoreError>;

    /// Puts what was drawn of all of a book's key ideas in the place of what there was, unless none has a picture any more.
    fn put_visual_set(&mut self, set: &VisualSet, now: Timestamp) -> Result<(), StoreError>;

    /// Notes whether a book's infographic can be had from now on. Saving the book, its key ideas or what was drawn of them notes it
    /// by itself; call it where one of the key ideas, or an uploaded infographic, was changed.
    fn note_infographic(&mut self, book: BookId, now: Timestamp) -> Result<(), StoreError>;
}
