//! Posts, episodes, the insight of the day and the site's pages on the wire.

use editorial::{PodcastCard, PostCard, PostCategory};
use kernel::{DateCursor, Limit, PostId, Slug};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::editorial::{
    podcasts::{Episode, Episodes, PodcastShow},
    texts::{BlogPage, InsightWithBook, PostWithBook},
};

use crate::{
    catalogue::types::book::BookCard,
    http::{
        error::ApiError,
        wire::page::{after, given, limit},
    },
};

/// Which posts, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BlogParams {
    /// A category's name in addresses.
    #[param(pattern = r"^([a-z0-9]+(-[a-z0-9]+)*)?$")]
    pub category: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

/// The parameters of a list of posts: category, cursor and limit.
type WantedPosts = (Option<Slug>, Option<DateCursor<PostId>>, Limit);

impl BlogParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] = &["category", "after", "limit"];

    /// Parses and validates the parameters; `default_limit` is the limit when the client sends none.
    pub fn read(&self, default_limit: usize) -> Result<WantedPosts, ApiError> {
        let unknown = |_| ApiError::invalid("category", "There is no such category.");
        let category = given(self.category.as_deref()).map(Slug::parse).transpose().map_err(unknown)?;
        Ok((category, after(self.after.as_deref())?, limit(self.limit, default_limit, Limit::MAX)?))
    }
}

/// A category of posts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BlogCategory)]
pub struct Category {
    /// As it stands in addresses.
    pub slug: String,
    /// As people read it.
    pub name: String,
}

/// What lists show of a post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The id.
    pub id: i64,
    /// As it stands in addresses.
    pub slug: String,
    /// The title.
    pub title: String,
    /// A line or two below it.
    pub description: String,
    /// The picture, as an address.
    pub photo: Option<String>,
    /// Its categories, the first one first.
    pub categories: Vec<Category>,
    /// Who wrote it.
    pub author: String,
    /// When it came out, in ms since the epoch: a day (UTC).
    pub create_date: i64,
    /// Minutes that reading it takes.
    pub minutes: usize,
}

/// A page of the blog.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BlogResult {
    /// The posts, the newest first.
    pub posts: Vec<Post>,
    /// All categories that posts have, by their names.
    pub categories: Vec<Category>,
    /// The key of the next page.
    pub next: Option<String>,
}

/// A post with its text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PostText {
    /// What lists show of it.
    #[serde(flatten)]
    pub card: Post,
    /// The text: clean HTML.
    pub text: String,
    /// When it was last saved, in ms since the epoch.
    #[serde(rename = "updateDate")]
    pub update_date: i64,
}

/// A post, the book that it goes with, and what else there is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PostResult {
    /// The post.
    pub post: PostText,
    /// The book that it goes with.
    pub book: Option<BookCard>,
    /// The newest of the others.
    pub more: Vec<Post>,
}

/// What lists show of an episode.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Podcast {
    /// The id.
    pub id: i64,
    /// As it stands in addresses.
    pub slug: String,
    /// The title.
    pub title: String,
    /// The picture, as an address.
    pub image: Option<String>,
    /// Who speaks.
    pub author: String,
    /// Who that is.
    pub author_desc: String,
    /// What it is about.
    pub description: String,
    /// Minutes that hearing it takes.
    pub mins: u64,
    /// The recording, as an address; null while it is being made.
    pub media_url: Option<String>,
    /// How long the recording is, in seconds.
    pub seconds: Option<f64>,
    /// When it came out, in ms since the epoch: a day (UTC).
    pub create_date: i64,
}

/// The podcast as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PodcastShow)]
pub struct Show {
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: String,
}

/// A page of episodes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PodcastsResult {
    /// The podcast as a whole.
    pub show: Show,
    /// The episodes, the newest first.
    pub podcasts: Vec<Podcast>,
    /// The key of the next page.
    pub next: Option<String>,
}

/// An episode with what is said in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PodcastText {
    /// What lists show of it.
    #[serde(flatten)]
    pub card: Podcast,
    /// What is said: clean HTML.
    pub script: String,
}

/// An episode, and the newest of the others.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PodcastResult {
    /// The podcast as a whole.
    pub show: Show,
    /// The episode.
    pub podcast: PodcastText,
    /// The newest of the others.
    pub more: Vec<Podcast>,
}

/// A thought for the day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DayInsight)]
pub struct InsightOfTheDay {
    /// The id.
    pub id: i64,
    /// A few words.
    pub title: String,
    /// The thought.
    pub insight: String,
    /// Whether it is a quotation, and not our own words.
    pub quoted: bool,
    /// The book that it is from or about.
    pub book: Option<BookCard>,
}

/// The insight of the day (UTC); null when there is none.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct InsightResult {
    /// It.
    pub insight: Option<InsightOfTheDay>,
}

/// A page of the site.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SitePage {
    /// As it stands in addresses.
    pub slug: String,
    /// The title.
    pub title: String,
    /// What search engines show.
    pub description: String,
    /// The text: clean HTML, with the site's name and addresses in place.
    pub text: String,
    /// When it was last revised, in ms since the epoch: a day (UTC).
    pub revised_date: i64,
}

/// One page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SitePageResult {
    /// The page.
    pub page: SitePage,
}

impl From<&PostCategory> for Category {
    fn from(category: &PostCategory) -> Self {
        Self { slug: category.slug.as_str().to_owned(), name: category.name.clone() }
    }
}

impl From<&PostCard> for Post {
    fn from(card: &PostCard) -> Self {
        Self {
            id: card.id.get(),
            slug: card.slug.as_str().to_owned(),
            title: card.title.clone(),
            description: card.description.clone(),
            photo: card.photo.as_deref().map(Media::url),
            categories: card.categories.iter().map(Category::from).collect(),
            author: card.author.clone(),
            create_date: card.published_at.millis(),
            minutes: card.minutes(),
        }
    }
}

impl From<&BlogPage> for BlogResult {
    fn from(blog: &BlogPage) -> Self {
        Self {
            posts: blog.posts.items.iter().map(Into::into).collect(),
            categories: blog.categories.iter().map(Into::into).collect(),
            next: blog.posts.next.as_ref().map(ToString::to_string),
        }
    }
}

impl From<&editorial::Post> for PostText {
    fn from(post: &editorial::Post) -> Self {
        Self { card: Post::from(&post.card), text: post.text.clone(), update_date: post.updated_at.millis() }
    }
}

impl From<&PodcastCard> for Podcast {
    fn from(card: &PodcastCard) -> Self {
        let recording = card.recording.as_ref();
        Self {
            id: card.id.get(),
            slug: card.slug.as_str().to_owned(),
            title: card.title.clone(),
            image: card.image.as_deref().map(Media::url),
            author: card.author.clone(),
            author_desc: card.author_desc.clone(),
            description: card.description.clone(),
            mins: card.minutes(),
            media_url: recording.map(|recording| Media::url(&recording.key)),
            seconds: recording.map(|recording| std::time::Duration::from_millis(recording.duration_ms).as_secs_f64()),
            create_date: card.published_at.millis(),
        }
    }
}

impl From<&PostWithBook> for PostResult {
    fn from(page: &PostWithBook) -> Self {
        Self {
            post: PostText::from(&page.post),
            book: page.book.as_ref().map(BookCard::from),
            more: page.more.iter().map(Post::from).collect(),
        }
    }
}

impl From<PodcastShow> for Show {
    fn from(show: PodcastShow) -> Self {
        Self { title: show.title, description: show.description }
    }
}

impl From<Episodes> for PodcastsResult {
    fn from(episodes: Episodes) -> Self {
        Self {
            show: episodes.show.into(),
            podcasts: episodes.page.items.iter().map(Podcast::from).collect(),
            next: episodes.page.next.map(|key| key.to_string()),
        }
    }
}

impl From<Episode> for PodcastResult {
    fn from(episode: Episode) -> Self {
        Self {
            show: episode.show.into(),
            podcast: PodcastText { card: Podcast::from(&episode.podcast.card), script: episode.podcast.script },
            more: episode.more.iter().map(Podcast::from).collect(),
        }
    }
}

impl From<InsightWithBook> for InsightOfTheDay {
    fn from(found: InsightWithBook) -> Self {
        let InsightWithBook { insight, book } = found;
        Self {
            id: insight.id.get(),
            title: insight.draft.title,
            insight: insight.draft.insight,
            quoted: insight.draft.quoted,
            book: book.as_ref().map(BookCard::from),
        }
    }
}

impl From<editorial::SitePage> for SitePage {
    fn from(page: editorial::SitePage) -> Self {
        Self {
            slug: page.slug.as_str().to_owned(),
            title: page.title,
            description: page.description,
            text: page.text,
            revised_date: page.revised_at.millis(),
        }
    }
}
