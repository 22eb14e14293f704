//! The one way in which a store fails.

use std::{error::Error, fmt};

/// A store could not do its work. Absence is an `Option`, a broken rule is a domain's error: this is neither.
#[derive(Debug)]
pub struct StoreError {
    unavailable: bool,
    cause: Box<dyn Error + Send + Sync>,
}

impl StoreError {
    /// The store failed in a way that trying again won't mend.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { unavailable: false, cause: cause.into() }
    }

    /// The store can't be reached at the moment, or has no room: the caller may try again later.
    pub fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { unavailable: true, cause: cause.into() }
    }

    /// Whether trying again later makes sense.
    pub const fn is_unavailable(&self) -> bool {
        self.unavailable
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.unavailable { "the store is unavailable: " } else { "the store failed: " })?;
        self.cause.fmt(f)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}
