//! How much of a summary a person may read.

/// How much of a summary a person may read (`decisions.md` 22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The whole text, its audio and its PDF.
    Full,
    /// The truncated text only.
    Preview,
}
