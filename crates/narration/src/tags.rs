//! Metadata tags (ID3) of a recording.

/// The metadata tags that an encoder writes into a recording.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    pub title: &'a str,
    /// The author.
    pub artist: &'a str,
}
