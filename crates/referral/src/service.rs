//! What bringing friends offers.

use kernel::{DAY, Email, Env, Money, StoreError, Timestamp, UserId};

use crate::{
    FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, Inviter, Link, LinkId, LinkKind, Person, ReferralError,
    ReferralStore, ReferredPurchase, Reward, RewardChange, earns, error::Wait, judge,
};

/// Invitations, over any store of them. Everything happens in the store's transaction.
pub trait Referral: ReferralStore {
    /// Notes an invitation (`referral.invitation-limit`). `true`: it is to be sent; `false`: this member has invited this address
    /// before, and nothing is to be done.
    fn invite(&mut self, inviter: &Inviter, invitation: &Invitation, now: Timestamp) -> Result<bool, ReferralError> {
        let friend = invitation.friend_email();
        if !inviter.is_confirmed {
            return Err(ReferralError::NotConfirmed);
        }
        if *friend == inviter.email {
            return Err(ReferralError::Oneself);
        }
        // Of two invitations at the same moment the second sees the first.
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

    /// Notes that the mail of an invitation was sent. The first one brings the member a free summary more
    /// (`referral.invitation-reward`), also when the friend has left meanwhile; a member who has left gets nothing.
    fn invitation_sent(&mut self, inviter: UserId, friend: &Email) -> Result<(), StoreError> {
        if self.find_invitation(inviter, friend)?.is_some() {
            return self.note_first_friend(inviter, friend);
        }
        self.note_first_friend(inviter, &Email::parse(FORMER_FRIEND).map_err(StoreError::new)?)
    }

    /// Forgets an address that people have invited, for its owner leaves: no invitation names it any more. What it
    /// brought the members who invited it stays theirs.
    fn forget_friend(&mut self, friend: &Email) -> Result<(), StoreError> {
        self.rename_first_friends(friend, FORMER_FRIEND)?;
        self.delete_invitations_to(friend)
    }

    /// A member's link of a kind, which is made when there is none.
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

    /// Notes the link through which a member came, who has just signed up. One's own, and one that does not exist, are passed over;
    /// the first stays.
    fn note_arrival(&mut self, member: UserId, link: &LinkId, now: Timestamp) -> Result<(), StoreError> {
        match self.find_link(link)? {
            Some(found) if found.owner != member => self.insert_link_that_brought(member, &found.id, now),
            _ => Ok(()),
        }
    }

    /// Rewards the owner of the link through which a buyer came, once for each purchase; `None`: nothing is earned by it. The change is
    /// to be recorded in the ledger.
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

    /// Judges a purchase's reward by what is known now ([`judge`]); `None`: nothing changes, or there is none. The change is to be
    /// recorded in the ledger.
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

    /// Pays out what can be (`referral.payout-record`), if that is this sum after what had been paid out before. What is paid out now is
    /// to be recorded in the ledger. Paid out again with the same words, nothing changes.
    fn pay_out(
        &mut self,
        owner: UserId,
        (amount, paid_before): (Money, Money),
        now: Timestamp,
    ) -> Result<PayoutOutcome, StoreError> {
        // Of two payouts at the same moment the second sees the first.
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

/// What became of a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayoutOutcome {
    /// It is noted.
    Now,
    /// It was noted before, as the last one.
    Before,
    /// Nothing was noted: another sum can be paid out, or was paid out before.
    Changed,
}

impl<S: ReferralStore + ?Sized> Referral for S {}
