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

/// A page of a list about money.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MoneyParams {
    /// A part of an address, or what else the list is searched by.
    q: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl MoneyParams {
    pub(crate) fn read<K: std::str::FromStr>(&self) -> Result<(Option<String>, Option<K>, Limit), ApiError> {
        Ok((text(self.q.as_deref()), after(self.after.as_deref())?, limit(self.limit, MONEY_PAGE, Limit::MAX)?))
    }
}

/// Which orders are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OrdersParams {
    /// A part of the payer's address or the plan's name, the order's number, or the provider's id.
    q: Option<String>,
    /// Only those in this state.
    #[param(pattern = "^(paid|partly_refunded|refunded|disputed|failed|price_changed|pending)?$")]
    state: Option<String>,
    /// Only those of the plan with this id.
    plan: Option<String>,
    /// Only those at this provider.
    #[param(pattern = "^(sandbox|stripe|paypal)?$")]
    provider: Option<String>,
    /// Only those from this day on, by UTC: `2026-01-31`.
    from: Option<String>,
    /// Only those up to this day.
    to: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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

/// Which rows of the ledger are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LedgerParams {
    /// A part of the payer's address, the purchase, the key or the plan's name.
    q: Option<String>,
    /// Only rows of this kind, such as `charged`.
    kind: Option<String>,
    /// Only rows of the member with this id.
    #[param(minimum = 1)]
    member: Option<i64>,
    /// Only those that happened from this day on, by UTC.
    from: Option<String>,
    /// Only those up to this day.
    to: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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

/// Which disputes are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DisputesParams {
    /// Only those that stand so.
    #[param(pattern = "^(open|won|lost)?$")]
    state: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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

/// Which codes are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CodesParams {
    /// The beginning of a code, or a part of the address of who redeemed it.
    q: Option<String>,
    /// Only those in this state.
    #[param(pattern = "^(free|redeemed|revoked)?$")]
    state: Option<String>,
    /// Only those of this kind.
    #[param(pattern = "^(gift|bulk|marketplace|admin)?$")]
    kind: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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

/// The predicate for members' earnings that are listed.
pub(crate) type ShowsEarnings = fn(&Earnings) -> bool;

/// Whose payouts are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PayoutsParams {
    /// Only members with something in this state.
    #[param(pattern = "^(payable|pending|paid)?$")]
    state: Option<String>,
    /// `result.next` of the page before.
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

/// A member, as lists about money name them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoneyMember {
    /// The id.
    id: i64,
    /// The address.
    email: String,
}

/// The address of the one who pays; empty after the account was deleted.
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
    /// Its number.
    id: i64,
    /// When it began.
    at: i64,
    /// The member who pays; null: a guest, or a person whose account was deleted.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The address that a guest typed.
    #[schema(required)]
    email: Option<String>,
    /// The plan.
    plan_id: String,
    /// Its name.
    plan_name: String,
    /// What was charged so far; before a charge, what the first will be.
    amount: i64,
    /// What went back.
    refunded: i64,
    /// What became of it.
    #[schema(pattern = "^(paid|partly_refunded|refunded|disputed|failed|price_changed|pending)$")]
    state: &'static str,
    /// The payment provider.
    provider: String,
    /// The coupon.
    #[schema(required)]
    coupon: Option<String>,
    /// How many.
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
    /// The newest first.
    pub(crate) orders: Vec<OrderLine>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
}

/// What renews an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderRenewal {
    /// What each renewal costs.
    price: i64,
    /// Every how many months.
    months: u32,
}

/// A charge of an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderCharge {
    /// Its id, by which it is refunded.
    id: String,
    /// When it was taken.
    at: i64,
    /// How much.
    amount: i64,
    /// What went back.
    refunded: i64,
    /// What can be given back.
    refundable: i64,
}

/// Something that happened to an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderEvent {
    /// Its id.
    id: String,
    /// When.
    at: i64,
    /// What: a kind of row of the ledger.
    kind: String,
    /// The plan's name.
    title: String,
    /// Why.
    #[schema(required)]
    why: Option<String>,
    /// How much.
    amount: i64,
}

/// An order with everything that happened to it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderDetail {
    #[serde(flatten)]
    line: OrderLine,
    /// What the provider kept.
    fee: i64,
    /// What renews it; null: it is paid once.
    #[schema(required)]
    renewal: Option<OrderRenewal>,
    /// When its trial ends or ended.
    #[schema(required)]
    trial_ends_at: Option<i64>,
    /// The provider's id of the charge or the subscription.
    #[schema(required)]
    provider_id: Option<String>,
    /// The referral link.
    #[schema(required)]
    referral: Option<String>,
    /// Its charges, the newest first.
    charges: Vec<OrderCharge>,
    /// Its rows of the ledger, the newest first.
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

/// The reason and the note of a refund as one text.
fn why_of(RefundGrounds { reason, note }: &RefundGrounds) -> String {
    note.as_ref().map_or_else(|| reason.label().to_owned(), |note| format!("{}: {note}", reason.label()))
}

/// An order.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OrderResult {
    /// The order.
    pub(crate) order: OrderDetail,
}

/// A renewal that failed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedRenewal {
    /// The number of the order.
    id: i64,
    /// Whose it is.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The address that a guest typed.
    #[schema(required)]
    email: Option<String>,
    /// The plan's name.
    plan_name: String,
    /// What is due.
    amount: i64,
    /// When it failed first.
    failed_at: i64,
    /// How often it failed.
    attempts: u32,
    /// Until when the plan stays.
    grace_ends_at: i64,
    /// What the provider said; it is not kept.
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

/// A page of renewals that failed and are not paid since.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FailedRenewalsResult {
    /// The newest order first.
    pub(crate) renewals: Vec<FailedRenewal>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A dispute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dispute {
    /// The number of its row in the ledger.
    id: i64,
    /// When it was opened.
    at: i64,
    /// Whose charge it is.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The address that a guest typed.
    #[schema(required)]
    email: Option<String>,
    /// The plan's name.
    plan_name: String,
    /// How much.
    amount: i64,
    /// What the provider took for it.
    fee: i64,
    /// How it stands.
    #[schema(pattern = "^(open|won|lost)$")]
    state: &'static str,
    /// The payment provider.
    provider: String,
    /// The number of the order.
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
    /// The newest first.
    pub(crate) disputes: Vec<Dispute>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A purchase of seats.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TeamLine {
    /// The number of its order.
    id: i64,
    /// Who bought them.
    #[schema(required)]
    buyer: Option<MoneyMember>,
    /// The address that a guest typed.
    #[schema(required)]
    email: Option<String>,
    /// When.
    bought_at: i64,
    /// How many seats.
    seats: u64,
    /// How many were redeemed.
    used: u64,
    /// How many were sent to a person.
    sent: u64,
    /// How many were revoked.
    revoked: u64,
    /// What was charged.
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

/// A page of purchases of seats.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TeamsResult {
    /// The newest first.
    pub(crate) teams: Vec<TeamLine>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A seat.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TeamSeat {
    /// Its number.
    id: i64,
    /// Its code.
    code: String,
    /// What became of it.
    #[schema(pattern = "^(free|sent|used|revoked)$")]
    state: &'static str,
    /// To whom its buyer has sent it.
    #[schema(required)]
    sent_to: Option<String>,
    /// When it was redeemed.
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

/// A purchase of seats with its seats.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TeamDetail {
    #[serde(flatten)]
    pub(crate) line: TeamLine,
    /// The seats.
    pub(crate) list: Vec<TeamSeat>,
}

/// A purchase of seats.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TeamResult {
    /// The purchase.
    pub(crate) team: TeamDetail,
}

/// A booking on an account; a debit is positive.
#[derive(Debug, Serialize, ToSchema)]
struct LedgerBooking {
    /// The account.
    account: String,
    /// How much.
    amount: i64,
}

/// A row of the ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerLine {
    /// Its number.
    id: i64,
    /// When it happened.
    at: i64,
    /// When it was recorded.
    recorded_at: i64,
    /// What happened.
    kind: String,
    /// Whose it is; null: a guest, or a person whose account was deleted.
    #[schema(required)]
    member: Option<MoneyMember>,
    /// The address that a guest typed.
    #[schema(required)]
    email: Option<String>,
    /// The purchase.
    purchase: String,
    /// The plan's name.
    plan_name: String,
    /// How much.
    amount: i64,
    /// What the provider kept.
    fee: i64,
    /// The key of the row that it undoes.
    #[schema(required)]
    reference: Option<String>,
    /// Why an admin gave it back, of a refund.
    #[schema(required, pattern = "^(requested_by_customer|duplicate|fraudulent|other)$")]
    reason: Option<&'static str>,
    /// What the admin said besides.
    #[schema(required)]
    note: Option<String>,
    /// What was booked: adds up to zero.
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

/// A page of the ledger.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LedgerResult {
    /// The newest first.
    pub(crate) entries: Vec<LedgerLine>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
}

/// What an account adds up to; a debit is positive.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountBalance {
    /// The account.
    pub(crate) account: &'static str,
    /// The sum.
    pub(crate) balance: i64,
}

/// What all accounts add up to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountsResult {
    /// The accounts that have entries.
    pub(crate) accounts: Vec<AccountBalance>,
}

/// Something that does not agree.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LedgerFaultLine {
    /// Its place in the report, from 1.
    pub(crate) id: usize,
    /// What it is.
    pub(crate) error: String,
}

/// What a check of the ledger found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerCheckResult {
    /// How many rows were looked at.
    pub(crate) transactions: usize,
    /// What does not agree; empty when all does.
    pub(crate) wrong: Vec<LedgerFaultLine>,
    /// How long it took, in milliseconds.
    pub(crate) took_ms: i64,
}

/// What a member has earned by referrals.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayoutLine {
    /// The member.
    user_id: i64,
    /// The address.
    email: String,
    /// Whether the member is an affiliate.
    #[schema(pattern = "^(friend|affiliate)$")]
    kind: &'static str,
    /// What was earned less than 30 days ago.
    pending: i64,
    /// What can be paid out.
    payable: i64,
    /// What was paid out.
    paid: i64,
    /// When the last payout was.
    #[schema(required)]
    last_paid_at: Option<i64>,
    /// How many purchases earned something.
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

/// A page of members who have earned something.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoutsResult {
    /// In the order of their ids.
    pub(crate) payouts: Vec<PayoutLine>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A payout that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaidOut {
    /// Its place among the member's payouts, from 1.
    pub(crate) id: usize,
    /// When.
    pub(crate) at: i64,
    /// How much.
    pub(crate) amount: i64,
}

/// What a member has earned and was paid.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoutResult {
    /// What was earned.
    pub(crate) payout: PayoutLine,
    /// The payouts, the oldest first.
    pub(crate) history: Vec<PaidOut>,
}

/// A payout.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PayoutForm {
    /// What can be paid out, as it was shown; another sum is refused with `price_changed`.
    #[schema(minimum = 1)]
    pub(crate) amount: i64,
    /// What was paid out before, as it was shown: the same payout sent twice is noted once.
    #[schema(minimum = 0)]
    pub(crate) paid: i64,
    /// For the audit log: how it was paid.
    #[schema(max_length = 200)]
    pub(crate) note: Option<String>,
}

/// A coupon.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CouponLine {
    /// What people type, in upper case.
    code: String,
    /// How many percent it takes off a charge; null: it takes off an amount.
    #[schema(required)]
    percent: Option<u32>,
    /// How many cents it takes off a charge; null: it takes off a percentage.
    #[schema(required)]
    amount: Option<i64>,
    /// Whether it reduces each renewal too, not only the first charge.
    every_charge: bool,
    /// The ids of the plans that it is for, where `book` stands for each book; empty: for all.
    plans: Vec<String>,
    /// The campaign that it belongs to.
    #[schema(required)]
    campaign: Option<String>,
    /// From when on it counts.
    starts_at: i64,
    /// Until when; null: for ever.
    #[schema(required)]
    ends_at: Option<i64>,
    /// For how many purchases; null: for any number.
    #[schema(required)]
    max_uses: Option<u32>,
    /// For how many it was used.
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
    /// By code.
    pub(crate) coupons: Vec<CouponLine>,
    /// Null: they come at once.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A coupon.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CouponResultLine {
    /// The coupon.
    pub(crate) coupon: CouponLine,
}

/// A coupon as it is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CouponForm {
    /// What people type: letters, digits, `-`, `_` and `%`, up to 40. A change keeps the code of the address.
    pub(crate) code: Option<String>,
    /// How many percent it takes off a charge, 1 to 100; either this or `amount`.
    #[schema(minimum = 1, maximum = 100)]
    pub(crate) percent: Option<u32>,
    /// How many cents it takes off a charge.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub(crate) amount: Option<i64>,
    /// Whether it reduces each renewal too, not only the first charge.
    #[serde(default)]
    pub(crate) every_charge: bool,
    /// The ids of the plans that it is for, where `book` stands for each book; empty: for all.
    #[serde(default)]
    pub(crate) plans: Vec<String>,
    /// The campaign that it belongs to.
    #[schema(max_length = 100)]
    pub(crate) campaign: Option<String>,
    /// From when on it counts; now when nothing is said.
    pub(crate) starts_at: Option<i64>,
    /// Until when; null: for ever.
    pub(crate) ends_at: Option<i64>,
    /// For how many purchases; null: for any number.
    pub(crate) max_uses: Option<u32>,
}

/// A code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeLine {
    /// Its number.
    id: i64,
    /// The code.
    code: String,
    /// Where it comes from.
    #[schema(pattern = "^(gift|bulk|marketplace|admin)$")]
    kind: String,
    /// The plan's name.
    plan_name: String,
    /// For how many months; null: for life.
    #[schema(required)]
    months: Option<u32>,
    /// When it was made or imported.
    created_at: i64,
    /// Who redeemed it.
    #[schema(required)]
    redeemed_by: Option<MoneyMember>,
    /// When.
    #[schema(required)]
    redeemed_at: Option<i64>,
    /// When it was revoked.
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

/// A page of codes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CodesResult {
    /// The newest first.
    pub(crate) codes: Vec<CodeLine>,
    /// The key of the next page.
    #[schema(required)]
    pub(crate) next: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
}

/// Codes that were made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MadeCodesResult {
    /// The codes.
    pub(crate) codes: Vec<CodeLine>,
}

/// A code.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CodeResultLine {
    /// The code.
    pub(crate) code: CodeLine,
}

/// Codes to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodesForm {
    /// The plan that they give.
    pub(crate) plan_id: String,
    /// For how many months; null for a lifetime plan, which has none.
    #[schema(minimum = 1, maximum = 1200)]
    pub(crate) months: Option<u32>,
    /// How many, 1 to 5000.
    #[schema(minimum = 1, maximum = 5000)]
    pub(crate) count: u32,
    /// For the audit log: what they are for.
    #[schema(max_length = 200)]
    pub(crate) note: Option<String>,
}

/// Codes that were made elsewhere.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodesImport {
    /// The plan that they give.
    pub(crate) plan_id: String,
    /// For how many months; null for a lifetime plan, which has none.
    #[schema(minimum = 1, maximum = 1200)]
    pub(crate) months: Option<u32>,
    /// The codes, one a line of the file; at most 5000.
    #[schema(max_items = 5000)]
    pub(crate) codes: Vec<String>,
    /// Only says what would become of each line.
    #[serde(default)]
    pub(crate) dry_run: bool,
}

/// What a line of an import came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportLine {
    /// Its number, from 1.
    line: usize,
    /// What it says.
    code: String,
    /// What became of it.
    #[schema(pattern = "^(imported|already_there|invalid)$")]
    result: &'static str,
    /// Why it was not imported.
    #[schema(required)]
    error: Option<&'static str>,
}

/// What an import came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportResult {
    /// How many codes are new.
    imported: usize,
    /// Each line.
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

/// A plan that is sold.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanLine {
    /// Its name in addresses.
    id: String,
    /// Its name.
    name: String,
    /// What sort of thing it is.
    kind: &'static str,
    /// What one of it costs.
    price: i64,
    /// Its place in lists, from 1.
    place: usize,
    /// How many subscriptions of it run.
    subscribers: u64,
    /// Whether it is not sold any more.
    archived: bool,
    /// Its version: a change names the one that it is based on.
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
    /// In the order in which they are shown.
    pub(crate) plans: Vec<PlanLine>,
}

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanResultLine {
    /// The plan.
    pub(crate) plan: PlanLine,
}

/// A plan that is to be sold.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewPlanForm {
    /// Its name in addresses: lower-case letters, digits and dashes.
    #[schema(min_length = 2, max_length = 40)]
    pub(crate) id: String,
    /// Its name.
    #[schema(min_length = 1, max_length = 100)]
    pub(crate) name: String,
    /// How it is paid.
    #[schema(pattern = "^(monthly|yearly|lifetime)$")]
    pub(crate) kind: String,
    /// What it costs, in cents.
    #[schema(minimum = 50, maximum = 1_000_000)]
    pub(crate) price: i64,
}

/// A plan as it is to be.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PlanForm {
    /// Its name.
    #[schema(min_length = 1, max_length = 100)]
    pub(crate) name: String,
    /// What one of it costs, in cents.
    #[schema(minimum = 50, maximum = 1_000_000)]
    pub(crate) price: i64,
    /// Whether it is no longer sold. Who has it keeps it.
    #[serde(default)]
    pub(crate) archived: bool,
    /// The version that was read; null: whatever is there is overwritten.
    pub(crate) version: Option<i64>,
}
