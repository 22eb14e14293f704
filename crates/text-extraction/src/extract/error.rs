//! Why a document can't be read, in sentences for the person who uploaded it.

use serde::{Deserialize, Serialize};

use crate::extract::document::DocumentKind;

/// Why a document can't be read. The message says what happened and what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ExtractionError {
    #[error("This file is larger than {} MB. Please choose a smaller one, or paste the part that matters.", limit / 1_048_576)]
    FileTooLarge {
        /// In bytes.
        limit: usize,
    },
    #[error("This file is empty. Please choose another one.")]
    Empty,
    /// A recognized file format that is not supported.
    #[error("{0} We can read PDF, EPUB, Word (DOCX), HTML, Markdown and text files.")]
    Foreign(ForeignKind),
    /// Password or DRM.
    #[error(
        "This file is protected by a password or by copy protection, so we can't read it. Please choose an unprotected copy."
    )]
    Protected,
    /// A PDF without a text layer.
    #[error(
        "This PDF is a scan: it has pictures of pages and no text. Please choose a PDF with text in it, or run text recognition (OCR) on it first."
    )]
    Scanned,
    /// Malformed for its format.
    #[error("This file looks like {0} but is damaged or incomplete. Please save or download it again, then retry.")]
    Damaged(DocumentKind),
    /// A ZIP bomb, or a very large archive.
    #[error("This file unpacks to more than {} MB, so we stopped reading it. Please choose a smaller one.", limit / 1_048_576)]
    UnpacksTooLarge {
        /// In bytes.
        limit: usize,
    },
    #[error("This file has more than {limit} parts, so we stopped reading it. Please choose a smaller one.")]
    TooManyParts { limit: usize },
    #[error("This PDF has {pages} pages; we read at most {limit}. Please choose a part of it.")]
    TooManyPages { pages: usize, limit: usize },
    /// Elements are nested beyond `Limits::depth`.
    #[error("This file is nested too deeply for us to read. Please save it as plain text and try again.")]
    TooDeep,
    /// The extracted text exceeds the limit.
    #[error("This file has more than {} MB of text. Please choose a part of it.", limit / 1_048_576)]
    TooMuchText {
        /// In bytes.
        limit: usize,
    },
    #[error("We found no text in this file. Please choose one with text in it.")]
    NoText,
}

/// A recognized kind of file that can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ForeignKind {
    #[error("This is a picture.")]
    Picture,
    /// Audio or video.
    #[error("This is a recording.")]
    Recording,
    /// An office spreadsheet or presentation.
    #[error("This is a spreadsheet or a presentation.")]
    Sheet,
    /// An old Word file, or another word processor's format.
    #[error("This is a document from another word processor or an old version.")]
    OtherWordProcessor,
    /// A compressed archive.
    #[error("This is a compressed folder.")]
    Archive,
    #[error("This is a program.")]
    Program,
    #[error("We don't know this kind of file.")]
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_what_happened_and_what_to_do() {
        let text = ExtractionError::FileTooLarge { limit: 25 * 1024 * 1024 }.to_string();
        assert_eq!(
            text,
            "This file is larger than 25 MB. Please choose a smaller one, or paste the part that matters."
        );
        let text = ExtractionError::Damaged(DocumentKind::Pdf).to_string();
        assert!(text.starts_with("This file looks like a PDF but is damaged"), "{text}");
        let text = ExtractionError::Foreign(ForeignKind::Picture).to_string();
        assert!(text.starts_with("This is a picture. We can read PDF"), "{text}");
    }
}
