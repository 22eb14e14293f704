//! The values: posts, episodes, insights, pages.

use kernel::{InsightId, PodcastId, PostId, Slug, Timestamp};
use sha2::{Digest, Sha256};

use crate::{html::words, publication::Publication};

/// The slug of the category of posts about what is new (`editorial.blog-addresses`).
pub const WHATS_NEW: &str = "whats-new";

/// The reading speed for posts, in words per minute. A post is read faster than a summary, which is read to be
/// remembered.
const READ_A_MINUTE: usize = 200;
/// The speaking speed, in words per minute, for an episode without a recording.
const SPOKEN_A_MINUTE: usize = 150;
/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;

/// A category of posts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PostCategory {
    /// The URL slug.
    pub slug: Slug,
    /// The display name.
    pub name: String,
}

impl PostCategory {
    /// The category with this name; `None` when the name yields no slug.
    pub fn named(name: &str) -> Option<Self> {
        let name = kernel::one_line(name);
        Slug::of_name(&name).map(|slug| Self { slug, name })
    }
}

/// What editors write about a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDraft {
    /// The URL slug.
    pub slug: Slug,
    pub title: String,
    /// One or two lines below the title.
    pub description: String,
    /// The text, as HTML.
    pub text: String,
    /// The names of its categories, in order.
    pub categories: Vec<String>,
    /// The author's name.
    pub author: String,
    /// The slug of a related book.
    pub book: Option<Slug>,
    /// The picture's key in the object store.
    pub photo: Option<String>,
    /// The date that the public sees: when it was published, or will be.
    pub published_at: Timestamp,
    pub publication: Publication,
}

impl PostDraft {
    /// The number of words of the text.
    pub fn words(&self) -> usize {
        words(&self.text)
    }
}

/// What lists show of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostCard {
    pub id: PostId,
    /// The URL slug.
    pub slug: Slug,
    pub title: String,
    /// One or two lines below the title.
    pub description: String,
    pub categories: Vec<PostCategory>,
    /// The author's name.
    pub author: String,
    /// The picture's key in the object store.
    pub photo: Option<String>,
    /// The date that the public sees: when it was published, or will be.
    pub published_at: Timestamp,
    pub publication: Publication,
    /// The number of words.
    pub words: usize,
}

impl PostCard {
    /// The reading time in minutes, at least 1.
    pub fn minutes(&self) -> usize {
        self.words.div_ceil(READ_A_MINUTE).max(1)
    }
}

/// A post with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    pub card: PostCard,
    /// The text, as sanitized HTML.
    pub text: String,
    /// The slug of a related book.
    pub book: Option<Slug>,
    /// When it was last saved.
    pub updated_at: Timestamp,
}

/// What editors write about an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodcastDraft {
    /// The URL slug.
    pub slug: Slug,
    pub title: String,
    /// The speaker's name.
    pub author: String,
    pub author_desc: String,
    /// What the episode is about.
    pub description: String,
    /// What is spoken, as HTML.
    pub script: String,
    /// The length in minutes that an editor stated, at least 1; counts while there is no recording.
    pub stated_minutes: Option<u16>,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// The date that the public sees: when it was published, or will be.
    pub published_at: Timestamp,
    pub publication: Publication,
}

/// The audio recording of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The file's key in the object store.
    pub key: String,
    pub duration_ms: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The [`script_hash`] of the script that it was generated from; `None` for an uploaded recording, which is used
    /// whatever the script is.
    pub text_hash: Option<String>,
}

/// What lists show of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodcastCard {
    pub id: PodcastId,
    /// The URL slug.
    pub slug: Slug,
    pub title: String,
    /// The speaker's name.
    pub author: String,
    pub author_desc: String,
    /// What the episode is about.
    pub description: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// The date that the public sees: when it was published, or will be.
    pub published_at: Timestamp,
    pub publication: Publication,
    /// The number of words of the script.
    pub words: usize,
    /// The length in minutes that an editor stated, at least 1; counts while there is no recording.
    pub stated_minutes: Option<u16>,
    /// The recording, if there is one that may be played with the present script.
    pub recording: Option<Recording>,
    /// When it was last saved.
    pub updated_at: Timestamp,
}

impl PodcastCard {
    /// The listening time in minutes, at least 1: from the recording, or else as stated, or else estimated from the words
    /// (`editorial.episode-minutes`).
    pub fn minutes(&self) -> u64 {
        let estimated = || self.words.div_ceil(SPOKEN_A_MINUTE) as u64;
        let expected = || self.stated_minutes.map_or_else(estimated, u64::from);
        self.recording.as_ref().map_or_else(expected, |one| (one.duration_ms + MINUTE_MS / 2) / MINUTE_MS).max(1)
    }
}

/// An episode with its script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Podcast {
    pub card: PodcastCard,
    /// What is spoken, as sanitized HTML.
    pub script: String,
}

/// A hash of a script; it tells whether a recording is of this script.
pub fn script_hash(script: &str) -> String {
    hex::encode(Sha256::digest(script.as_bytes()))
}

/// What editors write about an insight. Its title is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsightDraft {
    /// A title of a few words.
    pub title: String,
    /// The thought itself.
    pub insight: String,
    /// The slug of the book that it is from or about.
    pub book: Option<Slug>,
    /// Whether it is a quotation, and not the editors' own words.
    pub quoted: bool,
}

/// An insight: a thought that is shown on some days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insight {
    pub id: InsightId,
    pub draft: InsightDraft,
    /// When it was added.
    pub created_at: Timestamp,
}

/// What editors write about a page of the site. In its text, `{name}`, `{email}` and `{url}` stand for the site's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePageDraft {
    /// The URL slug.
    pub slug: Slug,
    pub title: String,
    /// The description for search engines.
    pub description: String,
    /// The text, as HTML.
    pub text: String,
    /// The date of the last revision, which the page shows.
    pub revised_at: Timestamp,
}

/// A page of the site: its draft, with sanitized text.
pub type SitePage = SitePageDraft;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_an_address() {
        let category = PostCategory::named(" What's  new ").unwrap();
        assert_eq!((category.slug.as_str(), category.name.as_str()), (WHATS_NEW, "What's new"));
        assert_eq!(PostCategory::named("?!"), None);
    }

    #[test]
    fn minutes_are_those_of_the_recording_where_there_is_one() {
        let mut card = PodcastCard {
            id: PodcastId::from_store(1),
            slug: Slug::parse("a").unwrap(),
            title: String::new(),
            author: String::new(),
            author_desc: String::new(),
            description: String::new(),
            image: None,
            published_at: Timestamp::from_millis(0),
            publication: Publication::Published,
            words: 745,
            stated_minutes: None,
            recording: None,
            updated_at: Timestamp::from_millis(0),
        };
        assert_eq!(card.minutes(), 5);
        card.stated_minutes = Some(12);
        assert_eq!(card.minutes(), 12);
        card.recording =
            Some(Recording { key: "podcasts/a.mp3".into(), duration_ms: 389_000, bytes: 1, text_hash: None });
        assert_eq!(card.minutes(), 6);
        card.recording = Some(Recording { duration_ms: 900, ..card.recording.unwrap() });
        assert_eq!(card.minutes(), 1);
    }
}
