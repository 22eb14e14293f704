//! Books on the wire (`catalogue.book-answer`).

use std::collections::BTreeMap;
use workflows::{
    catalogue::{
        recordings::RecordingUrls,
        view_book::{BookView, TextRequest},
    },
    reading_progress::reading::ReaderAllowance,
};

use kernel::BookId;
use media::Media;
use reading_progress::{DenialReason, ReaderState, Rights};
use serde::{Deserialize, Serialize};
use study::BookHighlights;
use utoipa::{IntoParams, ToSchema};

use crate::{catalogue::types::place::Place, identity::types::User};

/// How much of the text is asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadParams {
    /// Show the book without opening it: the response is as for one who may not read, whoever asks, and takes nothing.
    pub preview: Option<bool>,
    /// With `preview`: the full text nevertheless where it takes nothing from the allowance, because the book was opened
    /// before, is free, or a plan runs.
    #[serde(rename = "unlessOpen")]
    #[param(rename = "unlessOpen")]
    pub unless_open: Option<bool>,
}

impl ReadParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] = &["preview", "unlessOpen"];

    /// How much text the parameters request.
    pub const fn text(self) -> TextRequest {
        match (self.preview, self.unless_open) {
            (Some(true), Some(true)) => TextRequest::FullUnlessTaking,
            (Some(true), _) => TextRequest::Preview,
            _ => TextRequest::Full,
        }
    }
}

/// A category, where one is named.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CategoryRef {
    /// The id.
    pub id: i64,
    /// The slug.
    pub subid: String,
    /// The name.
    pub name: String,
    /// The OKLCH hue that it owns, in degrees.
    pub hue: u16,
}

/// A category, where they are chosen from.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Category {
    /// The id.
    pub id: i64,
    /// The slug.
    pub subid: String,
    /// The name.
    pub name: String,
    /// The address of a small picture.
    pub small_image: Option<String>,
    /// The OKLCH hue that it owns, in degrees.
    pub hue: u16,
    /// How many published books it has.
    #[serde(rename = "bookCount")]
    pub book_count: u64,
}

/// A book in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookCard {
    /// The id.
    pub id: i64,
    /// The slug.
    pub subid: String,
    /// The title.
    pub title: String,
    /// The author's name.
    pub author: String,
    /// The author's slug.
    pub author_slug: String,
    /// The address of the cover.
    pub image: Option<String>,
    /// The address of the cover in pixels, about 512 wide, for the players of a system.
    pub artwork: Option<String>,
    /// What one takes away from it.
    pub description: String,
    /// The categories, the one that owns the cover first.
    pub categories: Vec<CategoryRef>,
    /// The tags.
    pub tags: Vec<String>,
    /// Whether anybody may read it.
    pub free: bool,
    /// Whether it is announced only.
    pub coming_soon: bool,
    /// Whether the editors put it forward.
    pub is_popular: bool,
    /// When it was added, in milliseconds since the Unix epoch.
    pub upload_date: i64,
    /// Whether it can be listened to.
    pub has_media: bool,
    /// Whether it can be watched.
    pub has_video: bool,
    /// Whether its key ideas are illustrated.
    pub has_visuals: bool,
    /// The address of the audio, for those who may listen.
    pub media_url: Option<String>,
    /// How often it was opened.
    pub read_count: u64,
    /// Minutes that reading it takes.
    pub minutes: u32,
    /// The mean rating, 1 to 5.
    pub rating: Option<f64>,
    /// How many rated it.
    pub ratings_count: u64,
    /// Where a search found it; null outside a search.
    #[serde(rename = "match")]
    pub found: Option<Match>,
}

/// Where a search found a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Match {
    /// The section; null when title, author or tags matched.
    pub section: Option<Section>,
    /// A passage that this viewer may read, plain text, the matched words between U+E000 and U+E001.
    pub passage: Option<String>,
    /// No summary is about what was searched for itself: these have the words in passing, or come near by some of them or by
    /// related ones. The same for all books of a search.
    pub near: bool,
}

/// A section's title and place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Section {
    /// Plain text.
    pub title: String,
    /// From 0.
    pub place: usize,
}

/// Words of the book itself.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Quote {
    /// The words.
    pub text: String,
    /// Where they stand.
    pub chapter: String,
}

/// A goal, where one is named.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GoalRef {
    /// The id.
    pub id: i64,
    /// Its name.
    pub title: String,
}

/// How many free summaries are left.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Allowance {
    /// What may still be opened now.
    pub left: u32,
    /// What there was.
    pub total: u32,
}

impl From<reading_progress::Allowance> for Allowance {
    fn from(allowance: reading_progress::Allowance) -> Self {
        Self { left: allowance.left, total: allowance.total }
    }
}

/// What a member may still open.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AllowanceResult {
    /// The free summaries; null with a plan.
    pub allowance: Option<Allowance>,
    /// The ids of the books that were opened with them and stay open, the latest first.
    pub opened: Vec<i64>,
}

impl From<ReaderAllowance> for AllowanceResult {
    fn from(of_reader: ReaderAllowance) -> Self {
        Self {
            allowance: of_reader.allowance.map(Into::into),
            opened: of_reader.opened.into_iter().map(BookId::get).collect(),
        }
    }
}

/// What a reader thinks of a summary.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Rating {
    /// One to five stars.
    #[schema(minimum = 1, maximum = 5)]
    pub rating: u8,
    /// In the reader's own words; empty when there are none.
    pub feedback: String,
}

impl From<&reading_progress::Rating> for Rating {
    fn from(rating: &reading_progress::Rating) -> Self {
        Self { rating: rating.stars(), feedback: rating.feedback().to_owned() }
    }
}

/// A reader's highlights in a book.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct HighlightsOfBook {
    /// How many there are.
    pub count: u32,
    /// The latest version of one, deleted ones included: a device that has seen it has them all.
    pub version: u64,
}

impl From<BookHighlights> for HighlightsOfBook {
    fn from(BookHighlights { count, version }: BookHighlights) -> Self {
        Self { count, version }
    }
}

/// A book as it is read. Exactly one of `body` and `truncatedBody` is there, none when it is coming soon.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Book {
    /// What stands in lists too.
    #[serde(flatten)]
    pub card: BookCard,
    /// About the author.
    pub author_desc: String,
    /// Words of the book itself.
    pub quotes: Vec<Quote>,
    /// The goals that it serves.
    pub goals: Vec<GoalRef>,
    /// The full text: every section begins with a level-3 heading.
    pub body: Option<String>,
    /// The preview.
    pub truncated_body: Option<String>,
    /// Title and place of each section with text, also for the preview.
    pub sections: Vec<Section>,
    /// The address of the video, for those who may watch.
    pub video: Option<String>,
    /// Minutes that listening to it takes; null without audio, and when that was uploaded.
    pub listening_minutes: Option<u64>,
    /// Whether there is an episode about it.
    pub has_podcast: bool,
    /// The address of that episode, for those who may listen.
    pub podcast_url: Option<String>,
    /// The address of a drawing of it.
    pub vector: Option<String>,
    /// The section at which the reader stopped, from 0.
    pub position: u32,
    /// The same, with when and on which device; null for a visitor, and before the first section was turned.
    pub place: Option<Place>,
    /// Whether the reader has completed it.
    pub completed: bool,
    /// Whether it is in the reader's library.
    pub is_in_library: bool,
    /// Whether the reader has a plan.
    pub is_paid_user: bool,
    /// Whether nobody is signed in.
    pub not_logged_in: bool,
    /// Whether the allowance was used up before this book.
    pub limit_reached: bool,
    /// Whether this was the open that emptied the allowance.
    pub last_free: bool,
    /// Whether the full text is here.
    pub show_premium_content: bool,
    /// Whether the reader has rated it.
    pub has_ratings_from_user: bool,
    /// The reader's own rating; null when there is none.
    pub own_rating: Option<Rating>,
    /// The reader's highlights in it; null for a visitor, and without any.
    pub highlights: Option<HighlightsOfBook>,
    /// What a free member may still open.
    pub allowance: Option<Allowance>,
    /// Always null: courses are not part of the product.
    #[schema(value_type = Option<String>)]
    pub course: Option<()>,
    /// Always empty.
    #[schema(value_type = Vec<String>)]
    pub courses: [(); 0],
    /// Always empty.
    #[schema(value_type = BTreeMap<String, String>)]
    pub lists: BTreeMap<String, ()>,
}

/// A book for its reader.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookResult {
    /// Who reads; null for a visitor.
    pub user: Option<User>,
    /// The book.
    pub book: Book,
}

/// A book, and what becomes of asking for its file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileResult {
    /// The book, as lists show it.
    pub book: BookCard,
    /// Whether this viewer may have it as a file.
    pub can_download: bool,
    /// Whether the file takes one from a free member's allowance.
    pub takes_one: bool,
}

impl From<&BookView> for FileResult {
    fn from(view: &BookView) -> Self {
        let download = view.rights.download;
        Self {
            book: BookCard::from(&view.book.card),
            can_download: download.is_ok(),
            takes_one: download.is_ok_and(|opening| opening.takes_one()),
        }
    }
}

impl From<&catalogue::CategoryName> for CategoryRef {
    fn from(category: &catalogue::CategoryName) -> Self {
        Self {
            id: category.id.get(),
            subid: category.subid.as_str().to_owned(),
            name: category.name.clone(),
            hue: category.hue,
        }
    }
}

impl From<&catalogue::BookCard> for BookCard {
    fn from(card: &catalogue::BookCard) -> Self {
        Self {
            id: card.id.get(),
            subid: card.subid.as_str().to_owned(),
            title: card.title.clone(),
            author: card.author.name.clone(),
            author_slug: card.author.slug.as_str().to_owned(),
            image: card.image.as_deref().map(Media::url),
            artwork: card.image.as_deref().map(Media::artwork_url),
            description: card.description.clone(),
            categories: card.categories.iter().map(CategoryRef::from).collect(),
            tags: card.tags.clone(),
            free: card.free,
            coming_soon: card.coming_soon,
            is_popular: card.is_popular,
            upload_date: card.upload_date.millis(),
            has_media: card.media.is_some(),
            has_video: card.video.is_some(),
            has_visuals: card.visuals > 0,
            // Set only where a viewer gets the full text.
            media_url: None,
            read_count: card.read_count,
            minutes: card.minutes(),
            rating: card.ratings.mean(),
            ratings_count: card.ratings.count,
            found: None,
        }
    }
}

impl From<&catalogue::SearchHit> for BookCard {
    fn from(hit: &catalogue::SearchHit) -> Self {
        let section = hit.section.as_ref();
        Self {
            found: Some(Match {
                section: section.map(|section| Section { title: section.title.clone(), place: section.place }),
                passage: hit.passage.clone(),
                near: hit.is_near,
            }),
            ..Self::from(&hit.card)
        }
    }
}

impl Book {
    /// A book for its viewer, with the URLs of its recordings.
    pub fn of_view(view: &BookView, recordings: RecordingUrls) -> Self {
        let mut book = Self::for_viewer(&view.book, &view.rights, view.state.as_ref());
        book.card.media_url = recordings.audio.map(|signed| signed.url);
        book.podcast_url = recordings.podcast.map(|signed| signed.url);
        book.video = recordings.video.map(|signed| signed.url);
        book.highlights = view.highlights.map(HighlightsOfBook::from);
        book
    }

    /// A book for a viewer with these rights. Text that the viewer may not read is left out.
    pub fn for_viewer(book: &catalogue::Book, rights: &Rights, state: Option<&ReaderState>) -> Self {
        let full = rights.read.is_ok();
        let has_preview = rights.read.is_err_and(|reason| reason != DenialReason::NotWritten);
        Self {
            card: BookCard::from(&book.card),
            author_desc: book.author_description.clone(),
            quotes: book
                .quotes
                .iter()
                .map(|quote| Quote { text: quote.text.clone(), chapter: quote.chapter.clone() })
                .collect(),
            goals: book.goals.iter().map(|goal| GoalRef { id: goal.id.get(), title: goal.title.clone() }).collect(),
            body: full.then(|| book.body.clone()),
            truncated_body: has_preview.then(|| book.truncated_body.clone()),
            sections: book
                .sections
                .iter()
                .enumerate()
                .map(|(place, title)| Section { title: title.clone(), place })
                .collect(),
            video: None,
            listening_minutes: book.listening_minutes(),
            has_podcast: book.podcast.is_some(),
            podcast_url: None,
            vector: book.vector.as_deref().map(Media::url),
            position: state.map_or(0, ReaderState::position),
            place: state.and_then(|state| state.place.as_ref()).map(Place::from),
            completed: state.is_some_and(ReaderState::completed),
            is_in_library: state.is_some_and(|state| state.in_library),
            is_paid_user: rights.has_plan,
            not_logged_in: state.is_none(),
            limit_reached: rights.limit_reached(),
            last_free: rights.read.is_ok_and(|opening| opening.is_last_free),
            show_premium_content: full,
            has_ratings_from_user: state.is_some_and(|state| state.rating.is_some()),
            own_rating: state.and_then(|state| state.rating.as_ref()).map(Rating::from),
            highlights: None,
            allowance: rights.allowance.map(Allowance::from),
            course: None,
            courses: [],
            lists: BTreeMap::new(),
        }
    }
}
