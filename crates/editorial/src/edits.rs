//! Edits of posts, episodes and insights.

use kernel::{Slug, Timestamp};

use crate::{InsightDraft, Podcast, PodcastDraft, Post, PostDraft, PublicationEdit};

/// The author of a new post without a stated one.
const EDITORS: &str = "The editors";
/// The number of words of an insight that become its title.
const TITLE_WORDS: usize = 6;

/// An editor's changes to a post. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostEdit {
    pub title: Option<String>,
    /// One or two lines below the title.
    pub description: Option<String>,
    /// The names of its categories.
    pub categories: Option<Vec<String>>,
    /// The text, as HTML.
    pub text: Option<String>,
    /// The author's name.
    pub author: Option<String>,
    pub publication: PublicationEdit,
}

impl PostEdit {
    /// A new post, published now unless the edit says otherwise.
    pub fn draft(self, slug: Slug, now: Timestamp) -> PostDraft {
        let (publication, published_at) = self.publication.of_new(now);
        PostDraft {
            slug,
            title: self.title.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            text: self.text.unwrap_or_default(),
            categories: self.categories.unwrap_or_default(),
            author: self.author.unwrap_or_else(|| EDITORS.to_owned()),
            book: None,
            photo: None,
            published_at,
            publication,
        }
    }

    /// The post with the edit applied.
    pub fn applied(self, there: PostDraft, now: Timestamp) -> PostDraft {
        let (publication, published_at) = self.publication.applied(there.publication, there.published_at, now);
        PostDraft {
            publication,
            published_at,
            title: self.title.unwrap_or(there.title),
            description: self.description.unwrap_or(there.description),
            text: self.text.unwrap_or(there.text),
            categories: self.categories.unwrap_or(there.categories),
            author: self.author.unwrap_or(there.author),
            ..there
        }
    }
}

impl PostDraft {
    /// The draft of a stored post.
    pub fn of(post: &Post) -> Self {
        let card = post.card.clone();
        Self {
            slug: card.slug,
            title: card.title,
            description: card.description,
            text: post.text.clone(),
            categories: card.categories.into_iter().map(|one| one.name).collect(),
            author: card.author,
            book: post.book.clone(),
            photo: card.photo,
            published_at: card.published_at,
            publication: card.publication,
        }
    }
}

/// An editor's changes to an episode. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodcastEdit {
    pub title: Option<String>,
    /// The speaker's name.
    pub author: Option<String>,
    pub author_desc: Option<String>,
    /// What the episode is about.
    pub description: Option<String>,
    /// What is spoken, as HTML.
    pub script: Option<String>,
    /// The length in minutes; 0 to have it estimated.
    pub minutes: Option<u16>,
    pub publication: PublicationEdit,
}

impl PodcastEdit {
    /// A new episode, published now unless the edit says otherwise.
    pub fn draft(self, slug: Slug, now: Timestamp) -> PodcastDraft {
        let (publication, published_at) = self.publication.of_new(now);
        PodcastDraft {
            slug,
            title: self.title.unwrap_or_default(),
            author: self.author.unwrap_or_default(),
            author_desc: self.author_desc.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            script: self.script.unwrap_or_default(),
            stated_minutes: self.minutes.filter(|minutes| *minutes > 0),
            image: None,
            published_at,
            publication,
        }
    }

    /// The episode with the edit applied. `shown` is its length in minutes so far: a form that sends it back states nothing.
    pub fn applied(self, there: PodcastDraft, shown: u64, now: Timestamp) -> PodcastDraft {
        let (publication, published_at) = self.publication.applied(there.publication, there.published_at, now);
        let stated = self.minutes.filter(|minutes| u64::from(*minutes) != shown);
        PodcastDraft {
            publication,
            published_at,
            stated_minutes: stated.map_or(there.stated_minutes, |minutes| Some(minutes).filter(|minutes| *minutes > 0)),
            title: self.title.unwrap_or(there.title),
            author: self.author.unwrap_or(there.author),
            author_desc: self.author_desc.unwrap_or(there.author_desc),
            description: self.description.unwrap_or(there.description),
            script: self.script.unwrap_or(there.script),
            ..there
        }
    }
}

impl PodcastDraft {
    /// The draft of a stored episode.
    pub fn of(podcast: &Podcast) -> Self {
        let card = podcast.card.clone();
        Self {
            slug: card.slug,
            title: card.title,
            author: card.author,
            author_desc: card.author_desc,
            description: card.description,
            script: podcast.script.clone(),
            stated_minutes: card.stated_minutes,
            image: card.image,
            published_at: card.published_at,
            publication: card.publication,
        }
    }
}

/// An editor's changes to an insight. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InsightEdit {
    /// A title of a few words; a new insight without one gets the first words of its text.
    pub title: Option<String>,
    /// The thought itself.
    pub insight: Option<String>,
    /// The slug of the book that it is from or about.
    pub book: Option<Slug>,
    /// Whether it is a quotation.
    pub quoted: Option<bool>,
}

impl InsightEdit {
    /// A new insight. Without a title it gets its first six words, and it is a quotation unless the edit states
    /// otherwise.
    pub fn draft(self) -> InsightDraft {
        let insight = self.insight.unwrap_or_default();
        let first_words = || insight.split_whitespace().take(TITLE_WORDS).collect::<Vec<_>>().join(" ");
        InsightDraft {
            title: self.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(first_words),
            insight,
            book: self.book,
            quoted: self.quoted.unwrap_or(true),
        }
    }

    /// The insight with the edit applied. An edit can change the book, but not remove it.
    pub fn applied(self, there: &InsightDraft) -> InsightDraft {
        InsightDraft {
            title: self.title.unwrap_or_else(|| there.title.clone()),
            insight: self.insight.unwrap_or_else(|| there.insight.clone()),
            book: self.book.or_else(|| there.book.clone()),
            quoted: self.quoted.unwrap_or(there.quoted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Publication;

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn slug(text: &str) -> Slug {
        Slug::parse(text).unwrap()
    }

    fn text(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn a_post_comes_out_now_by_the_editors_and_keeps_what_an_edit_does_not_name() {
        let added = PostEdit { title: Some(text("News")), ..PostEdit::default() }.draft(slug("news"), NOW);
        assert_eq!((added.author.as_str(), added.published_at, added.text.as_str()), ("The editors", NOW, ""));
        let there = PostDraft { photo: Some(text("key")), book: Some(slug("walden")), ..added };
        assert_eq!(PostEdit::default().applied(there.clone(), NOW.plus(1)), there);
        let edit = PostEdit {
            title: Some(text("Old news")),
            description: Some(text("A line.")),
            categories: Some(vec!["Habits".to_owned()]),
            text: Some(text("<p>Text.</p>")),
            author: Some(text("Ada")),
            publication: PublicationEdit { published: Some(false), publish_at: None },
        };
        let expected = PostDraft {
            title: "Old news".to_owned(),
            description: "A line.".to_owned(),
            categories: vec!["Habits".to_owned()],
            text: "<p>Text.</p>".to_owned(),
            author: "Ada".to_owned(),
            publication: Publication::Draft,
            ..there.clone()
        };
        assert_eq!(edit.applied(there, NOW), expected);
    }

    #[test]
    fn an_episode_comes_out_now_and_keeps_what_an_edit_does_not_name() {
        let added =
            PodcastEdit { title: Some(text("On habits")), ..PodcastEdit::default() }.draft(slug("on-habits"), NOW);
        assert_eq!((added.published_at, &added.image, added.author.as_str()), (NOW, &None, ""));
        let there = PodcastDraft { image: Some(text("key")), ..added };
        assert_eq!(PodcastEdit::default().applied(there.clone(), 5, NOW), there);
        let stated = |minutes, stated_minutes| {
            let there = PodcastDraft { stated_minutes, ..there.clone() };
            PodcastEdit { minutes: Some(minutes), ..PodcastEdit::default() }.applied(there, 5, NOW).stated_minutes
        };
        assert_eq!(
            [stated(5, None), stated(7, None), stated(0, Some(7)), stated(5, Some(5))],
            [None, Some(7), None, Some(5)]
        );
        let edit = PodcastEdit {
            title: Some(text("Habits")),
            author: Some(text("Ada")),
            author_desc: Some(text("Reads.")),
            description: Some(text("About habits.")),
            script: Some(text("<p>Hello.</p>")),
            minutes: Some(12),
            publication: PublicationEdit { published: Some(false), publish_at: None },
        };
        let expected = PodcastDraft {
            title: "Habits".to_owned(),
            author: "Ada".to_owned(),
            author_desc: "Reads.".to_owned(),
            description: "About habits.".to_owned(),
            script: "<p>Hello.</p>".to_owned(),
            stated_minutes: Some(12),
            publication: Publication::Draft,
            ..there.clone()
        };
        assert_eq!(edit.applied(there, 5, NOW), expected);
    }

    #[test]
    fn a_thought_without_a_title_has_its_first_six_words() {
        let thought = "Simplify,  simplify: our life is frittered away by detail.";
        let draft = |title: Option<&str>| {
            InsightEdit { title: title.map(str::to_owned), insight: Some(text(thought)), ..InsightEdit::default() }
                .draft()
        };
        for blank in [None, Some(" ")] {
            assert_eq!(draft(blank).title, "Simplify, simplify: our life is frittered");
        }
        assert_eq!(draft(Some("Simplify")).title, "Simplify");
        assert!(draft(None).quoted, "a quotation unless it is said otherwise");
    }

    #[test]
    fn an_edit_of_a_thought_exchanges_its_book_and_takes_it_away_never() {
        let there =
            InsightEdit { insight: Some(text("Simplify.")), book: Some(slug("walden")), ..InsightEdit::default() }
                .draft();
        assert_eq!(InsightEdit::default().applied(&there), there);
        let edit = InsightEdit {
            title: Some(text("Less")),
            insight: Some(text("Own less.")),
            book: Some(slug("on-liberty")),
            quoted: Some(false),
        };
        let changed = edit.applied(&there);
        let seen = (changed.title.as_str(), changed.insight.as_str(), changed.book, changed.quoted);
        assert_eq!(seen, ("Less", "Own less.", Some(slug("on-liberty")), false));
    }
}
