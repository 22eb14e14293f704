//! Inviting a friend: the invitation, its mail and the analytics event, all or nothing (`referral.invitation-limit`); and the
//! extra free summary, granted when the first invitation was sent (`referral.invitation-reward`).

use identity::{IdentityError, IdentityQueries, RateLimitBucket, Seal};
use jobs::{Job, JobDefinition, JobKind, PayloadError, State};
use kernel::{Email, StoreError, UserId};
use mail::{Mail, SEND_MAIL};
use postgres::Pg;
use referral::{Invitation, Inviter, LinkKind, Referral, ReferralError};
use worker::RecordEnd;

use crate::{rate_limits::count_attempt, referral::referral_links::link_url, tx::Tx};

/// The analytics event of an invitation (`site.own-analytics`).
const EVENT: &str = "invite";

/// Why a friend was not invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The member may not invite friends, or this address can't be invited.
    #[error(transparent)]
    Referral(#[from] ReferralError),
    /// The member has sent too many invitations.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Invites a friend, within the member's rate limit. A friend whom this member has invited before gets no second mail.
pub fn invite_friend(tx: &mut Tx<'_, '_>, member: UserId, invitation: &Invitation) -> Result<(), InviteError> {
    let now = tx.now();
    count_attempt(tx, RateLimitBucket::Invite, &member.to_string())?;
    let user = tx.pg.user(member)?.ok_or(ReferralError::UnknownMember)?;
    let inviter = Inviter { id: user.id, email: user.email, is_confirmed: user.email_confirmed_at.is_some() };
    if !tx.pg.invite(&inviter, invitation, now)? {
        return Ok(());
    }
    let link = tx.pg.link_of(member, LinkKind::Friend, tx.env)?.id;
    let link = link_url(tx, &link);
    let mail = Mail::Invitation {
        your_name: invitation.your_name().to_owned(),
        friend_name: invitation.friend_name().to_owned(),
        link,
        inviter: Some(member.get()),
    };
    tx.queue_mail(invitation.friend_email(), &mail)?;
    tx.pg.record_event(EVENT, Some(member), now)?;
    Ok(())
}

/// Records that an invitation was sent, when the job of its mail ends.
#[derive(Clone, Debug)]
pub struct RecordSentInvitation(pub Seal);

impl JobDefinition for RecordSentInvitation {
    const KIND: JobKind = SEND_MAIL;
    type Payload = (String, Mail);

    fn decode(&self, payload: &[u8]) -> Result<(String, Mail), PayloadError> {
        mail::open(&self.0, payload).map_err(|error| PayloadError(format!("It can't be opened: {error}.")))
    }
}

impl RecordEnd for RecordSentInvitation {
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, (to, mail): &(String, Mail)) -> Result<(), StoreError> {
        let Mail::Invitation { inviter: Some(inviter), .. } = mail else { return Ok(()) };
        if job.state != State::Done {
            return Ok(());
        }
        let friend = Email::parse(to).map_err(StoreError::new)?;
        pg.invitation_sent(UserId::from_store(*inviter), &friend)
    }
}
