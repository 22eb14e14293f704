//! The filters of a list that name something.

/// A filter that names something of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterName {
    /// [`crate::Filters::category`].
    Category,
    /// [`crate::Filters::collection`].
    Collection,
    /// [`crate::Filters::author`].
    Author,
    /// [`crate::Filters::tag`]. A tag that no published book has is unknown.
    Tag,
}

impl FilterName {
    /// The name, which is that of the parameter too.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Collection => "collection",
            Self::Author => "author",
            Self::Tag => "tag",
        }
    }
}
