//! What is read out of a document.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A kind of document that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
    /// A page of the web.
    Html,
    /// Portable Document Format.
    Pdf,
    /// An electronic book.
    Epub,
    /// A document of Word since 2007.
    Docx,
    /// Text with Markdown's marks.
    Markdown,
    /// Plain text.
    Text,
}

impl fmt::Display for DocumentKind {
    /// With its article, as part of a sentence.
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

/// A heading of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// Its level, 1 to 6.
    pub level: u8,
}

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What the document is.
    pub kind: DocumentKind,
    /// Its title, when it states one.
    pub title: Option<String>,
    /// Its text: paragraphs with a blank line between them, without control characters.
    pub text: String,
    /// Its headings, in order.
    pub headings: Vec<Heading>,
}
