//! The back office's money types on the wire. Amounts are in cents, times in milliseconds since the Unix epoch.

use admin::{
    CodeFilter, CodeRow, CodeState, DisputeRow, DisputeState, EarnerRow, FailedRenewalRow, LedgerFilter, LedgerRow,
    MONEY_PAGE, OrderFilter, OrderRow, OrderState, PayingMember, RefundGrounds, TeamRow,
};
use billing::{Code, Coupon, Discount, GRACE, Plan};
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use kernel::{Limit, Timestamp, UserId};
use referral::Earnings;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::billing::admin_money::ImportedLine;

use crate::{
    exports::{self, ExportedRow},
    http::{
        error::ApiError,
        wire::page::{ListCount, after, given, limit},
    },
};

fn no_choice(field: &'static str) -> ApiError {
    ApiError::invalid(field, "This is not one of the choices.")
}

/// Midnight (UTC) of a day given as text, plus `days` days.
fn day(text: Option<&str>, field: &'static str, days: i64) -> Result<Option<Timestamp>, ApiError> {
    let Some(text) = given(text) else { return Ok(None) };
    let wrong = || ApiError::invalid(field, "Please choose a day.");
    let date: Date = text.parse().map_err(|_| wrong())?;
    let date = date.checked_add(days.days()).map_err(|_| wrong())?;
    let start = date.to_zoned(TimeZone::UTC).map_err(|_| wrong())?;
    Ok(Some(Timestamp::from_millis(start.timestamp().as_millisecond())))
}

fn text(value: Option<&str>) -> Option<String> {
    given(value).map(str::to_owned)
}

/// Query parameters of the lists of failed renewals and of team purchases: search text and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MoneyParams {
    /// A part of the buyer's email address. The list of failed renewals ignores it.
    q: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl MoneyParams {
    pub(crate) fn read<K: std::str::FromStr>(&self) -> Result<(Option<String>, Option<K>, Limit), ApiError> {
        Ok((text(self.q.as_deref()), after(self.after.as_deref())?, limit(self.limit, MONEY_PAGE, Limit::MAX)?))
    }
}

/// Query parameters of the list of orders: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OrdersParams {
    /// A part of the payer's email address or of the plan's name; or a complete order number, purchase key, provider's id or
    /// coupon code.
    q: Option<String>,
    /// Filters by state.
    #[param(pattern = "^(paid|partly_refunded|refunded|disputed|failed|price_changed|pending)?$")]
    state: Option<String>,
    /// Filters by the id of the plan.
    plan: Option<String>,
    /// Filters by payment provider.
    #[param(pattern = "^(sandbox|stripe|paypal)?$")]
    provider: Option<String>,
    /// The first day, in UTC, such as `2026-01-31`.
    from: Option<String>,
    /// The last day, in UTC, inclusive.
    to: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl OrdersParams {
    pub(crate) fn read(&self) -> Result<(OrderFilter, Option<i64>, Limit), ApiError> {
        let state = given(self.state.as_deref()).map(|state| {
            OrderState::ALL.into_iter().find(|one| one.as_str() == state).ok_or_else(|| no_choice("state"))
        });
        let filter = OrderFilter {
            text: text(self.q.as_deref()),
            state: state.transpose()?,
            plan: text(self.plan.as_deref()),
            provider: text(self.provider.as_deref()),
            from: day(self.from.as_deref(), "from", 0)?,
            to: day(self.to.as_deref(), "to", 1)?,
        };
        Ok((filter, after(self.after.as_deref())?, limit(self.limit, MONEY_PAGE, Limit::MAX)?))
    }
}

/// Query parameters of the list of ledger entries: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LedgerParams {
    /// A part of the payer's email address, the purchase key, the entry's key or the plan's name.
    q: Option<String>,
    /// Filters by kind, such as `charged`.
    kind: Option<String>,
    /// Filters by the id of the member.
    #[param(minimum = 1)]
    member: Option<i64>,
    /// The first day, in UTC, such as `2026-01-31`.
    from: Option<String>,
    /// The last day, in UTC, inclusive.
    to: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl LedgerParams {
    pub(crate) fn read(&self) -> Result<(LedgerFilter, Option<i64>, Limit), ApiError> {
        let member = self.member.map(UserId::new).transpose();
        let filter = LedgerFilter {
            text: text(self.q.as_deref()),
            kind: text(self.kind.as_deref()),
            member: member.map_err(|error| ApiError::invalid("member", error.to_string()))?,
            purchase: None,
            from: day(self.from.as_deref(), "from", 0)?,
            to: day(self.to.as_deref(), "to", 1)?,
        };
        Ok((filter, after(self.after.as_deref())?, limit(self.limit, MONEY_PAGE, Limit::MAX)?))
    }
}

/// Query parameters of the list of disputes: filter and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DisputesParams {
    /// Filters by state.
    #[param(pattern = "^(open|won|lost)?$")]
    state: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl DisputesParams {
    pub(crate) fn read(&self) -> Result<(Option<DisputeState>, Option<i64>, Limit), ApiError> {
        let state = match given(self.state.as_deref()) {
            None => None,
            Some(text) => {
                let found = DisputeState::ALL.into_iter().find(|one| one.as_str() == text);
                Some(found.ok_or_else(|| no_choice("state"))?)
            }
        };
        Ok((state, after(self.after.as_deref())?, limit(self.limit, MONEY_PAGE, Limit::MAX)?))
    }
}

/// Query parameters of the list of redemption codes: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CodesParams {
    /// The beginning of a code, or a part of the email address of the member who redeemed it.
    q: Option<String>,
    /// Filters by state.
    #[param(pattern = "^(free|redeemed|revoked)?$")]
    state: Option<String>,
    /// Filters by origin.
    #[param(pattern = "^(gift|bulk|marketplace|admin)?$")]
    kind: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl CodesParams {
    pub(crate) fn read(&self) -> Result<(CodeFilter, Option<i64>, Limit), ApiError> {
        let state = match given(self.state.as_deref()) {
            None => None,
            Some("free") => Some(CodeState::Free),
            Some("redeemed") => Some(CodeState::Redeemed),
            Some("revoked") => Some(CodeState::Revoked),
            Some(_) => return Err(no_choice("state")),
        };
        let filter =
            CodeFilter { text: text(self.q.as_deref()), state, kind: text(self.kind.as_deref()), purchase: None };
        Ok((filter, after(self.after.as_deref())?, limit(self.limit, MONEY_PAGE, Limit::MAX)?))
    }
}

/// The predicate that selects members by their earnings.
pub(crate) type ShowsEarnings = fn(&Earnings) -> bool;

/// Query parameters of the list of payouts: filter and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PayoutsParams {
    /// Filters by members with an amount in this state.
    #[param(pattern = "^(payable|pending|paid)?$")]
    state: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
}

impl PayoutsParams {
    /// Parses the parameters: the filter, and the cursor.
    pub(crate) fn read(&self) -> Result<(ShowsEarnings, Option<UserId>), ApiError> {
        let is_shown: ShowsEarnings = match given(self.state.as_deref()) {
            None => |_| true,
            Some("payable") => |earned| earned.payable.cents() > 0,
            Some("pending") => |earned| earned.pending.cents() > 0,
            Some("paid") => |earned| earned.paid.cents() > 0,
            Some(_) => return Err(no_choice("state")),
        };
        Ok((is_shown, after(self.after.as_deref())?))
    }
}

/// A member, as shown in lists about money.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoneyMember {
    /// The member's id.
    id: i64,
    /// The member's email address.
    email: String,
}

/// The payer's email address; empty after the account was deleted.
fn payer(member: Option<&MoneyMember>, guest_email: Option<&str>) -> String {
    member.map(|member| member.email.as_str()).or(guest_email).unwrap_or_default().to_owned()
}

impl From<PayingMember> for MoneyMember {
    fn from(member: PayingMember) -> Self {
        Self { id: member.id.get(), email: member.email }
    }
}

/// An order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderLine {
    /// The order number.
    id: i64,
    /// When the checkout started, in milliseconds since the Unix epoch.
    at: i64,
    /// The member who pays; null for a guest or a deleted account.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The email address that a guest entered; otherwise null.
    #[schema(required)]
    email: Option<String>,
    /// The id of the plan.
    plan_id: String,
    /// The display name of the plan.
    plan_name: String,
    /// The amount charged so far, in cents; before the first charge, its expected amount.
    amount: i64,
    /// The refunded amount, in cents.
    refunded: i64,
    /// The state of the order.
    #[schema(pattern = "^(paid|partly_refunded|refunded|disputed|failed|price_changed|pending)$")]
    state: &'static str,
    /// The payment provider.
    provider: String,
    /// The coupon code; null if none was used.
    #[schema(required)]
    coupon: Option<String>,
    /// The quantity: the number of seats for a team purchase, otherwise 1.
    quantity: u32,
}

impl From<OrderRow> for OrderLine {
    fn from(row: OrderRow) -> Self {
        Self {
            id: row.number,
            at: row.at.millis(),
            member: row.member.map(Into::into),
            email: row.guest_email,
            plan_id: row.plan_id,
            plan_name: row.plan_name,
            amount: row.amount.cents(),
            refunded: row.refunded.cents(),
            state: row.state.as_str(),
            provider: row.provider,
            coupon: row.coupon,
            quantity: row.quantity,
        }
    }
}

impl ExportedRow for OrderLine {
    const COLUMNS: &'static [&'static str] =
        &["Order", "Date", "Member", "Plan", "Quantity", "Amount", "Refunded", "Status", "By", "Coupon"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            exports::day(self.at),
            payer(self.member.as_ref(), self.email.as_deref()),
            self.plan_name.clone(),
            self.quantity.to_string(),
            exports::amount(self.amount),
            exports::amount(self.refunded),
            self.state.to_owned(),
            self.provider.clone(),
            self.coupon.clone().unwrap_or_default(),
        ]
    }
}

/// A page of orders.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OrdersResult {
    /// The orders, newest first.
    pub(crate) orders: Vec<OrderLine>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
}

/// The renewal terms of an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderRenewal {
    /// The price of each renewal, in cents.
    price: i64,
    /// The number of months between renewals.
    months: u32,
}

/// A charge of an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderCharge {
    /// The id of the charge, used to refund it.
    id: String,
    /// When the payment was taken, in milliseconds since the Unix epoch.
    at: i64,
    /// The charged amount, in cents.
    amount: i64,
    /// The refunded amount, in cents.
    refunded: i64,
    /// The amount that can still be refunded, in cents.
    refundable: i64,
}

/// An event in the history of an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderEvent {
    /// The key of the ledger entry.
    id: String,
    /// When it happened, in milliseconds since the Unix epoch.
    at: i64,
    /// The kind of ledger entry, such as `charged`.
    kind: String,
    /// The display name of the plan.
    title: String,
    /// The reason of a refund, with the admin's note; otherwise null.
    #[schema(required)]
    why: Option<String>,
    /// The amount, in cents; never negative. `kind` determines the direction.
    amount: i64,
}

/// An order with its charges and its history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderDetail {
    #[serde(flatten)]
    line: OrderLine,
    /// The total of the provider's fees, in cents.
    fee: i64,
    /// The renewal terms; null if the order does not renew.
    #[schema(required)]
    renewal: Option<OrderRenewal>,
    /// The end of the trial, past or future, in milliseconds since the Unix epoch; null without a trial.
    #[schema(required)]
    trial_ends_at: Option<i64>,
    /// The provider's id of the charge or the subscription; null if there is none yet.
    #[schema(required)]
    provider_id: Option<String>,
    /// The id of the referral link; null if none was used.
    #[schema(required)]
    referral: Option<String>,
    /// The charges of the order, newest first.
    charges: Vec<OrderCharge>,
    /// The ledger entries of the order, newest first.
    history: Vec<OrderEvent>,
}

impl OrderDetail {
    pub(crate) fn new(row: OrderRow, rows: Vec<LedgerRow>) -> Self {
        let undone = |key: &str, kind: &str| {
            let of_charge = rows.iter().filter(|one| one.kind == kind && one.reference.as_deref() == Some(key));
            of_charge.map(|one| one.amount.cents()).sum::<i64>()
        };
        let charges = rows.iter().filter(|one| one.kind == "charged").map(|one| {
            let (amount, refunded) = (one.amount.cents(), undone(&one.key, "refunded"));
            let disputed = undone(&one.key, "disputed") - undone(&one.key, "dispute_won");
            let refundable = (amount - refunded - disputed).max(0);
            OrderCharge { id: one.key.clone(), at: one.at.millis(), amount, refunded, refundable }
        });
        let charges = charges.collect();
        let history = rows.into_iter().map(|one| OrderEvent {
            id: one.key,
            at: one.at.millis(),
            kind: one.kind,
            title: one.plan_name,
            why: one.grounds.map(|grounds| why_of(&grounds)),
            amount: one.amount.cents(),
        });
        Self {
            fee: row.fee.cents(),
            renewal: row.renewal.map(|(price, months)| OrderRenewal { price: price.cents(), months }),
            trial_ends_at: row.trial_ends_at.map(Timestamp::millis),
            provider_id: row.provider_id.clone(),
            referral: row.referral.clone(),
            charges,
            history: history.collect(),
            line: row.into(),
        }
    }
}

/// The reason and the note of a refund, joined into one text.
fn why_of(RefundGrounds { reason, note }: &RefundGrounds) -> String {
    note.as_ref().map_or_else(|| reason.label().to_owned(), |note| format!("{}: {note}", reason.label()))
}

/// The result of requests for an order.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OrderResult {
    /// The order.
    pub(crate) order: OrderDetail,
}

/// A failed renewal that has not been paid since.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedRenewal {
    /// The order number.
    id: i64,
    /// The member who pays; null for a guest or a deleted account.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The email address that a guest entered; otherwise null.
    #[schema(required)]
    email: Option<String>,
    /// The display name of the plan.
    plan_name: String,
    /// The amount due, in cents.
    amount: i64,
    /// When it first failed, in milliseconds since the Unix epoch.
    failed_at: i64,
    /// The number of failed attempts.
    attempts: u32,
    /// The end of the grace period, until which the plan stays active, in milliseconds since the Unix epoch.
    grace_ends_at: i64,
    /// Always null: the provider's error message is not stored.
    #[schema(required)]
    error: Option<String>,
    /// The payment provider.
    provider: String,
}

impl From<FailedRenewalRow> for FailedRenewal {
    fn from(row: FailedRenewalRow) -> Self {
        Self {
            id: row.order,
            member: row.member.map(Into::into),
            email: row.guest_email,
            plan_name: row.plan_name,
            amount: row.amount.cents(),
            failed_at: row.failed_at.millis(),
            attempts: row.attempts,
            grace_ends_at: row.failed_at.plus(GRACE).millis(),
            error: None,
            provider: row.provider,
        }
    }
}

/// A page of failed renewals that have not been paid since.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FailedRenewalsResult {
    /// The failed renewals, newest order first.
    pub(crate) renewals: Vec<FailedRenewal>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A dispute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dispute {
    /// The id of the ledger entry that opened the dispute.
    id: i64,
    /// When it was opened, in milliseconds since the Unix epoch.
    at: i64,
    /// The member who paid the charge; null for a guest or a deleted account.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The email address that a guest entered; otherwise null.
    #[schema(required)]
    email: Option<String>,
    /// The display name of the plan.
    plan_name: String,
    /// The disputed amount, in cents.
    amount: i64,
    /// The provider's fee for the dispute, in cents.
    fee: i64,
    /// The state of the dispute.
    #[schema(pattern = "^(open|won|lost)$")]
    state: &'static str,
    /// The payment provider; empty if there is no order.
    provider: String,
    /// The order number; null if there is no order.
    #[schema(required)]
    order: Option<i64>,
}

impl From<DisputeRow> for Dispute {
    fn from(row: DisputeRow) -> Self {
        let (provider, order) = row.order.unzip();
        Self {
            id: row.id,
            at: row.at.millis(),
            member: row.member.map(Into::into),
            email: row.guest_email,
            plan_name: row.plan_name,
            amount: row.amount.cents(),
            fee: row.fee.cents(),
            state: row.state.as_str(),
            provider: provider.unwrap_or_default(),
            order,
        }
    }
}

/// A page of disputes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DisputesResult {
    /// The disputes, newest first.
    pub(crate) disputes: Vec<Dispute>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A team purchase: an order of seats.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TeamLine {
    /// The order number.
    id: i64,
    /// The member who bought the seats; null for a guest or a deleted account.
    #[schema(required)]
    buyer: Option<MoneyMember>,
    /// The email address that a guest entered; otherwise null.
    #[schema(required)]
    email: Option<String>,
    /// When the seats were bought, in milliseconds since the Unix epoch.
    bought_at: i64,
    /// The number of seats.
    seats: u64,
    /// The number of redeemed seats.
    used: u64,
    /// The number of seats that the buyer has sent to an email address.
    sent: u64,
    /// The number of revoked seats.
    revoked: u64,
    /// The charged amount, in cents.
    amount: i64,
}

impl From<TeamRow> for TeamLine {
    fn from(row: TeamRow) -> Self {
        Self {
            id: row.order,
            buyer: row.buyer.map(Into::into),
            email: row.guest_email,
            bought_at: row.bought_at.millis(),
            seats: row.seats,
            used: row.used,
            sent: row.sent,
            revoked: row.revoked,
            amount: row.amount.cents(),
        }
    }
}

/// A page of team purchases.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TeamsResult {
    /// The team purchases, newest first.
    pub(crate) teams: Vec<TeamLine>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A seat of a team purchase.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TeamSeat {
    /// The id of the seat's redemption code.
    id: i64,
    /// The redemption code.
    code: String,
    /// The state of the seat.
    #[schema(pattern = "^(free|sent|used|revoked)$")]
    state: &'static str,
    /// The email address to which the buyer has sent it; null if not sent.
    #[schema(required)]
    sent_to: Option<String>,
    /// When it was redeemed, in milliseconds since the Unix epoch; null if not redeemed.
    #[schema(required)]
    used_at: Option<i64>,
}

impl From<CodeRow> for TeamSeat {
    fn from(row: CodeRow) -> Self {
        let state = match &row {
            CodeRow { revoked_at: Some(_), .. } => "revoked",
            CodeRow { redeemed_at: Some(_), .. } => "used",
            CodeRow { sent_to: Some(_), .. } => "sent",
            _ => "free",
        };
        Self {
            id: row.id,
            code: shown(&row.code),
            state,
            sent_to: row.sent_to,
            used_at: row.redeemed_at.map(Timestamp::millis),
        }
    }
}

/// Formats a code for display; a text that is not a code stays unchanged.
fn shown(code: &str) -> String {
    Code::parse(code).map_or_else(|_| code.to_owned(), |code| code.to_string())
}

/// A team purchase with its seats.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TeamDetail {
    #[serde(flatten)]
    pub(crate) line: TeamLine,
    /// The seats, oldest first.
    pub(crate) list: Vec<TeamSeat>,
}

/// The result of a request for a team purchase.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TeamResult {
    /// The team purchase.
    pub(crate) team: TeamDetail,
}

/// A posting to an account; debits are positive.
#[derive(Debug, Serialize, ToSchema)]
struct LedgerBooking {
    /// The account.
    account: String,
    /// The amount, in cents; negative for a credit.
    amount: i64,
}

/// A ledger entry.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerLine {
    /// The id of the entry.
    id: i64,
    /// When it happened, in milliseconds since the Unix epoch.
    at: i64,
    /// When it was recorded, in milliseconds since the Unix epoch.
    recorded_at: i64,
    /// The kind of entry, such as `charged`.
    kind: String,
    /// The member who pays; null for a guest or a deleted account.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The email address that a guest entered; otherwise null.
    #[schema(required)]
    email: Option<String>,
    /// The purchase key.
    purchase: String,
    /// The display name of the plan.
    plan_name: String,
    /// The amount, in cents; never negative. `kind` determines the direction.
    amount: i64,
    /// The provider's fee for a charge or a dispute, in cents.
    fee: i64,
    /// The key of the entry that this one reverses; null if it reverses none.
    #[schema(required)]
    reference: Option<String>,
    /// The reason that an admin gave for a refund; otherwise null.
    #[schema(required, pattern = "^(requested_by_customer|duplicate|fraudulent|other)$")]
    reason: Option<&'static str>,
    /// The admin's note on a refund; null without one.
    #[schema(required)]
    note: Option<String>,
    /// The postings, which sum to zero; empty if no money moved.
    entries: Vec<LedgerBooking>,
}

impl From<LedgerRow> for LedgerLine {
    fn from(row: LedgerRow) -> Self {
        let (reason, note) = row.grounds.map(|grounds| (grounds.reason.as_str(), grounds.note)).unzip();
        let booking = |(account, amount): (String, kernel::Money)| LedgerBooking { account, amount: amount.cents() };
        Self {
            id: row.id,
            at: row.at.millis(),
            recorded_at: row.recorded_at.millis(),
            kind: row.kind,
            member: row.member.map(Into::into),
            email: row.guest_email,
            purchase: row.purchase,
            plan_name: row.plan_name,
            amount: row.amount.cents(),
            fee: row.fee.cents(),
            reference: row.reference,
            reason,
            note: note.flatten(),
            entries: row.entries.into_iter().map(booking).collect(),
        }
    }
}

impl ExportedRow for LedgerLine {
    const COLUMNS: &'static [&'static str] =
        &["Number", "Date", "What", "Member", "Purchase", "Plan", "Amount", "Fee", "Reason", "Note", "Accounts"];

    fn cells(&self) -> Vec<String> {
        let entries: Vec<String> =
            self.entries.iter().map(|entry| format!("{} {}", entry.account, exports::amount(entry.amount))).collect();
        vec![
            self.id.to_string(),
            exports::day(self.at),
            self.kind.clone(),
            payer(self.member.as_ref(), self.email.as_deref()),
            self.purchase.clone(),
            self.plan_name.clone(),
            exports::amount(self.amount),
            exports::amount(self.fee),
            self.reason.unwrap_or_default().to_owned(),
            self.note.clone().unwrap_or_default(),
            entries.join("; "),
        ]
    }
}

/// A page of ledger entries.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LedgerResult {
    /// The ledger entries, newest first.
    pub(crate) entries: Vec<LedgerLine>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
}

/// The balance of an account; debits are positive.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountBalance {
    /// The account.
    pub(crate) account: &'static str,
    /// The balance, in cents.
    pub(crate) balance: i64,
}

/// The balances of all accounts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountsResult {
    /// The accounts that have postings.
    pub(crate) accounts: Vec<AccountBalance>,
}

/// A discrepancy found by a check of the ledger.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LedgerFaultLine {
    /// The position in the report, from 1.
    pub(crate) id: usize,
    /// A description of the discrepancy.
    pub(crate) error: String,
}

/// The result of a check of the ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerCheckResult {
    /// The number of ledger entries checked.
    pub(crate) transactions: usize,
    /// The discrepancies; empty if there are none.
    pub(crate) wrong: Vec<LedgerFaultLine>,
    /// The duration of the check, in milliseconds.
    pub(crate) took_ms: i64,
}

/// The referral earnings of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayoutLine {
    /// The id of the member.
    user_id: i64,
    /// The member's email address.
    email: String,
    /// `affiliate` if at least one reward comes from an affiliate link, otherwise `friend`.
    #[schema(pattern = "^(friend|affiliate)$")]
    kind: &'static str,
    /// The amount earned within the last 30 days, which can't be paid out yet, in cents.
    pending: i64,
    /// The amount that can be paid out, in cents.
    payable: i64,
    /// The total amount paid out, in cents.
    paid: i64,
    /// When the last payout was made, in milliseconds since the Unix epoch; null if never.
    #[schema(required)]
    last_paid_at: Option<i64>,
    /// The number of rewarded purchases, including those whose reward was reversed.
    purchases: u64,
}

impl From<(EarnerRow, Earnings)> for PayoutLine {
    fn from((row, earned): (EarnerRow, Earnings)) -> Self {
        Self {
            user_id: row.member.id.get(),
            email: row.member.email,
            kind: if row.is_affiliate { "affiliate" } else { "friend" },
            pending: earned.pending.cents(),
            payable: earned.payable.cents(),
            paid: earned.paid.cents(),
            last_paid_at: row.last_paid_at.map(Timestamp::millis),
            purchases: row.purchases,
        }
    }
}

impl ExportedRow for PayoutLine {
    const COLUMNS: &'static [&'static str] =
        &["Member", "E-mail", "Program", "Purchases", "Pending", "Due", "Paid", "Last paid"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.user_id.to_string(),
            self.email.clone(),
            self.kind.to_owned(),
            self.purchases.to_string(),
            exports::amount(self.pending),
            exports::amount(self.payable),
            exports::amount(self.paid),
            exports::day_or_nothing(self.last_paid_at),
        ]
    }
}

/// A page of members with referral earnings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoutsResult {
    /// The members, by ascending id.
    pub(crate) payouts: Vec<PayoutLine>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A recorded payout.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaidOut {
    /// The position among the member's payouts, from 1.
    pub(crate) id: usize,
    /// When it was paid, in milliseconds since the Unix epoch.
    pub(crate) at: i64,
    /// The amount, in cents.
    pub(crate) amount: i64,
}

/// The referral earnings and the payouts of a member.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoutResult {
    /// The member's earnings.
    pub(crate) payout: PayoutLine,
    /// The member's payouts, oldest first.
    pub(crate) history: Vec<PaidOut>,
}

/// The body of a request that records a payout.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PayoutForm {
    /// The payable amount that was shown, in cents. Another amount is refused with `price_changed`.
    #[schema(minimum = 1)]
    pub(crate) amount: i64,
    /// The total paid out before, as it was shown, in cents. It identifies the payout: repeating a request records it once.
    #[schema(minimum = 0)]
    pub(crate) paid: i64,
    /// A note for the audit log on how it was paid.
    #[schema(max_length = 200)]
    pub(crate) note: Option<String>,
}

/// A coupon.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CouponLine {
    /// The coupon code, in upper case.
    code: String,
    /// The percentage taken off a charge; null if the coupon takes off an amount.
    #[schema(required)]
    percent: Option<u32>,
    /// The amount taken off a charge, in cents; null if the coupon takes off a percentage.
    #[schema(required)]
    amount: Option<i64>,
    /// Whether it also reduces each renewal, not only the first charge.
    every_charge: bool,
    /// The ids of the plans that it is valid for; `book` stands for every book. Empty: all plans.
    plans: Vec<String>,
    /// The campaign that it belongs to; null if none.
    #[schema(required)]
    campaign: Option<String>,
    /// The start of its validity, in milliseconds since the Unix epoch.
    starts_at: i64,
    /// The end of its validity, in milliseconds since the Unix epoch; null if it does not expire.
    #[schema(required)]
    ends_at: Option<i64>,
    /// The maximum number of purchases; null for no limit.
    #[schema(required)]
    max_uses: Option<u32>,
    /// The number of purchases that have used it.
    uses: u32,
}

impl From<(Coupon, u32)> for CouponLine {
    fn from((coupon, uses): (Coupon, u32)) -> Self {
        let (percent, amount) = match coupon.terms.discount {
            Discount::Percent(percent) => (Some(percent.get()), None),
            Discount::Amount(amount) => (None, Some(amount.cents())),
        };
        Self {
            code: coupon.code.to_string(),
            percent,
            amount,
            every_charge: coupon.terms.every_charge,
            plans: coupon.plans,
            campaign: coupon.campaign,
            starts_at: coupon.valid.starts_at.millis(),
            ends_at: coupon.valid.ends_at.map(Timestamp::millis),
            max_uses: coupon.max_uses,
            uses,
        }
    }
}

/// All coupons.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CouponsResult {
    /// The coupons, by code.
    pub(crate) coupons: Vec<CouponLine>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// The result of requests for a coupon.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CouponResultLine {
    /// The coupon.
    pub(crate) coupon: CouponLine,
}

/// The body of a request that creates or updates a coupon.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CouponForm {
    /// The coupon code: up to 40 letters, digits, `-`, `_` and `%`. Required to create a coupon; an update ignores it.
    pub(crate) code: Option<String>,
    /// The percentage taken off a charge, 1 to 100. Either this or `amount` is required.
    #[schema(minimum = 1, maximum = 100)]
    pub(crate) percent: Option<u32>,
    /// The amount taken off a charge, in cents. Either this or `percent` is required.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub(crate) amount: Option<i64>,
    /// Whether it also reduces each renewal, not only the first charge. Default: false.
    #[serde(default)]
    pub(crate) every_charge: bool,
    /// The ids of the plans that it is valid for; `book` stands for every book. Empty or missing: all plans.
    #[serde(default)]
    pub(crate) plans: Vec<String>,
    /// The campaign that it belongs to; null or blank for none.
    #[schema(max_length = 100)]
    pub(crate) campaign: Option<String>,
    /// The start of its validity, in milliseconds since the Unix epoch. Default: now.
    pub(crate) starts_at: Option<i64>,
    /// The end of its validity, in milliseconds since the Unix epoch; null if it does not expire.
    pub(crate) ends_at: Option<i64>,
    /// The maximum number of purchases; null for no limit.
    pub(crate) max_uses: Option<u32>,
}

/// A redemption code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeLine {
    /// The id of the code.
    id: i64,
    /// The code.
    code: String,
    /// The origin of the code.
    #[schema(pattern = "^(gift|bulk|marketplace|admin)$")]
    kind: String,
    /// The display name of the plan.
    plan_name: String,
    /// The number of months that it grants; null for life.
    #[schema(required)]
    months: Option<u32>,
    /// When it was created or imported, in milliseconds since the Unix epoch.
    created_at: i64,
    /// The member who redeemed it; null if it was not redeemed or the account was deleted.
    #[schema(required)]
    redeemed_by: Option<MoneyMember>,
    /// When it was redeemed, in milliseconds since the Unix epoch; null if not redeemed.
    #[schema(required)]
    redeemed_at: Option<i64>,
    /// When it was revoked, in milliseconds since the Unix epoch; null if not revoked.
    #[schema(required)]
    revoked_at: Option<i64>,
}

impl From<CodeRow> for CodeLine {
    fn from(row: CodeRow) -> Self {
        Self {
            id: row.id,
            code: shown(&row.code),
            kind: row.kind,
            plan_name: row.plan_name,
            months: row.months,
            created_at: row.created_at.millis(),
            redeemed_by: row.redeemed_by.map(Into::into),
            redeemed_at: row.redeemed_at.map(Timestamp::millis),
            revoked_at: row.revoked_at.map(Timestamp::millis),
        }
    }
}

impl ExportedRow for CodeLine {
    const COLUMNS: &'static [&'static str] = &["Code", "Plan", "Months", "Kind", "Made", "Redeemed", "By", "Revoked"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.code.clone(),
            self.plan_name.clone(),
            self.months.map(|months| months.to_string()).unwrap_or_default(),
            self.kind.clone(),
            exports::day(self.created_at),
            exports::day_or_nothing(self.redeemed_at),
            payer(self.redeemed_by.as_ref(), None),
            exports::day_or_nothing(self.revoked_at),
        ]
    }
}

/// A page of redemption codes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CodesResult {
    /// The codes, newest first.
    pub(crate) codes: Vec<CodeLine>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
}

/// Newly created redemption codes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MadeCodesResult {
    /// The codes.
    pub(crate) codes: Vec<CodeLine>,
}

/// The result of requests for a redemption code.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CodeResultLine {
    /// The code.
    pub(crate) code: CodeLine,
}

/// The body of a request that creates redemption codes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodesForm {
    /// The id of the plan that the codes grant.
    pub(crate) plan_id: String,
    /// The number of months that each code grants; null for a lifetime plan and required for any other plan.
    #[schema(minimum = 1, maximum = 1200)]
    pub(crate) months: Option<u32>,
    /// The number of codes, 1 to 5000.
    #[schema(minimum = 1, maximum = 5000)]
    pub(crate) count: u32,
    /// A note for the audit log on the purpose of the codes.
    #[schema(max_length = 200)]
    pub(crate) note: Option<String>,
}

/// The body of a request that imports redemption codes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodesImport {
    /// The id of the plan that the codes grant.
    pub(crate) plan_id: String,
    /// The number of months that each code grants; null for a lifetime plan and required for any other plan.
    #[schema(minimum = 1, maximum = 1200)]
    pub(crate) months: Option<u32>,
    /// The codes, one per line of the file, 1 to 5000.
    #[schema(max_items = 5000)]
    pub(crate) codes: Vec<String>,
    /// Whether to report the outcome of each line without importing anything. Default: false.
    #[serde(default)]
    pub(crate) dry_run: bool,
}

/// The outcome of a line of an import.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportLine {
    /// The line number, from 1.
    line: usize,
    /// The code, as sent.
    code: String,
    /// The outcome.
    #[schema(pattern = "^(imported|already_there|invalid)$")]
    result: &'static str,
    /// The reason why the code was not imported; null if it was.
    #[schema(required)]
    error: Option<&'static str>,
}

/// The result of an import.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportResult {
    /// The number of imported codes; in a dry run, of codes that would be imported.
    imported: usize,
    /// The outcome of each line, in order.
    lines: Vec<ImportLine>,
}

impl ImportResult {
    /// The report of an import: the lines, and the outcome of each.
    pub(crate) fn new(codes: Vec<String>, report: Vec<ImportedLine>) -> Self {
        let imported = report.iter().filter(|line| **line == ImportedLine::Imported).count();
        let lines = codes.into_iter().zip(report).enumerate().map(|(index, (code, line))| {
            let (result, error) = match line {
                ImportedLine::Imported => ("imported", None),
                ImportedLine::AlreadyThere => ("already_there", Some("This code already exists.")),
                ImportedLine::Invalid => ("invalid", Some("A code has 16 to 64 letters and digits.")),
            };
            ImportLine { line: index + 1, code, result, error }
        });
        Self { imported, lines: lines.collect() }
    }
}

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanLine {
    /// The id of the plan, used in URLs.
    id: String,
    /// The display name.
    name: String,
    /// The kind of plan: `monthly`, `yearly`, `lifetime`, `gift`, `bulk` or `once`.
    kind: &'static str,
    /// The price of one unit, in cents.
    price: i64,
    /// The position in lists, from 1.
    place: usize,
    /// The number of running subscriptions.
    subscribers: u64,
    /// Whether it is no longer sold.
    archived: bool,
    /// The version, to be sent with an update.
    version: i64,
}

impl PlanLine {
    /// A plan with its position in the list, its number of subscribers and its version.
    pub(crate) fn new(plan: Plan, place: usize, subscribers: u64, version: i64) -> Self {
        let Plan { id, name, kind, price, archived } = plan;
        Self { id, name, kind: kind.as_str(), price: price.cents(), place, subscribers, archived, version }
    }

    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.id == id
    }
}

/// All plans.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlansResult {
    /// The plans, in display order.
    pub(crate) plans: Vec<PlanLine>,
}

/// The result of requests for a plan.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanResultLine {
    /// The plan.
    pub(crate) plan: PlanLine,
}

/// The body of a request that creates a plan.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewPlanForm {
    /// The id of the plan, used in URLs: lower-case letters, digits and dashes; it must not start with `book`.
    #[schema(min_length = 2, max_length = 40)]
    pub(crate) id: String,
    /// The display name.
    #[schema(min_length = 1, max_length = 100)]
    pub(crate) name: String,
    /// The billing period.
    #[schema(pattern = "^(monthly|yearly|lifetime)$")]
    pub(crate) kind: String,
    /// The price, in cents.
    #[schema(minimum = 50, maximum = 1_000_000)]
    pub(crate) price: i64,
}

/// The body of a plan update.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PlanForm {
    /// The display name.
    #[schema(min_length = 1, max_length = 100)]
    pub(crate) name: String,
    /// The price of one unit, in cents.
    #[schema(minimum = 50, maximum = 1_000_000)]
    pub(crate) price: i64,
    /// Whether it is no longer sold. Members who have it keep it. Default: false.
    #[serde(default)]
    pub(crate) archived: bool,
    /// The version that was read; a plan changed since then is refused. Null: the plan is overwritten.
    pub(crate) version: Option<i64>,
}
