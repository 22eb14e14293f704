//! What bringing friends needs from storage.

use kernel::{Email, StoreError, Timestamp, UserId};

use crate::SentInvitation;

/// Reads, callable by everyone who holds a connection.
pub trait ReferralQueries {
    /// Everybody whom the member has invited, in the order in which they were.
    fn invitations(&mut self, member: UserId) -> Result<Vec<SentInvitation>, StoreError>;
}

/// Storage for invitations, within one transaction. The rules are in [`crate::Referral`].
pub trait ReferralStore: ReferralQueries {
    /// Lets one transaction at a time pass for this member; `false` when there is no such member.
    fn lock_inviter(&mut self, member: UserId) -> Result<bool, StoreError>;

    /// When the member has invited this address.
    fn find_invitation(&mut self, member: UserId, friend: &Email) -> Result<Option<Timestamp>, StoreError>;

    /// When the member sent their latest invitations, latest first, at most so many.
    fn latest_invitations(&mut self, member: UserId, most: usize) -> Result<Vec<Timestamp>, StoreError>;

    /// Notes that the member has invited an address that they had not invited before.
    fn insert_invitation(&mut self, member: UserId, friend: &Email, at: Timestamp) -> Result<(), StoreError>;

    /// Notes the friend on the member, unless a friend stands there, and tells every node.
    fn note_first_friend(&mut self, member: UserId, friend: &Email) -> Result<(), StoreError>;

    /// Puts another text in the place of this friend, on every member on whom the friend is noted; tells every node.
    fn rename_first_friends(&mut self, friend: &Email, to: &str) -> Result<(), StoreError>;

    /// Deletes everybody's invitations to this address.
    fn delete_invitations_to(&mut self, friend: &Email) -> Result<(), StoreError>;
}
