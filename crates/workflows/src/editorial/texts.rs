//! Editorial texts with data of other domains: posts and insights with the book that they name, and the site's pages with its
//! name and addresses in place of placeholders.

use catalogue::{BookCard, BookRef, CatalogueQueries};
use editorial::{EditorialQueries, Insight, Post, PostCard, PostCategory, SitePage, WHATS_NEW};
use kernel::{DateCursor, Limit, Page, PostId, Slug, StoreError};

use crate::tx::{Settings, Tx};

/// The slugs of the site's pages that operators write; they are their paths too.
pub const SITE_PAGES: [&str; 3] = ["about", "terms", "privacy"];
/// How many other posts a post's page offers.
const MORE: usize = 3;

/// A page of the blog.
#[derive(Clone, Debug)]
pub struct BlogPage {
    /// Newest first.
    pub posts: Page<PostCard, DateCursor<PostId>>,
    /// All categories that posts have, by name.
    pub categories: Vec<PostCategory>,
}

/// Reads a page of the blog: all posts, or those of a category. `None` if there is no such category: one without posts does not
/// exist, except for the news.
pub fn blog_page<A>(
    tx: &mut Tx<'_, '_, A>,
    category: Option<&Slug>,
    after: Option<DateCursor<PostId>>,
    limit: Limit,
) -> Result<Option<BlogPage>, StoreError> {
    let posts = tx.pg.posts(category, after, limit)?;
    let categories = tx.pg.post_categories()?;
    let is_known = |slug: &Slug| slug.as_str() == WHATS_NEW || categories.iter().any(|one| one.slug == *slug);
    Ok(category.is_none_or(is_known).then_some(BlogPage { posts, categories }))
}

/// A post, with the book that it names and the newest other posts.
#[derive(Clone, Debug)]
pub struct PostWithBook {
    pub post: Post,
    /// The book that the post names, if it is published.
    pub book: Option<BookCard>,
    /// The newest other posts.
    pub more: Vec<PostCard>,
}

/// Reads a post; `None` if there is no such post, or it is not published.
pub fn post<A>(tx: &mut Tx<'_, '_, A>, slug: &Slug) -> Result<Option<PostWithBook>, StoreError> {
    let Some(post) = tx.pg.published_post(slug)? else { return Ok(None) };
    Ok(Some(PostWithBook { book: book(tx, post.book.as_ref())?, more: tx.pg.posts_besides(slug, MORE)?, post }))
}

/// An insight, with the book that it names.
#[derive(Clone, Debug)]
pub struct InsightWithBook {
    pub insight: Insight,
    /// The book that the insight names, if it is published.
    pub book: Option<BookCard>,
}

/// Reads the insight of the day (UTC); `None` if there are no insights.
pub fn insight_of_the_day<A>(tx: &mut Tx<'_, '_, A>) -> Result<Option<InsightWithBook>, StoreError> {
    let Some(insight) = tx.pg.insight_of_the_day(tx.now())? else { return Ok(None) };
    Ok(Some(InsightWithBook { book: book(tx, insight.draft.book.as_ref())?, insight }))
}

/// Reads a page of the site with its placeholders filled in; `None` if there is no such page.
pub fn site_page<A>(tx: &mut Tx<'_, '_, A>, slug: &Slug) -> Result<Option<SitePage>, StoreError> {
    let page = tx.pg.site_page(slug)?;
    Ok(page.map(|page| SitePage {
        title: fill_in(&page.title, tx.settings),
        description: fill_in(&page.description, tx.settings),
        text: fill_in(&page.text, tx.settings),
        ..page
    }))
}

/// Replaces the placeholders `{name}`, `{email}` and `{url}` with the site's name, support address and URL.
pub(super) fn fill_in(text: &str, settings: &Settings) -> String {
    text.replace("{name}", &settings.site_name)
        .replace("{email}", settings.support_email.as_str())
        .replace("{url}", &settings.public_url)
}

fn book<A>(tx: &mut Tx<'_, '_, A>, subid: Option<&Slug>) -> Result<Option<BookCard>, StoreError> {
    let Some(subid) = subid else { return Ok(None) };
    Ok(tx.pg.book(&BookRef::Subid(subid.clone()))?.map(|book| book.card))
}
