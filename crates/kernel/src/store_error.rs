//! The one way in which a store fails.

use std::{error::Error, fmt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Failed,
    Unavailable,
    OwnerGone,
    UnstorableText,
}

/// A store could not do its work. Absence is an `Option`, a broken rule is a domain's error: this is neither.
#[derive(Debug)]
pub struct StoreError {
    kind: Kind,
    cause: Box<dyn Error + Send + Sync>,
}

impl StoreError {
    /// The store failed in a way that trying again won't mend.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Failed, cause: cause.into() }
    }

    /// The store can't be reached at the moment, or has no room: the caller may try again later.
    pub fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Unavailable, cause: cause.into() }
    }

    /// What was to be stored belongs to a person who has gone while it was on its way.
    pub fn owner_gone(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::OwnerGone, cause: cause.into() }
    }

    /// A text has a character that the store can't hold: U+0000.
    pub fn unstorable_text(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::UnstorableText, cause: cause.into() }
    }

    /// Whether trying again later makes sense.
    pub fn is_unavailable(&self) -> bool {
        self.kind == Kind::Unavailable
    }

    /// Whether it failed only because the person, or their session, is gone.
    pub fn is_owner_gone(&self) -> bool {
        self.kind == Kind::OwnerGone
    }

    /// Whether it failed only because a text has a character that can't be stored.
    pub fn is_unstorable_text(&self) -> bool {
        self.kind == Kind::UnstorableText
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Failed => "the store failed: ",
            Kind::Unavailable => "the store is unavailable: ",
            Kind::OwnerGone => "whom it belongs to is gone: ",
            Kind::UnstorableText => "a text can't be stored: ",
        })?;
        self.cause.fmt(f)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}
