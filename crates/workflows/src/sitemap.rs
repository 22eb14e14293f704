//! The sitemap: the URLs of the site for crawlers, in parts.

use catalogue::{AuthorsQuery, CatalogueLists, CatalogueQueries, IdeaLinkQueries};
use editorial::EditorialQueries;
use kernel::{Limit, Page, StoreError, Timestamp};
use study::ListSlug;

use crate::{
    editorial::{product_pages, texts::SITE_PAGES},
    study::lists::indexed_lists,
    tx::Tx,
};

/// How many books a part lists. The protocol allows 50,000; smaller parts are faster to make and to read.
const BOOKS_A_PART: u64 = 10_000;
/// How many authors and collections are listed at most. They are read a page at a time, and there are far fewer.
const MOST_NAMES: usize = 10_000;
/// Pages that always exist, whatever the catalogue contains.
const ALWAYS: [&str; 9] =
    ["/", "/books", "/authors", "/collections", "/ideas", "/visuals", "/infographics", "/blog", "/podcasts"];

/// A URL of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub path: String,
    /// When the page last changed; `None` if that is unknown.
    pub changed_at: Option<Timestamp>,
}

impl Location {
    fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), changed_at: None }
    }
}

/// A part of the sitemap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SitemapPart {
    /// The site's pages.
    Pages,
    /// Blog posts and podcast episodes.
    Blog,
    Authors,
    /// Public lists of members.
    Lists,
    /// Some of the books; parts are numbered from 1.
    Books(u64),
}

impl SitemapPart {
    /// Parses the name of a part in its URL; `None` if there is no such part.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "pages" => Some(Self::Pages),
            "blog" => Some(Self::Blog),
            "authors" => Some(Self::Authors),
            "lists" => Some(Self::Lists),
            _ => {
                let number = name.strip_prefix("books-")?.parse().ok()?;
                (number > 0).then_some(Self::Books(number))
            }
        }
    }

    /// The name of the part in its URL.
    pub fn name(self) -> String {
        match self {
            Self::Pages => "pages".to_owned(),
            Self::Blog => "blog".to_owned(),
            Self::Authors => "authors".to_owned(),
            Self::Lists => "lists".to_owned(),
            Self::Books(number) => format!("books-{number}"),
        }
    }
}

/// The parts of the sitemap.
pub fn sitemap_parts<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<SitemapPart>, StoreError> {
    let books = (1..=tx.pg.book_count()?.div_ceil(BOOKS_A_PART)).map(SitemapPart::Books);
    let parts = [SitemapPart::Pages, SitemapPart::Blog, SitemapPart::Authors];
    let lists = (!indexed_lists(tx, 1)?.is_empty()).then_some(SitemapPart::Lists);
    Ok(parts.into_iter().chain(lists).chain(books).collect())
}

/// The URLs of a part; empty if there is no such part.
pub fn sitemap_locations<A>(tx: &mut Tx<'_, '_, A>, part: SitemapPart) -> Result<Vec<Location>, StoreError> {
    match part {
        SitemapPart::Pages => pages(tx),
        SitemapPart::Blog => writings(tx),
        SitemapPart::Authors => authors(tx),
        SitemapPart::Lists => lists(tx),
        SitemapPart::Books(number) => books(tx, number),
    }
}

fn pages<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Location>, StoreError> {
    let house = SITE_PAGES.iter().map(|slug| Location::new(format!("/{slug}")));
    let categories = tx.pg.categories()?;
    let landings = categories.iter().map(|category| Location::new(format!("/category/{}", category.draft.subid)));
    let linked = tx.pg.count_links_by_category()?;
    let maps = categories.iter().filter(|category| linked.iter().any(|(id, _)| *id == category.id));
    let maps = maps.map(|category| Location::new(format!("/ideas/{}", category.draft.subid)));
    let mut locations: Vec<Location> = ALWAYS
        .into_iter()
        .chain(product_pages::canonical_paths())
        .map(Location::new)
        .chain(house)
        .chain(landings)
        .chain(maps)
        .collect();
    let mut after = None;
    while locations.len() < MOST_NAMES {
        let page = tx.pg.collections(after, Limit::clamped(Limit::MAX))?;
        locations.extend(page.items.iter().map(|one| Location::new(format!("/collections/{}", one.id))));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(locations)
}

fn authors<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Location>, StoreError> {
    let mut locations = Vec::new();
    let mut query = AuthorsQuery { letter: None, after: None, limit: Limit::clamped(Limit::MAX) };
    while locations.len() < MOST_NAMES {
        let page = tx.pg.authors(&query)?;
        locations.extend(page.items.iter().map(|author| Location::new(format!("/authors/{}", author.slug))));
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    Ok(locations)
}

fn lists<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Location>, StoreError> {
    let lists = indexed_lists(tx, MOST_NAMES)?;
    let location = |(slug, changed_at): (ListSlug, Timestamp)| Location {
        path: format!("/list/{}", slug.as_str()),
        changed_at: Some(changed_at),
    };
    Ok(lists.into_iter().map(location).collect())
}

/// Posts and episodes. All of them are read, a page at a time: there are hundreds of them, not millions.
fn writings<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Location>, StoreError> {
    let mut locations = vec![Location::new("/blog/whats-new")];
    let limit = Limit::clamped(Limit::MAX);
    let posts = Page::all(|after| tx.pg.posts(None, after, limit))?;
    locations.extend(
        posts.iter().map(|one| Location { path: format!("/blog/{}", one.slug), changed_at: Some(one.published_at) }),
    );
    let podcasts = Page::all(|after| tx.pg.podcasts(after, limit))?;
    locations.extend(
        podcasts
            .iter()
            .map(|one| Location { path: format!("/podcasts/{}", one.slug), changed_at: Some(one.updated_at) }),
    );
    Ok(locations)
}

fn books<A>(tx: &mut Tx<'_, '_, A>, number: u64) -> Result<Vec<Location>, StoreError> {
    let first = number.saturating_sub(1).saturating_mul(BOOKS_A_PART);
    let found = tx.pg.book_addresses(first, BOOKS_A_PART)?;
    let location = |(subid, changed_at)| Location { path: format!("/books/{subid}"), changed_at: Some(changed_at) };
    Ok(found.into_iter().map(location).collect())
}

#[cfg(test)]
mod tests {
    use super::{BOOKS_A_PART, SitemapPart};

    /// The protocol's limit of URLs per part.
    const PROTOCOL_MOST: u64 = 50_000;

    #[test]
    fn a_part_is_never_larger_than_the_protocol_allows() {
        const { assert!(BOOKS_A_PART <= PROTOCOL_MOST) };
    }

    #[test]
    fn parts_are_found_by_their_names_and_by_no_other() {
        for part in
            [SitemapPart::Pages, SitemapPart::Blog, SitemapPart::Authors, SitemapPart::Lists, SitemapPart::Books(12)]
        {
            assert_eq!(SitemapPart::parse(&part.name()), Some(part));
        }
        for name in ["", "books", "books-", "books-0", "books--1", "Pages"] {
            assert_eq!(SitemapPart::parse(name), None, "{name:?}");
        }
    }
}
