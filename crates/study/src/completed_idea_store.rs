//! What completed ideas need from storage.

use kernel::{StoreError, Timestamp, UserId};

use crate::CompletedIdea;

/// Reads, callable with any connection.
pub trait CompletedIdeaQueries {
    /// The ideas that the member has completed in sessions at this moment or later, by book and heading.
    fn completed_ideas(&mut self, member: UserId, since: Timestamp) -> Result<Vec<CompletedIdea>, StoreError>;
}

/// Writes that need no rule, callable in any transaction.
pub trait CompletedIdeaCommands: CompletedIdeaQueries {
    /// Records ideas that the member has completed. Of each the latest moment counts, however often and in whatever order they
    /// are reported. Books that are not there are ignored.
    fn record_completed_ideas(&mut self, member: UserId, ideas: &[CompletedIdea]) -> Result<(), StoreError>;
}
