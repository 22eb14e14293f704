//! Plans, codes and seats on the wire. Amounts are in cents, times in milliseconds since the Unix epoch.

use billing::{REFUND_DAYS, StoredCode, TimelineEntry, gateway::GatewayProvider};
use kernel::{Email, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::billing::membership::{billing_page::MemberBilling, method::PendingMethod, switch::SwitchOffer};

use crate::billing::purchase::{PriceSwitch, receipt_pdf_url, receipt_url};

/// A charge that will come.
#[derive(Serialize, ToSchema)]
#[schema(as = PlanCharge)]
pub(super) struct Charge {
    /// When it is due.
    at: i64,
    /// How much.
    amount: i64,
}

/// With what a plan is paid.
#[derive(Serialize, ToSchema)]
pub(super) struct Method {
    /// The brand as people read it.
    brand: String,
    /// The card's last four digits.
    #[schema(required)]
    last4: Option<String>,
    /// Month and year, as in `12/2030`.
    #[schema(required)]
    expires: Option<String>,
}

/// A member's plan.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MemberPlan)]
pub(super) struct Plan {
    /// The plan.
    #[schema(required)]
    plan_id: Option<String>,
    /// Its name.
    #[schema(required)]
    plan_name: Option<String>,
    /// How it stands.
    #[schema(pattern = "^(free|trial|active|past_due|canceled|paused|ended|lifetime|code)$")]
    state: &'static str,
    /// When it began.
    #[schema(required)]
    paid_date: Option<i64>,
    /// When it ends or renews; null: for life, or there is none.
    #[schema(required)]
    end_paid_date: Option<i64>,
    /// What a renewal costs.
    #[schema(required)]
    renewal_price: Option<i64>,
    /// The next charge.
    #[schema(required)]
    next_charge: Option<Charge>,
    /// The end of the pause.
    #[schema(required)]
    paused_until: Option<i64>,
    /// Up to when the plan stays while its charge has failed.
    #[schema(required)]
    grace_ends_at: Option<i64>,
    /// With what it is paid.
    #[schema(required)]
    method: Option<Method>,
    /// Who takes the money.
    #[schema(required, pattern = "^(sandbox|stripe|paypal)$")]
    provider: Option<&'static str>,
    /// Whether renewal can be stopped.
    can_cancel: bool,
    /// Whether renewal can be turned on again, or the pause be ended.
    can_resume: bool,
    /// Whether it can be paused.
    can_pause: bool,
    /// Whether the card can be changed here.
    can_change_method: bool,
    /// The plans to which it can be switched here.
    switch_to: Vec<String>,
}

impl From<&MemberBilling> for Plan {
    fn from(billing: &MemberBilling) -> Self {
        let standing = &billing.standing;
        let (held, running) = (standing.entitlement.as_ref(), standing.subscription.as_ref());
        let paid_until = running.map(|one| one.paid_until);
        Self {
            plan_id: held.map(|one| one.plan_id.clone()).or_else(|| running.map(|one| one.plan_id.clone())),
            plan_name: held.map(|one| one.plan_name.clone()).or_else(|| running.map(|one| one.plan_name.clone())),
            state: standing.state.as_str(),
            paid_date: held.map(|one| one.starts_at.millis()),
            end_paid_date: held.map_or(paid_until, |one| one.ends_at).map(Timestamp::millis),
            renewal_price: running.map(|one| one.terms.price.cents()),
            next_charge: standing.next_charge.map(|(at, sum)| Charge { at: at.millis(), amount: sum.cents() }),
            paused_until: standing.paused_until.map(Timestamp::millis),
            grace_ends_at: standing.grace_ends_at.map(Timestamp::millis),
            method: billing.method.as_ref().map(|method| Method {
                brand: method.brand.clone(),
                last4: method.last4.clone(),
                expires: method.expires.map(|(month, year)| format!("{month:02}/{year}")),
            }),
            provider: billing.provider.map(GatewayProvider::as_str),
            can_cancel: standing.can_cancel(),
            can_resume: standing.can_resume(),
            can_pause: standing.can_pause(),
            can_change_method: billing.can_change_method,
            switch_to: billing.switch_to.clone(),
        }
    }
}

/// A line of the timeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimelineLine {
    /// Its id; of a charge, what a refund request names.
    id: String,
    /// When it happened, or will.
    at: i64,
    /// What it says.
    #[schema(
        pattern = "^(trial|charge|plan_given|plan_withdrawn|code_redeemed|code_revoked|charge_failed|canceled|resumed|paused|pause_ended|ended|refund|dispute|dispute_won|dispute_lost|charge_due|plan_starts|plan_ends)$"
    )]
    kind: &'static str,
    /// A headline.
    title: String,
    /// Why it happened, or will.
    why: String,
    /// How much, never below zero: the kind says in which direction.
    amount: i64,
    /// The plan's name.
    plan_name: String,
    /// Where the receipt is read; null: there is none.
    #[schema(required)]
    receipt_url: Option<String>,
    /// The same as a PDF.
    #[schema(required)]
    receipt_pdf_url: Option<String>,
    /// Until when a refund can be asked for.
    #[schema(required)]
    refundable_until: Option<i64>,
    /// Whether it has not happened yet.
    future: bool,
}

impl TimelineLine {
    fn new(one: &TimelineEntry, receipt: Option<&String>) -> Self {
        Self {
            id: one.id.clone(),
            at: one.at.millis(),
            kind: one.kind.as_str(),
            title: one.title.clone(),
            why: one.why.clone(),
            amount: one.amount.cents(),
            plan_name: one.plan_name.clone(),
            receipt_url: receipt.map(|link| receipt_url(link)),
            receipt_pdf_url: receipt.map(|link| receipt_pdf_url(link)),
            refundable_until: one.refundable_until.map(Timestamp::millis),
            future: one.is_future,
        }
    }
}

/// The plan after a change.
#[derive(Serialize, ToSchema)]
pub(super) struct PlanResult {
    plan: Plan,
}

impl From<&MemberBilling> for PlanResult {
    fn from(billing: &MemberBilling) -> Self {
        Self { plan: billing.into() }
    }
}

/// The plan after a change that the payer may have to authenticate.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanChange {
    /// The plan as it stands.
    plan: Plan,
    /// Whether the payer has to authenticate first: nothing is changed until then.
    requires_action: bool,
    /// The provider's secret for the payer's browser.
    #[schema(required)]
    client_secret: Option<String>,
    /// What `POST /api/charge/confirm` takes after the authentication.
    #[schema(required)]
    checkout: Option<String>,
}

impl PlanChange {
    pub(super) fn new(billing: &MemberBilling, pending: Option<PendingMethod>) -> Self {
        Self {
            plan: billing.into(),
            requires_action: pending.is_some(),
            client_secret: pending.as_ref().map(|one| one.client_secret.clone()),
            checkout: pending.map(|one| one.confirm),
        }
    }
}

/// Another plan.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SwitchTarget {
    /// One of `switchTo`.
    pub(super) plan_id: String,
}

/// What a switch of plan costs now.
#[derive(Serialize, ToSchema)]
pub(super) struct SwitchPreviewResult {
    /// What is charged and what is credited.
    switch: PriceSwitch,
    /// What the switch takes, within an hour: what was shown is what is charged.
    token: String,
}

impl From<SwitchOffer> for SwitchPreviewResult {
    fn from(offer: SwitchOffer) -> Self {
        Self { switch: PriceSwitch::new(&offer.preview, offer.from_plan_name), token: offer.token }
    }
}

/// A switch that was shown.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Switch {
    /// The plan.
    pub(super) plan_id: String,
    /// What the preview gave.
    pub(super) token: String,
}

/// Another card.
#[derive(Deserialize, ToSchema)]
pub(super) struct Card {
    /// What the card form made.
    pub(super) token: String,
}

/// The plan and its timeline, the latest first; what is to come stands before what was.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BillingResult {
    plan: Plan,
    timeline: Vec<TimelineLine>,
    /// For how many days after a charge a refund can be asked for.
    refund_days: i64,
}

impl From<&MemberBilling> for BillingResult {
    fn from(billing: &MemberBilling) -> Self {
        let timeline =
            billing.timeline.iter().map(|one| TimelineLine::new(one, billing.receipts.get(&one.id))).collect();
        Self { plan: billing.into(), timeline, refund_days: REFUND_DAYS }
    }
}

/// Why a member cancels.
#[derive(Deserialize, ToSchema)]
pub(super) struct Cancel {
    /// One of the eight reasons that are offered, to the letter; may be left out.
    #[schema(
        pattern = "^(too expensive|not using|using other app|not using it right now|not working|no autorenewals|no android app|other)?$"
    )]
    pub(super) reason: Option<String>,
}

/// For how long a plan is paused.
#[derive(Deserialize, ToSchema)]
pub(super) struct Pause {
    /// 1 to 3.
    #[schema(minimum = 1, maximum = 3)]
    pub(super) months: u32,
}

/// A charge whose money is asked for.
#[derive(Deserialize, ToSchema)]
pub(super) struct RefundRequest {
    /// The `id` of the charge in the timeline.
    pub(super) receipt: String,
    /// Why, at most 5,000 characters.
    pub(super) reason: Option<String>,
}

/// A code.
#[derive(Deserialize, ToSchema)]
pub(super) struct CodeBody {
    /// As it was typed: case and dashes do not count.
    #[schema(value_type = String, required)]
    pub(super) code: Option<String>,
}

/// What a code gave.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RedeemedResult {
    /// The plan.
    plan_name: String,
    /// Until when the member can read everything now; null: for life.
    #[schema(required)]
    end_paid_date: Option<i64>,
}

impl RedeemedResult {
    pub(super) fn new(plan_name: String, billing: &MemberBilling) -> Self {
        let end = |one: &TimelineEntry| one.is_future.then_some(one.at.millis());
        Self { plan_name, end_paid_date: billing.timeline.iter().find_map(end) }
    }
}

/// A seat of a team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seat {
    /// Its code.
    code: String,
    /// How it stands.
    #[schema(pattern = "^(free|sent|used|suspended|revoked)$")]
    state: &'static str,
    /// To whom it was sent.
    #[schema(required)]
    sent_to: Option<String>,
    /// When it was used.
    #[schema(required)]
    used_at: Option<i64>,
    /// When it was bought.
    bought_at: i64,
}

impl From<&StoredCode> for Seat {
    fn from(one: &StoredCode) -> Self {
        let state = match one {
            StoredCode { revoked_at: Some(_), .. } => "revoked",
            StoredCode { redeemed: Some(_), .. } => "used",
            StoredCode { suspended_at: Some(_), .. } => "suspended",
            StoredCode { sent_to: Some(_), .. } => "sent",
            StoredCode { .. } => "free",
        };
        Self {
            code: one.code.to_string(),
            state,
            sent_to: one.sent_to.as_ref().map(|to: &Email| to.as_str().to_owned()),
            used_at: one.redeemed.map(|(_, at)| at.millis()),
            bought_at: one.created_at.millis(),
        }
    }
}

/// The seats of a team, in the order in which they were bought.
#[derive(Serialize, ToSchema)]
pub(super) struct SeatsResult {
    seats: Vec<Seat>,
    /// How many are used.
    used: usize,
    /// How many there are.
    total: usize,
}

impl From<Vec<StoredCode>> for SeatsResult {
    fn from(codes: Vec<StoredCode>) -> Self {
        let used = codes.iter().filter(|one| one.redeemed.is_some()).count();
        Self { seats: codes.iter().map(Seat::from).collect(), used, total: codes.len() }
    }
}

/// A seat and who gets it.
#[derive(Deserialize, ToSchema)]
pub(super) struct SeatToSend {
    /// The seat's code.
    pub(super) code: String,
    /// Where it goes.
    #[schema(max_length = 254)]
    pub(super) email: String,
}
