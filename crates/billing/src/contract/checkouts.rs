//! Coupons, trials, checkouts and provider events.

use kernel::{DAY, Env, FixedEnv, HOUR, Limit, MINUTE, Money, PayerId, Period, Timestamp, UserId};

use super::{Case, NOW, World, email, two_members};
use crate::{
    Billing, Checkout, CheckoutError, CheckoutKey, CheckoutOrder, CheckoutState, ClaimToken, Coupon, CouponCode,
    CouponError, CouponTerms, CouponUseError, Discount, Movement, MovementKind, Percent, PurchaseKey, RenewalTerms,
    TrialIdentity,
    gateway::{
        CardFingerprint, ChargeId, CheckoutReference, CustomerId, GatewayProvider, PaymentId, ProviderEvent,
        ProviderEventId, ProviderEventKind, SubscriptionId,
    },
};

pub(super) const CASES: &[Case] = &[
    a_coupon_is_used_once_for_a_purchase,
    a_coupon_is_saved_and_keeps_its_uses,
    a_trial_is_once_for_a_person,
    the_trial_of_a_member_who_left_is_known_by_the_card_only,
    a_key_is_one_checkout,
    a_checkout_goes_on_and_keeps_its_end,
    what_came_to_nothing_gives_coupon_and_trial_back,
    a_charge_id_is_good_once,
    checkouts_that_wait_are_found,
    checkouts_under_way_are_those_of_the_payer_that_wait_for_the_provider,
    an_event_is_stored_once_and_applied,
];

fn purchase(name: &str) -> PurchaseKey {
    PurchaseKey::new(name)
}

fn code(text: &str) -> CouponCode {
    CouponCode::parse(text).unwrap()
}

fn coupon(text: &str, max_uses: Option<u32>) -> Coupon {
    let valid = Period { starts_at: NOW, ends_at: Some(NOW.plus(DAY)) };
    Coupon { max_uses, ..Coupon::new(code(text), Discount::Percent(Percent::new(40).unwrap()), valid) }
}

fn a_coupon_is_used_once_for_a_purchase(world: &mut dyn World) {
    let store = world.store();
    store.save_coupon(&coupon("spring", Some(2))).unwrap();
    let mut use_it = |name: &str, at: Timestamp| {
        store.use_coupon(&code("SPRING"), (&purchase(name), "yearly"), at).map_err(|error| match error {
            CouponUseError::Coupon(error) => error,
            CouponUseError::Store(error) => panic!("{error}"),
        })
    };
    assert_eq!(use_it("a", NOW.plus(-1)), Err(CouponError::NotYet));
    assert_eq!(use_it("a", NOW.plus(DAY)), Err(CouponError::Expired));
    let terms = coupon("spring", None).terms;
    for _ in 0..3 {
        assert_eq!(use_it("a", NOW), Ok(terms), "again for the same purchase is no further use");
    }
    assert_eq!(use_it("b", NOW), Ok(terms));
    assert_eq!(use_it("c", NOW), Err(CouponError::UsedUp));
    assert_eq!(use_it("a", NOW.plus(9 * DAY)), Ok(terms), "what was promised stays");
    let unknown = store.use_coupon(&code("none"), (&purchase("a"), "yearly"), NOW);
    assert!(matches!(unknown, Err(CouponUseError::Coupon(CouponError::Unknown))));
    store.release_coupon(&purchase("a")).unwrap();
    assert_eq!(store.find_coupon(&code("spring")).unwrap().map(|(_, uses)| uses), Some(1));
    assert!(store.use_coupon(&code("spring"), (&purchase("c"), "yearly"), NOW).is_ok());
}

fn a_coupon_is_saved_and_keeps_its_uses(world: &mut dyn World) {
    let store = world.store();
    assert_eq!(store.find_coupon(&code("x")).unwrap(), None);
    for one in [coupon("x", None), coupon("a", Some(1))] {
        store.save_coupon(&one).unwrap();
    }
    store.use_coupon(&code("x"), (&purchase("a"), "yearly"), NOW).unwrap();
    let always = Period { starts_at: NOW, ends_at: None };
    let changed = Coupon {
        terms: CouponTerms { discount: Discount::Amount(Money::from_cents(1_000)), every_charge: true },
        plans: vec!["yearly".to_owned(), "book".to_owned()],
        campaign: Some("Spring sale".to_owned()),
        valid: always,
        max_uses: Some(9),
        ..coupon("x", None)
    };
    store.save_coupon(&changed).unwrap();
    assert_eq!(store.find_coupon(&code("x")).unwrap(), Some((changed.clone(), 1)));
    assert_eq!(store.coupons().unwrap(), [(coupon("a", Some(1)), 0), (changed, 1)]);
    let other = store.use_coupon(&code("x"), (&purchase("b"), "monthly"), NOW);
    assert!(matches!(other, Err(CouponUseError::Coupon(CouponError::OtherPlan))));
    assert!(store.use_coupon(&code("x"), (&purchase("b"), "book-walden"), NOW).is_ok());
}

fn person(member: Option<UserId>, address: &str, card: Option<&str>) -> TrialIdentity {
    TrialIdentity::new(member, &email(address), card.map(CardFingerprint::new))
}

fn a_trial_is_once_for_a_person(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let store = world.store();
    let adas = person(Some(ada), "ada@example.com", Some("visa"));
    assert!(!store.has_had_trial(&adas).unwrap());
    for _ in 0..2 {
        assert!(store.claim_trial(&adas, &purchase("one"), NOW).unwrap(), "the same purchase asks again");
    }
    for same in [
        person(Some(ada), "new@example.com", Some("master")),
        person(Some(bob), "Ada+x@Example.com", None),
        person(None, "guest@example.com", Some("visa")),
        adas,
    ] {
        assert!(store.has_had_trial(&same).unwrap(), "{same:?}");
        assert!(!store.claim_trial(&same, &purchase("two"), NOW.plus(999 * DAY)).unwrap(), "{same:?}");
    }
    let bobs = person(Some(bob), "bob@example.com", Some("master"));
    assert!(store.claim_trial(&bobs, &purchase("two"), NOW).unwrap());
    assert!(store.claim_trial(&person(None, "guest@example.com", None), &purchase("three"), NOW).unwrap());
    store.release_trial(&purchase("two")).unwrap();
    assert!(!store.has_had_trial(&bobs).unwrap());
}

fn the_trial_of_a_member_who_left_is_known_by_the_card_only(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let store = world.store();
    let adas = person(Some(ada), "ada@example.com", Some("visa"));
    store.claim_trial(&adas, &purchase("one"), NOW).unwrap();
    store.delete_billing_records(ada, Some(&email("ada@example.com"))).unwrap();
    assert!(!store.has_had_trial(&person(None, "ada@example.com", None)).unwrap());
    assert!(store.has_had_trial(&person(Some(bob), "bob@example.com", Some("visa"))).unwrap());
}

fn order(payer: PayerId) -> CheckoutOrder {
    CheckoutOrder {
        payer,
        provider: GatewayProvider::Stripe,
        plan_id: "yearly".to_owned(),
        plan_name: "Yearly".to_owned(),
        quantity: 1,
        infographics: 50,
        coupon: Some(code("spring")),
        first_charge: Money::from_cents(5_999),
        trial_ends_at: Some(NOW.plus(3 * DAY)),
        renewal: Some(RenewalTerms { price: Money::from_cents(5_999), months: 12 }),
        referral: Some("ada-link".to_owned()),
        sealed_details: Some(vec![1, 2, 3]),
    }
}

fn key(text: &str) -> CheckoutKey {
    CheckoutKey::parse(text).unwrap()
}

fn guest(world: &mut dyn World) -> PayerId {
    world.store().insert_guest_payer(&email("guest@example.com"), NOW).unwrap()
}

fn begin(world: &mut dyn World, name: &str, env: &FixedEnv) -> Checkout {
    let payer = guest(world);
    let checkout = Checkout::start(key(name), [7; 32], order(payer), env);
    assert!(world.store().insert_checkout(&checkout).unwrap());
    checkout
}

fn advance(world: &mut dyn World, checkout: &Checkout, next: CheckoutState, at: Timestamp) -> CheckoutState {
    world.store().advance_checkout(&checkout.reference, next, None, at).unwrap().state
}

fn a_key_is_one_checkout(world: &mut dyn World) {
    let env = FixedEnv::at(NOW);
    let first = begin(world, "key", &env);
    let again = Checkout::start(key("key"), [7; 32], order(first.order.payer), &env);
    assert_ne!(again.reference, first.reference);
    assert!(!world.store().insert_checkout(&again).unwrap());
    let known = |world: &mut dyn World, name: &str, hash: u8| world.store().known_checkout(&key(name), &[hash; 32]);
    assert_eq!(known(world, "key", 7).unwrap(), Some(first.clone()));
    assert!(matches!(known(world, "key", 8), Err(CheckoutError::KeyReused)));
    assert_eq!(known(world, "another-key", 7).unwrap(), None);
    assert_eq!(world.store().find_checkout(&first.reference).unwrap(), Some(first));
    assert_eq!(world.store().find_checkout(&CheckoutReference::new("none")).unwrap(), None);
    let bare = CheckoutOrder {
        coupon: None,
        trial_ends_at: None,
        renewal: None,
        referral: None,
        sealed_details: None,
        ..order(guest(world))
    };
    let bare = Checkout::start(key("bare"), [0; 32], bare, &env);
    assert!(world.store().insert_checkout(&bare).unwrap());
    assert_eq!(world.store().find_checkout(&bare.reference).unwrap(), Some(bare));
}

fn a_checkout_goes_on_and_keeps_its_end(world: &mut dyn World) {
    let one = begin(world, "key", &FixedEnv::at(NOW));
    let store = world.store();
    let at = NOW.plus(MINUTE);
    let submitted = store.advance_checkout(&one.reference, CheckoutState::Submitted, Some("sub_1"), at).unwrap();
    assert_eq!((submitted.state, submitted.provider_id.as_deref()), (CheckoutState::Submitted, Some("sub_1")));
    assert_eq!((submitted.changed_at, submitted.created_at), (at, NOW));
    assert_eq!(store.find_checkout(&one.reference).unwrap(), Some(submitted));
    store.advance_checkout(&one.reference, CheckoutState::NeedsAction, None, at).unwrap();
    let paid = store.advance_checkout(&one.reference, CheckoutState::Paid, None, at.plus(1)).unwrap();
    assert_eq!(paid.order.sealed_details, Some(vec![1, 2, 3]), "the caller that decides it has the details");
    let stored = store.find_checkout(&one.reference).unwrap().unwrap();
    assert_eq!(stored.order.sealed_details, None, "and then they are deleted");
    assert_eq!((stored.state, stored.provider_id.as_deref()), (CheckoutState::Paid, Some("sub_1")));
    for late in [CheckoutState::Submitted, CheckoutState::Declined, CheckoutState::Reconciled, CheckoutState::Paid] {
        let same = store.advance_checkout(&one.reference, late, Some("other"), at.plus(DAY)).unwrap();
        assert_eq!(same, stored, "{late:?} comes late");
    }
    let of_provider = |provider, id: &str, store: &mut dyn crate::BillingStore| {
        store.find_checkout_of_provider(provider, id).unwrap().map(|found| found.reference)
    };
    assert_eq!(of_provider(GatewayProvider::Stripe, "sub_1", store), Some(one.reference));
    assert_eq!(of_provider(GatewayProvider::PayPal, "sub_1", store), None);
    let unknown = store.advance_checkout(&CheckoutReference::new("none"), CheckoutState::Paid, None, at);
    assert!(matches!(unknown, Err(CheckoutError::Unknown)));
}

fn what_came_to_nothing_gives_coupon_and_trial_back(world: &mut dyn World) {
    world.store().save_coupon(&coupon("spring", Some(1))).unwrap();
    let (ada, env) = (person(None, "ada@example.com", Some("visa")), FixedEnv::at(NOW));
    for (name, end) in [("a", CheckoutState::Declined), ("b", CheckoutState::Reconciled), ("c", CheckoutState::Paid)] {
        let one = begin(world, name, &env);
        let store = world.store();
        assert!(store.use_coupon(&code("spring"), (&one.purchase(), &one.order.plan_id), NOW).is_ok(), "{name}");
        assert!(store.claim_trial(&ada, &one.purchase(), NOW).unwrap(), "{name}");
        assert_eq!(advance(world, &one, end, NOW), end);
        assert_eq!(world.store().has_had_trial(&ada).unwrap(), end == CheckoutState::Paid);
    }
    let late = begin(world, "d", &env);
    assert_eq!(advance(world, &late, CheckoutState::Reconciled, NOW), CheckoutState::Reconciled);
    assert_eq!(
        advance(world, &late, CheckoutState::Paid, NOW.plus(DAY)),
        CheckoutState::Paid,
        "it was charged after all"
    );
}

fn a_charge_id_is_good_once(world: &mut dyn World) {
    let ((ada, bob), env) = (two_members(world), FixedEnv::at(NOW));
    let one = begin(world, "key", &env);
    advance(world, &one, CheckoutState::Paid, NOW);
    let charged = Movement {
        plan_id: "yearly".to_owned(),
        amount: Money::from_cents(5_999),
        period: Some(Period { starts_at: NOW, ends_at: Some(NOW.plus_months(12)) }),
        ..Movement::new(MovementKind::Charged, "charged", &one.purchase(), NOW)
    };
    let store = world.store();
    store.record_movement(one.order.payer, &charged).unwrap();
    assert!(matches!(store.claim_checkout(&ClaimToken::new("none"), ada, NOW), Err(CheckoutError::Unknown)));
    let claimed = store.claim_checkout(&one.charge_id, ada, NOW.plus(HOUR)).unwrap();
    assert_eq!((claimed.reference, claimed.claimed_at), (one.reference, Some(NOW.plus(HOUR))));
    for member in [ada, bob] {
        let again = store.claim_checkout(&one.charge_id, member, NOW.plus(HOUR));
        assert!(matches!(again, Err(CheckoutError::NotClaimable)));
    }
    assert_eq!(store.entitlements_of(ada, NOW).unwrap().len(), 1);
    assert!(store.entitlements_of(bob, NOW).unwrap().is_empty());

    let declined = begin(world, "declined", &env);
    advance(world, &declined, CheckoutState::Declined, NOW);
    let refused = world.store().claim_checkout(&declined.charge_id, bob, NOW);
    assert!(matches!(refused, Err(CheckoutError::NotClaimable)));
    let payer = world.store().payer_of_member(ada, NOW).unwrap();
    let own = Checkout::start(key("own"), [0; 32], order(payer), &env);
    assert!(world.store().insert_checkout(&own).unwrap());
    advance(world, &own, CheckoutState::Paid, NOW);
    let refused = world.store().claim_checkout(&own.charge_id, bob, NOW);
    assert!(matches!(refused, Err(CheckoutError::NotClaimable)), "a member's own purchase is the member's");
}

fn checkouts_that_wait_are_found(world: &mut dyn World) {
    let env = FixedEnv::at(NOW);
    let old = begin(world, "old", &env);
    env.advance(MINUTE);
    let (newer, paid) = (begin(world, "newer", &env), begin(world, "paid", &env));
    advance(world, &paid, CheckoutState::Paid, NOW);
    let store = world.store();
    let pending = |store: &mut dyn crate::BillingStore, at, limit| {
        let found = store.pending_checkouts(at, Limit::clamped(limit)).unwrap();
        found.into_iter().map(|one| one.reference).collect::<Vec<_>>()
    };
    assert_eq!(pending(store, NOW.plus(-1), 9), []);
    assert_eq!(pending(store, NOW, 9), std::slice::from_ref(&old.reference));
    assert_eq!(pending(store, env.now(), 9), [old.reference.clone(), newer.reference.clone()]);
    assert_eq!(pending(store, env.now(), 1), std::slice::from_ref(&old.reference));
    advance(world, &old, CheckoutState::NeedsAction, NOW.plus(HOUR));
    assert_eq!(pending(world.store(), env.now(), 9), [newer.reference]);
}

fn checkouts_under_way_are_those_of_the_payer_that_wait_for_the_provider(world: &mut dyn World) {
    let env = FixedEnv::at(NOW);
    let (one, other) = (begin(world, "k1", &env), begin(world, "k2", &env));
    let payer = one.order.payer;
    let keys = |world: &mut dyn World, since: Timestamp| {
        let found = world.store().checkouts_under_way(payer, since).unwrap();
        found.into_iter().map(|checkout| checkout.key).collect::<Vec<_>>()
    };
    assert_ne!(payer, other.order.payer);
    assert_eq!(keys(world, NOW.plus(-1)), [key("k1")]);
    assert_eq!(keys(world, NOW), [], "it began before");
    advance(world, &one, CheckoutState::Submitted, NOW);
    assert_eq!(keys(world, NOW.plus(-1)), [key("k1")]);
    advance(world, &one, CheckoutState::NeedsAction, NOW);
    assert_eq!(keys(world, NOW.plus(-1)), [], "it waits for its payer");
}

fn an_event_is_stored_once_and_applied(world: &mut dyn World) {
    let store = world.store();
    let payment = || PaymentId::new("pi_1");
    let kinds = [
        ProviderEventKind::Charge(ChargeId::new("pi_1")),
        ProviderEventKind::Subscription(SubscriptionId::new("sub_1")),
        ProviderEventKind::Refund(payment()),
        ProviderEventKind::DisputeOpened(payment()),
        ProviderEventKind::DisputeClosed { payment: payment(), won: true },
        ProviderEventKind::DisputeClosed { payment: payment(), won: false },
        ProviderEventKind::Customer(CustomerId::new("cus_1")),
        ProviderEventKind::Other("invoice.sent".to_owned()),
    ];
    let event = |n: usize, kind: &ProviderEventKind| ProviderEvent {
        id: ProviderEventId::new(format!("evt_{n}")),
        provider: GatewayProvider::Stripe,
        at: NOW.plus(-5),
        kind: kind.clone(),
        checkout: (n == 0).then(|| CheckoutReference::new("co_1")),
    };
    let events: Vec<ProviderEvent> = kinds.iter().enumerate().map(|(n, kind)| event(n, kind)).collect();
    for one in &events {
        assert!(store.insert_provider_event(one, NOW).unwrap());
        assert!(!store.insert_provider_event(one, NOW.plus(1)).unwrap());
    }
    let of_paypal = ProviderEvent { provider: GatewayProvider::PayPal, ..events[0].clone() };
    assert!(store.insert_provider_event(&of_paypal, NOW).unwrap(), "ids are unique within a provider");
    let all = Limit::clamped(99);
    assert_eq!(store.pending_provider_events(all).unwrap(), [events.clone(), vec![of_paypal]].concat());
    for one in &events {
        store.mark_provider_event_applied(GatewayProvider::Stripe, &one.id, NOW).unwrap();
        assert!(!store.insert_provider_event(one, NOW).unwrap(), "it is known for good");
    }
    let left = store.pending_provider_events(all).unwrap();
    assert_eq!(left.iter().map(|one| one.provider).collect::<Vec<_>>(), [GatewayProvider::PayPal]);
}
