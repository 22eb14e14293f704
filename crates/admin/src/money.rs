//! Money in the back office: orders, codes, disputes, teams and the ledger, each with its payer, read in one query each.

use kernel::{Limit, ListTotal, Money, Page, StoreError, Timestamp, UserId};

use crate::RefundGrounds;

/// The page size of lists about money, in rows.
pub const MONEY_PAGE: usize = 50;

/// A member as shown in lists about money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayingMember {
    pub id: UserId,
    pub email: String,
}

/// The state of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// Paid, or in a free trial.
    Paid,
    /// A part of the money was refunded.
    PartlyRefunded,
    /// Everything was refunded.
    Refunded,
    /// The payer disputes a charge, and we have not won the dispute.
    Disputed,
    /// Nothing was charged, and nothing will be.
    Failed,
    /// The price differed from the one shown, so nothing was charged and the payer was asked to confirm again.
    PriceChanged,
    /// The outcome is still open.
    Pending,
}

impl OrderState {
    pub const ALL: [Self; 7] = [
        Self::Paid,
        Self::PartlyRefunded,
        Self::Refunded,
        Self::Disputed,
        Self::Failed,
        Self::PriceChanged,
        Self::Pending,
    ];

    /// The name in SQL statements and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::PartlyRefunded => "partly_refunded",
            Self::Refunded => "refunded",
            Self::Disputed => "disputed",
            Self::Failed => "failed",
            Self::PriceChanged => "price_changed",
            Self::Pending => "pending",
        }
    }
}

/// The filter of the list of orders. Conditions are combined with *and*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFilter {
    /// A part of the payer's e-mail address or of the plan's name; or the whole order number, purchase key, provider's id
    /// or coupon.
    pub text: Option<String>,
    pub state: Option<OrderState>,
    /// Only orders of this plan.
    pub plan: Option<String>,
    /// Only orders at this provider.
    pub provider: Option<String>,
    /// Only orders at or after this time.
    pub from: Option<Timestamp>,
    /// Only orders before this time.
    pub to: Option<Timestamp>,
}

/// An order: a checkout with its payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    pub number: i64,
    /// The purchase key in the ledger.
    pub purchase: String,
    /// When the checkout started.
    pub at: Timestamp,
    /// The paying member; `None` for an unclaimed guest purchase and after the account was deleted.
    pub member: Option<PayingMember>,
    /// The e-mail address given by a guest.
    pub guest_email: Option<String>,
    pub plan_id: String,
    pub plan_name: String,
    /// The amount charged so far; before the first charge, its expected amount.
    pub amount: Money,
    /// The amount refunded.
    pub refunded: Money,
    /// The provider's fees.
    pub fee: Money,
    pub state: OrderState,
    pub provider: String,
    /// The provider's id of the charge or subscription.
    pub provider_id: Option<String>,
    pub coupon: Option<String>,
    pub quantity: u32,
    /// The id of the referral link.
    pub referral: Option<String>,
    /// The end of the trial, past or future; `None` without a trial.
    pub trial_ends_at: Option<Timestamp>,
    /// The renewal price and the number of months between renewals.
    pub renewal: Option<(Money, u32)>,
}

/// A movement of the ledger with its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    pub id: i64,
    /// The movement's key, which the payer's timeline also uses.
    pub key: String,
    pub kind: String,
    pub at: Timestamp,
    pub recorded_at: Timestamp,
    /// The paying member, if any.
    pub member: Option<PayingMember>,
    /// The e-mail address given by a guest.
    pub guest_email: Option<String>,
    pub purchase: String,
    pub plan_name: String,
    /// The amount, never negative. `kind` determines the direction.
    pub amount: Money,
    /// The provider's fee.
    pub fee: Money,
    /// The key of the movement that it undoes.
    pub reference: Option<String>,
    /// For a refund: the reason given by the admin.
    pub grounds: Option<RefundGrounds>,
    /// The accounts with the booked amounts; debits are positive.
    pub entries: Vec<(String, Money)>,
}

/// The filter of the ledger. Conditions are combined with *and*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    /// A part of the payer's e-mail address, the purchase key, the movement's key or the plan's name.
    pub text: Option<String>,
    pub kind: Option<String>,
    /// Only movements of this member.
    pub member: Option<UserId>,
    /// Only movements of this purchase.
    pub purchase: Option<String>,
    /// Only movements at or after this time.
    pub from: Option<Timestamp>,
    /// Only movements before this time.
    pub to: Option<Timestamp>,
}

/// A failed renewal of a subscription that has not been paid since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRenewalRow {
    /// The number of the order.
    pub order: i64,
    pub member: Option<PayingMember>,
    /// The e-mail address given by a guest.
    pub guest_email: Option<String>,
    pub plan_name: String,
    /// The amount due.
    pub amount: Money,
    /// When it first failed.
    pub failed_at: Timestamp,
    /// The number of failed attempts.
    pub attempts: u32,
    pub provider: String,
}

/// The state of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeState {
    Open,
    /// Decided in our favor: the money came back.
    Won,
    /// Decided for the payer, who keeps the money.
    Lost,
}

impl DisputeState {
    pub const ALL: [Self; 3] = [Self::Open, Self::Won, Self::Lost];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// A dispute about a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeRow {
    /// The id of the movement in the ledger that opened it.
    pub id: i64,
    /// When it was opened.
    pub at: Timestamp,
    /// The payer of the disputed charge.
    pub member: Option<PayingMember>,
    /// The e-mail address given by a guest.
    pub guest_email: Option<String>,
    pub plan_name: String,
    /// The disputed amount.
    pub amount: Money,
    /// The provider's fee for the dispute.
    pub fee: Money,
    pub state: DisputeState,
    /// The payment provider and the order's number.
    pub order: Option<(String, i64)>,
}

/// A purchase of team seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRow {
    /// The number of the order.
    pub order: i64,
    /// The purchase key in the ledger.
    pub purchase: String,
    pub buyer: Option<PayingMember>,
    /// The e-mail address given by a guest.
    pub guest_email: Option<String>,
    pub bought_at: Timestamp,
    /// The number of seats.
    pub seats: u64,
    /// The number of seats redeemed.
    pub used: u64,
    /// The number of seats sent to a person.
    pub sent: u64,
    /// The number of seats revoked.
    pub revoked: u64,
    /// The amount charged.
    pub amount: Money,
}

/// The state of a redemption code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeState {
    Free,
    Redeemed,
    Revoked,
}

/// The filter of the list of codes. Conditions are combined with *and*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeFilter {
    /// The beginning of a code (ignoring case and dashes), or a part of the e-mail address of the member who redeemed it.
    pub text: Option<String>,
    pub state: Option<CodeState>,
    /// Only codes of this kind.
    pub kind: Option<String>,
    /// Only codes of this purchase.
    pub purchase: Option<String>,
}

/// A redemption code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRow {
    pub id: i64,
    /// The stored form: upper case, without dashes.
    pub code: String,
    /// The origin of the code.
    pub kind: String,
    pub plan_name: String,
    /// The number of months it gives; `None` for life.
    pub months: Option<u32>,
    pub created_at: Timestamp,
    pub redeemed_by: Option<PayingMember>,
    pub redeemed_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// The address to which the buyer has sent it.
    pub sent_to: Option<String>,
}

/// A member with referral rewards, of links of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarnerRow {
    pub member: PayingMember,
    /// Whether at least one of the rewards is from an affiliate link.
    pub is_affiliate: bool,
    /// The number of rewarded purchases, including those whose reward is zero now.
    pub purchases: u64,
    /// When the member last received a payout; `None` if never.
    pub last_paid_at: Option<Timestamp>,
}

/// Reads about money across domains, available on any connection. Lists are newest first unless stated otherwise.
pub trait MoneyQueries {
    /// A page of orders with numbers below `before`.
    fn orders(
        &mut self,
        filter: &OrderFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<OrderRow, i64>, StoreError>;

    /// The same page, and the number of orders that match the filter.
    fn counted_orders(
        &mut self,
        filter: &OrderFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<(Page<OrderRow, i64>, ListTotal), StoreError>;

    /// The order with this number; `None` if there is none.
    fn order(&mut self, number: i64) -> Result<Option<OrderRow>, StoreError>;

    /// The order with this purchase key; `None` if there is none.
    fn order_of_purchase(&mut self, purchase: &str) -> Result<Option<OrderRow>, StoreError>;

    /// A page of the ledger with ids below `before`.
    fn ledger_rows(
        &mut self,
        filter: &LedgerFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<LedgerRow, i64>, StoreError>;

    /// The same page, and the number of movements that match the filter.
    fn counted_ledger_rows(
        &mut self,
        filter: &LedgerFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<(Page<LedgerRow, i64>, ListTotal), StoreError>;

    /// Failed renewals not paid since, of orders with numbers below `before`.
    fn failed_renewals(&mut self, before: Option<i64>, limit: Limit)
    -> Result<Page<FailedRenewalRow, i64>, StoreError>;

    /// Disputes with ids below `before`; all states if `state` is `None`.
    fn disputes(
        &mut self,
        state: Option<DisputeState>,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<DisputeRow, i64>, StoreError>;

    /// Purchases of team seats with order numbers below `before`. `text` is a part of the buyer's e-mail address.
    fn teams(
        &mut self,
        text: Option<&str>,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<TeamRow, i64>, StoreError>;

    /// The purchase of team seats with this order number; `None` if there is none.
    fn team(&mut self, order: i64) -> Result<Option<TeamRow>, StoreError>;

    /// A page of codes with ids below `before`.
    fn code_rows(
        &mut self,
        filter: &CodeFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<CodeRow, i64>, StoreError>;

    /// The same page, and the number of codes that match the filter.
    fn counted_code_rows(
        &mut self,
        filter: &CodeFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<(Page<CodeRow, i64>, ListTotal), StoreError>;

    /// The code with this id; `None` if there is none.
    fn code_row(&mut self, id: i64) -> Result<Option<CodeRow>, StoreError>;

    /// The codes with these stored texts.
    fn code_rows_of(&mut self, codes: &[String]) -> Result<Vec<CodeRow>, StoreError>;

    /// Members with referral rewards, by ascending id, after `after`.
    fn earners(&mut self, after: Option<UserId>, limit: Limit) -> Result<Page<EarnerRow, UserId>, StoreError>;

    /// A member's entry in that list; `None` without rewards.
    fn earner(&mut self, member: UserId) -> Result<Option<EarnerRow>, StoreError>;

    /// The number of subscriptions of each plan that are not over at `now`, by plan id.
    fn count_subscribers(&mut self, now: Timestamp) -> Result<Vec<(String, u64)>, StoreError>;
}
