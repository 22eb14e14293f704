//! The result of saving content.

/// The result of saving content, with its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveOutcome<Id> {
    Created(Id),
    Changed(Id),
    /// The stored content was the same.
    Unchanged(Id),
}

impl<Id: Copy> SaveOutcome<Id> {
    pub const fn id(self) -> Id {
        match self {
            Self::Created(id) | Self::Changed(id) | Self::Unchanged(id) => id,
        }
    }
}
