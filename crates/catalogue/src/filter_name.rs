//! The list filters that refer to a category, a collection, an author or a tag.

/// A list filter that refers to something that may not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterName {
    /// [`crate::Filters::category`].
    Category,
    /// [`crate::Filters::collection`].
    Collection,
    /// [`crate::Filters::author`].
    Author,
    /// [`crate::Filters::tag`]. A tag without a published book counts as unknown.
    Tag,
}

impl FilterName {
    /// The name of the filter and of its query parameter.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Collection => "collection",
            Self::Author => "author",
            Self::Tag => "tag",
        }
    }
}
