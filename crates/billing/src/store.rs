//! What billing needs from storage.

use kernel::{Email, Limit, Money, PayerId, StoreError, Timestamp, UserId};

use crate::{
    Account, Checkout, CheckoutError, CheckoutKey, CheckoutState, ClaimToken, Code, CodeTerms, Coupon, CouponCode,
    Entitlement, Gift, MemberPlan, Movement, Plan, PurchaseKey, StoredCode, Subscription, TrialIdentity,
    gateway::{CardFingerprint, CheckoutReference, CustomerId, GatewayProvider, ProviderEvent, ProviderEventId},
};

/// A subscription whose next charge is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSubscription {
    /// Who pays.
    pub payer: PayerId,
    pub purchase: PurchaseKey,
    pub plan_id: String,
    /// When the charge is due.
    pub due_at: Timestamp,
    pub amount: Money,
}

/// A payer for whom no other transaction passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockedPayer {
    /// The member whom the payer belongs to; `None`: a guest, or a person whose account was deleted.
    pub member: Option<UserId>,
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

    /// The address that a guest typed; `None`: it is a member's own payer, or the address was forgotten.
    fn guest_email_of(&mut self, payer: PayerId) -> Result<Option<Email>, StoreError>;

    /// What each account of the ledger adds up to; accounts without entries may be left out.
    fn account_balances(&mut self) -> Result<Vec<(Account, Money)>, StoreError>;

    /// Payers by their number, after one: a check goes through all of them.
    fn payers_after(&mut self, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError>;

    /// Subscriptions whose next charge is due by that moment, the longest due first.
    fn subscriptions_due(&mut self, by: Timestamp, limit: Limit) -> Result<Vec<DueSubscription>, StoreError>;

    /// The cards that a member has paid with, also as a guest, each once.
    fn cards_of(&mut self, member: UserId) -> Result<Vec<CardFingerprint>, StoreError>;

    /// The cards that a payer has paid with, each once.
    fn cards_of_payer(&mut self, payer: PayerId) -> Result<Vec<CardFingerprint>, StoreError>;

    /// A coupon, and for how many purchases it was used.
    fn find_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError>;

    /// All coupons with their uses, by code.
    fn coupons(&mut self) -> Result<Vec<(Coupon, u32)>, StoreError>;

    /// Whether the person has had a trial, or has one: by account, mailbox or card.
    fn has_had_trial(&mut self, person: &TrialIdentity) -> Result<bool, StoreError>;

    /// A checkout by our id of it.
    fn find_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError>;

    /// A checkout by the provider's id of its charge or subscription.
    fn find_checkout_of_provider(
        &mut self,
        provider: GatewayProvider,
        provider_id: &str,
    ) -> Result<Option<Checkout>, StoreError>;

    /// Checkouts that are not decided and have not changed since that moment, the oldest first.
    fn pending_checkouts(&mut self, unchanged_since: Timestamp, limit: Limit) -> Result<Vec<Checkout>, StoreError>;

    /// A payer's checkouts that wait for the provider's answer and began after that moment.
    fn checkouts_under_way(&mut self, payer: PayerId, since: Timestamp) -> Result<Vec<Checkout>, StoreError>;

    /// Events that were received and not applied, in the order in which they came.
    fn pending_provider_events(&mut self, limit: Limit) -> Result<Vec<ProviderEvent>, StoreError>;

    /// A code.
    fn find_code(&mut self, code: &Code) -> Result<Option<StoredCode>, StoreError>;

    /// The codes that a member has bought, also as a guest, in the order in which they were made: the seats.
    fn codes_bought_by(&mut self, member: UserId) -> Result<Vec<StoredCode>, StoreError>;

    /// The codes that a purchase paid for, in the order in which they were made.
    fn codes_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Vec<StoredCode>, StoreError>;

    /// What is known of a gift besides its code; `None`: the code is no gift's.
    fn find_gift(&mut self, code: &Code) -> Result<Option<Gift>, StoreError>;

    /// The gifts that a member has bought, also as a guest, in the order in which they were bought.
    fn gifts_given_by(&mut self, member: UserId) -> Result<Vec<(StoredCode, Gift)>, StoreError>;

    /// Subscriptions that are over by that moment while it is not recorded that the provider has ended them, the longest over
    /// first.
    fn subscriptions_to_close(
        &mut self,
        by: Timestamp,
        limit: Limit,
    ) -> Result<Vec<(PayerId, PurchaseKey)>, StoreError>;

    /// When a member was last offered a pause.
    fn pause_offered_at(&mut self, member: UserId) -> Result<Option<Timestamp>, StoreError>;

    /// Who a payer is at a provider.
    fn provider_customer_of(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
    ) -> Result<Option<CustomerId>, StoreError>;

    /// Whether a purchase uses the coupon.
    fn is_coupon_used_by(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<bool, StoreError>;

    /// A checkout by its key.
    fn find_checkout_by_key(&mut self, key: &CheckoutKey) -> Result<Option<Checkout>, StoreError>;

    /// What a member has, out of the ledger.
    fn member_plan(&mut self, member: UserId) -> Result<MemberPlan, StoreError> {
        Ok(MemberPlan::of(&self.movements_of(member)?))
    }

    /// The movements of a payer, by their time; of a member's payer those of everything that is the member's.
    fn movements_of_owner(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
        match self.member_of_payer(payer)? {
            Some(member) => self.movements_of(member),
            None => self.movements_of_payer(payer),
        }
    }

    /// What the owner of a payer has, out of the ledger.
    fn payer_plan(&mut self, payer: PayerId) -> Result<MemberPlan, StoreError> {
        Ok(MemberPlan::of(&self.movements_of_owner(payer)?))
    }

    /// Whether the entitlements that are stored of a payer's member are those that follow from the ledger.
    fn entitlements_agree(&mut self, payer: PayerId) -> Result<bool, StoreError> {
        let Some(member) = self.member_of_payer(payer)? else { return Ok(true) };
        let mut expected = self.member_plan(member)?.entitlements;
        let mut stored = self.entitlement_history_of(member)?;
        let order = |one: &Entitlement| (one.starts_at, one.ends_at, one.plan_id.clone());
        expected.sort_by_key(order);
        stored.sort_by_key(order);
        Ok(expected == stored)
    }

    /// Whether a checkout has its coupon's use; one without a coupon needs none.
    fn has_coupon_use(&mut self, checkout: &Checkout) -> Result<bool, StoreError> {
        match &checkout.order.coupon {
            Some(code) => self.is_coupon_used_by(code, &checkout.purchase()),
            None => Ok(true),
        }
    }

    /// The checkout that was recorded with a key; with another body it is an error.
    fn known_checkout(&mut self, key: &CheckoutKey, body_hash: &[u8; 32]) -> Result<Option<Checkout>, CheckoutError> {
        match self.find_checkout_by_key(key)? {
            Some(known) if known.body_hash != *body_hash => Err(CheckoutError::KeyReused),
            known => Ok(known),
        }
    }

    /// The version of a plan; `None`: there is no such plan.
    fn plan_version(&mut self, id: &str) -> Result<Option<i64>, StoreError>;
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

    /// Notes a card that a payer has paid with.
    fn note_card(&mut self, payer: PayerId, card: &CardFingerprint) -> Result<(), StoreError>;

    /// Notes that a member was offered a pause, in the place of when it was before.
    fn note_pause_offer(&mut self, member: UserId, now: Timestamp) -> Result<(), StoreError>;

    /// Writes a coupon, in the place of one with this code. Its uses stay.
    fn save_coupon(&mut self, coupon: &Coupon) -> Result<(), StoreError>;

    /// Deletes a coupon that was never used; one that was stays.
    fn delete_coupon(&mut self, code: &CouponCode) -> Result<(), StoreError>;

    /// Writes a plan's name and price; `false`: there is no such plan, or it has another version than `based_on`.
    fn update_plan(&mut self, plan: &Plan, based_on: Option<i64>) -> Result<bool, StoreError>;

    /// Gives a purchase's use of its coupon back, when it came to nothing.
    fn release_coupon(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError>;

    /// Takes a person's one trial for a purchase; `false`: the person has had one for another. Of two at the same moment one
    /// gets it.
    fn claim_trial(
        &mut self,
        person: &TrialIdentity,
        purchase: &PurchaseKey,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Gives a purchase's trial back, when it came to nothing.
    fn release_trial(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError>;

    /// Writes what is known of a gift, in the place of what was. Its code is stored before.
    fn save_gift(&mut self, code: &Code, gift: &Gift) -> Result<(), StoreError>;

    /// Notes that a gift is mailed; `false`: it was before. Of two at the same moment one mails it.
    fn mark_gift_delivered(&mut self, code: &Code, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores a provider's event before anything else is done with it; `false`: it was stored before.
    fn insert_provider_event(&mut self, event: &ProviderEvent, now: Timestamp) -> Result<bool, StoreError>;

    /// Notes that an event was applied.
    fn mark_provider_event_applied(
        &mut self,
        provider: GatewayProvider,
        event: &ProviderEventId,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes what names a member: entitlements and ties to the payers. The ledger stays, without the name. With an address
    /// that is proved to be the member's, also what names it.
    fn delete_billing_records(&mut self, member: UserId, email: Option<&Email>) -> Result<(), StoreError>;
}

/// Storage for billing, within one transaction. The rules are in [`crate::Billing`].
pub trait BillingStore: BillingCommands {
    /// Lets one transaction at a time pass for this payer, and for the member whom it belongs to, and says who that is; `None`:
    /// there is no such payer. What is read afterwards is what the one before has left.
    fn lock_payer(&mut self, payer: PayerId) -> Result<Option<LockedPayer>, StoreError>;

    /// Appends a movement with its entries; `false`: there is one with this key, and nothing was written.
    fn insert_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, StoreError>;

    /// Gives a guest's payer to a member. A payer that is not a guest's, or has a member, stays as it is.
    fn assign_guest_payer(&mut self, payer: PayerId, member: UserId) -> Result<(), StoreError>;

    /// Writes a member's entitlements in the place of those before.
    fn replace_entitlements(&mut self, member: UserId, plan: &MemberPlan) -> Result<(), StoreError>;

    /// Writes a subscription in the place of what was known of it. It stays the payer's for whom it was written first. One that is
    /// closed is no longer kept.
    fn upsert_subscription(&mut self, payer: PayerId, subscription: &Subscription) -> Result<(), StoreError>;

    /// Lets one transaction at a time pass for this coupon, and gives it with its uses.
    fn lock_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError>;

    /// Notes that a purchase uses the coupon.
    fn insert_coupon_use(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<(), StoreError>;

    /// Stores a checkout that begins; `false`: there is one with its key, and nothing was written.
    fn insert_checkout(&mut self, checkout: &Checkout) -> Result<bool, StoreError>;

    /// A checkout, for which one transaction at a time passes.
    fn lock_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError>;

    /// The same by the claim token of a guest.
    fn lock_checkout_of_claim(&mut self, charge_id: &ClaimToken) -> Result<Option<Checkout>, StoreError>;

    /// Writes how far a checkout is. Its sealed details go when it is decided.
    fn update_checkout(
        &mut self,
        reference: &CheckoutReference,
        state: CheckoutState,
        provider_id: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Notes that a checkout was claimed.
    fn mark_checkout_claimed(&mut self, reference: &CheckoutReference, now: Timestamp) -> Result<(), StoreError>;

    /// Stores a code; `false`: there is one like it.
    fn insert_code(&mut self, code: &Code, terms: &CodeTerms, now: Timestamp) -> Result<bool, StoreError>;

    /// Marks a code as redeemed by a payer, unless it was redeemed or revoked or is suspended; says whether it did.
    fn mark_code_redeemed(&mut self, code: &Code, payer: PayerId, now: Timestamp) -> Result<bool, StoreError>;

    /// Notes to whom the buyer of a code has sent it.
    fn update_code_recipient(&mut self, code: &Code, to: &Email) -> Result<(), StoreError>;

    /// Marks a code as revoked, and lets one transaction at a time pass for it.
    fn mark_code_revoked(&mut self, code: &Code, now: Timestamp) -> Result<(), StoreError>;

    /// Suspends the unused codes of a purchase from that moment on, or with `None` lets all of them be redeemed again.
    fn update_code_suspension(
        &mut self,
        purchase: &PurchaseKey,
        suspended_at: Option<Timestamp>,
    ) -> Result<(), StoreError>;

    /// Marks all codes of a purchase as revoked, and lets one transaction at a time pass for them.
    fn mark_codes_revoked(&mut self, purchase: &PurchaseKey, now: Timestamp) -> Result<(), StoreError>;
}
