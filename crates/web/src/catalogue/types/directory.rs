//! Authors, collections and search suggestions on the wire.

use catalogue::{AuthorsQuery, Letter, SuggestionsQuery};
use kernel::Limit;
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::catalogue::suggestions::SuggestionList;

use crate::{
    catalogue::types::book::{BookCard, Category},
    http::{
        error::ApiError,
        wire::page::{after, given, limit},
    },
};

/// The default and the maximum number of suggested books.
const SUGGESTED: usize = 6;
const MOST_SUGGESTED: usize = 20;
/// The maximum length of a search text, in characters.
const LONGEST_TEXT: usize = 200;

/// Query parameters of the directory of authors.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuthorsParams {
    /// Filters by the first letter of the family name: `a` to `z`, or `other`.
    #[param(pattern = r"^([A-Za-z]|other)?$")]
    pub letter: Option<String>,
    /// The cursor: `result.next` of the previous page.
    pub after: Option<String>,
    /// The page size, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl AuthorsParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] = &["letter", "after", "limit"];

    /// Parses and validates the parameters.
    pub fn read(&self) -> Result<AuthorsQuery, ApiError> {
        let letter = given(self.letter.as_deref())
            .map(|text| Letter::parse(text).ok_or_else(|| ApiError::invalid("letter", "A letter is a to z, or other.")))
            .transpose()?;
        Ok(AuthorsQuery {
            letter,
            after: after(self.after.as_deref())?,
            limit: limit(self.limit, Limit::MAX, Limit::MAX)?,
        })
    }
}

/// Query parameters of the suggestions.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchParams {
    /// The text typed so far, at most 200 characters. The last word may be unfinished.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The number of books, 1 to 20. Default: 6.
    #[param(minimum = 1, maximum = 20)]
    pub limit: Option<usize>,
}

impl SearchParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] = &["q", "limit"];

    /// Parses and validates the parameters.
    pub fn read(&self) -> Result<SuggestionsQuery, ApiError> {
        let text = self.q.as_deref().unwrap_or_default();
        if text.chars().count() > LONGEST_TEXT {
            return Err(ApiError::invalid("q", format!("Please search for at most {LONGEST_TEXT} characters.")));
        }
        let limit = limit(self.limit, SUGGESTED, MOST_SUGGESTED)?;
        Ok(SuggestionsQuery { text: text.replace('\0', " "), limit })
    }
}

/// An author in the directory.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorRef {
    /// The slug.
    pub slug: String,
    /// The name.
    pub name: String,
    /// The letter of the directory: `a` to `z`, or `other`.
    pub letter: String,
    /// The number of published books by this author.
    pub book_count: u64,
}

impl From<&catalogue::AuthorCard> for AuthorRef {
    fn from(author: &catalogue::AuthorCard) -> Self {
        Self {
            slug: author.slug.to_string(),
            name: author.name.clone(),
            letter: author.letter.to_string(),
            book_count: author.book_count,
        }
    }
}

/// A page of the directory.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuthorsResult {
    /// Authors from A to Z by family name.
    pub authors: Vec<AuthorRef>,
    /// The letters under which authors are listed.
    pub letters: Vec<String>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// An author's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// The slug.
    pub slug: String,
    /// The name.
    pub name: String,
    /// A description of the author, as plain text.
    pub description: String,
    /// The number of published books by this author.
    pub book_count: u64,
}

impl From<&catalogue::Author> for Author {
    fn from(author: &catalogue::Author) -> Self {
        Self {
            slug: author.draft.slug.to_string(),
            name: author.draft.name.clone(),
            description: author.draft.description.clone(),
            book_count: author.book_count,
        }
    }
}

/// One author.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuthorResult {
    /// The author. The books are `GET /api/books?author=`.
    pub author: Author,
}

/// A collection of categories.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Collection {
    /// The id.
    pub id: i64,
    /// The title.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The URL of its picture.
    pub image: Option<String>,
    /// When it was added, in milliseconds since the Unix epoch.
    pub upload_date: i64,
    /// Its categories, in the editors' order.
    pub categories: Vec<Category>,
    /// Whether editors chose its books and their order.
    pub is_chosen: bool,
}

impl Collection {
    /// A collection. `all` provides its categories.
    pub fn new(collection: &catalogue::Collection, all: &[catalogue::Category]) -> Self {
        let draft = &collection.draft;
        let of = |subid: &kernel::Slug| all.iter().find(|category| category.draft.subid == *subid).map(Category::from);
        Self {
            id: collection.id.get(),
            title: draft.title.clone(),
            subtitle: draft.subtitle.clone(),
            image: draft.image.as_deref().map(Media::url),
            upload_date: draft.upload_date.millis(),
            categories: draft.categories.iter().filter_map(of).collect(),
            is_chosen: !draft.books.is_empty(),
        }
    }
}

/// A page of the collections.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CollectionsResult {
    /// The newest first.
    pub collections: Vec<Collection>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// One collection.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CollectionResult {
    /// The collection. Its books are `GET /api/books?collection=`.
    pub collection: Collection,
}

/// A tag.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TagRef {
    /// The slug.
    pub slug: String,
    /// The name.
    pub name: String,
}

/// Suggestions for an unfinished search; each list has the best matches first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Books, each with the matching passage.
    pub books: Vec<BookCard>,
    /// Whether more books match.
    pub more: bool,
    /// A suggested search, if a word of this one is misspelled or nearly equals one in a title or an author's name; otherwise null.
    pub did_you_mean: Option<String>,
    /// Authors.
    pub authors: Vec<AuthorRef>,
    /// Categories.
    pub categories: Vec<Category>,
    /// Collections.
    pub collections: Vec<Collection>,
    /// Tags.
    pub tags: Vec<TagRef>,
}

impl From<&SuggestionList> for SearchResult {
    fn from(list: &SuggestionList) -> Self {
        let found = &list.found;
        let tags = found.tags.iter().map(|tag| TagRef { slug: tag.slug.to_string(), name: tag.name.clone() });
        Self {
            books: found.books.iter().map(BookCard::from).collect(),
            more: found.more,
            did_you_mean: found.did_you_mean.clone(),
            authors: found.authors.iter().map(Into::into).collect(),
            categories: found.categories.iter().map(Into::into).collect(),
            collections: found.collections.iter().map(|one| Collection::new(one, &list.categories)).collect(),
            tags: tags.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AuthorsParams, SearchParams};

    #[test]
    fn parameters_have_bounds() {
        let search =
            |q: &str, limit| SearchParams { q: Some(q.to_owned()), limit }.read().map(|query| query.limit.get());
        assert_eq!((search("x", None).ok(), search("x", Some(20)).ok()), (Some(6), Some(20)));
        assert!(
            search("x", Some(21)).is_err() && search("x", Some(0)).is_err() && search(&"x".repeat(201), None).is_err()
        );
        let letter = |text: &str| AuthorsParams { letter: Some(text.to_owned()), ..AuthorsParams::default() }.read();
        assert!(letter("T").is_ok() && letter("").is_ok() && letter("tt").is_err());
        assert!(AuthorsParams { after: Some("x".to_owned()), ..AuthorsParams::default() }.read().is_err());
    }
}
