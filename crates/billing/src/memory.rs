//! An in-memory store for tests.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use kernel::{Email, Limit, Money, PayerId, StoreError, Timestamp, UserId};

use crate::{
    Account, BillingCommands, BillingQueries, BillingStore, Checkout, CheckoutKey, CheckoutState, ClaimToken, Code,
    CodeKind, CodeTerms, Coupon, CouponCode, DueSubscription, Entitlement, Gift, LockedPayer, MemberPlan, Movement,
    Plan, PurchaseKey, STARTING_PLANS, StoredCode, Subscription, TeamSeat, TrialIdentity,
    contract::World,
    gateway::{CardFingerprint, CheckoutReference, CustomerId, GatewayProvider, ProviderEvent, ProviderEventId},
};

#[derive(Debug)]
struct StoredPayer {
    member: Option<UserId>,
    is_guest: bool,
    email: Option<Email>,
}

/// The in-memory database. Only one caller uses it at a time, so its locks do nothing.
#[derive(Debug)]
pub struct Memory {
    plans: Vec<Plan>,
    members: i64,
    payers: Vec<StoredPayer>,
    movements: Vec<(PayerId, Movement)>,
    entitlements: BTreeMap<UserId, Vec<Entitlement>>,
    subscriptions: Vec<(PayerId, Subscription)>,
    customers: Vec<(PayerId, GatewayProvider, CustomerId)>,
    cards: BTreeSet<(CardFingerprint, PayerId)>,
    coupons: BTreeMap<CouponCode, (Coupon, BTreeSet<PurchaseKey>)>,
    trials: Vec<(PurchaseKey, TrialIdentity)>,
    checkouts: Vec<Checkout>,
    /// Each event, and whether it was applied.
    events: Vec<(ProviderEvent, bool)>,
    codes: Vec<StoredCode>,
    gifts: Vec<(Code, Gift)>,
    pause_offers: BTreeMap<UserId, Timestamp>,
    plan_versions: BTreeMap<String, i64>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            plans: STARTING_PLANS.iter().map(Plan::from).collect(),
            members: 0,
            payers: Vec::new(),
            movements: Vec::new(),
            entitlements: BTreeMap::new(),
            subscriptions: Vec::new(),
            customers: Vec::new(),
            cards: BTreeSet::new(),
            coupons: BTreeMap::new(),
            trials: Vec::new(),
            checkouts: Vec::new(),
            events: Vec::new(),
            codes: Vec::new(),
            gifts: Vec::new(),
            pause_offers: BTreeMap::new(),
            plan_versions: BTreeMap::new(),
        }
    }
}

impl World for Memory {
    fn add_member(&mut self, _: &Email) -> UserId {
        self.members += 1;
        UserId::from_store(self.members)
    }

    fn store(&mut self) -> &mut dyn BillingStore {
        self
    }
}

fn place(payer: PayerId) -> usize {
    usize::try_from(payer.get() - 1).unwrap_or(usize::MAX)
}

impl Memory {
    fn payer(&self, payer: PayerId) -> Option<&StoredPayer> {
        self.payers.get(place(payer))
    }

    fn payers(&self) -> impl Iterator<Item = (PayerId, &StoredPayer)> {
        (1..).map(PayerId::from_store).zip(&self.payers)
    }

    fn insert_payer(&mut self, payer: StoredPayer) -> PayerId {
        self.payers.push(payer);
        (1..).map(PayerId::from_store).nth(self.payers.len() - 1).unwrap_or(PayerId::from_store(0))
    }

    fn checkout_where(&self, is_it: impl Fn(&Checkout) -> bool) -> Option<Checkout> {
        self.checkouts.iter().find(|one| is_it(one)).cloned()
    }

    fn uses_of((coupon, uses): &(Coupon, BTreeSet<PurchaseKey>)) -> (Coupon, u32) {
        (coupon.clone(), u32::try_from(uses.len()).unwrap_or(u32::MAX))
    }

    fn movements_where(&self, is_one: impl Fn(PayerId) -> bool) -> Vec<Movement> {
        let found = self.movements.iter().filter(|(payer, _)| is_one(*payer));
        let mut found: Vec<Movement> = found.map(|(_, movement)| movement.clone()).collect();
        found.sort_by_key(|movement| movement.at);
        found
    }
}

impl Memory {
    /// All seats, in order of redemption.
    fn team_seats(&self) -> impl Iterator<Item = TeamSeat> {
        let user = |payer: PayerId| self.payer(payer).and_then(|one| one.member);
        let bulk = self.codes.iter().filter(|one| one.terms.kind == CodeKind::Bulk && one.revoked_at.is_none());
        let seats = bulk.filter_map(|one| {
            let (payer, redeemed_at) = one.redeemed?;
            let (buyer, member) = (user(one.terms.buyer?)?, user(payer)?);
            Some(TeamSeat { redeemed_at, buyer, member, months: one.terms.months })
        });
        let mut seats: Vec<TeamSeat> = seats.collect();
        seats.sort_unstable();
        seats.into_iter()
    }
}

impl BillingQueries for Memory {
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        Ok(self.plans.clone())
    }

    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError> {
        let mut all = self.entitlements.get(&member).cloned().unwrap_or_default();
        all.retain(|one| !one.period().is_over(now));
        Ok(all)
    }

    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError> {
        let mut all = self.entitlements.get(&member).cloned().unwrap_or_default();
        all.reverse();
        all.sort_by_key(|one| Reverse(one.starts_at));
        Ok(all)
    }

    fn movements_of(&mut self, member: UserId) -> Result<Vec<Movement>, StoreError> {
        Ok(self.movements_where(|payer| self.payer(payer).is_some_and(|one| one.member == Some(member))))
    }

    fn movements_of_payer(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
        Ok(self.movements_where(|one| one == payer))
    }

    fn find_movement(&mut self, key: &str) -> Result<Option<(PayerId, Movement)>, StoreError> {
        Ok(self.movements.iter().find(|(_, movement)| movement.key == key).cloned())
    }

    fn find_payer_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError> {
        Ok(self.movements.iter().find(|(_, movement)| movement.purchase == *purchase).map(|(payer, _)| *payer))
    }

    fn member_of_payer(&mut self, payer: PayerId) -> Result<Option<UserId>, StoreError> {
        Ok(self.payer(payer).and_then(|one| one.member))
    }

    fn wrong_account_sums(&mut self) -> Result<Vec<Account>, StoreError> {
        Ok(Vec::new())
    }

    fn account_balances(&mut self) -> Result<Vec<(Account, Money)>, StoreError> {
        let mut sums: BTreeMap<Account, i64> = BTreeMap::new();
        for entry in self.movements.iter().flat_map(|(_, movement)| movement.entries()) {
            *sums.entry(entry.account).or_default() += entry.amount.cents();
        }
        Ok(sums.into_iter().map(|(account, cents)| (account, Money::from_cents(cents))).collect())
    }

    fn payers_after(&mut self, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError> {
        let ids = self.payers().map(|(id, _)| id);
        Ok(ids.filter(|id| after.is_none_or(|after| *id > after)).take(limit.get()).collect())
    }

    fn subscriptions_due(&mut self, by: Timestamp, limit: Limit) -> Result<Vec<DueSubscription>, StoreError> {
        let mut due: Vec<DueSubscription> = self
            .subscriptions
            .iter()
            .filter_map(|(payer, one)| {
                let (due_at, amount) = one.renewal()?;
                let (purchase, plan_id) = (one.purchase.clone(), one.plan_id.clone());
                (due_at <= by).then_some(DueSubscription { payer: *payer, purchase, plan_id, due_at, amount })
            })
            .collect();
        due.sort_by(|one, other| (one.due_at, &one.purchase).cmp(&(other.due_at, &other.purchase)));
        due.truncate(limit.get());
        Ok(due)
    }

    fn subscriptions_to_close(
        &mut self,
        by: Timestamp,
        limit: Limit,
    ) -> Result<Vec<(PayerId, PurchaseKey)>, StoreError> {
        let over = self.subscriptions.iter().filter(|(_, one)| one.over_at() <= by);
        let mut over: Vec<(Timestamp, PurchaseKey, PayerId)> =
            over.map(|(payer, one)| (one.over_at(), one.purchase.clone(), *payer)).collect();
        over.sort();
        Ok(over.into_iter().take(limit.get()).map(|(_, purchase, payer)| (payer, purchase)).collect())
    }

    fn guest_email_of(&mut self, payer: PayerId) -> Result<Option<Email>, StoreError> {
        Ok(self.payer(payer).and_then(|one| one.email.clone()))
    }

    fn cards_of(&mut self, member: UserId) -> Result<Vec<CardFingerprint>, StoreError> {
        let is_theirs = |payer: PayerId| self.payer(payer).is_some_and(|one| one.member == Some(member));
        let mut cards: Vec<CardFingerprint> =
            self.cards.iter().filter(|(_, payer)| is_theirs(*payer)).map(|(card, _)| card.clone()).collect();
        cards.dedup();
        Ok(cards)
    }

    fn cards_of_payer(&mut self, payer: PayerId) -> Result<Vec<CardFingerprint>, StoreError> {
        Ok(self.cards.iter().filter(|(_, one)| *one == payer).map(|(card, _)| card.clone()).collect())
    }

    fn find_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
        Ok(self.coupons.get(code).map(Self::uses_of))
    }

    fn coupons(&mut self) -> Result<Vec<(Coupon, u32)>, StoreError> {
        Ok(self.coupons.values().map(Self::uses_of).collect())
    }

    fn has_had_trial(&mut self, person: &TrialIdentity) -> Result<bool, StoreError> {
        Ok(self.trials.iter().any(|(_, one)| one.is_same_person(person)))
    }

    fn find_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError> {
        Ok(self.checkout_where(|one| one.reference == *reference))
    }

    fn find_checkout_of_provider(
        &mut self,
        provider: GatewayProvider,
        provider_id: &str,
    ) -> Result<Option<Checkout>, StoreError> {
        Ok(self.checkout_where(|one| one.order.provider == provider && one.provider_id.as_deref() == Some(provider_id)))
    }

    fn pending_checkouts(&mut self, unchanged_since: Timestamp, limit: Limit) -> Result<Vec<Checkout>, StoreError> {
        let mut found: Vec<Checkout> = self
            .checkouts
            .iter()
            .filter(|one| one.state.is_pending() && one.changed_at <= unchanged_since)
            .cloned()
            .collect();
        found.sort_by_key(|one| one.changed_at);
        found.truncate(limit.get());
        Ok(found)
    }

    fn checkouts_under_way(&mut self, payer: PayerId, since: Timestamp) -> Result<Vec<Checkout>, StoreError> {
        let is_under_way = |one: &&Checkout| {
            one.order.payer == payer
                && one.created_at > since
                && matches!(one.state, CheckoutState::Started | CheckoutState::Submitted)
        };
        Ok(self.checkouts.iter().filter(is_under_way).cloned().collect())
    }

    fn pending_provider_events(&mut self, limit: Limit) -> Result<Vec<ProviderEvent>, StoreError> {
        let pending = self.events.iter().filter(|(_, is_applied)| !is_applied);
        Ok(pending.take(limit.get()).map(|(event, _)| event.clone()).collect())
    }

    fn find_code(&mut self, code: &Code) -> Result<Option<StoredCode>, StoreError> {
        Ok(self.codes.iter().find(|one| one.code == *code).cloned())
    }

    fn codes_bought_by(&mut self, member: UserId) -> Result<Vec<StoredCode>, StoreError> {
        let is_theirs = |payer: PayerId| self.payer(payer).is_some_and(|one| one.member == Some(member));
        Ok(self.codes.iter().filter(|one| one.terms.buyer.is_some_and(is_theirs)).cloned().collect())
    }

    fn team_seats_of(&mut self, buyers: &[UserId]) -> Result<Vec<TeamSeat>, StoreError> {
        Ok(self.team_seats().filter(|seat| buyers.contains(&seat.buyer)).collect())
    }

    fn team_seats_held_by(&mut self, member: UserId) -> Result<Vec<TeamSeat>, StoreError> {
        Ok(self.team_seats().filter(|seat| seat.member == member).collect())
    }

    fn codes_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Vec<StoredCode>, StoreError> {
        Ok(self.codes.iter().filter(|one| one.terms.purchase.as_ref() == Some(purchase)).cloned().collect())
    }

    fn find_gift(&mut self, code: &Code) -> Result<Option<Gift>, StoreError> {
        Ok(self.gifts.iter().find(|(one, _)| one == code).map(|(_, gift)| gift.clone()))
    }

    fn gifts_given_by(&mut self, member: UserId) -> Result<Vec<(StoredCode, Gift)>, StoreError> {
        let bought = self.codes_bought_by(member)?;
        let gift_of = |code: &Code| self.gifts.iter().find(|(one, _)| one == code).map(|(_, gift)| gift.clone());
        Ok(bought.into_iter().filter_map(|one| gift_of(&one.code).map(|gift| (one, gift))).collect())
    }

    fn pause_offered_at(&mut self, member: UserId) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.pause_offers.get(&member).copied())
    }

    fn provider_customer_of(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
    ) -> Result<Option<CustomerId>, StoreError> {
        let is_it = |one: &&(PayerId, GatewayProvider, CustomerId)| one.0 == payer && one.1 == provider;
        Ok(self.customers.iter().find(is_it).map(|one| one.2.clone()))
    }

    fn is_coupon_used_by(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<bool, StoreError> {
        Ok(self.coupons.get(code).is_some_and(|(_, uses)| uses.contains(purchase)))
    }

    fn find_checkout_by_key(&mut self, key: &CheckoutKey) -> Result<Option<Checkout>, StoreError> {
        Ok(self.checkout_where(|one| one.key == *key))
    }

    fn plan_version(&mut self, id: &str) -> Result<Option<i64>, StoreError> {
        let is_known = self.plans.iter().any(|plan| plan.id == id);
        Ok(is_known.then(|| self.plan_versions.get(id).copied().unwrap_or(1)))
    }
}

impl BillingCommands for Memory {
    fn insert_checkout(&mut self, checkout: &Checkout) -> Result<bool, StoreError> {
        let is_new = !self.checkouts.iter().any(|one| one.key == checkout.key);
        if is_new {
            self.checkouts.push(checkout.clone());
        }
        Ok(is_new)
    }

    fn sum_accounts(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn note_pause_offer(&mut self, member: UserId, now: Timestamp) -> Result<(), StoreError> {
        self.pause_offers.insert(member, now);
        Ok(())
    }

    fn payer_of_member(&mut self, member: UserId, _: Timestamp) -> Result<PayerId, StoreError> {
        let own = self.payers().find(|(_, one)| one.member == Some(member) && !one.is_guest).map(|(id, _)| id);
        Ok(own.unwrap_or_else(|| self.insert_payer(StoredPayer { member: Some(member), is_guest: false, email: None })))
    }

    fn insert_guest_payer(&mut self, email: &Email, _: Timestamp) -> Result<PayerId, StoreError> {
        Ok(self.insert_payer(StoredPayer { member: None, is_guest: true, email: Some(email.clone()) }))
    }

    fn save_provider_customer(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
        customer: &CustomerId,
    ) -> Result<(), StoreError> {
        self.customers.retain(|one| one.0 != payer || one.1 != provider);
        self.customers.push((payer, provider, customer.clone()));
        Ok(())
    }

    fn note_card(&mut self, payer: PayerId, card: &CardFingerprint) -> Result<(), StoreError> {
        self.cards.insert((card.clone(), payer));
        Ok(())
    }

    fn save_coupon(&mut self, coupon: &Coupon) -> Result<(), StoreError> {
        let stored = self.coupons.entry(coupon.code.clone()).or_insert_with(|| (coupon.clone(), BTreeSet::new()));
        stored.0 = coupon.clone();
        Ok(())
    }

    fn delete_coupon(&mut self, code: &CouponCode) -> Result<(), StoreError> {
        if self.coupons.get(code).is_some_and(|(_, uses)| uses.is_empty()) {
            self.coupons.remove(code);
        }
        Ok(())
    }

    fn insert_plan(&mut self, plan: &Plan) -> Result<bool, StoreError> {
        if self.plans.iter().any(|known| known.id == plan.id) {
            return Ok(false);
        }
        self.plans.push(plan.clone());
        Ok(true)
    }

    fn update_plan(&mut self, plan: &Plan, based_on: Option<i64>) -> Result<bool, StoreError> {
        let Some(version) = self.plan_version(&plan.id)? else { return Ok(false) };
        if based_on.is_some_and(|based_on| based_on != version) {
            return Ok(false);
        }
        for stored in self.plans.iter_mut().filter(|stored| stored.id == plan.id) {
            *stored = Plan { kind: stored.kind, ..plan.clone() };
        }
        self.plan_versions.insert(plan.id.clone(), version + 1);
        Ok(true)
    }

    fn release_coupon(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError> {
        for (_, uses) in self.coupons.values_mut() {
            uses.remove(purchase);
        }
        Ok(())
    }

    fn claim_trial(
        &mut self,
        person: &TrialIdentity,
        purchase: &PurchaseKey,
        _: Timestamp,
    ) -> Result<bool, StoreError> {
        if self.trials.iter().any(|(one, _)| one == purchase) {
            return Ok(true);
        }
        if self.has_had_trial(person)? {
            return Ok(false);
        }
        self.trials.push((purchase.clone(), person.clone()));
        Ok(true)
    }

    fn release_trial(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError> {
        self.trials.retain(|(one, _)| one != purchase);
        Ok(())
    }

    fn insert_provider_event(&mut self, event: &ProviderEvent, _: Timestamp) -> Result<bool, StoreError> {
        let is_known = self.events.iter().any(|(one, _)| one.provider == event.provider && one.id == event.id);
        if !is_known {
            self.events.push((event.clone(), false));
        }
        Ok(!is_known)
    }

    fn mark_provider_event_applied(
        &mut self,
        provider: GatewayProvider,
        event: &ProviderEventId,
        _: Timestamp,
    ) -> Result<(), StoreError> {
        for (one, is_applied) in &mut self.events {
            *is_applied |= one.provider == provider && one.id == *event;
        }
        Ok(())
    }

    fn save_gift(&mut self, code: &Code, gift: &Gift) -> Result<(), StoreError> {
        self.gifts.retain(|(one, _)| one != code);
        self.gifts.push((code.clone(), gift.clone()));
        Ok(())
    }

    fn mark_gift_delivered(&mut self, code: &Code, now: Timestamp) -> Result<bool, StoreError> {
        let waiting = self.gifts.iter_mut().find(|(one, gift)| one == code && gift.delivered_at.is_none());
        Ok(waiting.map(|(_, gift)| gift.delivered_at = Some(now)).is_some())
    }

    fn delete_billing_records(&mut self, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
        self.entitlements.remove(&member);
        let theirs: Vec<PayerId> =
            self.payers().filter(|(_, one)| one.member == Some(member)).map(|(id, _)| id).collect();
        self.customers.retain(|(payer, ..)| !theirs.contains(payer));
        self.cards.retain(|(_, payer)| !theirs.contains(payer));
        let mailbox = email.map(Email::mailbox_key);
        for (_, person) in &mut self.trials {
            if person.member == Some(member) || mailbox.as_ref() == Some(&person.mailbox) {
                (person.member, person.mailbox) = (None, String::new());
            }
        }
        for checkout in self.checkouts.iter_mut().filter(|one| theirs.contains(&one.order.payer)) {
            checkout.order.sealed_details = None;
        }
        for (code, gift) in &mut self.gifts {
            let Some(stored) = self.codes.iter().find(|one| one.code == *code) else { continue };
            let is_giver = stored.terms.buyer.is_some_and(|buyer| theirs.contains(&buyer));
            let has_redeemed = stored.redeemed.is_some_and(|(payer, _)| theirs.contains(&payer));
            if is_giver {
                (gift.sender_name, gift.message) = (String::new(), String::new());
            }
            let is_recipient = email.is_some() && gift.recipient.as_ref().map(Email::key) == email.map(Email::key);
            if gift.delivered_at.is_some() && (is_giver || has_redeemed || is_recipient) {
                (gift.recipient_name, gift.recipient, gift.message) = (String::new(), None, String::new());
            }
        }
        for payer in &mut self.payers {
            if payer.member == Some(member) || email.is_some() && payer.email.as_ref() == email {
                (payer.member, payer.email) = (payer.member.filter(|one| *one != member), None);
            }
        }
        Ok(())
    }
}

impl BillingStore for Memory {
    fn lock_payer(&mut self, payer: PayerId) -> Result<Option<LockedPayer>, StoreError> {
        Ok(self.payer(payer).map(|one| LockedPayer { member: one.member }))
    }

    fn insert_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, StoreError> {
        if self.movements.iter().any(|(_, one)| one.key == movement.key) {
            return Ok(false);
        }
        self.movements.push((payer, movement.clone()));
        Ok(true)
    }

    fn assign_guest_payer(&mut self, payer: PayerId, member: UserId) -> Result<(), StoreError> {
        if let Some(one) = self.payers.get_mut(place(payer)).filter(|one| one.is_guest) {
            one.member.get_or_insert(member);
        }
        Ok(())
    }

    fn replace_entitlements(&mut self, member: UserId, plan: &MemberPlan) -> Result<(), StoreError> {
        self.entitlements.insert(member, plan.entitlements.clone());
        Ok(())
    }

    fn upsert_subscription(&mut self, payer: PayerId, subscription: &Subscription) -> Result<(), StoreError> {
        if subscription.is_closed() {
            self.subscriptions.retain(|(_, one)| one.purchase != subscription.purchase);
            return Ok(());
        }
        match self.subscriptions.iter_mut().find(|(_, one)| one.purchase == subscription.purchase) {
            Some((_, one)) => one.clone_from(subscription),
            None => self.subscriptions.push((payer, subscription.clone())),
        }
        Ok(())
    }

    fn lock_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
        self.find_coupon(code)
    }

    fn insert_coupon_use(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<(), StoreError> {
        if let Some((_, uses)) = self.coupons.get_mut(code) {
            uses.insert(purchase.clone());
        }
        Ok(())
    }

    fn lock_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError> {
        self.find_checkout(reference)
    }

    fn lock_checkout_of_claim(&mut self, charge_id: &ClaimToken) -> Result<Option<Checkout>, StoreError> {
        Ok(self.checkout_where(|one| one.charge_id == *charge_id))
    }

    fn update_checkout(
        &mut self,
        reference: &CheckoutReference,
        state: CheckoutState,
        provider_id: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if let Some(one) = self.checkouts.iter_mut().find(|one| one.reference == *reference) {
            (one.state, one.changed_at) = (state, now);
            one.provider_id = provider_id.map(str::to_owned).or(one.provider_id.take());
            one.order.sealed_details = one.order.sealed_details.take().filter(|_| state.is_pending());
        }
        Ok(())
    }

    fn mark_checkout_claimed(&mut self, reference: &CheckoutReference, now: Timestamp) -> Result<(), StoreError> {
        if let Some(one) = self.checkouts.iter_mut().find(|one| one.reference == *reference) {
            one.claimed_at = Some(now);
        }
        Ok(())
    }

    fn insert_code(&mut self, code: &Code, terms: &CodeTerms, now: Timestamp) -> Result<bool, StoreError> {
        let is_new = !self.codes.iter().any(|one| one.code == *code);
        if is_new {
            let (code, terms) = (code.clone(), terms.clone());
            self.codes.push(StoredCode {
                code,
                terms,
                created_at: now,
                redeemed: None,
                revoked_at: None,
                sent_to: None,
                suspended_at: None,
            });
        }
        Ok(is_new)
    }

    fn mark_code_redeemed(&mut self, code: &Code, payer: PayerId, now: Timestamp) -> Result<bool, StoreError> {
        let free = self.codes.iter_mut().find(|one| one.code == *code && one.obstacle().is_none());
        Ok(free.map(|one| one.redeemed = Some((payer, now))).is_some())
    }

    fn update_code_recipient(&mut self, code: &Code, to: &Email) -> Result<(), StoreError> {
        if let Some(one) = self.codes.iter_mut().find(|one| one.code == *code) {
            one.sent_to = Some(to.clone());
        }
        Ok(())
    }

    fn mark_code_revoked(&mut self, code: &Code, now: Timestamp) -> Result<(), StoreError> {
        for one in self.codes.iter_mut().filter(|one| one.code == *code) {
            one.revoked_at.get_or_insert(now);
        }
        Ok(())
    }

    fn update_code_suspension(
        &mut self,
        purchase: &PurchaseKey,
        suspended_at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        for one in self.codes.iter_mut().filter(|one| one.terms.purchase.as_ref() == Some(purchase)) {
            let is_unused = one.redeemed.is_none() && one.revoked_at.is_none();
            one.suspended_at = suspended_at.filter(|_| is_unused);
        }
        Ok(())
    }

    fn mark_codes_revoked(&mut self, purchase: &PurchaseKey, now: Timestamp) -> Result<(), StoreError> {
        for one in self.codes.iter_mut().filter(|one| one.terms.purchase.as_ref() == Some(purchase)) {
            one.revoked_at.get_or_insert(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
