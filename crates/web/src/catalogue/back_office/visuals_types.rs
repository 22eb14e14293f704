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
    /// Its id.
    id: i64,
    /// The id of its book.
    book_id: i64,
    /// The book's name in addresses.
    book_subid: String,
    /// The book's title.
    book_title: String,
    /// The idea in a few words.
    title: String,
    /// The idea, in plain text.
    body: String,
    /// The address of its picture, for a while. Without one readers do not see the idea.
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

/// Illustrated key ideas.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorVisualsResult {
    /// By book, and then in the order in which readers see them.
    pub(crate) visuals: Vec<EditorVisual>,
}

/// An illustrated key idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorVisualResult {
    /// The key idea.
    pub(crate) visual: EditorVisual,
}

/// What an editor writes about a key idea. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VisualForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The id of its book, or the book's name in addresses.
    book_id: Option<BookName>,
    /// The idea in a few words.
    title: Option<String>,
    /// The idea, in plain text of at most 90 words.
    body: Option<String>,
    /// The address of its picture, as it was read. An empty one takes the picture away; another one comes by an upload.
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

/// The order of a book's key ideas.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VisualOrder {
    /// The id of the book, or its name in addresses.
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
    /// The ids of all of its key ideas.
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
