//! Deleting an account: nothing that identifies the person stays (`identity.account-deletion`).

use billing::BillingCommands;
use identity::{IdentityQueries, Leaving, User};
use jobs::Jobs;
use kernel::{StoreError, UserId};
use mail::Mail;
use reading_progress::{ProgressError, ReadingProgress};
use referral::{Referral, ReferralCommands};
use study::StudyCommands;
use support::{NewMessage, SupportCommands};

use crate::{billing::membership::renewal_jobs::queue_stops, tx::Tx};

/// Erases a person from one domain's data.
type Erase = fn(&mut Tx<'_, '_>, &User) -> Result<(), StoreError>;

/// The erasures, in order.
///
/// **A domain that stores data about people must add itself here.** Its data is deleted or anonymized (amounts stay in the
/// ledger). What continues elsewhere, such as a subscription at a provider, is ended by a job that is queued here. Rows that
/// refer to `users` with `ON DELETE CASCADE` need nothing. `apps/server/tests/it/identity/leaving.rs` searches every column of
/// every table for traces.
const ERASE: &[Erase] = &[mails, messages, invitations, billing, reading, study];

/// Deletes an account; `false` if it is deleted already. A goodbye mail in the queue, and the reasons for leaving without a
/// name, stay.
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

/// The name of the mail that asks to confirm a new address, as jobs store it.
const ADDRESS_CHANGE: &str = "confirm_new_email";

/// Erases the jobs of mails to the person, queued or sent.
fn mails(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    if let Some(pending) = tx.pg.pending_email(user.id, tx.now())? {
        // The person has not proved that this address is theirs: other mails to it may be another person's.
        tx.pg.forget_jobs_about(&pending, ADDRESS_CHANGE)?;
    }
    tx.pg.forget_jobs_of(&user.email).map(|_| ())
}

/// Popular passages are counted again without the person's highlights, which go with the account.
fn study(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    tx.pg.recount_books_of(user.id)
}

/// Anonymizes messages sent from the person's address. Only for a confirmed address: anybody can sign up with another
/// person's address, and delete the account.
fn messages(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    if user.email_confirmed_at.is_none() {
        return Ok(());
    }
    tx.pg.anonymise_messages_of(&user.email).map(|_| ())
}

/// Erases the person from rewards for their purchases and, if the address is confirmed, invitations that they received.
/// Invitations that they sent are deleted with the account.
fn invitations(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    let mailbox = user.email_confirmed_at.map(|_| user.email.mailbox_key());
    tx.pg.forget_buyer(user.id, mailbox.as_deref())?;
    if user.email_confirmed_at.is_none() {
        return Ok(());
    }
    tx.pg.forget_friend(&user.email)
}

/// Queues the end of the person's subscriptions at the providers, deletes their entitlements, and removes their name from the
/// ledger, whose amounts stay. If the address is confirmed, it is also removed from guest purchases.
fn billing(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    let confirmed = user.email_confirmed_at.map(|_| &user.email);
    queue_stops(tx, user.id)?;
    tx.pg.delete_billing_records(user.id, confirmed)
}

/// Erases the person's reading data, and takes their ratings out of the books' totals.
fn reading(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    tx.pg.forget_reader(user.id).map_err(|error| match error {
        ProgressError::Store(error) => error,
        other => StoreError::new(other),
    })
}
