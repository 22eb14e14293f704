//! Tags of a recording's file.

/// The tags of a recording's file.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    pub title: &'a str,
    /// The author.
    pub artist: &'a str,
}
