//! What bringing friends needs from storage.

use kernel::{Email, Limit, Money, StoreError, Timestamp, UserId};

use crate::{Earnings, Link, LinkId, Person, Reward, SentInvitation};

/// Reads, callable by everyone who holds a connection.
pub trait ReferralQueries {
    /// Everybody whom the member has invited, in the order in which they were.
    fn invitations(&mut self, member: UserId) -> Result<Vec<SentInvitation>, StoreError>;

    /// A link by what stands in its address.
    fn find_link(&mut self, id: &LinkId) -> Result<Option<Link>, StoreError>;

    /// A member's links, the one for friends first.
    fn links_of(&mut self, owner: UserId) -> Result<Vec<Link>, StoreError>;

    /// The link through which a member came, noted at the sign-up.
    fn link_that_brought(&mut self, member: UserId) -> Result<Option<LinkId>, StoreError>;

    /// What a member has earned, the earliest first.
    fn rewards_of(&mut self, owner: UserId) -> Result<Vec<Reward>, StoreError>;

    /// What was paid out to a member, the earliest first.
    fn payouts_of(&mut self, owner: UserId) -> Result<Vec<(Timestamp, Money)>, StoreError>;

    /// Members who have earned something, by their number, after one.
    fn earners_after(&mut self, after: Option<UserId>, limit: Limit) -> Result<Vec<UserId>, StoreError>;

    /// What a member has earned.
    fn earnings_of(&mut self, owner: UserId, now: Timestamp) -> Result<Earnings, StoreError> {
        let paid = self.payouts_of(owner)?.iter().map(|(_, amount)| amount.cents()).sum();
        Ok(Earnings::of(&self.rewards_of(owner)?, Money::from_cents(paid), now))
    }
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait ReferralCommands: ReferralQueries {
    /// Counts that a link was followed; `false`: there is none.
    fn count_click(&mut self, link: &LinkId) -> Result<bool, StoreError>;

    /// Forgets who bought: the rewards of those who brought the person stay, without the name. The mailbox is given when it is proved
    /// to be the person's.
    fn forget_buyer(&mut self, member: UserId, mailbox: Option<&str>) -> Result<(), StoreError>;
}

/// Storage for invitations, within one transaction. The rules are in [`crate::Referral`].
pub trait ReferralStore: ReferralCommands {
    /// Stores a link; `false`: its owner has one of this kind, or another link has this id.
    fn insert_link(&mut self, link: &Link, at: Timestamp) -> Result<bool, StoreError>;

    /// Notes the link through which a member came, unless one is noted.
    fn insert_link_that_brought(&mut self, member: UserId, link: &LinkId, at: Timestamp) -> Result<(), StoreError>;

    /// Stores a reward; `false`: the purchase has one, or the buyer has brought a member one by a link for friends before (by
    /// account or mailbox).
    fn insert_reward(&mut self, reward: &Reward, buyer: &Person) -> Result<bool, StoreError>;

    /// The reward of a purchase, for which one transaction at a time passes.
    fn lock_reward(&mut self, purchase: &str) -> Result<Option<Reward>, StoreError>;

    /// Writes what a purchase's reward is now: its amount, and whether it is denied.
    fn update_reward(&mut self, reward: &Reward) -> Result<(), StoreError>;

    /// Notes a payout.
    fn insert_payout(&mut self, owner: UserId, amount: Money, at: Timestamp) -> Result<(), StoreError>;

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
