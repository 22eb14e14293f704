//! The result of reading a document.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A document format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
    Html,
    Pdf,
    Epub,
    /// Word since 2007.
    Docx,
    Markdown,
    Text,
}

impl fmt::Display for DocumentKind {
    /// The name with its article, for use in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Html => "a web page",
            Self::Pdf => "a PDF",
            Self::Epub => "an EPUB book",
            Self::Docx => "a Word document",
            Self::Markdown => "a Markdown file",
            Self::Text => "a text file",
        })
    }
}

/// A heading of a [`Document`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its byte range in [`Document::text`].
    pub range: Range<usize>,
    /// 1 to 6.
    pub level: u8,
}

/// The text read from a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub kind: DocumentKind,
    /// The title that the document states, if any.
    pub title: Option<String>,
    /// Paragraphs separated by a blank line, without control characters.
    pub text: String,
    /// In document order.
    pub headings: Vec<Heading>,
}
