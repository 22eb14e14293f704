//! Books and what they are found by: values, and the rules that need nothing but a value.

use kernel::{AuthorId, BookId, CategoryId, CollectionId, GoalId, Slug, Timestamp};

use crate::Letter;

/// How many words a minute takes: the pace of reading aloud, which is also that of reading to keep something.
const WORDS_A_MINUTE: u32 = 150;

/// What a book is called, whether it is published or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookName {
    /// Its number.
    pub id: BookId,
    /// Its name in addresses.
    pub subid: Slug,
    pub title: String,
    /// Who wrote it.
    pub author: String,
}

/// A book as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct BookCard {
    /// Its number.
    pub id: BookId,
    /// Its name in addresses.
    pub subid: Slug,
    pub title: String,
    /// Who wrote it.
    pub author: AuthorName,
    /// The cover's key in the object store.
    pub image: Option<String>,
    /// What one takes away from it, in plain text.
    pub description: String,
    /// Its categories; the first one owns the cover's hue.
    pub categories: Vec<CategoryName>,
    /// Its tags, as they are shown, from A to Z.
    pub tags: Vec<String>,
    /// Anyone may read it, also a visitor.
    pub free: bool,
    /// It is announced: everything but its text is shown.
    pub coming_soon: bool,
    /// The editors' mark; breaks ties among what is trending.
    pub is_popular: bool,
    /// When it came into the catalogue.
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
    /// What readers think of it.
    pub ratings: Ratings,
}

impl BookCard {
    /// How long the summary takes to read, in minutes: at least one.
    pub fn minutes(&self) -> u32 {
        ((self.words + WORDS_A_MINUTE / 2) / WORDS_A_MINUTE).max(1)
    }
}

/// The ratings of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// How many there are.
    pub count: u64,
    /// Their stars, added up.
    pub sum: u64,
}

impl Ratings {
    /// The mean, to a tenth of a star; nothing when nobody has rated.
    pub fn mean(self) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        let tenths = (self.sum * 20 + self.count) / (self.count * 2);
        // At most 50 tenths.
        u32::try_from(tenths).ok().map(|tenths| f64::from(tenths) / 10.0)
    }
}

/// A book with everything that its page may show. Who sees how much of it is not the catalogue's rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// What lists show of it.
    pub card: BookCard,
    /// About its author, in plain text.
    pub author_description: String,
    /// Sentences worth quoting.
    pub quotes: Vec<Quote>,
    /// What goals it serves.
    pub goals: Vec<GoalName>,
    /// Its normalised HTML; empty as long as it is announced only.
    pub body: String,
    /// The part of the HTML that anyone may read.
    pub truncated_body: String,
    /// The headings of its sections that have text, in order; the place of each is its index.
    pub sections: Vec<String>,
    /// The key of an episode about it.
    pub podcast: Option<String>,
    /// The key of a drawing of it.
    pub vector: Option<String>,
    /// When it was saved last.
    pub updated_at: Timestamp,
}

/// An author's name and address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorName {
    /// The author's name in addresses.
    pub slug: Slug,
    pub name: String,
}

/// A category's name and address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryName {
    /// Its number.
    pub id: CategoryId,
    /// Its name in addresses.
    pub subid: Slug,
    pub name: String,
    /// The OKLCH hue that it owns, in degrees.
    pub hue: u16,
}

/// A goal's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalName {
    /// Its number.
    pub id: GoalId,
    pub title: String,
}

/// A sentence worth quoting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The sentence, in plain text.
    pub text: String,
    /// Where it stands.
    pub chapter: String,
}

/// An author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The number.
    pub id: AuthorId,
    /// What editors write.
    pub draft: AuthorDraft,
    /// How many books that can be read there are.
    pub book_count: u64,
}

/// An author as directories show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorCard {
    /// The number.
    pub id: AuthorId,
    /// The name in addresses.
    pub slug: Slug,
    pub name: String,
    /// Where the directory has it.
    pub letter: Letter,
    /// How many books that can be read there are.
    pub book_count: u64,
}

/// What editors write about an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorDraft {
    /// The name in addresses.
    pub slug: Slug,
    pub name: String,
    /// As the name stands in a directory, where its last word does not come first: `Du Bois, W. E. B.`.
    pub sort_name: Option<String>,
    /// Who it is, in plain text.
    pub description: String,
}

impl AuthorDraft {
    /// The key by which directories are sorted: folded, the family name first.
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
    /// Its number.
    pub id: CategoryId,
    /// What editors write.
    pub draft: CategoryDraft,
    /// How many books that can be read it has.
    pub book_count: u64,
}

/// What editors write about a category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryDraft {
    /// Its name in addresses.
    pub subid: Slug,
    pub name: String,
    /// The OKLCH hue that it owns, in degrees from 0 to 359.
    pub hue: u16,
    /// The key of its small image in the object store.
    pub small_image: Option<String>,
    /// Where it stands among the others.
    pub place: i32,
}

/// A goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Its number.
    pub id: GoalId,
    /// What editors write.
    pub draft: GoalDraft,
    /// The uploaded pictures.
    pub pictures: GoalPictures,
}

/// The uploaded pictures of a goal, by their keys in the object store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalPictures {
    /// The small one, beside its title.
    pub photo: Option<String>,
    /// The large one, at its card.
    pub feature_photo: Option<String>,
}

/// Which picture of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalPicture {
    /// The small one.
    Photo,
    /// The large one.
    FeaturePhoto,
}

impl GoalPictures {
    /// One of them.
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
    /// Its name in seeds and addresses.
    pub slug: Slug,
    pub title: String,
    /// Its title where there is little room.
    pub short_title: String,
    /// Its title on a phone.
    pub mobile_title: String,
    /// What it is about, in plain text.
    pub description: String,
    /// Where it stands among the others.
    pub place: i32,
}

/// A tag: what is shown, and what stands in addresses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    /// Its name in addresses.
    pub slug: Slug,
    pub name: String,
}

impl Tag {
    /// The tag of that name, in lower case; nothing when no letter is left of it.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        slug_of(&name).map(|slug| Self { slug, name })
    }
}

/// A name as it stands in addresses: folded, with dashes between words.
pub fn slug_of(name: &str) -> Option<Slug> {
    Slug::of_name(name)
}

/// What editors write about a collection, which gathers books or categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionDraft {
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// When it came into the catalogue.
    pub upload_date: Timestamp,
    pub categories: Vec<Slug>,
    /// The books that editors chose for it, in their order. Without any it holds the books of its categories.
    pub books: Vec<Slug>,
}

impl CollectionDraft {
    /// The title as it is compared with what a person types.
    pub fn key(&self) -> String {
        kernel::fold(self.title.trim())
    }
}

/// A collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Its number.
    pub id: CollectionId,
    /// What editors write.
    pub draft: CollectionDraft,
}

/// What editors write about a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookDraft {
    /// Its name in addresses.
    pub subid: Slug,
    pub title: String,
    /// Who wrote it.
    pub author: Slug,
    /// What one takes away from it, in plain text.
    pub description: String,
    /// The summary: any HTML before it is saved, normalised afterwards.
    pub body: String,
    /// Sentences worth quoting.
    pub quotes: Vec<Quote>,
    /// The cover's key in the object store.
    pub image: Option<String>,
    /// The audio's key in the object store; `None` leaves the book the one that it has.
    pub media: Option<String>,
    /// The video's key in the object store; `None` leaves the book the one that it has.
    pub video: Option<String>,
    /// The year of the first publication, negative before our era.
    pub year: Option<i32>,
    /// Its categories; the first one owns the cover's hue.
    pub categories: Vec<Slug>,
    /// The goals that it serves.
    pub goals: Vec<Slug>,
    /// The names of its tags.
    pub tags: Vec<String>,
    /// Anyone may read it.
    pub free: bool,
    /// The editors' mark.
    pub is_popular: bool,
    /// It is announced only.
    pub coming_soon: bool,
    /// It is in the catalogue at all.
    pub published: bool,
    /// When it came into the catalogue.
    pub upload_date: Timestamp,
}

impl BookDraft {
    /// Whether the book is counted among the summaries: what can be read is, what is coming soon is not
    /// (`catalogue.unpublished-book`).
    pub const fn is_counted(&self) -> bool {
        self.published && !self.coming_soon
    }
}

/// A book by number or by name: every address takes either (`catalogue.book-names`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BookRef {
    /// By number.
    Id(BookId),
    /// By the name in addresses.
    Subid(Slug),
}

impl BookRef {
    /// Reads a number or a name; nothing when it is neither, so that no book can have it.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| Slug::parse(text).map(Self::Subid).ok())
    }
}

/// A category by number or by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CategoryKey {
    /// By number.
    Id(CategoryId),
    /// By the name in addresses.
    Subid(Slug),
}

impl CategoryKey {
    /// Reads a number or a name; nothing when it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| Slug::parse(text).map(Self::Subid).ok())
    }
}

/// The front page's books.
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    /// A free book, to be read at once; nothing as long as the catalogue has none.
    pub hero: Option<Book>,
    /// The most popular books.
    pub popular: Vec<BookCard>,
    /// The newest books.
    pub newest: Vec<BookCard>,
    /// All categories, in their order.
    pub categories: Vec<Category>,
    /// How many books can be read.
    pub book_count: u64,
}

#[cfg(test)]
mod tests {
    use kernel::Slug;

    use super::{AuthorDraft, BookRef, Ratings, Tag, slug_of};

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
