//! The business rules of referrals, on top of the storage traits.

use kernel::{DAY, Email, Env, Money, StoreError, Timestamp, UserId};

use crate::{
    FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, Inviter, Link, LinkId, LinkKind, Person, ReferralError,
    ReferralStore, ReferredPurchase, Reward, RewardChange, earns, error::Wait, judge,
};

/// The operations of referrals. All writes of a method must be in one transaction.
pub trait Referral: ReferralStore {
    /// Records an invitation (`referral.invitation-limit`). `true` if the mail must be sent; `false` if the member has
    /// invited this address before.
    fn invite(&mut self, inviter: &Inviter, invitation: &Invitation, now: Timestamp) -> Result<bool, ReferralError> {
        let friend = invitation.friend_email();
        if !inviter.is_confirmed {
            return Err(ReferralError::NotConfirmed);
        }
        if *friend == inviter.email {
            return Err(ReferralError::Oneself);
        }
        // The lock serializes concurrent invitations of one member.
        if !self.lock_inviter(inviter.id)? {
            return Err(ReferralError::UnknownMember);
        }
        if self.find_invitation(inviter.id, friend)?.is_some() {
            return Ok(false);
        }
        let latest = self.latest_invitations(inviter.id, INVITATIONS_A_DAY)?;
        if let Some(wait) = latest.get(INVITATIONS_A_DAY - 1).map(|at| at.plus(DAY).since(now)).filter(|wait| *wait > 0)
        {
            return Err(ReferralError::TooMany(Wait(wait)));
        }
        self.insert_invitation(inviter.id, friend, now)?;
        Ok(true)
    }

    /// Records that the mail of an invitation was sent. A member's first one earns a free summary
    /// (`referral.invitation-reward`), even if the friend's data was deleted meanwhile. Does nothing if the inviter's
    /// account was deleted.
    fn invitation_sent(&mut self, inviter: UserId, friend: &Email) -> Result<(), StoreError> {
        if self.find_invitation(inviter, friend)?.is_some() {
            return self.note_first_friend(inviter, friend);
        }
        self.note_first_friend(inviter, &Email::parse(FORMER_FRIEND).map_err(StoreError::new)?)
    }

    /// Deletes an invited address from all invitations because its owner deletes their account. Members keep what they
    /// earned by inviting it.
    fn forget_friend(&mut self, friend: &Email) -> Result<(), StoreError> {
        self.rename_first_friends(friend, FORMER_FRIEND)?;
        self.delete_invitations_to(friend)
    }

    /// A member's link of this kind, created on first use.
    ///
    /// # Errors
    /// [`ReferralError::UnknownMember`] if the owner's account was deleted.
    fn link_of(&mut self, owner: UserId, kind: LinkKind, env: &dyn Env) -> Result<Link, ReferralError> {
        if !self.lock_inviter(owner)? {
            return Err(ReferralError::UnknownMember);
        }
        loop {
            if let Some(link) = self.links_of(owner)?.into_iter().find(|link| link.kind == kind) {
                return Ok(link);
            }
            self.insert_link(&Link { id: LinkId::generate(env), owner, kind, clicks: 0 }, env.now())?;
        }
    }

    /// Records the link through which a new member signed up. Ignores unknown links and the member's own, and keeps the
    /// first.
    fn note_arrival(&mut self, member: UserId, link: &LinkId, now: Timestamp) -> Result<(), StoreError> {
        match self.find_link(link)? {
            Some(found) if found.owner != member => self.insert_link_that_brought(member, &found.id, now),
            _ => Ok(()),
        }
    }

    /// Rewards the link's owner for a purchase, once per purchase; `None` if it earns nothing. The caller records the
    /// change in the ledger.
    fn reward_purchase(
        &mut self,
        link: &LinkId,
        owner: &Person,
        purchase: &ReferredPurchase,
    ) -> Result<Option<RewardChange>, StoreError> {
        let Some(link) = self.find_link(link)?.filter(|link| earns(link, owner, purchase)) else { return Ok(None) };
        let reward = Reward {
            purchase: purchase.purchase.clone(),
            owner: link.owner,
            kind: link.kind,
            amount: link.kind.reward_of(purchase.net),
            earned_at: purchase.at,
            is_denied: false,
        };
        if reward.amount.cents() == 0 || !self.insert_reward(&reward, &purchase.buyer)? {
            return Ok(None);
        }
        Ok(Some(RewardChange { owner: reward.owner, before: Money::from_cents(0), after: reward.amount }))
    }

    /// Re-evaluates a purchase's reward with current data ([`judge`]); `None` if nothing changes or there is no reward.
    /// The caller records the change in the ledger.
    fn judge_reward(
        &mut self,
        owner: &Person,
        purchase: &ReferredPurchase,
    ) -> Result<Option<RewardChange>, StoreError> {
        let Some(before) = self.lock_reward(&purchase.purchase)? else { return Ok(None) };
        let after = judge(&before, owner, purchase);
        if after == before {
            return Ok(None);
        }
        self.update_reward(&after)?;
        let change = RewardChange { owner: before.owner, before: before.amount, after: after.amount };
        Ok((change.before != change.after).then_some(change))
    }

    /// Pays out a member's payable rewards (`referral.payout-record`), if they equal `amount` and the earlier payouts
    /// equal `paid_before`. The caller records the payout in the ledger. Repeating the call with the same amounts changes
    /// nothing.
    fn pay_out(
        &mut self,
        owner: UserId,
        (amount, paid_before): (Money, Money),
        now: Timestamp,
    ) -> Result<PayoutOutcome, StoreError> {
        // The lock serializes concurrent payouts to one member.
        if !self.lock_inviter(owner)? || amount.cents() == 0 {
            return Ok(PayoutOutcome::Changed);
        }
        let earned = self.earnings_of(owner, now)?;
        if (earned.payable, earned.paid) == (amount, paid_before) {
            self.insert_payout(owner, amount, now)?;
            return Ok(PayoutOutcome::Now);
        }
        let last = self.payouts_of(owner)?.last().map(|(_, amount)| *amount);
        let is_done = last == Some(amount) && earned.paid.cents() - amount.cents() == paid_before.cents();
        Ok(if is_done { PayoutOutcome::Before } else { PayoutOutcome::Changed })
    }
}

/// The result of a payout request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayoutOutcome {
    /// The payout was recorded.
    Now,
    /// The same payout was already recorded, as the latest one.
    Before,
    /// Nothing was recorded: the payable or the paid amount differs from the request.
    Changed,
}

impl<S: ReferralStore + ?Sized> Referral for S {}
