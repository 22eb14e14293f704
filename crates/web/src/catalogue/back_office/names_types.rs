//! Authors and tags for editors on the wire.

use crate::{
    editing::{Version, required},
    http::{
        error::ApiError,
        wire::page::{ListCount, after, given, limit},
    },
};
use catalogue::{AuthorEdit, BOOKS_PAGE, ListedAuthor, ListedTag, NamesQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::editing::Versioned;

/// Which authors or tags.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NamesParams {
    /// A part of the name, or an id.
    q: Option<String>,
    /// Only those that no book has.
    unused: Option<bool>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 100 when nothing is said.
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
            limit: limit(self.limit, BOOKS_PAGE, BOOKS_PAGE)?,
        })
    }
}

/// An author.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorAuthor {
    /// The id.
    id: i64,
    /// The name in addresses.
    slug: String,
    /// The name.
    name: String,
    /// As the name stands in the directory; null when its last word comes first there.
    #[schema(required)]
    sort_name: Option<String>,
    /// Who it is, in plain text.
    description: String,
    /// How many books there are, published or not.
    book_count: u64,
    /// How many of them can be read.
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
    /// By their names in a directory.
    pub(crate) authors: Vec<EditorAuthor>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The key of the next page; null on the last one.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// An author.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorAuthorResult {
    /// The author.
    pub(crate) author: EditorAuthor,
}

/// What an editor writes about an author. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthorForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The name.
    name: Option<String>,
    /// As the name stands in the directory, where its last word does not come first; empty for none.
    sort_name: Option<String>,
    /// Who it is.
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
    /// Its id.
    id: i64,
    /// Its name in addresses.
    slug: String,
    /// Its name.
    name: String,
    /// How many books have it, published or not.
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
    /// By their names.
    pub(crate) tags: Vec<EditorTag>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The key of the next page; null on the last one.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A tag.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorTagResult {
    /// The tag.
    pub(crate) tag: EditorTag,
}

/// A tag's new name.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct TagForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The name.
    name: Option<String>,
}

impl TagForm {
    /// Validates the required name.
    pub(crate) fn read(self) -> Result<String, ApiError> {
        required("name", "Name", self.name.as_deref(), true)?;
        Ok(self.name.unwrap_or_default())
    }
}

/// Which author or tag takes the place of another one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct MergeForm {
    /// The id of the one that stays.
    #[schema(minimum = 1)]
    pub(crate) into: i64,
    /// The version of the other one that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
}
