//! The codes of gifts: mailed at once or on a later day, to the recipient or to the giver (`billing.gift-delivery`).

use billing::{BillingCommands, Code, Gift, PurchaseKey};
use jobs::{JobKind, JobRequest, Jobs};
use kernel::{Email, StoreError, Timestamp};
use mail::Mail;

use crate::billing::checkout::details::GiftDetails;
use crate::tx::Tx;

/// The job that mails a purchase's gifts on their day. Its payload is the purchase.
pub(super) const DELIVER_GIFT_JOB: JobKind = JobKind::transactional("deliver_gift");

/// Stores a gift for each code, and mails those that are due. A job mails the others.
pub(super) fn issue_gifts(
    tx: &mut Tx<'_, '_>,
    purchase: &PurchaseKey,
    codes: &[Code],
    details: &GiftDetails,
    giver: &Email,
) -> Result<(), StoreError> {
    let now = tx.now();
    let gift = Gift {
        sender_name: details.sender_name.clone(),
        recipient_name: details.recipient_name.clone(),
        recipient: details.recipient_email.as_deref().and_then(|text| Email::parse(text).ok()),
        message: details.message.clone(),
        deliver_at: details.deliver_at.map_or(now, Timestamp::from_millis).max(now),
        delivered_at: None,
    };
    for code in codes {
        tx.pg.save_gift(code, &gift)?;
        if gift.deliver_at <= now {
            mail_gift(tx, code, &gift, gift.recipient.as_ref().unwrap_or(giver))?;
        }
    }
    if gift.deliver_at > now { queue_delivery(tx, purchase, gift.deliver_at) } else { Ok(()) }
}

/// Queues the job that mails the gifts of a purchase.
pub(super) fn queue_delivery(tx: &mut Tx<'_, '_>, purchase: &PurchaseKey, at: Timestamp) -> Result<(), StoreError> {
    let now = tx.now();
    let work = JobRequest { kind: DELIVER_GIFT_JOB, about: "", recipient: None, payload: purchase.as_str().as_bytes() };
    tx.pg.queue_job_for(work, at, now)?;
    Ok(())
}

/// Mails a gift's code, once.
pub(super) fn mail_gift(tx: &mut Tx<'_, '_>, code: &Code, gift: &Gift, to: &Email) -> Result<(), StoreError> {
    let now = tx.now();
    if !tx.pg.mark_gift_delivered(code, now)? {
        return Ok(());
    }
    let mail = Mail::Gift {
        sender: gift.sender_name.clone(),
        recipient: gift.recipient_name.clone(),
        message: gift.message.clone(),
        link: tx.settings.link(&format!("/subscriptioncode/{code}")),
        code: code.to_string(),
    };
    tx.queue_mail(to, &mail)
}
