//! The storage that referrals need.

use std::collections::BTreeMap;

use kernel::{Email, Limit, Money, StoreError, Timestamp, UserId};

use crate::{Earnings, Link, LinkId, Person, Reward, SentInvitation};

/// Reads, available on any connection.
pub trait ReferralQueries {
    /// The member's invitations, oldest first.
    fn invitations(&mut self, member: UserId) -> Result<Vec<SentInvitation>, StoreError>;

    /// A link by its id; `None` if there is none.
    fn find_link(&mut self, id: &LinkId) -> Result<Option<Link>, StoreError>;

    /// A member's links, the one for friends first.
    fn links_of(&mut self, owner: UserId) -> Result<Vec<Link>, StoreError>;

    /// The link through which a member signed up; `None` if there was none.
    fn link_that_brought(&mut self, member: UserId) -> Result<Option<LinkId>, StoreError>;

    /// A member's rewards, oldest first.
    fn rewards_of(&mut self, owner: UserId) -> Result<Vec<Reward>, StoreError>;

    /// The payouts to a member, oldest first.
    fn payouts_of(&mut self, owner: UserId) -> Result<Vec<(Timestamp, Money)>, StoreError>;

    /// Members with rewards, by ascending id, after `after`.
    fn earners_after(&mut self, after: Option<UserId>, limit: Limit) -> Result<Vec<UserId>, StoreError>;

    /// The rewards of these members and the sums of their payouts, by member; without those who have neither.
    fn rewards_and_payouts_of(
        &mut self,
        owners: &[UserId],
    ) -> Result<BTreeMap<UserId, (Vec<Reward>, Money)>, StoreError>;

    /// The sums of each member's rewards and payouts at `now`, in the order of `owners`.
    fn earnings_of_members(&mut self, owners: &[UserId], now: Timestamp) -> Result<Vec<Earnings>, StoreError> {
        let found = self.rewards_and_payouts_of(owners)?;
        let earnings = |owner| {
            let (rewards, paid) =
                found.get(owner).map_or((&[][..], Money::from_cents(0)), |(rewards, paid)| (rewards, *paid));
            Earnings::of(rewards, paid, now)
        };
        Ok(owners.iter().map(earnings).collect())
    }

    /// The sums of a member's rewards and payouts at `now`.
    fn earnings_of(&mut self, owner: UserId, now: Timestamp) -> Result<Earnings, StoreError> {
        let paid = self.payouts_of(owner)?.iter().map(|(_, amount)| amount.cents()).sum();
        Ok(Earnings::of(&self.rewards_of(owner)?, Money::from_cents(paid), now))
    }
}

/// Writes without business rules, available in any transaction.
pub trait ReferralCommands: ReferralQueries {
    /// Counts a click on a link; `false` if there is no such link.
    fn count_click(&mut self, link: &LinkId) -> Result<bool, StoreError>;

    /// Anonymizes the buyer of rewards, which their owners keep. `mailbox` is given only if it is verified as the
    /// person's.
    fn forget_buyer(&mut self, member: UserId, mailbox: Option<&str>) -> Result<(), StoreError>;
}

/// Storage for referrals within one transaction. The business rules are in [`crate::Referral`].
pub trait ReferralStore: ReferralCommands {
    /// Stores a link; `false` if its owner has one of this kind or the id exists.
    fn insert_link(&mut self, link: &Link, at: Timestamp) -> Result<bool, StoreError>;

    /// Records the link through which a member signed up, unless one is recorded.
    fn insert_link_that_brought(&mut self, member: UserId, link: &LinkId, at: Timestamp) -> Result<(), StoreError>;

    /// Stores a reward; `false` if the purchase has one, or if the buyer (by account or mailbox) has already earned
    /// someone a reward for friends.
    fn insert_reward(&mut self, reward: &Reward, buyer: &Person) -> Result<bool, StoreError>;

    /// Locks the reward of a purchase until the end of the transaction; `None` if there is none.
    fn lock_reward(&mut self, purchase: &str) -> Result<Option<Reward>, StoreError>;

    /// Updates the amount of a reward, and whether it is denied.
    fn update_reward(&mut self, reward: &Reward) -> Result<(), StoreError>;

    /// Records a payout.
    fn insert_payout(&mut self, owner: UserId, amount: Money, at: Timestamp) -> Result<(), StoreError>;

    /// Locks a member until the end of the transaction; `false` if there is no such member.
    fn lock_inviter(&mut self, member: UserId) -> Result<bool, StoreError>;

    /// When the member invited this address; `None` if never.
    fn find_invitation(&mut self, member: UserId, friend: &Email) -> Result<Option<Timestamp>, StoreError>;

    /// When the member's latest invitations were sent, newest first, at most `most`.
    fn latest_invitations(&mut self, member: UserId, most: usize) -> Result<Vec<Timestamp>, StoreError>;

    /// Records an invitation to an address that the member has not invited before.
    fn insert_invitation(&mut self, member: UserId, friend: &Email, at: Timestamp) -> Result<(), StoreError>;

    /// Stores the member's first invited friend, unless one is stored, and notifies all nodes.
    fn note_first_friend(&mut self, member: UserId, friend: &Email) -> Result<(), StoreError>;

    /// Replaces this friend by another address on every member who has it as first friend, and notifies all nodes.
    fn rename_first_friends(&mut self, friend: &Email, to: &str) -> Result<(), StoreError>;

    /// Deletes all invitations to this address.
    fn delete_invitations_to(&mut self, friend: &Email) -> Result<(), StoreError>;
}
