//! The job that mails a gift on the day that its giver chose (`billing.gift-delivery`).

use billing::{Billing, BillingCommands, BillingQueries, Code, Gift, GiftDelivery, PurchaseKey, delivery_of};
use jobs::{JobDefinition, JobKind, PayloadError};
use kernel::{Email, PayerId, StoreError};
use postgres::Pg;
use worker::TransactionalJob;

use crate::billing::checkout::{
    fulfil::{Buyer, decode_purchase},
    gifts::{DELIVER_GIFT_JOB, mail_gift, queue_delivery},
};
use crate::tx::{Transactions, Tx};

/// Mails gifts on the day that their givers chose, unless the code is no longer valid.
#[derive(Clone, Debug)]
pub struct DeliverGift(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for DeliverGift {
    const KIND: JobKind = DELIVER_GIFT_JOB;
    type Payload = PurchaseKey;

    fn decode(&self, payload: &[u8]) -> Result<PurchaseKey, PayloadError> {
        decode_purchase(payload)
    }
}

impl TransactionalJob for DeliverGift {
    fn run_transactional(&self, pg: &mut Pg<'_>, purchase: &PurchaseKey) -> Result<(), StoreError> {
        deliver_gifts(&mut self.0.tx(pg), purchase)
    }
}

fn deliver_gifts(tx: &mut Tx<'_, '_>, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let Some(payer) = tx.pg.find_payer_of_purchase(purchase)? else { return Ok(()) };
    // The lock orders this after or before a concurrent refund.
    tx.pg.lock_payers(&[payer])?;
    let now = tx.now();
    let mut again = None;
    for code in tx.pg.codes_of_purchase(purchase)? {
        let Some(gift) = tx.pg.find_gift(&code.code)? else { continue };
        match (delivery_of(&gift, &code, now), &gift.recipient) {
            (GiftDelivery::Now, Some(to)) => deliver(tx, payer, &code.code, &gift, to)?,
            (GiftDelivery::Later(at), _) => again = Some(at),
            (GiftDelivery::Now | GiftDelivery::Never, _) => {}
        }
    }
    again.map_or(Ok(()), |at| queue_delivery(tx, purchase, at))
}

/// Mails a gift. If the giver's account was deleted, erases the recipient afterwards.
fn deliver(tx: &mut Tx<'_, '_>, payer: PayerId, code: &Code, gift: &Gift, to: &Email) -> Result<(), StoreError> {
    mail_gift(tx, code, gift, to)?;
    if Buyer::of(tx, payer)?.email.is_none() {
        let delivered_at = Some(tx.now());
        let nobody = Gift { recipient_name: String::new(), recipient: None, delivered_at, ..gift.clone() };
        tx.pg.save_gift(code, &nobody)?;
    }
    Ok(())
}
