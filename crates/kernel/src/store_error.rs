//! The error type of all stores.

use std::{error::Error, fmt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Failed,
    Unavailable,
    OwnerGone,
    UnstorableText,
}

/// A store failed. Absence is an `Option`, and a broken rule is a domain's error; neither is a `StoreError`.
#[derive(Debug)]
pub struct StoreError {
    kind: Kind,
    cause: Box<dyn Error + Send + Sync>,
}

impl StoreError {
    /// A permanent failure: retrying does not help.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Failed, cause: cause.into() }
    }

    /// A temporary failure: the store is unreachable or out of capacity. The caller may retry later.
    pub fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Unavailable, cause: cause.into() }
    }

    /// The person or session that the data belongs to was deleted while the data was being stored.
    pub fn owner_gone(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::OwnerGone, cause: cause.into() }
    }

    /// A text contains U+0000, which the store can't hold.
    pub fn unstorable_text(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::UnstorableText, cause: cause.into() }
    }

    /// Whether retrying later may succeed.
    pub fn is_unavailable(&self) -> bool {
        self.kind == Kind::Unavailable
    }

    /// Whether it failed only because the person, or their session, was deleted.
    pub fn is_owner_gone(&self) -> bool {
        self.kind == Kind::OwnerGone
    }

    /// Whether it failed only because a text contains a character that can't be stored.
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
