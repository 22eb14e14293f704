//! The values of the catalogue (books, authors, categories, goals, tags, collections), with the rules that need only a
//! value.

use kernel::{AuthorId, BookId, CategoryId, CollectionId, GoalId, Slug, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Letter;

/// Words per minute of reading: the pace of reading aloud, and of reading to remember.
const WORDS_PER_MINUTE: u32 = 150;
/// Milliseconds of a minute.
const MINUTE_MS: u64 = kernel::MINUTE.unsigned_abs();

/// The name of a book, which may be unpublished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookName {
    pub id: BookId,
    /// The URL slug.
    pub subid: Slug,
    pub title: String,
    /// The author's name.
    pub author: String,
}

/// A book as another catalogue names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoughtBook {
    /// Its slug there, if it has one.
    pub subid: Option<String>,
    pub title: String,
    /// The author's name.
    pub author: String,
}

impl SoughtBook {
    /// The one of these books that it is: the one with its slug, if its title or its author agrees, otherwise the one with its title
    /// and author, in whatever case (`identity.matched-books`).
    pub fn found_in(&self, books: &[BookName]) -> Option<BookId> {
        let is_same = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
        let has_title = |book: &BookName| is_same(&book.title, &self.title);
        let has_author = |book: &BookName| is_same(&book.author, &self.author);
        let has_slug = |book: &BookName| self.subid.as_deref() == Some(book.subid.as_str());
        let by_slug = books.iter().find(|book| has_slug(book) && (has_title(book) || has_author(book)));
        let found = by_slug.or_else(|| books.iter().find(|book| has_title(book) && has_author(book)));
        found.map(|book| book.id)
    }
}

/// A book as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct BookCard {
    pub id: BookId,
    /// The URL slug.
    pub subid: Slug,
    pub title: String,
    pub author: AuthorName,
    /// The cover's key in the object store.
    pub image: Option<String>,
    /// What a reader learns from it, in plain text.
    pub description: String,
    /// Its categories; the first one determines the cover's hue.
    pub categories: Vec<CategoryName>,
    /// The display names of its tags, from A to Z.
    pub tags: Vec<String>,
    /// Whether anyone may read it, even without an account.
    pub free: bool,
    /// Whether the book is only announced: everything but its text is shown.
    pub coming_soon: bool,
    /// Marked as popular by an editor; breaks ties in the trending order.
    pub is_popular: bool,
    /// When it was added to the catalogue.
    pub upload_date: Timestamp,
    /// The audio's key in the object store.
    pub media: Option<String>,
    /// The video's key in the object store.
    pub video: Option<String>,
    /// How many of its key ideas are illustrated.
    pub visuals: u16,
    /// How often its full text has been opened.
    pub read_count: u64,
    /// How many words its summary has.
    pub words: u32,
    pub ratings: Ratings,
}

/// How long a text takes to read, in milliseconds: at least a second.
pub fn reading_millis(text: &str) -> u64 {
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    let words = u64::try_from(words).unwrap_or(u64::MAX);
    words.saturating_mul(MINUTE_MS / u64::from(WORDS_PER_MINUTE)).max(kernel::SECOND.unsigned_abs())
}

impl BookCard {
    /// The reading time of the summary in minutes, at least 1.
    pub fn minutes(&self) -> u32 {
        ((self.words + WORDS_PER_MINUTE / 2) / WORDS_PER_MINUTE).max(1)
    }
}

/// The ratings of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    pub count: u64,
    /// The sum of the stars.
    pub sum: u64,
}

impl Ratings {
    /// The mean, rounded to a tenth of a star; `None` without ratings.
    pub fn mean(self) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        let tenths = (self.sum * 20 + self.count) / (self.count * 2);
        // At most 50 tenths.
        u32::try_from(tenths).ok().map(|tenths| f64::from(tenths) / 10.0)
    }
}

/// A book with everything that its page may show. The caller decides how much of it a viewer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    pub card: BookCard,
    /// About its author, in plain text.
    pub author_description: String,
    /// Sentences worth quoting.
    pub quotes: Vec<Quote>,
    pub goals: Vec<GoalName>,
    /// The summary as normalized HTML. It may be empty only while the book is coming soon.
    pub body: String,
    /// The part of the HTML that anyone may read.
    pub truncated_body: String,
    /// The headings of its sections; the index is the section's place. A heading is empty for text before the first
    /// one.
    pub sections: Vec<String>,
    /// The length of its audio in milliseconds; `None` without audio, and when that was uploaded.
    pub audio_ms: Option<u64>,
    /// The object-store key of a podcast episode about it.
    pub podcast: Option<String>,
    /// The object-store key of its drawing.
    pub vector: Option<String>,
    /// When it was saved last.
    pub updated_at: Timestamp,
}

impl Book {
    /// The listening time in minutes, at least 1; `None` when the length of the audio is not known (`catalogue.two-lengths`).
    pub fn listening_minutes(&self) -> Option<u64> {
        self.audio_ms.map(|length| (length + MINUTE_MS / 2) / MINUTE_MS).map(|minutes| minutes.max(1))
    }
}

/// The plain texts of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookTexts {
    /// When the book was saved last.
    pub updated_at: Timestamp,
    /// The heading of each section; empty for text before the first one.
    pub titles: Vec<String>,
    /// The text of each section without its heading, in their order.
    pub sections: Vec<String>,
    /// The sentences worth quoting, in their order.
    pub quotes: Vec<String>,
}

/// An author's name and URL slug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorName {
    pub slug: Slug,
    pub name: String,
}

/// A category's name, URL slug and hue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryName {
    pub id: CategoryId,
    /// The URL slug.
    pub subid: Slug,
    pub name: String,
    /// The OKLCH hue, in degrees from 0 to 359.
    pub hue: u16,
}

/// A goal's id and title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalName {
    pub id: GoalId,
    pub title: String,
}

/// A sentence worth quoting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The sentence, in plain text.
    pub text: String,
    /// The chapter that it is from.
    pub chapter: String,
}

/// An author, with the number of readable books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub id: AuthorId,
    pub draft: AuthorDraft,
    /// The number of readable books by this author.
    pub book_count: u64,
}

/// An author as directories show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorCard {
    pub id: AuthorId,
    pub slug: Slug,
    pub name: String,
    /// The letter of the directory under which the author is listed.
    pub letter: Letter,
    /// The number of readable books by this author.
    pub book_count: u64,
}

/// What editors write about an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorDraft {
    pub slug: Slug,
    pub name: String,
    /// The name as a directory sorts it, when its last word is not the family name: `Du Bois, W. E. B.`.
    pub sort_name: Option<String>,
    /// About the author, in plain text.
    pub description: String,
}

impl AuthorDraft {
    /// The sort key of directories: folded, the family name first.
    pub fn key(&self) -> String {
        if let Some(name) = &self.sort_name {
            return kernel::fold(&name.replace(',', ""));
        }
        let name = kernel::fold(self.name.trim());
        name.rsplit_once(' ').map_or_else(|| name.clone(), |(first, last)| format!("{last} {}", first.trim_end()))
    }
}

/// A category, and how many books it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    pub id: CategoryId,
    pub draft: CategoryDraft,
    /// The number of readable books in it.
    pub book_count: u64,
}

/// What editors write about a category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryDraft {
    /// The URL slug.
    pub subid: Slug,
    pub name: String,
    /// The OKLCH hue, in degrees from 0 to 359.
    pub hue: u16,
    /// The key of its small image in the object store.
    pub small_image: Option<String>,
    /// The sort position among the others, ascending.
    pub place: i32,
}

/// A goal that books serve, with its pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub id: GoalId,
    pub draft: GoalDraft,
    pub pictures: GoalPictures,
}

/// The uploaded pictures of a goal, by their keys in the object store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalPictures {
    /// The small picture, beside the goal's title.
    pub photo: Option<String>,
    /// The large picture, on the goal's card.
    pub feature_photo: Option<String>,
}

/// Selects one of a goal's pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalPicture {
    Photo,
    FeaturePhoto,
}

impl GoalPictures {
    /// The key of a picture; `None` while none is uploaded.
    pub const fn of(&self, picture: GoalPicture) -> Option<&String> {
        match picture {
            GoalPicture::Photo => self.photo.as_ref(),
            GoalPicture::FeaturePhoto => self.feature_photo.as_ref(),
        }
    }
}

/// What editors write about a goal (`catalogue.goal-fields`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalDraft {
    /// The slug in URLs and seed files.
    pub slug: Slug,
    pub title: String,
    /// The title where space is short.
    pub short_title: String,
    /// The title on phones.
    pub mobile_title: String,
    /// What it is about, in plain text.
    pub description: String,
    /// The sort position among the others, ascending.
    pub place: i32,
}

/// A tag: its display name and its URL slug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    pub slug: Slug,
    pub name: String,
}

impl Tag {
    /// The tag with this name, in lower case; `None` when the name has no letter.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        slug_of(&name).map(|slug| Self { slug, name })
    }
}

/// The URL slug of a name: folded, with hyphens between words; `None` when the name has no letter.
pub fn slug_of(name: &str) -> Option<Slug> {
    Slug::of_name(name)
}

/// What editors write about a collection of books or categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionDraft {
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// When it was added to the catalogue.
    pub upload_date: Timestamp,
    pub categories: Vec<Slug>,
    /// The books that editors chose, in their order. If there are none, the collection holds the books of its
    /// categories.
    pub books: Vec<Slug>,
}

impl CollectionDraft {
    /// The folded title, which search compares with what a person types.
    pub fn key(&self) -> String {
        kernel::fold(self.title.trim())
    }
}

/// A collection of books or categories, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    pub id: CollectionId,
    pub draft: CollectionDraft,
}

/// What editors write about a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookDraft {
    /// The URL slug.
    pub subid: Slug,
    pub title: String,
    /// The author's slug.
    pub author: Slug,
    /// What a reader learns from it, in plain text.
    pub description: String,
    /// The summary as HTML; saving normalizes it.
    pub body: String,
    /// Sentences worth quoting.
    pub quotes: Vec<Quote>,
    /// The cover's key in the object store.
    pub image: Option<String>,
    /// The audio's key in the object store; `None` keeps the stored one.
    pub media: Option<String>,
    /// The video's key in the object store; `None` keeps the stored one.
    pub video: Option<String>,
    /// The year of the first publication; negative for years BC.
    pub year: Option<i32>,
    /// Its categories; the first one determines the cover's hue.
    pub categories: Vec<Slug>,
    pub goals: Vec<Slug>,
    /// The display names of its tags.
    pub tags: Vec<String>,
    /// Whether anyone may read it.
    pub free: bool,
    /// Marked as popular by an editor.
    pub is_popular: bool,
    /// Whether it is only announced.
    pub coming_soon: bool,
    /// Whether readers see it at all.
    pub published: bool,
    /// When it was added to the catalogue.
    pub upload_date: Timestamp,
}

impl BookDraft {
    /// A draft without texts, which readers do not see.
    pub const fn blank(subid: Slug, author: Slug, upload_date: Timestamp) -> Self {
        Self {
            subid,
            title: String::new(),
            author,
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
            upload_date,
        }
    }

    /// Whether the book counts as a summary: it is published and not coming soon (`catalogue.unpublished-book`).
    pub const fn is_counted(&self) -> bool {
        self.published && !self.coming_soon
    }
}

/// A book by id or URL slug: every URL accepts either (`catalogue.book-names`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BookRef {
    Id(BookId),
    Subid(Slug),
}

impl BookRef {
    /// Reads an id or a slug; `None` when the text is neither.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| Slug::parse(text).map(Self::Subid).ok())
    }
}

/// A category by id or URL slug.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CategoryKey {
    Id(CategoryId),
    Subid(Slug),
}

impl CategoryKey {
    /// Whether it is this category's.
    pub fn names(&self, category: &Category) -> bool {
        match self {
            Self::Id(id) => category.id == *id,
            Self::Subid(subid) => category.draft.subid == *subid,
        }
    }

    /// Reads an id or a slug; `None` when the text is neither.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| Slug::parse(text).map(Self::Subid).ok())
    }
}

/// The books and categories of the front page.
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    /// A free book to read at once; `None` while the catalogue has none.
    pub hero: Option<Book>,
    pub popular: Vec<BookCard>,
    pub newest: Vec<BookCard>,
    /// All categories, in their order.
    pub categories: Vec<Category>,
    /// The number of readable books.
    pub book_count: u64,
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, Slug};

    use super::{AuthorDraft, BookName, BookRef, Ratings, SoughtBook, Tag, slug_of};

    #[test]
    fn a_book_of_another_catalogue_is_found_by_its_slug_before_its_names() {
        let name = |id, subid: &str, title: &str| BookName {
            id: BookId::from_store(id),
            subid: Slug::parse(subid).unwrap(),
            title: title.to_owned(),
            author: "Henry David Thoreau".to_owned(),
        };
        let books = [name(1, "walden-2", "Walden"), name(2, "walden", "Life in the Woods"), name(3, "etres", "Êtres")];
        let found = |subid: Option<&str>, title: &str, author: &str| {
            let (title, author) = (title.to_owned(), author.to_owned());
            let sought = SoughtBook { subid: subid.map(str::to_owned), title, author };
            sought.found_in(&books).map(BookId::get)
        };
        assert_eq!(found(Some("walden"), "Walden", "Henry David Thoreau"), Some(2));
        assert_eq!(found(Some("walden"), "life in the woods", "H. D. Thoreau"), Some(2));
        assert_eq!(found(Some("walden"), "Walden Two", "B. F. Skinner"), None, "another book has the slug");
        assert_eq!(found(Some("other"), " WALDEN", "henry david thoreau "), Some(1));
        assert_eq!(found(None, "Walden", "Henry David Thoreau"), Some(1));
        assert_eq!(found(None, "Walden", "B. F. Skinner"), None);
        assert_eq!(found(None, "êtres", "Henry David Thoreau"), Some(3));
        assert_eq!(found(None, "", ""), None);
    }

    #[test]
    fn the_mean_is_rounded_to_a_tenth() {
        assert_eq!(Ratings { count: 0, sum: 0 }.mean(), None);
        assert_eq!(Ratings { count: 3, sum: 13 }.mean(), Some(4.3));
        assert_eq!(Ratings { count: 4, sum: 17 }.mean(), Some(4.3));
        assert_eq!(Ratings { count: 1, sum: 5 }.mean(), Some(5.0));
    }

    #[test]
    fn tags_are_lower_case_and_have_an_address() {
        let tag = Tag::named("  Être &  Temps ").unwrap();
        assert_eq!((tag.slug.as_str(), tag.name.as_str()), ("etre-temps", "être & temps"));
        assert_eq!(Tag::named("1984"), None);
        assert_eq!(slug_of("Women’s Rights").unwrap().as_str(), "womens-rights");
    }

    #[test]
    fn directories_stand_by_family_name() {
        let key = |name: &str, sort_name: Option<&str>| {
            let sort_name = sort_name.map(str::to_owned);
            AuthorDraft {
                slug: Slug::parse("someone").unwrap(),
                name: name.to_owned(),
                sort_name,
                description: String::new(),
            }
            .key()
        };
        assert_eq!(key("Niccolò Machiavelli", None), "machiavelli niccolo");
        assert_eq!(key("Henry David Thoreau", None), "thoreau henry david");
        assert_eq!(key("Plato", None), "plato");
        assert_eq!(key("Sun Tzu", Some("Sun Tzu")), "sun tzu");
        assert_eq!(key("W. E. B. Du Bois", Some("Du Bois, W. E. B.")), "du bois w. e. b.");
    }

    #[test]
    fn a_book_is_named_by_number_or_slug() {
        assert!(matches!(BookRef::parse("12"), Some(BookRef::Id(id)) if id.get() == 12));
        assert!(matches!(BookRef::parse("on-liberty"), Some(BookRef::Subid(_))));
        assert_eq!(BookRef::parse("0"), None);
        assert_eq!(BookRef::parse("../etc"), None);
    }
}
