//! The values: posts, episodes, insights, pages.

use kernel::{InsightId, PodcastId, PostId, Slug, Timestamp};
use sha2::{Digest, Sha256};

use crate::html::words;

/// The category of posts that tell what is new (`editorial.blog-addresses`), as it stands in addresses.
pub const WHATS_NEW: &str = "whats-new";

/// How many words of a post a reader takes in a minute: a post is read faster than a summary, which is read to keep it.
const READ_A_MINUTE: usize = 200;
/// How many words are spoken in a minute, as long as there is no recording that knows better.
const SPOKEN_A_MINUTE: usize = 150;
/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;

/// A category of posts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PostCategory {
    /// As it stands in addresses.
    pub slug: Slug,
    /// As people read it.
    pub name: String,
}

impl PostCategory {
    /// A category by its name; none when nothing of the name can stand in an address.
    pub fn named(name: &str) -> Option<Self> {
        let name = kernel::one_line(name);
        Slug::of_name(&name).map(|slug| Self { slug, name })
    }
}

/// What editors write about a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDraft {
    /// As it stands in addresses.
    pub slug: Slug,
    pub title: String,
    /// A line or two below it.
    pub description: String,
    /// The text, as HTML.
    pub text: String,
    /// The names of its categories, the first one first.
    pub categories: Vec<String>,
    /// Who wrote it.
    pub author: String,
    /// The book that it goes with.
    pub book: Option<Slug>,
    /// The picture's key in the object store.
    pub photo: Option<String>,
    /// When it came out.
    pub published_at: Timestamp,
}

impl PostDraft {
    /// How many words the text has.
    pub fn words(&self) -> usize {
        words(&self.text)
    }
}

/// What lists show of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostCard {
    /// Its number.
    pub id: PostId,
    /// As it stands in addresses.
    pub slug: Slug,
    pub title: String,
    /// A line or two below it.
    pub description: String,
    pub categories: Vec<PostCategory>,
    /// Who wrote it.
    pub author: String,
    /// The picture's key in the object store.
    pub photo: Option<String>,
    /// When it came out.
    pub published_at: Timestamp,
    /// How many words it has.
    pub words: usize,
}

impl PostCard {
    /// Minutes to read it, at least one.
    pub fn minutes(&self) -> usize {
        self.words.div_ceil(READ_A_MINUTE).max(1)
    }
}

/// A post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// What lists show of it.
    pub card: PostCard,
    /// The text, as clean HTML.
    pub text: String,
    /// The book that it goes with.
    pub book: Option<Slug>,
    /// When it was last saved.
    pub updated_at: Timestamp,
}

/// What editors write about an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodcastDraft {
    /// As it stands in addresses.
    pub slug: Slug,
    pub title: String,
    /// Who speaks.
    pub author: String,
    pub author_desc: String,
    /// What the episode is about.
    pub description: String,
    /// What is spoken, as HTML.
    pub script: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// When it came out.
    pub published_at: Timestamp,
}

/// An episode as it is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The file's key in the object store.
    pub key: String,
    /// How long it takes, in milliseconds.
    pub duration_ms: u64,
    /// How large the file is.
    pub bytes: u64,
    /// Of what script it is; see [`script_hash`]. None for a person's recording, which counts whatever the script says.
    pub text_hash: Option<String>,
}

/// What lists show of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodcastCard {
    /// Its number.
    pub id: PodcastId,
    /// As it stands in addresses.
    pub slug: Slug,
    pub title: String,
    /// Who speaks.
    pub author: String,
    pub author_desc: String,
    /// What the episode is about.
    pub description: String,
    /// The picture's key in the object store.
    pub image: Option<String>,
    /// When it came out.
    pub published_at: Timestamp,
    /// How many words are spoken.
    pub words: usize,
    /// The recording of the present script, once it is made.
    pub recording: Option<Recording>,
    /// When it was last saved.
    pub updated_at: Timestamp,
}

impl PodcastCard {
    /// Minutes to hear it, at least one: as recorded, or as the words let expect.
    pub fn minutes(&self) -> u64 {
        let expected = || self.words.div_ceil(SPOKEN_A_MINUTE) as u64;
        self.recording.as_ref().map_or_else(expected, |one| (one.duration_ms + MINUTE_MS / 2) / MINUTE_MS).max(1)
    }
}

/// An episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Podcast {
    /// What lists show of it.
    pub card: PodcastCard,
    /// What is spoken, as clean HTML.
    pub script: String,
}

/// What a recording is known by to be one of this script.
pub fn script_hash(script: &str) -> String {
    hex::encode(Sha256::digest(script.as_bytes()))
}

/// What editors write about a thought for a day. The title tells it from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsightDraft {
    /// A few words.
    pub title: String,
    /// The thought.
    pub insight: String,
    /// The book that it is from or about.
    pub book: Option<Slug>,
    /// Whether it is a quotation, and not our own words.
    pub quoted: bool,
}

/// A thought for a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insight {
    /// Its number.
    pub id: InsightId,
    /// What the editors wrote.
    pub draft: InsightDraft,
    /// When it was added.
    pub created_at: Timestamp,
}

/// What editors write of a page of the site. In its text `{name}`, `{email}` and `{url}` stand for the site's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePageDraft {
    /// As it stands in addresses.
    pub slug: Slug,
    pub title: String,
    /// What search engines show.
    pub description: String,
    /// The text, as HTML.
    pub text: String,
    /// When it was last revised, as the page says.
    pub revised_at: Timestamp,
}

/// A page of the site: its draft with a clean text.
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
            words: 745,
            recording: None,
            updated_at: Timestamp::from_millis(0),
        };
        assert_eq!(card.minutes(), 5);
        card.recording =
            Some(Recording { key: "podcasts/a.mp3".into(), duration_ms: 389_000, bytes: 1, text_hash: None });
        assert_eq!(card.minutes(), 6);
        card.recording = Some(Recording { duration_ms: 900, ..card.recording.unwrap() });
        assert_eq!(card.minutes(), 1);
    }
}
