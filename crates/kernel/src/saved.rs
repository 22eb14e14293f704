//! What saving a piece of content did.

/// What saving did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveOutcome<Id> {
    /// It was not there before.
    Created(Id),
    Changed(Id),
    /// It was there just like this.
    Unchanged(Id),
}

impl<Id: Copy> SaveOutcome<Id> {
    /// The number of what was saved.
    pub const fn id(self) -> Id {
        match self {
            Self::Created(id) | Self::Changed(id) | Self::Unchanged(id) => id,
        }
    }
}
