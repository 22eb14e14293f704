//! What billing needs from storage.

use kernel::{Email, Limit, Money, PayerId, StoreError, Timestamp, UserId};

use crate::{
    Account, Entitlement, MemberPlan, Movement, Plan, PurchaseKey, Subscription,
    gateway::{CustomerId, GatewayProvider},
};

/// A subscription whose next charge is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSubscription {
    /// Who pays.
    pub payer: PayerId,
    /// Its purchase.
    pub purchase: PurchaseKey,
    /// The plan.
    pub plan_id: String,
    /// When the charge is due.
    pub due_at: Timestamp,
    /// What it is.
    pub amount: Money,
}

/// Reads, callable by everyone who holds a connection.
pub trait BillingQueries {
    /// All plans, in the order in which they are shown.
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError>;

    /// A member's entitlements that are not over at `now`: those that run and those to come.
    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError>;

    /// All of a member's entitlements, those that are over too, the latest first.
    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError>;

    /// Everything that happened to a member's money and plans, in its order: also as a guest, once that was claimed.
    fn movements_of(&mut self, member: UserId) -> Result<Vec<Movement>, StoreError>;

    /// The same of one payer.
    fn movements_of_payer(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError>;

    /// The movement of a key, and whose it is.
    fn find_movement(&mut self, key: &str) -> Result<Option<(PayerId, Movement)>, StoreError>;

    /// The payer whose movements belong to a purchase.
    fn find_payer_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError>;

    /// The member whom a payer belongs to; `None`: a guest, a person whose account was deleted, or no payer.
    fn member_of_payer(&mut self, payer: PayerId) -> Result<Option<UserId>, StoreError>;

    /// What each account of the ledger adds up to; accounts without entries may be left out.
    fn account_balances(&mut self) -> Result<Vec<(Account, Money)>, StoreError>;

    /// Payers by their number, after one: a check goes through all of them.
    fn payers_after(&mut self, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError>;

    /// Subscriptions whose next charge is due by that moment, the longest due first.
    fn subscriptions_due(&mut self, by: Timestamp, limit: Limit) -> Result<Vec<DueSubscription>, StoreError>;

    /// Who a payer is at a provider.
    fn provider_customer_of(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
    ) -> Result<Option<CustomerId>, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait BillingCommands: BillingQueries {
    /// The member's own payer, which is made when there is none.
    fn payer_of_member(&mut self, member: UserId, now: Timestamp) -> Result<PayerId, StoreError>;

    /// Makes a payer for a purchase without an account.
    fn insert_guest_payer(&mut self, email: &Email, now: Timestamp) -> Result<PayerId, StoreError>;

    /// Notes who a payer is at a provider, in the place of what was noted.
    fn save_provider_customer(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
        customer: &CustomerId,
    ) -> Result<(), StoreError>;

    /// Deletes what names a member: entitlements and ties to the payers. The ledger stays, without the name. With an address
    /// that is proved to be the member's, also what names it.
    fn delete_billing_records(&mut self, member: UserId, email: Option<&Email>) -> Result<(), StoreError>;
}

/// Storage for billing, within one transaction. The rules are in [`crate::Billing`].
pub trait BillingStore: BillingCommands {
    /// Lets one transaction at a time pass for this payer, and for the member whom it belongs to, and says who that is; `None`:
    /// there is no such payer. What is read afterwards is what the one before has left.
    fn lock_payer(&mut self, payer: PayerId) -> Result<Option<Option<UserId>>, StoreError>;

    /// Appends a movement with its entries; `false`: there is one with this key, and nothing was written.
    fn insert_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, StoreError>;

    /// Gives a guest's payer to a member. A payer that is not a guest's, or has a member, stays as it is.
    fn assign_guest_payer(&mut self, payer: PayerId, member: UserId) -> Result<(), StoreError>;

    /// Writes a member's entitlements in the place of those before.
    fn replace_entitlements(&mut self, member: UserId, plan: &MemberPlan) -> Result<(), StoreError>;

    /// Writes a subscription in the place of what was known of it. It stays the payer's for whom it was written first.
    fn upsert_subscription(&mut self, payer: PayerId, subscription: &Subscription) -> Result<(), StoreError>;
}
