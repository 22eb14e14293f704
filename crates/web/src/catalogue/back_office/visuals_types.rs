//! Illustrated key ideas for editors on the wire.

use crate::{
    catalogue::types::book_name::BookName,
    editing::{Version, required},
    http::error::ApiError,
};
use catalogue::{BookRef, VisualEdit};
use kernel::{Timestamp, VisualId};
use media::UrlSigner;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{catalogue::editing::visuals::BookVisual, editing::Versioned};

/// An illustrated key idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorVisual {
    /// The id of the key idea.
    id: i64,
    /// The id of the book.
    book_id: i64,
    /// The slug of the book.
    book_subid: String,
    /// The title of the book.
    book_title: String,
    /// A title of a few words.
    title: String,
    /// The text, as plain text.
    body: String,
    /// The presigned URL of the picture; null without one, in which case readers do not see the key idea.
    #[schema(required)]
    image: Option<String>,
    #[serde(flatten)]
    version: Version,
}

impl EditorVisual {
    /// A key idea with a presigned URL of its picture.
    pub(crate) fn signed(one: Versioned<BookVisual>, signer: &UrlSigner, now: Timestamp) -> Self {
        let Versioned { row, version } = one;
        Self {
            id: row.visual.id.get(),
            book_id: row.visual.book.get(),
            book_subid: row.subid.to_string(),
            book_title: row.title,
            title: row.visual.title,
            body: row.visual.body,
            image: row.visual.image.map(|key| signer.presign(&key, None, now).url),
            version: version.into(),
        }
    }
}

/// The illustrated key ideas.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorVisualsResult {
    /// The key ideas, by book and in the order in which readers see them.
    pub(crate) visuals: Vec<EditorVisual>,
}

/// The result of requests for an illustrated key idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorVisualResult {
    /// The key idea.
    pub(crate) visual: EditorVisual,
}

/// The body of a request that creates or updates a key idea. An update leaves missing fields unchanged.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VisualForm {
    /// The version that the editor has read; if the key idea was saved since then, the response is `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The id or slug of the book; required for a new key idea.
    book_id: Option<BookName>,
    /// A title of a few words; required for a new key idea.
    title: Option<String>,
    /// The text, as plain text of at most 90 words; required for a new key idea.
    body: Option<String>,
    /// The URL of the picture, as it was read. Blank removes the picture; a new one is uploaded separately.
    image: Option<String>,
}

impl VisualForm {
    /// Parses and validates the fields in the order of the form (`catalogue.visual-fields`).
    pub(crate) fn read(self, is_new: bool) -> Result<VisualEdit, ApiError> {
        let book = BookName::in_form(self.book_id.as_ref())?;
        if is_new && book.is_none() {
            return Err(ApiError::invalid("bookId", "Please specify Book ID."));
        }
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("body", "Body", self.body.as_deref(), is_new)?;
        let without_image = self.image.is_some_and(|image| image.trim().is_empty());
        Ok(VisualEdit { book, title: self.title, body: self.body, without_image })
    }
}

/// The body of a request that reorders the key ideas of a book.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VisualOrder {
    /// The id or slug of the book.
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
    /// The ids of all key ideas of the book, in the new order, each once.
    #[schema(max_items = 1000)]
    visuals: Vec<i64>,
}

impl VisualOrder {
    /// Parses the book and the new order of its key ideas.
    pub(crate) fn read(self) -> Result<(BookRef, Vec<VisualId>), ApiError> {
        let book = BookName::in_form(self.book_id.as_ref())?;
        let book = book.ok_or_else(|| ApiError::invalid("bookId", "Please specify Book ID."))?;
        let invalid = |_| ApiError::invalid("visuals", "An id is a positive number.");
        let ids = self.visuals.into_iter().map(VisualId::new).collect::<Result<_, _>>().map_err(invalid)?;
        Ok((book, ids))
    }
}
