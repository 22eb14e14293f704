//! The storage that billing needs.

use kernel::{Email, Limit, Money, PayerId, StoreError, Timestamp, UserId};

use crate::{
    Account, Checkout, CheckoutError, CheckoutKey, CheckoutState, ClaimToken, Code, CodeTerms, Coupon, CouponCode,
    Entitlement, Gift, MemberPlan, Movement, Plan, PurchaseKey, StoredCode, Subscription, TeamSeat, TrialIdentity,
    gateway::{CardFingerprint, CheckoutReference, CustomerId, GatewayProvider, ProviderEvent, ProviderEventId},
};

/// A subscription whose next charge is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSubscription {
    pub payer: PayerId,
    pub purchase: PurchaseKey,
    pub plan_id: String,
    pub due_at: Timestamp,
    pub amount: Money,
}

/// A payer row locked by the current transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockedPayer {
    /// The member who owns the payer; `None` for a guest or after the account was deleted.
    pub member: Option<UserId>,
}

/// Reads, available on any connection.
pub trait BillingQueries {
    /// All plans, in display order.
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError>;

    /// A member's current and future entitlements at `now`.
    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError>;

    /// All entitlements of a member including past ones, newest first.
    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError>;

    /// All movements of a member, oldest first and those of one moment as they were recorded, including those of claimed guest
    /// purchases.
    fn movements_of(&mut self, member: UserId) -> Result<Vec<Movement>, StoreError>;

    /// The movements of one payer, oldest first and those of one moment as they were recorded.
    fn movements_of_payer(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError>;

    /// The movement with this key, and its payer; `None` if there is none.
    fn find_movement(&mut self, key: &str) -> Result<Option<(PayerId, Movement)>, StoreError>;

    /// The payer of a purchase's movements; `None` if the purchase has no movements.
    fn find_payer_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError>;

    /// The member who owns a payer; `None` for a guest, after the account was deleted, and for an unknown payer.
    fn member_of_payer(&mut self, payer: PayerId) -> Result<Option<UserId>, StoreError>;

    /// The e-mail address given by a guest; `None` for a member's own payer and after the address was deleted.
    fn guest_email_of(&mut self, payer: PayerId) -> Result<Option<Email>, StoreError>;

    /// The balance of each account of the ledger; accounts without entries may be missing. Reads the sums of
    /// [`BillingCommands::sum_accounts`] and the entries since, so that it takes no longer as the ledger grows
    /// (`billing.account-sums`).
    fn account_balances(&mut self) -> Result<Vec<(Account, Money)>, StoreError>;

    /// The accounts of which [`BillingCommands::sum_accounts`] keeps another sum than their entries add up to: none.
    fn wrong_account_sums(&mut self) -> Result<Vec<Account>, StoreError>;

    /// Payer ids in ascending order, after `after`, for a check of all payers page by page.
    fn payers_after(&mut self, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError>;

    /// Subscriptions whose next charge is due by `by`, most overdue first.
    fn subscriptions_due(&mut self, by: Timestamp, limit: Limit) -> Result<Vec<DueSubscription>, StoreError>;

    /// The cards a member has paid with, including claimed guest purchases, without duplicates.
    fn cards_of(&mut self, member: UserId) -> Result<Vec<CardFingerprint>, StoreError>;

    /// The cards a payer has paid with, without duplicates.
    fn cards_of_payer(&mut self, payer: PayerId) -> Result<Vec<CardFingerprint>, StoreError>;

    /// A coupon and its number of uses; `None` if there is no such coupon.
    fn find_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError>;

    /// All coupons and their numbers of uses, ordered by code.
    fn coupons(&mut self) -> Result<Vec<(Coupon, u32)>, StoreError>;

    /// Whether the person has had a trial or has one now, matched by account, mailbox or card.
    fn has_had_trial(&mut self, person: &TrialIdentity) -> Result<bool, StoreError>;

    /// A checkout by our reference.
    fn find_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError>;

    /// A checkout by the provider's id of its charge or subscription.
    fn find_checkout_of_provider(
        &mut self,
        provider: GatewayProvider,
        provider_id: &str,
    ) -> Result<Option<Checkout>, StoreError>;

    /// Pending checkouts that have not changed since `unchanged_since`, oldest change first.
    fn pending_checkouts(&mut self, unchanged_since: Timestamp, limit: Limit) -> Result<Vec<Checkout>, StoreError>;

    /// A payer's checkouts created after `since` that are started or submitted, so without an outcome from the provider.
    fn checkouts_under_way(&mut self, payer: PayerId, since: Timestamp) -> Result<Vec<Checkout>, StoreError>;

    /// Stored events not applied yet, in order of arrival.
    fn pending_provider_events(&mut self, limit: Limit) -> Result<Vec<ProviderEvent>, StoreError>;

    /// A redemption code; `None` if it does not exist.
    fn find_code(&mut self, code: &Code) -> Result<Option<StoredCode>, StoreError>;

    /// The codes a member has bought (team seats and gifts), including claimed guest purchases, in order of creation.
    fn codes_bought_by(&mut self, member: UserId) -> Result<Vec<StoredCode>, StoreError>;

    /// The seats that members hold of those that these members have bought, in order of redemption. Revoked codes, and those that were
    /// redeemed by accounts that are gone or suspended, are left out; periods that are over are not.
    fn team_seats_of(&mut self, buyers: &[UserId]) -> Result<Vec<TeamSeat>, StoreError>;

    /// The seats that a member has redeemed, as [`Self::team_seats_of`].
    fn team_seats_held_by(&mut self, member: UserId) -> Result<Vec<TeamSeat>, StoreError>;

    /// The codes a purchase paid for, in order of creation.
    fn codes_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Vec<StoredCode>, StoreError>;

    /// The details of a gift; `None` if the code is not a gift.
    fn find_gift(&mut self, code: &Code) -> Result<Option<Gift>, StoreError>;

    /// The gifts a member has bought, including claimed guest purchases, in order of purchase.
    fn gifts_given_by(&mut self, member: UserId) -> Result<Vec<(StoredCode, Gift)>, StoreError>;

    /// Subscriptions that are over by `by` but not recorded as ended at the provider, earliest end first.
    fn subscriptions_to_close(
        &mut self,
        by: Timestamp,
        limit: Limit,
    ) -> Result<Vec<(PayerId, PurchaseKey)>, StoreError>;

    /// When a member was last offered a pause; `None` if never.
    fn pause_offered_at(&mut self, member: UserId) -> Result<Option<Timestamp>, StoreError>;

    /// The id of a payer's customer at a provider; `None` if none is stored.
    fn provider_customer_of(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
    ) -> Result<Option<CustomerId>, StoreError>;

    /// Whether the purchase has used the coupon.
    fn is_coupon_used_by(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<bool, StoreError>;

    /// A checkout by its idempotency key.
    fn find_checkout_by_key(&mut self, key: &CheckoutKey) -> Result<Option<Checkout>, StoreError>;

    /// The member's entitlements, subscriptions and items, derived from the ledger.
    fn member_plan(&mut self, member: UserId) -> Result<MemberPlan, StoreError> {
        Ok(MemberPlan::of(&self.movements_of(member)?))
    }

    /// The movements of the payer's owner, oldest first: all of the member's if a member owns the payer, otherwise the
    /// payer's.
    fn movements_of_owner(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
        match self.member_of_payer(payer)? {
            Some(member) => self.movements_of(member),
            None => self.movements_of_payer(payer),
        }
    }

    /// The entitlements, subscriptions and items of the payer's owner, derived from the ledger.
    fn payer_plan(&mut self, payer: PayerId) -> Result<MemberPlan, StoreError> {
        Ok(MemberPlan::of(&self.movements_of_owner(payer)?))
    }

    /// Consistency check: whether the stored entitlements of the payer's member equal those derived from the ledger.
    fn entitlements_agree(&mut self, payer: PayerId) -> Result<bool, StoreError> {
        let Some(member) = self.member_of_payer(payer)? else { return Ok(true) };
        let mut expected = self.member_plan(member)?.entitlements;
        let mut stored = self.entitlement_history_of(member)?;
        let order = |one: &Entitlement| (one.starts_at, one.ends_at, one.plan_id.clone());
        expected.sort_by_key(order);
        stored.sort_by_key(order);
        Ok(expected == stored)
    }

    /// Whether the checkout's purchase has used its coupon; `true` if it has no coupon.
    fn has_coupon_use(&mut self, checkout: &Checkout) -> Result<bool, StoreError> {
        match &checkout.order.coupon {
            Some(code) => self.is_coupon_used_by(code, &checkout.purchase()),
            None => Ok(true),
        }
    }

    /// The checkout recorded with this idempotency key, if any.
    ///
    /// # Errors
    /// [`CheckoutError::KeyReused`] if it was recorded with another body.
    fn known_checkout(&mut self, key: &CheckoutKey, body_hash: &[u8; 32]) -> Result<Option<Checkout>, CheckoutError> {
        match self.find_checkout_by_key(key)? {
            Some(known) if known.body_hash != *body_hash => Err(CheckoutError::KeyReused),
            known => Ok(known),
        }
    }

    /// The version of a plan for optimistic locking; `None` if there is no such plan.
    fn plan_version(&mut self, id: &str) -> Result<Option<i64>, StoreError>;
}

/// Writes without business rules, available in any transaction.
pub trait BillingCommands: BillingQueries {
    /// Stores a new checkout; `false`, without writing, if its idempotency key exists.
    fn insert_checkout(&mut self, checkout: &Checkout) -> Result<bool, StoreError>;

    /// Adds up the entries of the ledger that are older than a day, for [`BillingQueries::account_balances`].
    fn sum_accounts(&mut self) -> Result<(), StoreError>;

    /// The member's own payer, created on first use.
    fn payer_of_member(&mut self, member: UserId, now: Timestamp) -> Result<PayerId, StoreError>;

    /// Creates a payer for a purchase without an account.
    fn insert_guest_payer(&mut self, email: &Email, now: Timestamp) -> Result<PayerId, StoreError>;

    /// Stores a payer's customer id at a provider, replacing an earlier one.
    fn save_provider_customer(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
        customer: &CustomerId,
    ) -> Result<(), StoreError>;

    /// Records that a payer has paid with a card.
    fn note_card(&mut self, payer: PayerId, card: &CardFingerprint) -> Result<(), StoreError>;

    /// Records when a member was offered a pause, replacing an earlier time.
    fn note_pause_offer(&mut self, member: UserId, now: Timestamp) -> Result<(), StoreError>;

    /// Inserts or replaces a coupon. Its uses are kept.
    fn save_coupon(&mut self, coupon: &Coupon) -> Result<(), StoreError>;

    /// Deletes a coupon without uses; a used one is kept.
    fn delete_coupon(&mut self, code: &CouponCode) -> Result<(), StoreError>;

    /// Adds a plan behind the others; `false` if there is one with its id.
    fn insert_plan(&mut self, plan: &Plan) -> Result<bool, StoreError>;

    /// Updates a plan's name, its price and whether it is archived; `false` if there is no such plan or its version differs from `based_on`. `None`
    /// skips the version check.
    fn update_plan(&mut self, plan: &Plan, based_on: Option<i64>) -> Result<bool, StoreError>;

    /// Deletes the purchase's use of a coupon, after a failed checkout.
    fn release_coupon(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError>;

    /// Records the person's only trial for this purchase. `false` if the person has had one for another purchase. Of two
    /// concurrent claims one succeeds.
    fn claim_trial(
        &mut self,
        person: &TrialIdentity,
        purchase: &PurchaseKey,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Deletes the trial recorded for a purchase, after a failed checkout.
    fn release_trial(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError>;

    /// Inserts or replaces the details of a gift. Its code must be stored before.
    fn save_gift(&mut self, code: &Code, gift: &Gift) -> Result<(), StoreError>;

    /// Marks a gift as mailed; `false` if it already was. Of two concurrent calls only one returns `true`.
    fn mark_gift_delivered(&mut self, code: &Code, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores a provider's event before it is processed; `false` if it is already stored.
    fn insert_provider_event(&mut self, event: &ProviderEvent, now: Timestamp) -> Result<bool, StoreError>;

    /// Marks an event as applied.
    fn mark_provider_event_applied(
        &mut self,
        provider: GatewayProvider,
        event: &ProviderEventId,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes the member's personal data: entitlements and the link to their payers. The ledger stays, without the name.
    /// `email`, if given, is verified as the member's, and records with this address are anonymized too.
    fn delete_billing_records(&mut self, member: UserId, email: Option<&Email>) -> Result<(), StoreError>;
}

/// Storage for billing within one transaction. The business rules are in [`crate::Billing`].
pub trait BillingStore: BillingCommands {
    /// Locks a payer and the member who owns it until the end of the transaction; `None` if there is no such payer. Later
    /// reads see what the previous holder of the lock wrote.
    fn lock_payer(&mut self, payer: PayerId) -> Result<Option<LockedPayer>, StoreError>;

    /// Appends a movement and its entries; `false`, without writing, if the key exists.
    fn insert_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, StoreError>;

    /// Assigns a guest's payer to a member. Does nothing if the payer is a member's own or already assigned.
    fn assign_guest_payer(&mut self, payer: PayerId, member: UserId) -> Result<(), StoreError>;

    /// Replaces a member's stored entitlements.
    fn replace_entitlements(&mut self, member: UserId, plan: &MemberPlan) -> Result<(), StoreError>;

    /// Inserts or updates a subscription. It stays with the payer it was first written for. A closed one is deleted.
    fn upsert_subscription(&mut self, payer: PayerId, subscription: &Subscription) -> Result<(), StoreError>;

    /// Locks a coupon until the end of the transaction, and returns it with its number of uses.
    fn lock_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError>;

    /// Records that a purchase uses the coupon.
    fn insert_coupon_use(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<(), StoreError>;

    /// Locks a checkout until the end of the transaction.
    fn lock_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError>;

    /// Locks a checkout, found by a guest's claim token, until the end of the transaction.
    fn lock_checkout_of_claim(&mut self, charge_id: &ClaimToken) -> Result<Option<Checkout>, StoreError>;

    /// Updates the state of a checkout. Its sealed details are deleted unless the state is pending.
    fn update_checkout(
        &mut self,
        reference: &CheckoutReference,
        state: CheckoutState,
        provider_id: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Marks a checkout as claimed.
    fn mark_checkout_claimed(&mut self, reference: &CheckoutReference, now: Timestamp) -> Result<(), StoreError>;

    /// Stores a code; `false` if it exists.
    fn insert_code(&mut self, code: &Code, terms: &CodeTerms, now: Timestamp) -> Result<bool, StoreError>;

    /// Marks a code as redeemed by a payer; `false`, without writing, if it was redeemed or revoked or is suspended.
    fn mark_code_redeemed(&mut self, code: &Code, payer: PayerId, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores the address to which the buyer has sent the code.
    fn update_code_recipient(&mut self, code: &Code, to: &Email) -> Result<(), StoreError>;

    /// Marks a code as revoked and locks it until the end of the transaction.
    fn mark_code_revoked(&mut self, code: &Code, now: Timestamp) -> Result<(), StoreError>;

    /// Suspends the unused codes of a purchase from `suspended_at` on; `None` lifts the suspension.
    fn update_code_suspension(
        &mut self,
        purchase: &PurchaseKey,
        suspended_at: Option<Timestamp>,
    ) -> Result<(), StoreError>;

    /// Marks all codes of a purchase as revoked and locks them until the end of the transaction.
    fn mark_codes_revoked(&mut self, purchase: &PurchaseKey, now: Timestamp) -> Result<(), StoreError>;
}
