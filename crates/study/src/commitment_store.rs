//! What commitments need from storage.

use kernel::{CommitmentId, Limit, StoreError, UserId};

use crate::StoredCommitment;

/// Reads of commitments, callable with any connection.
pub trait CommitmentQueries {
    /// One of the member's commitments, deleted ones included.
    fn find_commitment(&mut self, member: UserId, id: CommitmentId) -> Result<Option<StoredCommitment>, StoreError>;

    /// The member's open commitments, deleted ones excepted, in any order.
    fn open_commitments(&mut self, member: UserId) -> Result<Vec<StoredCommitment>, StoreError>;

    /// The member's commitments whose version is greater than `version`, deleted ones included, by version: one more than the
    /// limit when there are more.
    fn commitments_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredCommitment>, StoreError>;
}

/// Storage of commitments, within one transaction. The rules are in [`crate::Study`].
pub trait CommitmentStore: CommitmentQueries {
    /// Stores a commitment, new or changed, with its version, which becomes the latest of the member's records. Their records
    /// are locked.
    fn put_commitment(&mut self, member: UserId, commitment: &StoredCommitment) -> Result<(), StoreError>;
}
