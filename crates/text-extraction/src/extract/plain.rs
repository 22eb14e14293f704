//! Plain text.

use crate::extract::builder::DocumentBuilder;
use crate::extract::document::{Document, DocumentKind};
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;

/// Reads a text: blank lines separate paragraphs, line breaks are kept.
pub(crate) fn read(text: &str, limits: &Limits) -> Result<Document, ExtractionError> {
    let mut builder = DocumentBuilder::new(DocumentKind::Text, limits);
    append(text, &mut builder)?;
    Ok(builder.finish())
}

/// Adds a text, paragraph by paragraph.
pub(crate) fn append(text: &str, builder: &mut DocumentBuilder) -> Result<(), ExtractionError> {
    // Old Macintosh files end lines with CR alone; FF is a page break.
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\u{c}', "\n\n");
    let mut paragraph = String::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            builder.lines(&std::mem::take(&mut paragraph))?;
        } else {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    builder.lines(&paragraph)
}
