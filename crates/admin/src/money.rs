//! Money as the back office lists it: orders, codes, disputes, teams and the ledger, with who paid, read in one query each.

use kernel::{Limit, Money, Page, StoreError, Timestamp, UserId};

use crate::RefundGrounds;

/// The page size of lists about money.
pub const MONEY_PAGE: usize = 50;

/// A member, as lists about money name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayingMember {
    /// The member.
    pub id: UserId,
    /// The address.
    pub email: String,
}

/// What became of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// Paid, or being tried for free.
    Paid,
    /// A part went back.
    PartlyRefunded,
    /// Everything went back.
    Refunded,
    /// The payer disputes a charge, and the dispute is not won.
    Disputed,
    /// Nothing was charged, and nothing will be.
    Failed,
    /// The price was another one than was shown: nothing was charged, and the person looked at it again.
    PriceChanged,
    /// Not decided.
    Pending,
}

impl OrderState {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Paid,
        Self::PartlyRefunded,
        Self::Refunded,
        Self::Disputed,
        Self::Failed,
        Self::PriceChanged,
        Self::Pending,
    ];

    /// Its name in statements and on the wire.
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

/// Which orders a list shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFilter {
    /// A part of the payer's address or of the plan's name, the order's number, the provider's id, or the coupon.
    pub text: Option<String>,
    /// Only those in this state.
    pub state: Option<OrderState>,
    /// Only those of this plan.
    pub plan: Option<String>,
    /// Only those at this provider.
    pub provider: Option<String>,
    /// Only those from this moment on.
    pub from: Option<Timestamp>,
    /// Only those before this moment.
    pub to: Option<Timestamp>,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    pub number: i64,
    /// Its purchase in the ledger.
    pub purchase: String,
    /// When it began.
    pub at: Timestamp,
    /// The member who pays.
    pub member: Option<PayingMember>,
    /// The address that a guest typed.
    pub guest_email: Option<String>,
    pub plan_id: String,
    pub plan_name: String,
    /// What was charged so far; before a charge, what the first will be.
    pub amount: Money,
    /// What went back.
    pub refunded: Money,
    /// What the provider kept.
    pub fee: Money,
    /// What became of it.
    pub state: OrderState,
    /// The payment provider.
    pub provider: String,
    /// The provider's id of the charge or the subscription.
    pub provider_id: Option<String>,
    pub coupon: Option<String>,
    /// How many.
    pub quantity: u32,
    /// The referral link.
    pub referral: Option<String>,
    /// When its trial ends or ended.
    pub trial_ends_at: Option<Timestamp>,
    /// What renews it, and every how many months.
    pub renewal: Option<(Money, u32)>,
}

/// A row of the ledger, with its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// Its number.
    pub id: i64,
    /// Its key: by it the payer's timeline names it.
    pub key: String,
    /// What happened.
    pub kind: String,
    /// When it happened.
    pub at: Timestamp,
    pub recorded_at: Timestamp,
    /// Whose it is.
    pub member: Option<PayingMember>,
    /// The address that a guest typed.
    pub guest_email: Option<String>,
    pub purchase: String,
    /// The plan's name.
    pub plan_name: String,
    /// How much.
    pub amount: Money,
    /// What the provider kept.
    pub fee: Money,
    /// The key of the row that it undoes.
    pub reference: Option<String>,
    /// Why an admin gave it back, of a refund.
    pub grounds: Option<RefundGrounds>,
    /// Accounts and what was booked on them; a debit is positive.
    pub entries: Vec<(String, Money)>,
}

/// Which rows of the ledger a list shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    /// A part of the payer's address, of the purchase or of the key.
    pub text: Option<String>,
    /// Only rows of this kind.
    pub kind: Option<String>,
    /// Only rows of this member.
    pub member: Option<UserId>,
    /// Only rows of this purchase.
    pub purchase: Option<String>,
    /// Only those that happened from this moment on.
    pub from: Option<Timestamp>,
    /// Only those before this moment.
    pub to: Option<Timestamp>,
}

/// A renewal that failed, of a subscription that is not paid since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRenewalRow {
    /// The number of its order.
    pub order: i64,
    /// Whose it is.
    pub member: Option<PayingMember>,
    /// The address that a guest typed.
    pub guest_email: Option<String>,
    /// The plan's name.
    pub plan_name: String,
    /// What is due.
    pub amount: Money,
    /// When it failed first.
    pub failed_at: Timestamp,
    /// How often it failed.
    pub attempts: u32,
    /// The payment provider.
    pub provider: String,
}

/// How a dispute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeState {
    /// It is not decided.
    Open,
    /// The money came back to us.
    Won,
    /// The payer keeps it.
    Lost,
}

impl DisputeState {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Open, Self::Won, Self::Lost];

    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeRow {
    /// The number of its row in the ledger.
    pub id: i64,
    /// When it was opened.
    pub at: Timestamp,
    /// Whose charge it is.
    pub member: Option<PayingMember>,
    /// The address that a guest typed.
    pub guest_email: Option<String>,
    /// The plan's name.
    pub plan_name: String,
    /// How much.
    pub amount: Money,
    /// What the provider took for it.
    pub fee: Money,
    /// How it stands.
    pub state: DisputeState,
    /// The payment provider and the order's number.
    pub order: Option<(String, i64)>,
}

/// A purchase of seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRow {
    /// The number of its order.
    pub order: i64,
    /// Its purchase in the ledger.
    pub purchase: String,
    /// Who bought them.
    pub buyer: Option<PayingMember>,
    /// The address that a guest typed.
    pub guest_email: Option<String>,
    pub bought_at: Timestamp,
    /// How many seats.
    pub seats: u64,
    /// How many were redeemed.
    pub used: u64,
    /// How many were sent to a person.
    pub sent: u64,
    /// How many were revoked.
    pub revoked: u64,
    /// What was charged.
    pub amount: Money,
}

/// What may be done with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeState {
    /// It can be redeemed.
    Free,
    Redeemed,
    Revoked,
}

/// Which codes a list shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeFilter {
    /// The beginning of a code (upper case, without dashes), or a part of the address of who redeemed it.
    pub text: Option<String>,
    /// Only those in this state.
    pub state: Option<CodeState>,
    /// Only those of this kind.
    pub kind: Option<String>,
    /// Only those of this purchase.
    pub purchase: Option<String>,
}

/// A code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// Its number.
    pub id: i64,
    /// The code as it is stored.
    pub code: String,
    /// Where it comes from.
    pub kind: String,
    /// The plan's name.
    pub plan_name: String,
    /// For how many months; none: for life.
    pub months: Option<u32>,
    /// When it was made.
    pub created_at: Timestamp,
    pub redeemed_by: Option<PayingMember>,
    pub redeemed_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// To whom its buyer has sent it.
    pub sent_to: Option<String>,
}

/// What a member has earned by links of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarnerRow {
    pub member: PayingMember,
    /// Whether the member is an affiliate, besides a friend.
    pub is_affiliate: bool,
    /// How many purchases earned something.
    pub purchases: u64,
    /// When the member was paid last.
    pub last_paid_at: Option<Timestamp>,
}

/// Reads about money across domains, callable by everyone who holds a connection. Lists have the newest first.
pub trait MoneyQueries {
    /// A page of orders, before the one with this number.
    fn orders(
        &mut self,
        filter: &OrderFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<OrderRow, i64>, StoreError>;

    /// How many orders the filter admits.
    fn count_orders(&mut self, filter: &OrderFilter) -> Result<u64, StoreError>;

    /// The order of a number.
    fn order(&mut self, number: i64) -> Result<Option<OrderRow>, StoreError>;

    /// The order whose purchase has this key in the ledger.
    fn order_of_purchase(&mut self, purchase: &str) -> Result<Option<OrderRow>, StoreError>;

    /// A page of the ledger, before the row with this number.
    fn ledger_rows(
        &mut self,
        filter: &LedgerFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<LedgerRow, i64>, StoreError>;

    /// Renewals that failed and are not paid since, before the order with this number.
    fn failed_renewals(&mut self, before: Option<i64>, limit: Limit)
    -> Result<Page<FailedRenewalRow, i64>, StoreError>;

    /// Disputes, before the row of the ledger with this number; only those of a state, when it is said.
    fn disputes(
        &mut self,
        state: Option<DisputeState>,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<DisputeRow, i64>, StoreError>;

    /// Purchases of seats, before the order with this number; with this part of the buyer's address.
    fn teams(
        &mut self,
        text: Option<&str>,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<TeamRow, i64>, StoreError>;

    /// The purchase of seats with this order's number.
    fn team(&mut self, order: i64) -> Result<Option<TeamRow>, StoreError>;

    /// A page of codes, before the one with this number.
    fn code_rows(
        &mut self,
        filter: &CodeFilter,
        before: Option<i64>,
        limit: Limit,
    ) -> Result<Page<CodeRow, i64>, StoreError>;

    /// How many codes the filter admits.
    fn count_codes(&mut self, filter: &CodeFilter) -> Result<u64, StoreError>;

    /// The code of a number.
    fn code_row(&mut self, id: i64) -> Result<Option<CodeRow>, StoreError>;

    /// Codes by their texts.
    fn code_rows_of(&mut self, codes: &[String]) -> Result<Vec<CodeRow>, StoreError>;

    /// Members who have earned something, by number, after one.
    fn earners(&mut self, after: Option<UserId>, limit: Limit) -> Result<Page<EarnerRow, UserId>, StoreError>;

    /// One of them.
    fn earner(&mut self, member: UserId) -> Result<Option<EarnerRow>, StoreError>;

    /// How many subscriptions of each plan run: those that are not over at `now`.
    fn count_subscribers(&mut self, now: Timestamp) -> Result<Vec<(String, u64)>, StoreError>;
}
