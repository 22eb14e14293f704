//! Extracts text from HTML, PDF, EPUB, DOCX, Markdown and plain text. No I/O: bytes in, text out.
//!
//! Invariants:
//!
//! - The format is detected from the content only, not from the file name or the client's content type.
//! - No part of a file is unpacked beyond its [`Limits`].

mod archive;
mod builder;
mod document;
mod docx;
mod encoding;
mod epub;
mod error;
mod html;
mod kind;
mod limits;
mod markdown;
mod pdf;
mod plain;
mod xml;

pub use document::{Document, DocumentKind, Heading};
pub use error::{ExtractionError, ForeignKind};
pub use limits::Limits;

/// Extracts the text of a document. `charset` is from the server's `Content-Type`; a byte order mark takes precedence.
pub fn extract(bytes: &[u8], charset: Option<&str>, limits: &Limits) -> Result<Document, ExtractionError> {
    if bytes.len() > limits.input {
        return Err(ExtractionError::FileTooLarge { limit: limits.input });
    }
    let document = match kind::recognise(bytes, limits)? {
        kind::Recognised::Pdf => pdf::read(bytes, limits),
        kind::Recognised::Epub(archive) => epub::read(archive, limits),
        kind::Recognised::Docx(archive) => docx::read(archive, limits),
        kind::Recognised::Text => {
            let text = encoding::decode(bytes, charset);
            match kind::recognise_text(&text) {
                DocumentKind::Html => html::read_page(&text, limits),
                DocumentKind::Markdown => markdown::read(&text, limits),
                DocumentKind::Text | DocumentKind::Pdf | DocumentKind::Epub | DocumentKind::Docx => {
                    plain::read(&text, limits)
                }
            }
        }
    }?;
    if document.text.chars().any(char::is_alphanumeric) { Ok(document) } else { Err(ExtractionError::NoText) }
}
