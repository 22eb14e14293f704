//! Plans, codes and seats on the wire. Amounts are in cents, times in milliseconds since the Unix epoch.

use billing::{REFUND_DAYS, StoredCode, TimelineEntry, gateway::GatewayProvider};
use kernel::{Email, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::billing::membership::{billing_page::MemberBilling, method::PendingMethod, switch::SwitchOffer};

use crate::billing::purchase::{PriceSwitch, receipt_pdf_url, receipt_url};

/// The next charge of a plan.
#[derive(Serialize, ToSchema)]
#[schema(as = PlanCharge)]
pub(super) struct Charge {
    /// When it is due, in milliseconds since the Unix epoch.
    at: i64,
    /// The amount, in cents.
    amount: i64,
}

/// The payment method of a plan.
#[derive(Serialize, ToSchema)]
pub(super) struct Method {
    /// The card brand, such as `visa`, or another payment method, such as `paypal`.
    brand: String,
    /// The card's last four digits; null if the method is not a card.
    #[schema(required)]
    last4: Option<String>,
    /// The month and year of expiry, such as `12/2030`; null if unknown.
    #[schema(required)]
    expires: Option<String>,
}

/// A member's plan.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MemberPlan)]
pub(super) struct Plan {
    /// The id of the plan; null without a plan.
    #[schema(required)]
    plan_id: Option<String>,
    /// The display name of the plan; null without a plan.
    #[schema(required)]
    plan_name: Option<String>,
    /// The state of the plan.
    #[schema(pattern = "^(free|trial|active|past_due|canceled|paused|ended|lifetime|code)$")]
    state: &'static str,
    /// When the plan began, in milliseconds since the Unix epoch; null without a plan.
    #[schema(required)]
    paid_date: Option<i64>,
    /// When the plan ends or renews, in milliseconds since the Unix epoch; null for life or without a plan.
    #[schema(required)]
    end_paid_date: Option<i64>,
    /// The price of a renewal, in cents; null without a subscription.
    #[schema(required)]
    renewal_price: Option<i64>,
    /// The next charge; null if there is none.
    #[schema(required)]
    next_charge: Option<Charge>,
    /// The end of the pause, in milliseconds since the Unix epoch; null unless paused.
    #[schema(required)]
    paused_until: Option<i64>,
    /// The end of the grace period after a failed charge, in milliseconds since the Unix epoch; null unless past due.
    #[schema(required)]
    grace_ends_at: Option<i64>,
    /// The payment method; null without a subscription, or if the provider can't be reached.
    #[schema(required)]
    method: Option<Method>,
    /// The payment provider of the subscription; null without one.
    #[schema(required, pattern = "^(sandbox|stripe|paypal)$")]
    provider: Option<&'static str>,
    /// Whether renewal can be turned off.
    can_cancel: bool,
    /// Whether renewal can be turned on again, or the pause can be ended.
    can_resume: bool,
    /// Whether the plan can be paused.
    can_pause: bool,
    /// Whether the payment method can be changed on this site.
    can_change_method: bool,
    /// The ids of the plans that it can be switched to on this site.
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

/// An entry of the billing timeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimelineLine {
    /// The id of the entry. For a charge, a refund request refers to it.
    id: String,
    /// When it happened or will happen, in milliseconds since the Unix epoch.
    at: i64,
    /// The kind of entry.
    #[schema(
        pattern = "^(trial|charge|plan_given|plan_withdrawn|code_redeemed|code_revoked|charge_failed|canceled|resumed|paused|pause_ended|ended|refund|dispute|dispute_won|dispute_lost|charge_due|plan_starts|plan_ends)$"
    )]
    kind: &'static str,
    /// The title.
    title: String,
    /// The reason, shown to the member.
    why: String,
    /// The amount, in cents; never negative. `kind` determines the direction.
    amount: i64,
    /// The display name of the plan.
    plan_name: String,
    /// The URL path of the receipt; null if there is none.
    #[schema(required)]
    receipt_url: Option<String>,
    /// The URL path of the receipt as a PDF; null if there is none.
    #[schema(required)]
    receipt_pdf_url: Option<String>,
    /// Until when a refund can be requested, in milliseconds since the Unix epoch; null if it can't.
    #[schema(required)]
    refundable_until: Option<i64>,
    /// Whether it lies in the future.
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
    /// The current plan.
    plan: Plan,
    /// Whether the payer has to authenticate first; nothing changes until then.
    requires_action: bool,
    /// The provider's secret for authenticating the payer in the browser; null if no authentication is needed.
    #[schema(required)]
    client_secret: Option<String>,
    /// The reference to send to `POST /api/charge/confirm` after the authentication; null if none is needed.
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

/// The body of a request for the cost of a plan switch.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SwitchTarget {
    /// The id of the new plan: one of `switchTo`.
    pub(super) plan_id: String,
}

/// The cost of a plan switch.
#[derive(Serialize, ToSchema)]
pub(super) struct SwitchPreviewResult {
    /// The charges and the credit.
    switch: PriceSwitch,
    /// The token to send with the switch, valid for one hour. The amounts shown are the amounts charged.
    token: String,
}

impl From<SwitchOffer> for SwitchPreviewResult {
    fn from(offer: SwitchOffer) -> Self {
        Self { switch: PriceSwitch::new(&offer.preview, offer.from_plan_name), token: offer.token }
    }
}

/// The body of a plan switch.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Switch {
    /// The id of the new plan.
    pub(super) plan_id: String,
    /// The `token` of the preview.
    pub(super) token: String,
}

/// The body of a change of card.
#[derive(Deserialize, ToSchema)]
pub(super) struct Card {
    /// The token created by the card form.
    pub(super) token: String,
}

/// A member's plan and billing timeline, latest entry first: future entries come before past ones.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BillingResult {
    plan: Plan,
    timeline: Vec<TimelineLine>,
    /// The number of days after a charge during which a refund can be requested.
    refund_days: i64,
}

impl From<&MemberBilling> for BillingResult {
    fn from(billing: &MemberBilling) -> Self {
        let timeline =
            billing.timeline.iter().map(|one| TimelineLine::new(one, billing.receipts.get(&one.id))).collect();
        Self { plan: billing.into(), timeline, refund_days: REFUND_DAYS }
    }
}

/// The body of a cancellation.
#[derive(Deserialize, ToSchema)]
pub(super) struct Cancel {
    /// One of the eight offered reasons, verbatim. Optional.
    #[schema(
        pattern = "^(too expensive|not using|using other app|not using it right now|not working|no autorenewals|no android app|other)?$"
    )]
    pub(super) reason: Option<String>,
}

/// The body of a pause.
#[derive(Deserialize, ToSchema)]
pub(super) struct Pause {
    /// The length of the pause, in months.
    #[schema(minimum = 1, maximum = 3)]
    pub(super) months: u32,
}

/// The body of a refund request.
#[derive(Deserialize, ToSchema)]
pub(super) struct RefundRequest {
    /// The `id` of the charge in the timeline.
    pub(super) receipt: String,
    /// The reason, at most 5,000 characters. Optional.
    pub(super) reason: Option<String>,
}

/// The body of a request that redeems a code.
#[derive(Deserialize, ToSchema)]
pub(super) struct CodeBody {
    /// The code, ignoring case, dashes and whitespace.
    #[schema(value_type = String, required)]
    pub(super) code: Option<String>,
}

/// The result of redeeming a code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RedeemedResult {
    /// The display name of the plan that the code grants.
    plan_name: String,
    /// The end of the member's access, in milliseconds since the Unix epoch; null for life.
    #[schema(required)]
    end_paid_date: Option<i64>,
}

impl RedeemedResult {
    pub(super) fn new(plan_name: String, billing: &MemberBilling) -> Self {
        let end = |one: &TimelineEntry| one.is_future.then_some(one.at.millis());
        Self { plan_name, end_paid_date: billing.timeline.iter().find_map(end) }
    }
}

/// A seat of a team purchase.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seat {
    /// The redemption code of the seat.
    code: String,
    /// The state of the seat.
    #[schema(pattern = "^(free|sent|used|suspended|revoked)$")]
    state: &'static str,
    /// The email address that it was sent to; null if not sent.
    #[schema(required)]
    sent_to: Option<String>,
    /// When it was redeemed, in milliseconds since the Unix epoch; null if not redeemed.
    #[schema(required)]
    used_at: Option<i64>,
    /// When it was bought, in milliseconds since the Unix epoch.
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

/// A member's team seats, in the order in which they were bought.
#[derive(Serialize, ToSchema)]
pub(super) struct SeatsResult {
    seats: Vec<Seat>,
    /// The number of redeemed seats.
    used: usize,
    /// The number of seats.
    total: usize,
}

impl From<Vec<StoredCode>> for SeatsResult {
    fn from(codes: Vec<StoredCode>) -> Self {
        let used = codes.iter().filter(|one| one.redeemed.is_some()).count();
        Self { seats: codes.iter().map(Seat::from).collect(), used, total: codes.len() }
    }
}

/// The body of a request that sends a seat to a person.
#[derive(Deserialize, ToSchema)]
pub(super) struct SeatToSend {
    /// The redemption code of the seat.
    pub(super) code: String,
    /// The recipient's email address.
    #[schema(max_length = 254)]
    pub(super) email: String,
}
