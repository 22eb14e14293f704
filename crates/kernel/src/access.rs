//! How much of a summary a person may read.

/// How much of a summary a person may read (`reading-progress.full-text-rights`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The whole text, its audio and its PDF.
    Full,
    /// The truncated text only.
    Preview,
}
