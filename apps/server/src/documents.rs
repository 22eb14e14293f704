//! Books as files, for handlers and jobs.

pub use book_files::Format;
use bytes::Bytes;
use catalogue::Book;

use crate::{app::App, error::ApiError};

/// A book's file. The caller has decided who may have it.
pub async fn file(app: &App, book: &Book, format: Format) -> Result<Bytes, ApiError> {
    Ok(app.book_files().get_or_make(book, format).await?)
}
