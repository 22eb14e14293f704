//! Authors and tags for editors on the wire.

use crate::{
    editing::{Version, required},
    http::{
        error::ApiError,
        wire::page::{ListCount, after, given, limit},
    },
};
use catalogue::{AuthorEdit, ListedAuthor, ListedTag, NamesQuery};
use kernel::Limit;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::editing::Versioned;

/// Query parameters of the lists of authors and tags: filters and cursor.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NamesParams {
    /// A part of the name, or a complete id.
    q: Option<String>,
    /// True: only those without a book. Default: false.
    unused: Option<bool>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl NamesParams {
    /// Parses and validates the parameters.
    pub(crate) fn read<Id: std::str::FromStr>(&self) -> Result<NamesQuery<Id>, ApiError> {
        Ok(NamesQuery {
            text: given(self.q.as_deref()).map(str::to_owned),
            unused: self.unused.unwrap_or(false),
            after: after(self.after.as_deref())?,
            limit: limit(self.limit, Limit::MAX, Limit::MAX)?,
        })
    }
}

/// An author.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorAuthor {
    /// The id of the author.
    id: i64,
    /// The slug of the author.
    slug: String,
    /// The name.
    name: String,
    /// The name as it is sorted, such as `Du Bois, W. E. B.`; null if the last word of the name is the family name.
    #[schema(required)]
    sort_name: Option<String>,
    /// A description of the author, in plain text.
    description: String,
    /// The number of books, published or not.
    book_count: u64,
    /// The number of readable books.
    readable_count: u64,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<ListedAuthor>> for EditorAuthor {
    fn from(Versioned { row, version }: Versioned<ListedAuthor>) -> Self {
        let draft = row.author.draft;
        Self {
            id: row.author.id.get(),
            slug: draft.slug.to_string(),
            name: draft.name,
            sort_name: draft.sort_name,
            description: draft.description,
            book_count: row.books,
            readable_count: row.author.book_count,
            version: version.into(),
        }
    }
}

/// A page of authors.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorAuthorsResult {
    /// The authors, by sort name.
    pub(crate) authors: Vec<EditorAuthor>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// The result of requests for an author.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorAuthorResult {
    /// The author.
    pub(crate) author: EditorAuthor,
}

/// The body of a request that creates or updates an author. An update leaves missing fields unchanged.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthorForm {
    /// The version that the editor has read; if the author was saved since then, the response is `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The name; required for a new author.
    name: Option<String>,
    /// The name as it is sorted, if the last word of the name is not the family name. Blank removes it.
    sort_name: Option<String>,
    /// A description of the author.
    description: Option<String>,
}

impl AuthorForm {
    /// Parses and validates the fields.
    pub(crate) fn read(self, is_new: bool) -> Result<AuthorEdit, ApiError> {
        required("name", "Name", self.name.as_deref(), is_new)?;
        Ok(AuthorEdit {
            name: self.name.as_deref().map(kernel::one_line),
            sort_name: self.sort_name.map(|name| Some(kernel::one_line(&name)).filter(|name| !name.is_empty())),
            description: self.description,
        })
    }
}

/// A tag.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorTag {
    /// The id of the tag.
    id: i64,
    /// The slug of the tag.
    slug: String,
    /// The display name.
    name: String,
    /// The number of books with it, published or not.
    book_count: u64,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<ListedTag>> for EditorTag {
    fn from(Versioned { row, version }: Versioned<ListedTag>) -> Self {
        let (slug, name) = (row.tag.slug.to_string(), row.tag.name);
        Self { id: row.id.get(), slug, name, book_count: row.books, version: version.into() }
    }
}

/// A page of tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorTagsResult {
    /// The tags, by name.
    pub(crate) tags: Vec<EditorTag>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// The result of requests for a tag.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorTagResult {
    /// The tag.
    pub(crate) tag: EditorTag,
}

/// The body of a request that creates or renames a tag.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct TagForm {
    /// The version that the editor has read; if the tag was saved since then, the response is `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The name; required.
    name: Option<String>,
}

impl TagForm {
    /// Validates the required name.
    pub(crate) fn read(self) -> Result<String, ApiError> {
        required("name", "Name", self.name.as_deref(), true)?;
        Ok(self.name.unwrap_or_default())
    }
}

/// The body of a request that merges an author or a tag into another one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct MergeForm {
    /// The id of the one that is kept.
    #[schema(minimum = 1)]
    pub(crate) into: i64,
    /// The version of the one that is merged, as the editor has read it; if it was saved since then, the response is `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
}
