//! Leaving: an account ends, and nothing that names the person stays (`decisions.md` 21).

use admin::{Admin, Written};
use identity::{Leaving, Recovery, User};
use jobs::Jobs;
use kernel::{StoreError, UserId};
use postgres::Pg;
use reading_progress::{ProgressError, ReadingProgress};
use referral::Referral;

use crate::{
    app::App,
    mail::{self, Mail},
};

/// Forgets somebody in one domain.
type Forget = fn(&mut Pg<'_>, &App, &User) -> Result<(), StoreError>;

/// Who has something of a person, in the order in which it goes.
///
/// **A domain that keeps something of people adds itself here.** What it keeps is deleted, or stays without a name
/// (amounts stay in the books); what goes on outside, such as a subscription that renews itself, is stopped by a job that
/// is left here. Rows that refer to `users` with `ON DELETE CASCADE` go by themselves. `tests/it/leaving.rs` looks into every
/// column of every table for what is left.
const FORGET: &[Forget] = &[mails, messages, invitations, reading];

/// Ends an account in one transaction; `false` when it has ended already. There is left a goodbye on its way, and why
/// somebody left.
pub fn leave(pg: &mut Pg<'_>, app: &App, user: UserId, answers: &Written) -> Result<bool, StoreError> {
    let Some(user) = pg.begin_leaving(user)? else { return Ok(false) };
    for forget in FORGET {
        forget(pg, app, &user)?;
    }
    pg.finish_leaving(&user, app.env.now())?;
    pg.keep_message(answers, app.env.now())?;
    mail::queue(pg, app, &user.email, &Mail::AccountDeleted { first_name: user.first_name })?;
    Ok(true)
}

/// The mail that asks for the confirmation of a new address, by its name in the queue.
const ADDRESS_CHANGE: &str = "confirm_new_email";

/// Mails to the person, on their way or gone long ago.
fn mails(pg: &mut Pg<'_>, app: &App, user: &User) -> Result<(), StoreError> {
    if let Some(pending) = pg.pending_email(user.id, app.env.now())? {
        // Nobody has shown that it is theirs: other mails to it may be somebody else's.
        pg.forget_jobs_about(&pending, ADDRESS_CHANGE)?;
    }
    pg.forget_jobs_of(&user.email).map(|_| ())
}

/// Who wrote to us from the person's address; what they wrote stays, without a name. Only of an address that is
/// theirs for certain: anybody can sign up with another's, and leave.
fn messages(pg: &mut Pg<'_>, _: &App, user: &User) -> Result<(), StoreError> {
    if user.email_confirmed_at.is_none() {
        return Ok(());
    }
    pg.forget_sender(&user.email).map(|_| ())
}

/// That others have invited the person, at an address that is theirs for certain. Whom the person has invited goes with
/// the account.
fn invitations(pg: &mut Pg<'_>, _: &App, user: &User) -> Result<(), StoreError> {
    if user.email_confirmed_at.is_none() {
        return Ok(());
    }
    pg.forget_friend(&user.email)
}

/// Everything of the person's reading, ratings too.
fn reading(pg: &mut Pg<'_>, _: &App, user: &User) -> Result<(), StoreError> {
    pg.forget_reader(user.id).map_err(|error| match error {
        ProgressError::Store(error) => error,
        other => StoreError::new(other),
    })
}
