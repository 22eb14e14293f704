//! Inviting a friend: the invitation, the extra free summary that comes with the first one, the mail and the count, all
//! or nothing (`decisions.md` 46).

use identity::{Attempt, Identity, IdentityError, IdentityQueries, RateLimitBucket};
use kernel::{StoreError, UserId};
use mail::Mail;
use referral::{Invitation, Inviter, Referral, ReferralError};

use super::tx::Tx;

/// The name under which invitations are counted (`decisions.md` 59).
const EVENT: &str = "invite";

/// Why a friend was not invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The member may not invite.
    #[error(transparent)]
    Referral(#[from] ReferralError),
    /// Too many invitations.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Invites a friend, within the member's rate limit. A friend whom this member has invited before gets no second mail.
pub fn invite_friend(tx: &mut Tx<'_, '_>, member: UserId, invitation: &Invitation) -> Result<(), InviteError> {
    let (now, whose, limits) = (tx.now(), member.to_string(), &tx.settings.limits.invite);
    tx.pg.count_attempts(&[Attempt { bucket: RateLimitBucket::Invite, subject: &whose, limits }], now)?;
    let user = tx.pg.user(member)?.ok_or(ReferralError::UnknownMember)?;
    let inviter = Inviter { id: user.id, email: user.email, is_confirmed: user.email_confirmed_at.is_some() };
    if !tx.pg.invite(&inviter, invitation, now)? {
        return Ok(());
    }
    let mail = Mail::Invitation {
        your_name: invitation.your_name().to_owned(),
        friend_name: invitation.friend_name().to_owned(),
        link: tx.settings.link("/signup"),
    };
    tx.queue_mail(invitation.friend_email(), &mail)?;
    tx.pg.record_event(EVENT, Some(member), now)?;
    Ok(())
}
