//! How the editorial part refuses.

use std::fmt;

use kernel::StoreError;

/// What an editor left blank or wrote too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Title,
    /// The line or two below it.
    Description,
    /// The text, or what is spoken.
    Text,
    /// The thought itself.
    Insight,
    /// The categories of a post.
    Categories,
    /// What a link says.
    LinkText,
    /// Where a link leads.
    Href,
    /// When something ends.
    Until,
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
            Self::LinkText => "linkText",
            Self::Href => "href",
            Self::Until => "until",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LinkText => "link text",
            Self::Href => "link",
            Self::Until => "end",
            other => other.as_str(),
        })
    }
}

/// Why something was not saved or found.
#[derive(Debug, thiserror::Error)]
pub enum EditorialError {
    /// A field that must say something is blank.
    #[error("Please specify the {0}.")]
    Blank(Field),
    /// A category whose name leaves nothing for an address.
    #[error("'{0}' can't be the name of a category: it needs at least one letter.")]
    BadCategory(String),
    /// Another insight has the title.
    #[error("Another insight has this title.")]
    TitleTaken,
    /// A text has more than so many characters.
    #[error("Please use at most {1} characters for the {0}.")]
    TooLong(Field, usize),
    /// A link leads elsewhere than to a path of this site.
    #[error("Please give a path of this site, such as /try.")]
    BadLink,
    /// Something ends before it begins.
    #[error("The end must be after the beginning.")]
    EndsFirst,
    /// A text names the price of something that is not sold.
    #[error("'{0}' does not stand for anything here.")]
    UnknownPlaceholder(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EditorialError {
    /// The field that is wrong.
    pub const fn field(&self) -> Option<Field> {
        match self {
            Self::Blank(field) | Self::TooLong(field, _) => Some(*field),
            Self::BadCategory(_) => Some(Field::Categories),
            Self::TitleTaken => Some(Field::Title),
            Self::BadLink => Some(Field::Href),
            Self::EndsFirst => Some(Field::Until),
            Self::UnknownPlaceholder(_) => Some(Field::Text),
            Self::Store(_) => None,
        }
    }
}
