//! What follows a payment: codes, mails, analytics.

use billing::{
    Billing, BillingQueries, Checkout, CodeKind, CodeTerms, Movement, MovementKind, PlanKind, PurchaseKey,
    SubscriptionState, trial_notice_at,
};
use identity::IdentityQueries;
use jobs::{JobDefinition, JobKind, JobRequest, Jobs, PayloadError};
use kernel::{Email, PayerId, StoreError, Timestamp, UserId};
use mail::{Mail, ReceiptGift};
use postgres::Pg;
use worker::TransactionalJob;

use crate::billing::checkout::{details::Details, gifts::issue_gifts};
use crate::{
    billing::given_gift::gift_of,
    tx::{Transactions, Tx},
};

/// The analytics event of a purchase of a plan (`site.own-analytics`).
const EVENT: &str = "subscribed_purchase";

/// The buyer, as far as mails and rewards need it.
#[derive(Clone, Debug)]
pub(super) struct Buyer {
    pub(super) payer: PayerId,
    /// `None`: a guest.
    pub(super) member: Option<UserId>,
    /// `None`: it was erased.
    pub(super) email: Option<Email>,
    first_name: String,
    timezone: String,
}

impl Buyer {
    pub(super) fn of(tx: &mut Tx<'_, '_>, payer: PayerId) -> Result<Self, StoreError> {
        let member = tx.pg.member_of_payer(payer)?;
        let user = match member {
            Some(member) => tx.pg.user(member)?,
            None => None,
        };
        if let Some(user) = user {
            let (first_name, timezone) = (user.first_name, user.timezone);
            return Ok(Self { payer, member, email: Some(user.email), first_name, timezone });
        }
        let email = tx.pg.guest_email_of(payer)?;
        Ok(Self { payer, member, email, first_name: String::new(), timezone: "UTC".to_owned() })
    }
}

/// The link by which a guest signs up and claims a purchase.
pub(super) fn pick_up_link(tx: &Tx<'_, '_>, checkout: &Checkout) -> String {
    let (plan, reference) = (&checkout.order.plan_id, &checkout.reference);
    tx.settings.link(&format!("/payment/{plan}?checkout={reference}&chargeId={}", checkout.charge_id.as_str()))
}

/// Creates the codes of a gift or of team seats, and mails them.
pub(super) fn issue_codes(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    kind: PlanKind,
    buyer: &Buyer,
) -> Result<(), StoreError> {
    let Some(terms) = CodeTerms::of_purchase(kind, checkout.purchase(), buyer.payer) else { return Ok(()) };
    let codes = tx.pg.issue_codes(&terms, checkout.order.quantity, tx.env)?;
    let details = Details::of(tx, checkout);
    let Some(to_buyer) = details.receipt_address().or_else(|| buyer.email.clone()) else { return Ok(()) };
    if terms.kind == CodeKind::Bulk {
        let codes = codes.iter().map(ToString::to_string).collect();
        let mail = Mail::Codes { first_name: buyer.first_name.clone(), codes, link: tx.settings.link("/teams") };
        return tx.queue_mail(&to_buyer, &mail);
    }
    issue_gifts(tx, &checkout.purchase(), &codes, &details.gift, &to_buyer)
}

/// Mails a receipt: what was charged, and the next charge.
pub(super) fn mail_receipt(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    buyer: &Buyer,
    movement: &Movement,
) -> Result<(), StoreError> {
    let details = Details::of(tx, checkout);
    let Some(to) = details.receipt_address().or_else(|| buyer.email.clone()) else { return Ok(()) };
    let next = tx.pg.payer_plan(buyer.payer)?.subscriptions.into_iter().find(|one| one.purchase == movement.purchase);
    let next = next.and_then(|one| one.next_charge_at(tx.now())).map(|(at, amount)| (amount.cents(), at.millis()));
    let mail = Mail::Receipt {
        first_name: buyer.first_name.clone(),
        plan: movement.plan_name.clone(),
        charged: movement.amount.cents(),
        at: movement.at.millis(),
        next,
        is_trial: movement.kind == MovementKind::TrialStarted,
        sign_up: buyer.member.is_none().then(|| pick_up_link(tx, checkout)),
        timezone: buyer.timezone.clone(),
        gift: gift_of(tx, checkout)?.map(|given| ReceiptGift {
            recipient: given.recipient_text(),
            at: given.at().millis(),
            is_delivered: given.gift.delivered_at.is_some(),
            code: given.code.as_ref().map(ToString::to_string),
        }),
    };
    tx.queue_mail(&to, &mail)
}

/// Mails that a renewal payment failed.
pub(super) fn mail_failed_renewal(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    buyer: &Buyer,
    due: Timestamp,
) -> Result<(), StoreError> {
    let Some(to) = buyer.email.clone() else { return Ok(()) };
    let purchase = checkout.purchase();
    let plan = tx.pg.payer_plan(buyer.payer)?.subscriptions.into_iter().find(|one| one.purchase == purchase);
    let amount = plan.as_ref().map_or(checkout.order.first_charge, |one| one.next_charge);
    let mail = Mail::RenewalFailed {
        first_name: buyer.first_name.clone(),
        plan: plan.as_ref().map_or_else(|| checkout.order.plan_name.clone(), |one| one.plan_name.clone()),
        amount: amount.cents(),
        until: plan.map_or(due, |one| one.over_at()).millis(),
        link: tx.settings.link("/account"),
        timezone: buyer.timezone.clone(),
    };
    tx.queue_mail(&to, &mail)
}

/// Counts a purchase of a plan in analytics.
pub(super) fn count(tx: &mut Tx<'_, '_>, kind: PlanKind, buyer: &Buyer) -> Result<(), StoreError> {
    if kind == PlanKind::Once {
        return Ok(());
    }
    let now = tx.now();
    tx.pg.record_event(EVENT, buyer.member, now)
}

/// The job that mails a notice one day before a trial ends, unless the trial was stopped (`billing.trial-notice`).
#[derive(Clone, Debug)]
pub struct MailTrialNotice(
    /// Runs the transactions of the job.
    pub Transactions,
);

/// The job of the notice before the end of a trial. Its payload is the purchase.
const TRIAL_NOTICE_JOB: JobKind = JobKind::transactional("trial_notice").deduplicated();

/// Queues the notice before the end of a trial.
pub(super) fn queue_trial_notice(tx: &mut Tx<'_, '_>, checkout: &Checkout, end: Timestamp) -> Result<(), StoreError> {
    let (purchase, now) = (checkout.purchase(), tx.now());
    let payload = purchase.as_str().as_bytes();
    let work = JobRequest { kind: TRIAL_NOTICE_JOB, about: "", recipient: None, payload };
    tx.pg.queue_job_for(work, trial_notice_at(end, now), now)?;
    Ok(())
}

/// Queues a job about a purchase.
pub(crate) fn queue_for_purchase(tx: &mut Tx<'_, '_>, kind: JobKind, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let (payload, now) = (purchase.as_str().as_bytes(), tx.now());
    tx.pg.queue_job(JobRequest { kind, about: "", recipient: None, payload }, now)?;
    Ok(())
}

/// The job that ends a subscription at its provider, because its member left or its money was refunded. Its payload is the
/// purchase.
pub(crate) const STOP_RENEWAL: JobKind = JobKind::long("stop_renewal").deduplicated();

/// The job that refunds the surplus of a purchase. Its payload is the purchase.
pub(super) const END_SURPLUS: JobKind = JobKind::long("end_surplus_subscription").deduplicated();

/// Parses the payload of a job about a purchase.
pub(super) fn decode_purchase(payload: &[u8]) -> Result<PurchaseKey, PayloadError> {
    let text = std::str::from_utf8(payload).map_err(|error| PayloadError(error.to_string()))?;
    Ok(PurchaseKey::new(text))
}

impl JobDefinition for MailTrialNotice {
    const KIND: JobKind = TRIAL_NOTICE_JOB;
    type Payload = PurchaseKey;

    fn decode(&self, payload: &[u8]) -> Result<PurchaseKey, PayloadError> {
        decode_purchase(payload)
    }
}

impl TransactionalJob for MailTrialNotice {
    fn run_transactional(&self, pg: &mut Pg<'_>, purchase: &PurchaseKey) -> Result<(), StoreError> {
        mail_trial_notice(&mut self.0.tx(pg), purchase)
    }
}

fn mail_trial_notice(tx: &mut Tx<'_, '_>, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let Some(payer) = tx.pg.find_payer_of_purchase(purchase)? else { return Ok(()) };
    let plan = tx.pg.payer_plan(payer)?;
    let Some(trial) = plan.subscriptions.iter().find(|one| one.purchase == *purchase) else { return Ok(()) };
    let buyer = Buyer::of(tx, payer)?;
    let (Some(to), true) = (buyer.email, trial.state_at(tx.now()) == SubscriptionState::Trial) else { return Ok(()) };
    let Some((at, amount)) = trial.next_charge_at(tx.now()) else { return Ok(()) };
    let mail = Mail::TrialEnding {
        first_name: buyer.first_name,
        plan: trial.plan_name.clone(),
        amount: amount.cents(),
        at: at.millis(),
        link: tx.settings.link("/account"),
        timezone: buyer.timezone,
    };
    tx.queue_mail(&to, &mail)
}
