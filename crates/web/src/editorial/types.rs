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

/// Query parameters of the list of blog posts: category and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BlogParams {
    /// Filters by the slug of a category.
    #[param(pattern = r"^([a-z0-9]+(-[a-z0-9]+)*)?$")]
    pub category: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// The page size, 1 to 100. Default: 20.
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

/// A category of blog posts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BlogCategory)]
pub struct Category {
    /// The slug of the category.
    pub slug: String,
    /// The display name.
    pub name: String,
}

/// A blog post, as shown in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The id of the post.
    pub id: i64,
    /// The slug of the post.
    pub slug: String,
    /// The title.
    pub title: String,
    /// A description of one or two lines.
    pub description: String,
    /// The URL of the picture; null without one.
    pub photo: Option<String>,
    /// The categories, in their order.
    pub categories: Vec<Category>,
    /// The author's name.
    pub author: String,
    /// The date of publication, in milliseconds since the Unix epoch (start of the day in UTC).
    pub create_date: i64,
    /// The reading time, in minutes.
    pub minutes: usize,
}

/// A page of the blog.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BlogResult {
    /// The posts, newest first.
    pub posts: Vec<Post>,
    /// All categories that have posts, by name.
    pub categories: Vec<Category>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// A blog post with its text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PostText {
    /// The post, as shown in lists.
    #[serde(flatten)]
    pub card: Post,
    /// The text, as sanitized HTML.
    pub text: String,
    /// When it was last saved, in milliseconds since the Unix epoch.
    #[serde(rename = "updateDate")]
    pub update_date: i64,
}

/// A blog post, its related book and further posts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PostResult {
    /// The post.
    pub post: PostText,
    /// The related book; null without one.
    pub book: Option<BookCard>,
    /// The newest other posts.
    pub more: Vec<Post>,
}

/// A podcast episode, as shown in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Podcast {
    /// The id of the episode.
    pub id: i64,
    /// The slug of the episode.
    pub slug: String,
    /// The title.
    pub title: String,
    /// The URL of the picture; null without one.
    pub image: Option<String>,
    /// The speaker's name.
    pub author: String,
    /// A description of the speaker.
    pub author_desc: String,
    /// A description of the episode.
    pub description: String,
    /// The listening time, in minutes.
    pub mins: u64,
    /// The URL of the recording; null if there is none for the current script.
    pub media_url: Option<String>,
    /// The length of the recording, in seconds; null without a recording.
    pub seconds: Option<f64>,
    /// The date of publication, in milliseconds since the Unix epoch (start of the day in UTC).
    pub create_date: i64,
}

/// The podcast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PodcastShow)]
pub struct Show {
    /// The title of the podcast.
    pub title: String,
    /// A description of the podcast.
    pub description: String,
}

/// A page of podcast episodes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PodcastsResult {
    /// The podcast.
    pub show: Show,
    /// The episodes, newest first.
    pub podcasts: Vec<Podcast>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// A podcast episode with its script.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PodcastText {
    /// The episode, as shown in lists.
    #[serde(flatten)]
    pub card: Podcast,
    /// The script, as sanitized HTML.
    pub script: String,
}

/// A podcast episode and further episodes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PodcastResult {
    /// The podcast.
    pub show: Show,
    /// The episode.
    pub podcast: PodcastText,
    /// The newest other episodes.
    pub more: Vec<Podcast>,
}

/// An insight of the day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DayInsight)]
pub struct InsightOfTheDay {
    /// The id of the insight.
    pub id: i64,
    /// A title of a few words.
    pub title: String,
    /// The text of the insight.
    pub insight: String,
    /// Whether it is a quotation rather than the editors' own words.
    pub quoted: bool,
    /// The book that it is from or about; null without one.
    pub book: Option<BookCard>,
}

/// The insight of the day, in UTC.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct InsightResult {
    /// The insight; null if there is none.
    pub insight: Option<InsightOfTheDay>,
}

/// A page of the site.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SitePage {
    /// The slug of the page.
    pub slug: String,
    /// The title.
    pub title: String,
    /// The description for search engines.
    pub description: String,
    /// The text, as sanitized HTML, with the site's name and addresses filled in.
    pub text: String,
    /// The date of the last revision, in milliseconds since the Unix epoch (start of the day in UTC).
    pub revised_date: i64,
}

/// The result of a request for a page of the site.
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
