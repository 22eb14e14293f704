//! Plans, purchases and entitlements in Postgres.

mod checkouts;
mod codes;
mod coupons;
mod gifts;
mod ledger;
mod payers;
mod provider_events;

use ::billing::{
    Account, BillingCommands, BillingQueries, BillingStore, Checkout, CheckoutKey, CheckoutState, ClaimToken, Code,
    CodeTerms, Coupon, CouponCode, DueSubscription, Entitlement, Gift, LockedPayer, MemberPlan, Movement, Plan,
    PlanKind, PurchaseKey, RenewalTerms, StoredCode, Subscription, TeamSeat, TrialIdentity,
    gateway::{CardFingerprint, CheckoutReference, CustomerId, GatewayProvider, ProviderEvent, ProviderEventId},
};
use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
    delete, dsl::max, insert_into, update,
};
use kernel::{Email, Limit, Money, PayerId, StoreError, Timestamp, UserId};

use crate::{
    Change, Pg,
    schema::{entitlements, plans, subscriptions},
    time::{from_db, to_db},
};

/// The row of an entitlement: plan id, plan name, start, end.
pub(crate) type EntitlementRow = (String, String, DateTime<Utc>, Option<DateTime<Utc>>);

const ENTITLEMENT: (entitlements::plan_id, entitlements::plan_name, entitlements::starts_at, entitlements::ends_at) =
    (entitlements::plan_id, entitlements::plan_name, entitlements::starts_at, entitlements::ends_at);

impl<A> BillingQueries for Pg<'_, A> {
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        let rows: Vec<(String, String, String, i64, bool)> = self.run(|conn| {
            plans::table
                .order((plans::place, plans::id))
                .select((plans::id, plans::name, plans::kind, plans::price_cents, plans::archived))
                .load(conn)
        })?;
        rows.into_iter()
            .map(|(id, name, kind, cents, archived)| {
                let kind: PlanKind = kind.parse().map_err(StoreError::new)?;
                Ok(Plan { id, name, kind, price: Money::from_cents(cents), archived })
            })
            .collect()
    }

    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError> {
        let is_not_over = entitlements::ends_at.is_null().or(entitlements::ends_at.gt(to_db(now)));
        let query = entitlements::table
            .filter(entitlements::user_id.eq(member.get()).and(is_not_over))
            .order(entitlements::id)
            .select(ENTITLEMENT);
        let rows: Vec<EntitlementRow> = self.run(|conn| query.load(conn))?;
        Ok(rows.into_iter().map(entitlement_from).collect())
    }

    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError> {
        let query = entitlements::table
            .filter(entitlements::user_id.eq(member.get()))
            .order((entitlements::starts_at.desc(), entitlements::id.desc()))
            .select(ENTITLEMENT);
        let rows: Vec<EntitlementRow> = self.run(|conn| query.load(conn))?;
        Ok(rows.into_iter().map(entitlement_from).collect())
    }

    fn movements_of(&mut self, member: UserId) -> Result<Vec<Movement>, StoreError> {
        ledger::of_member(self, member)
    }

    fn movements_of_payer(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
        ledger::of_payer(self, payer)
    }

    fn find_movement(&mut self, key: &str) -> Result<Option<(PayerId, Movement)>, StoreError> {
        ledger::find(self, key)
    }

    fn find_payer_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError> {
        ledger::payer_of_purchase(self, purchase)
    }

    fn member_of_payer(&mut self, payer: PayerId) -> Result<Option<UserId>, StoreError> {
        payers::member_of(self, payer)
    }

    fn account_balances(&mut self) -> Result<Vec<(Account, Money)>, StoreError> {
        ledger::balances(self)
    }

    fn wrong_account_sums(&mut self) -> Result<Vec<Account>, StoreError> {
        ledger::wrong_sums(self)
    }

    fn payers_after(&mut self, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError> {
        payers::after(self, after, limit)
    }

    fn subscriptions_due(&mut self, by: Timestamp, limit: Limit) -> Result<Vec<DueSubscription>, StoreError> {
        let query = subscriptions::table
            .filter(subscriptions::due_at.le(to_db(by)))
            .order((subscriptions::due_at, subscriptions::purchase))
            .limit(count(limit.get())?)
            .select((
                subscriptions::payer_id,
                subscriptions::purchase,
                subscriptions::plan_id,
                subscriptions::due_at.assume_not_null(),
                subscriptions::next_charge_cents,
            ));
        let rows: Vec<(i64, String, String, DateTime<Utc>, i64)> = self.run(|conn| query.load(conn))?;
        let due = |(payer, purchase, plan_id, due_at, cents)| DueSubscription {
            payer: PayerId::from_store(payer),
            purchase: PurchaseKey::new(purchase),
            plan_id,
            due_at: from_db(due_at),
            amount: Money::from_cents(cents),
        };
        Ok(rows.into_iter().map(due).collect())
    }

    fn subscriptions_to_close(
        &mut self,
        by: Timestamp,
        limit: Limit,
    ) -> Result<Vec<(PayerId, PurchaseKey)>, StoreError> {
        let query = subscriptions::table
            .filter(subscriptions::over_at.le(to_db(by)))
            .order((subscriptions::over_at, subscriptions::purchase))
            .limit(count(limit.get())?)
            .select((subscriptions::payer_id, subscriptions::purchase));
        let rows: Vec<(i64, String)> = self.run(|conn| query.load(conn))?;
        Ok(rows.into_iter().map(|(payer, key)| (PayerId::from_store(payer), PurchaseKey::new(key))).collect())
    }

    fn cards_of(&mut self, member: UserId) -> Result<Vec<CardFingerprint>, StoreError> {
        payers::cards_of(self, member)
    }

    fn find_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
        coupons::find(self, code)
    }

    fn coupons(&mut self) -> Result<Vec<(Coupon, u32)>, StoreError> {
        coupons::all(self)
    }

    fn has_had_trial(&mut self, person: &TrialIdentity) -> Result<bool, StoreError> {
        coupons::has_had_trial(self, person)
    }

    fn find_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError> {
        checkouts::find(self, reference)
    }

    fn find_checkout_of_provider(
        &mut self,
        provider: GatewayProvider,
        provider_id: &str,
    ) -> Result<Option<Checkout>, StoreError> {
        checkouts::find_of_provider(self, provider, provider_id)
    }

    fn pending_checkouts(&mut self, unchanged_since: Timestamp, limit: Limit) -> Result<Vec<Checkout>, StoreError> {
        checkouts::pending(self, unchanged_since, limit)
    }

    fn checkouts_under_way(&mut self, payer: PayerId, since: Timestamp) -> Result<Vec<Checkout>, StoreError> {
        checkouts::under_way(self, payer, since)
    }

    fn pending_provider_events(&mut self, limit: Limit) -> Result<Vec<ProviderEvent>, StoreError> {
        provider_events::pending(self, limit)
    }

    fn find_code(&mut self, code: &Code) -> Result<Option<StoredCode>, StoreError> {
        codes::find(self, code)
    }

    fn codes_bought_by(&mut self, member: UserId) -> Result<Vec<StoredCode>, StoreError> {
        codes::bought_by(self, member)
    }

    fn team_seats_of(&mut self, buyers: &[UserId]) -> Result<Vec<TeamSeat>, StoreError> {
        codes::seats_of(self, buyers)
    }

    fn team_seats_held_by(&mut self, member: UserId) -> Result<Vec<TeamSeat>, StoreError> {
        codes::seats_held_by(self, member)
    }

    fn codes_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Vec<StoredCode>, StoreError> {
        codes::of_purchase(self, purchase)
    }

    fn find_gift(&mut self, code: &Code) -> Result<Option<Gift>, StoreError> {
        gifts::find(self, code)
    }

    fn gifts_given_by(&mut self, member: UserId) -> Result<Vec<(StoredCode, Gift)>, StoreError> {
        gifts::given_by(self, member)
    }

    fn cards_of_payer(&mut self, payer: PayerId) -> Result<Vec<CardFingerprint>, StoreError> {
        payers::cards_of_payer(self, payer)
    }

    fn guest_email_of(&mut self, payer: PayerId) -> Result<Option<Email>, StoreError> {
        payers::guest_email(self, payer)
    }

    fn pause_offered_at(&mut self, member: UserId) -> Result<Option<Timestamp>, StoreError> {
        payers::pause_offered_at(self, member)
    }

    fn provider_customer_of(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
    ) -> Result<Option<CustomerId>, StoreError> {
        payers::customer_of(self, payer, provider)
    }

    fn is_coupon_used_by(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<bool, StoreError> {
        coupons::is_used_by(self, code, purchase)
    }

    fn find_checkout_by_key(&mut self, key: &CheckoutKey) -> Result<Option<Checkout>, StoreError> {
        checkouts::find_by_key(self, key)
    }

    fn plan_version(&mut self, id: &str) -> Result<Option<i64>, StoreError> {
        self.run(|conn| plans::table.find(id).select(plans::version).first(conn).optional())
    }
}

fn small(number: u32) -> Result<i32, StoreError> {
    i32::try_from(number).map_err(StoreError::new)
}

fn unsigned(number: i32) -> Result<u32, StoreError> {
    u32::try_from(number).map_err(StoreError::new)
}

/// The terms of later charges, from their two columns; `None` if there are none.
fn terms_from(cents: Option<i64>, months: Option<i32>) -> Result<Option<RenewalTerms>, StoreError> {
    let Some((cents, months)) = cents.zip(months) else { return Ok(None) };
    Ok(Some(RenewalTerms { price: Money::from_cents(cents), months: unsigned(months)? }))
}

fn count(rows: usize) -> Result<i64, StoreError> {
    i64::try_from(rows).map_err(StoreError::new)
}

impl BillingCommands for Pg<'_> {
    fn insert_checkout(&mut self, checkout: &Checkout) -> Result<bool, StoreError> {
        checkouts::insert(self, checkout)
    }

    fn sum_accounts(&mut self) -> Result<(), StoreError> {
        ledger::sum_accounts(self)
    }

    fn note_pause_offer(&mut self, member: UserId, now: Timestamp) -> Result<(), StoreError> {
        payers::note_pause_offer(self, member, now)
    }

    fn payer_of_member(&mut self, member: UserId, now: Timestamp) -> Result<PayerId, StoreError> {
        payers::of_member(self, member, now)
    }

    fn insert_guest_payer(&mut self, email: &Email, now: Timestamp) -> Result<PayerId, StoreError> {
        payers::insert_guest(self, email, now)
    }

    fn save_provider_customer(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
        customer: &CustomerId,
    ) -> Result<(), StoreError> {
        payers::save_customer(self, payer, provider, customer)
    }

    fn note_card(&mut self, payer: PayerId, card: &CardFingerprint) -> Result<(), StoreError> {
        payers::note_card(self, payer, card)
    }

    fn save_coupon(&mut self, coupon: &Coupon) -> Result<(), StoreError> {
        coupons::save(self, coupon)
    }

    fn delete_coupon(&mut self, code: &CouponCode) -> Result<(), StoreError> {
        coupons::delete_unused(self, code)
    }

    fn insert_plan(&mut self, plan: &Plan) -> Result<bool, StoreError> {
        let last: Option<i32> = self.run(|conn| plans::table.select(max(plans::place)).first(conn))?;
        let row = (
            plans::id.eq(&plan.id),
            plans::name.eq(&plan.name),
            plans::kind.eq(plan.kind.as_str()),
            plans::price_cents.eq(plan.price.cents()),
            plans::place.eq(last.map_or(0, |last| last + 1)),
            plans::archived.eq(plan.archived),
        );
        let written =
            self.run(|conn| insert_into(plans::table).values(row).on_conflict(plans::id).do_nothing().execute(conn))?;
        self.record_change(Change::Catalogue);
        Ok(written > 0)
    }

    fn update_plan(&mut self, plan: &Plan, based_on: Option<i64>) -> Result<bool, StoreError> {
        let values = (
            plans::name.eq(&plan.name),
            plans::price_cents.eq(plan.price.cents()),
            plans::archived.eq(plan.archived),
            plans::version.eq(plans::version + 1),
        );
        let one = plans::table.find(plan.id.as_str());
        let written = match based_on {
            Some(version) => {
                self.run(|conn| update(one.filter(plans::version.eq(version))).set(values).execute(conn))?
            }
            None => self.run(|conn| update(one).set(values).execute(conn))?,
        };
        // Pages show prices.
        self.record_change(Change::Catalogue);
        Ok(written > 0)
    }

    fn release_coupon(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError> {
        coupons::release(self, purchase)
    }

    fn claim_trial(
        &mut self,
        person: &TrialIdentity,
        purchase: &PurchaseKey,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        coupons::claim_trial(self, person, purchase, now)
    }

    fn release_trial(&mut self, purchase: &PurchaseKey) -> Result<(), StoreError> {
        coupons::release_trial(self, purchase)
    }

    fn save_gift(&mut self, code: &Code, gift: &Gift) -> Result<(), StoreError> {
        gifts::save(self, code, gift)
    }

    fn mark_gift_delivered(&mut self, code: &Code, now: Timestamp) -> Result<bool, StoreError> {
        gifts::mark_delivered(self, code, now)
    }

    fn insert_provider_event(&mut self, event: &ProviderEvent, now: Timestamp) -> Result<bool, StoreError> {
        provider_events::insert(self, event, now)
    }

    fn mark_provider_event_applied(
        &mut self,
        provider: GatewayProvider,
        event: &ProviderEventId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        provider_events::mark_applied(self, provider, event, now)
    }

    fn delete_billing_records(&mut self, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
        self.record_change(Change::User(member));
        self.run(|conn| delete(entitlements::table.filter(entitlements::user_id.eq(member.get()))).execute(conn))?;
        codes::forget_member(self, member, email)?;
        gifts::forget_member(self, member, email)?;
        coupons::forget_member(self, member, email)?;
        checkouts::forget_member(self, member)?;
        payers::forget_member(self, member, email)
    }
}

impl BillingStore for Pg<'_> {
    fn lock_payer(&mut self, payer: PayerId) -> Result<Option<LockedPayer>, StoreError> {
        payers::lock(self, payer)
    }

    fn insert_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, StoreError> {
        ledger::insert(self, payer, movement)
    }

    fn assign_guest_payer(&mut self, payer: PayerId, member: UserId) -> Result<(), StoreError> {
        payers::assign_guest(self, payer, member)
    }

    fn replace_entitlements(&mut self, member: UserId, plan: &MemberPlan) -> Result<(), StoreError> {
        self.record_change(Change::User(member));
        let rows: Vec<_> = plan
            .entitlements
            .iter()
            .map(|one| {
                (
                    entitlements::user_id.eq(member.get()),
                    entitlements::plan_id.eq(&one.plan_id),
                    entitlements::plan_name.eq(&one.plan_name),
                    entitlements::starts_at.eq(to_db(one.starts_at)),
                    entitlements::ends_at.eq(one.ends_at.map(to_db)),
                )
            })
            .collect();
        self.run(|conn| {
            delete(entitlements::table.filter(entitlements::user_id.eq(member.get()))).execute(conn)?;
            insert_into(entitlements::table).values(rows).execute(conn).map(|_| ())
        })
    }

    fn lock_coupon(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
        coupons::lock(self, code)
    }

    fn insert_coupon_use(&mut self, code: &CouponCode, purchase: &PurchaseKey) -> Result<(), StoreError> {
        coupons::insert_use(self, code, purchase)
    }

    fn lock_checkout(&mut self, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError> {
        checkouts::lock(self, reference)
    }

    fn lock_checkout_of_claim(&mut self, charge_id: &ClaimToken) -> Result<Option<Checkout>, StoreError> {
        checkouts::lock_of_claim(self, charge_id)
    }

    fn update_checkout(
        &mut self,
        reference: &CheckoutReference,
        state: CheckoutState,
        provider_id: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        checkouts::update_state(self, reference, state, provider_id, now)
    }

    fn mark_checkout_claimed(&mut self, reference: &CheckoutReference, now: Timestamp) -> Result<(), StoreError> {
        checkouts::mark_claimed(self, reference, now)
    }

    fn insert_code(&mut self, code: &Code, terms: &CodeTerms, now: Timestamp) -> Result<bool, StoreError> {
        codes::insert(self, code, terms, now)
    }

    fn mark_code_redeemed(&mut self, code: &Code, payer: PayerId, now: Timestamp) -> Result<bool, StoreError> {
        codes::mark_redeemed(self, code, payer, now)
    }

    fn mark_code_revoked(&mut self, code: &Code, now: Timestamp) -> Result<(), StoreError> {
        codes::mark_one_revoked(self, code, now)
    }

    fn mark_codes_revoked(&mut self, purchase: &PurchaseKey, now: Timestamp) -> Result<(), StoreError> {
        codes::mark_revoked(self, purchase, now)
    }

    fn update_code_suspension(
        &mut self,
        purchase: &PurchaseKey,
        suspended_at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        codes::update_suspension(self, purchase, suspended_at)
    }

    fn update_code_recipient(&mut self, code: &Code, to: &Email) -> Result<(), StoreError> {
        codes::update_recipient(self, code, to)
    }

    fn upsert_subscription(&mut self, payer: PayerId, subscription: &Subscription) -> Result<(), StoreError> {
        let purchase = subscription.purchase.as_str();
        if subscription.is_closed() {
            return self.run(|conn| delete(subscriptions::table.find(purchase)).execute(conn).map(|_| ()));
        }
        let renewal = subscription.renewal();
        let state = (
            subscriptions::plan_id.eq(&subscription.plan_id),
            subscriptions::due_at.eq(renewal.map(|(at, _)| to_db(at))),
            subscriptions::next_charge_cents.eq(subscription.next_charge.cents()),
            subscriptions::over_at.eq(to_db(subscription.over_at())),
        );
        self.run(|conn| {
            insert_into(subscriptions::table)
                .values((subscriptions::purchase.eq(purchase), subscriptions::payer_id.eq(payer.get()), state))
                .on_conflict(subscriptions::purchase)
                .do_update()
                .set(state)
                .execute(conn)
                .map(|_| ())
        })
    }
}

pub(crate) fn entitlement_from((plan_id, plan_name, start, end): EntitlementRow) -> Entitlement {
    Entitlement { plan_id, plan_name, starts_at: from_db(start), ends_at: end.map(from_db) }
}
