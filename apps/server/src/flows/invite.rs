//! Inviting a friend: the invitation, the extra summary that comes with the first one, the mail and the count, all or
//! nothing.

use identity::Identity;
use kernel::UserId;
use postgres::Pg;
use referral::{Invitation, Inviter, Referral, ReferralError};

use crate::{
    app::App,
    mail::{self, Mail},
};

/// The name under which invitations are counted (`decisions.md` 59).
const EVENT: &str = "invite";

/// Invites a friend (`decisions.md` 46). Somebody whom this member has invited before gets no second mail.
pub fn invite(pg: &mut Pg<'_>, app: &App, member: UserId, invitation: &Invitation) -> Result<(), ReferralError> {
    let now = app.env.now();
    let user = pg.user(member)?.ok_or(ReferralError::UnknownMember)?;
    let inviter = Inviter { id: user.id, email: user.email, is_confirmed: user.email_confirmed_at.is_some() };
    if !pg.invite(&inviter, invitation, now)? {
        return Ok(());
    }
    let news = Mail::Invitation {
        your_name: invitation.your_name().to_owned(),
        friend_name: invitation.friend_name().to_owned(),
        link: app.link("/signup"),
    };
    mail::queue(pg, app, invitation.friend_email(), &news)?;
    pg.record_event(EVENT, Some(member), now)?;
    Ok(())
}
