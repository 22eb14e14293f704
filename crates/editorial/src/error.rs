//! How the editorial part refuses.

use std::fmt;

use kernel::StoreError;

/// What an editor left blank or wrote too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The title.
    Title,
    /// The line or two below it.
    Description,
    /// The text, or what is spoken.
    Text,
    /// The thought itself.
    Insight,
    /// The categories of a post.
    Categories,
}

impl Field {
    /// Its name on the wire and in seed files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::Text => "text",
            Self::Insight => "insight",
            Self::Categories => "categories",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why something was not saved or found.
#[derive(Debug, thiserror::Error)]
pub enum EditorialError {
    /// A field that must say something is blank.
    #[error("Please specify the {0}.")]
    Blank(Field),
    /// A category whose name leaves nothing for an address.
    #[error("'{0}' can't be the name of a category: it needs a letter.")]
    BadCategory(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EditorialError {
    /// The field that is wrong.
    pub const fn field(&self) -> Option<Field> {
        match self {
            Self::Blank(field) => Some(*field),
            Self::BadCategory(_) => Some(Field::Categories),
            Self::Store(_) => None,
        }
    }
}
