//! What bringing friends offers.

use kernel::{DAY, Email, StoreError, Timestamp, UserId};

use crate::{FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, Inviter, ReferralError, ReferralStore, error::Wait};

/// Invitations, over any store of them. Everything happens in the store's transaction.
pub trait Referral: ReferralStore {
    /// Notes an invitation (`decisions.md` 46). `true`: it is to be sent; `false`: this member has invited this address
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
    /// (`decisions.md` 23), also when the friend has left meanwhile; a member who has left gets nothing.
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
}

impl<S: ReferralStore + ?Sized> Referral for S {}
