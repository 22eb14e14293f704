//! What books are found by, for a viewer: authors, collections, and suggestions while somebody types.

use catalogue::{AuthorsQuery, Catalogue, SuggestionsQuery};
use kernel::{CollectionId, DateCursor, Limit, Slug, Timestamp, UserId};
use postgres::Pg;

use super::lists;
use crate::{
    error::ApiError,
    wire::discovery::{Author, AuthorsResult, Collection, CollectionsResult, SearchResult, TagRef},
};

/// A page of the directory of authors.
pub fn authors(pg: &mut Pg<'_>, query: &AuthorsQuery) -> Result<AuthorsResult, ApiError> {
    let page = pg.authors(query)?;
    Ok(AuthorsResult {
        authors: page.items.iter().map(Into::into).collect(),
        letters: pg.letters()?.iter().map(ToString::to_string).collect(),
        next: page.next.map(|next| next.to_string()),
    })
}

/// An author, with text.
pub fn author(pg: &mut Pg<'_>, slug: &Slug) -> Result<Option<Author>, ApiError> {
    Ok(pg.author(slug)?.as_ref().map(Into::into))
}

/// A page of the collections, each with its categories.
pub fn collections(
    pg: &mut Pg<'_>,
    after: Option<DateCursor<CollectionId>>,
    limit: Limit,
) -> Result<CollectionsResult, ApiError> {
    let page = pg.collections(after, limit)?;
    let categories = pg.categories()?;
    Ok(CollectionsResult {
        collections: page.items.iter().map(|collection| Collection::new(collection, &categories)).collect(),
        next: page.next.map(|next| next.to_string()),
    })
}

/// A collection with its categories.
pub fn collection(pg: &mut Pg<'_>, id: CollectionId) -> Result<Option<Collection>, ApiError> {
    let Some(collection) = pg.collection(id)? else { return Ok(None) };
    Ok(Some(Collection::new(&collection, &pg.categories()?)))
}

/// What somebody may be about to look for, and until when its passages may be shown.
pub fn suggestions(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    query: &SuggestionsQuery,
    now: Timestamp,
) -> Result<(SearchResult, Option<Timestamp>), ApiError> {
    let (readable, right_until) = lists::readable(pg, viewer, now)?;
    let found = pg.suggestions(query, &readable)?;
    let categories = if found.collections.is_empty() { Vec::new() } else { pg.categories()? };
    let tags = found.tags.iter().map(|tag| TagRef { slug: tag.slug.to_string(), name: tag.name.clone() });
    let result = SearchResult {
        books: found.books.iter().map(lists::found).collect(),
        more: found.more,
        authors: found.authors.iter().map(Into::into).collect(),
        categories: found.categories.iter().map(Into::into).collect(),
        collections: found.collections.iter().map(|one| Collection::new(one, &categories)).collect(),
        tags: tags.collect(),
    };
    Ok((result, right_until))
}
