//! Deleting an account: nothing that names the person stays (`identity.account-deletion`).

use billing::BillingCommands;
use identity::{IdentityQueries, Leaving, User};
use jobs::Jobs;
use kernel::{StoreError, UserId};
use mail::Mail;
use reading_progress::{ProgressError, ReadingProgress};
use referral::{Referral, ReferralCommands};
use support::{NewMessage, SupportCommands};

use crate::{billing::membership::renewal_jobs::queue_stops, tx::Tx};

/// Deletes what one domain stores of a person.
type Erase = fn(&mut Tx<'_, '_>, &User) -> Result<(), StoreError>;

/// What is erased, in order.
///
/// **A domain that stores something of people adds itself here.** What it stores is deleted, or stays without a name
/// (amounts stay in the books); what goes on outside, such as a subscription that renews itself, is stopped by a job that
/// is queued here. Rows that refer to `users` with `ON DELETE CASCADE` go by themselves. `apps/server/tests/it/identity/leaving.rs` looks into
/// every column of every table for what is left.
const ERASE: &[Erase] = &[mails, messages, invitations, billing, reading];

/// Deletes an account; `false` when it is deleted already. What stays is a goodbye mail in the queue and the reasons for
/// leaving, without a name.
pub fn delete_account(tx: &mut Tx<'_, '_>, user: UserId, reasons: &NewMessage) -> Result<bool, StoreError> {
    let Some(user) = tx.pg.begin_leaving(user)? else { return Ok(false) };
    for erase in ERASE {
        erase(tx, &user)?;
    }
    tx.pg.finish_leaving(&user, tx.now())?;
    tx.pg.insert_message(reasons, tx.now())?;
    tx.queue_mail(&user.email, &Mail::AccountDeleted { first_name: user.first_name })?;
    Ok(true)
}

/// The mail that asks for the confirmation of a new address, by its name in the queue.
const ADDRESS_CHANGE: &str = "confirm_new_email";

/// Mails to the person, queued or sent.
fn mails(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    if let Some(pending) = tx.pg.pending_email(user.id, tx.now())? {
        // The person has not proved that this address is theirs: other mails to it may be another person's.
        tx.pg.forget_jobs_about(&pending, ADDRESS_CHANGE)?;
    }
    tx.pg.forget_jobs_of(&user.email).map(|_| ())
}

/// The sender of messages from the person's address; the messages stay, without a name. Only for a confirmed address:
/// anybody can sign up with another person's, and leave.
fn messages(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    if user.email_confirmed_at.is_none() {
        return Ok(());
    }
    tx.pg.anonymise_messages_of(&user.email).map(|_| ())
}

/// Invitations to the person, at a confirmed address, and whose purchases others earned by. Those by the person go with the account.
fn invitations(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    let mailbox = user.email_confirmed_at.map(|_| user.email.mailbox_key());
    tx.pg.forget_buyer(user.id, mailbox.as_deref())?;
    if user.email_confirmed_at.is_none() {
        return Ok(());
    }
    tx.pg.forget_friend(&user.email)
}

/// The person's subscriptions, which a job ends at the provider, their entitlements, and whose the payments were: the ledger stays, without the name. Purchases as a guest from the
/// person's address, when it is confirmed, lose the address.
fn billing(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    let confirmed = user.email_confirmed_at.map(|_| &user.email);
    queue_stops(tx, user.id)?;
    tx.pg.delete_billing_records(user.id, confirmed)
}

/// The person's reading, ratings too.
fn reading(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    tx.pg.forget_reader(user.id).map_err(|error| match error {
        ProgressError::Store(error) => error,
        other => StoreError::new(other),
    })
}
