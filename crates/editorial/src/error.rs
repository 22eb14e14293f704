//! The errors of editorial content.

use std::fmt;

use kernel::StoreError;

/// A field that an error refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Title,
    /// The line or two below the title.
    Description,
    /// The text of a post or a page, or the script of an episode.
    Text,
    /// The text of an insight.
    Insight,
    /// The categories of a post.
    Categories,
    /// The text of a link.
    LinkText,
    /// The target of a link.
    Href,
    /// The end of a period.
    Until,
}

impl Field {
    /// The field's name on the wire and in seed files.
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

/// Why something could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum EditorialError {
    /// A required field is blank.
    #[error("Please specify the {0}.")]
    Blank(Field),
    /// The name of a category yields no URL slug.
    #[error("'{0}' can't be the name of a category: it needs at least one letter.")]
    BadCategory(String),
    /// Another insight has this title.
    #[error("Another insight has this title.")]
    TitleTaken,
    /// A text has more characters than the given limit.
    #[error("Please use at most {1} characters for the {0}.")]
    TooLong(Field, usize),
    /// A link's target is not a path of this site.
    #[error("Please enter a path on this site, such as /try.")]
    BadLink,
    /// A period ends before it begins.
    #[error("The end must come after the start.")]
    EndsFirst,
    /// A text has a placeholder for something unknown, such as the price of something that is not sold.
    #[error("'{0}' is not a placeholder that works here.")]
    UnknownPlaceholder(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EditorialError {
    /// The field that is wrong; `None` when the store failed.
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
