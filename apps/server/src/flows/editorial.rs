//! What the house writes, with the books that it names.

use catalogue::{BookRef, Catalogue};
use editorial::Editorial;
use kernel::{DateCursor, Limit, PodcastId, PostId, Slug, Timestamp};
use postgres::Pg;

use crate::{
    config::Config,
    error::ApiError,
    wire::{
        book::BookCard,
        editorial::{
            BlogResult, InsightOfTheDay, InsightResult, Podcast, PodcastResult, PodcastText, PodcastsResult, Post,
            PostResult, PostText, Show, SitePage, SitePageResult,
        },
    },
};

/// How many posts or episodes a page of a list has, unless it is asked for another number.
pub const PAGE: usize = 20;
/// Under which name the podcast as a whole stands in the site's content.
pub const SHOW: &str = "podcast";
/// How many others are offered below a post or an episode.
const MORE: usize = 3;

/// A page of the blog.
pub fn blog(
    pg: &mut Pg<'_>,
    category: Option<&Slug>,
    after: Option<DateCursor<PostId>>,
    limit: Limit,
) -> Result<BlogResult, ApiError> {
    let page = pg.posts(category, after, limit)?;
    Ok(BlogResult {
        posts: page.items.iter().map(Post::from).collect(),
        categories: pg.post_categories()?.iter().map(Into::into).collect(),
        next: page.next.map(|key| key.to_string()),
    })
}

/// A post.
pub fn post(pg: &mut Pg<'_>, slug: &Slug) -> Result<Option<PostResult>, ApiError> {
    let Some(post) = pg.post(slug)? else { return Ok(None) };
    Ok(Some(PostResult {
        book: book(pg, post.book.as_ref())?,
        more: pg.posts_besides(slug, MORE)?.iter().map(Post::from).collect(),
        post: PostText::from(&post),
    }))
}

/// A page of episodes.
pub fn podcasts(
    pg: &mut Pg<'_>,
    after: Option<DateCursor<PodcastId>>,
    limit: Limit,
) -> Result<PodcastsResult, ApiError> {
    let page = pg.podcasts(after, limit)?;
    Ok(PodcastsResult {
        show: show(pg)?,
        podcasts: page.items.iter().map(Podcast::from).collect(),
        next: page.next.map(|key| key.to_string()),
    })
}

/// The podcast as a whole, and the newest episodes that can be heard, each with the size of its file in bytes.
pub fn recorded(pg: &mut Pg<'_>, limit: Limit) -> Result<(Show, Vec<(Podcast, u64)>), ApiError> {
    let page = pg.podcasts(None, limit)?;
    let heard = page.items.iter().filter_map(|one| Some((Podcast::from(one), one.recording.as_ref()?.bytes)));
    Ok((show(pg)?, heard.collect()))
}

/// An episode.
pub fn podcast(pg: &mut Pg<'_>, slug: &Slug) -> Result<Option<PodcastResult>, ApiError> {
    let Some(podcast) = pg.podcast(slug)? else { return Ok(None) };
    Ok(Some(PodcastResult {
        show: show(pg)?,
        more: pg.podcasts_besides(slug, MORE)?.iter().map(Podcast::from).collect(),
        podcast: PodcastText { card: Podcast::from(&podcast.card), script: podcast.script },
    }))
}

/// The insight of the day.
pub fn insight(pg: &mut Pg<'_>, now: Timestamp) -> Result<InsightResult, ApiError> {
    let Some(insight) = pg.insight_of_the_day(now)? else { return Ok(InsightResult { insight: None }) };
    let book = book(pg, insight.draft.book.as_ref())?;
    Ok(InsightResult { insight: Some(InsightOfTheDay::of(&insight, book)) })
}

/// A page of the house, with the site's name and addresses in place.
pub fn site_page(pg: &mut Pg<'_>, slug: &Slug, config: &Config) -> Result<Option<SitePageResult>, ApiError> {
    let Some(page) = pg.site_page(slug)? else { return Ok(None) };
    let page = SitePage {
        slug: page.slug.as_str().to_owned(),
        title: in_place(&page.title, config),
        description: in_place(&page.description, config),
        text: in_place(&page.text, config),
        revised_date: page.revised_at.millis(),
    };
    Ok(Some(SitePageResult { page }))
}

/// The addresses of all posts and episodes, each with when it last changed, in ms since the epoch.
pub fn addresses(pg: &mut Pg<'_>, limit: Limit) -> Result<Vec<(String, i64)>, ApiError> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = pg.posts(None, after, limit)?;
        all.extend(page.items.iter().map(|post| (format!("/blog/{}", post.slug), post.published_at.millis())));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let mut after = None;
    loop {
        let page = pg.podcasts(after, limit)?;
        all.extend(page.items.iter().map(|one| (format!("/podcasts/{}", one.slug), one.updated_at.millis())));
        after = page.next;
        if after.is_none() {
            return Ok(all);
        }
    }
}

/// Puts the site's name, its support address and its own address into a text.
pub fn in_place(text: &str, config: &Config) -> String {
    text.replace("{name}", &config.site.name)
        .replace("{email}", config.site.support_email.as_str())
        .replace("{url}", &config.public_url)
}

/// The podcast as a whole.
fn show(pg: &mut Pg<'_>) -> Result<Show, ApiError> {
    let unnamed = || Show { title: "Podcast".to_owned(), description: "Ideas from books, to be heard.".to_owned() };
    pg.site_content(SHOW)?
        .map_or_else(|| Ok(unnamed()), |value| serde_json::from_value(value).map_err(ApiError::internal))
}

/// The book of this name, if it is published.
fn book(pg: &mut Pg<'_>, subid: Option<&Slug>) -> Result<Option<BookCard>, ApiError> {
    let Some(subid) = subid else { return Ok(None) };
    Ok(pg.book(&BookRef::Subid(subid.clone()))?.map(|book| BookCard::from(&book.card)))
}
