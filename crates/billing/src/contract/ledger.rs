//! The ledger, and what is derived from it.

use kernel::{DAY, Limit, Money, PayerId, Period, Timestamp, UserId};

use super::{Case, NOW, World, email, given, two_members};
use crate::{
    Account, Billing, BillingError, GRACE, Movement, MovementKind, PurchaseKey, RenewalTerms,
    gateway::{CardFingerprint, CustomerId, GatewayProvider},
};

pub(super) const CASES: &[Case] = &[
    a_movement_is_recorded_once_with_all_that_it_says,
    entitlements_and_subscriptions_follow_from_movements,
    a_subscription_that_is_over_is_to_be_closed_until_it_is,
    a_movement_that_makes_no_sense_is_not_recorded,
    a_guests_purchase_is_claimed_once,
    a_claim_and_the_members_own_plan_count_together,
    plans_that_were_given_are_withdrawn,
    the_ledger_stays_when_the_member_goes,
    accounts_add_up_to_zero,
    customers_of_providers_are_known_by_payer,
    payers_come_by_their_number,
    the_last_offer_of_a_pause_is_known_for_each_member,
    a_guests_address_is_known_until_it_is_forgotten_and_their_cards_are_their_own,
    payers_are_locked_in_whatever_order_they_are_named,
    the_cards_of_a_member_are_those_of_all_their_payers,
];

const ALL: Limit = Limit::clamped(Limit::MAX);

fn bare(kind: MovementKind, name: &str, at: Timestamp) -> Movement {
    Movement::new(kind, format!("{name}:{}:{}", kind.as_str(), at.millis()), &PurchaseKey::new(name), at)
}

/// A monthly charge of a subscription.
fn month(name: &str, at: Timestamp) -> Movement {
    Movement {
        plan_id: "monthly".to_owned(),
        plan_name: "Monthly".to_owned(),
        amount: Money::from_cents(999),
        fee: Money::from_cents(59),
        period: Some(Period { starts_at: at, ends_at: Some(at.plus_months(1)) }),
        renewal: Some(RenewalTerms { price: Money::from_cents(999), months: 1 }),
        ..bare(MovementKind::Charged, name, at)
    }
}

fn refund(of: &Movement, at: Timestamp) -> Movement {
    let kind = MovementKind::Refunded;
    Movement { reference: Some(of.key.clone()), amount: of.amount, ..bare(kind, of.purchase.as_str(), at) }
}

fn record(world: &mut dyn World, payer: PayerId, movement: &Movement) {
    assert!(world.store().record_movement(payer, movement).unwrap(), "{movement:?}");
}

fn payer(world: &mut dyn World, member: UserId) -> PayerId {
    world.store().payer_of_member(member, NOW).unwrap()
}

fn is_paid(world: &mut dyn World, member: UserId, at: Timestamp) -> bool {
    world.store().entitlements_of(member, at).unwrap().iter().any(|one| one.runs_at(at))
}

fn a_movement_is_recorded_once_with_all_that_it_says(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let (adas, bobs) = (payer(world, ada), payer(world, bob));
    assert_eq!(payer(world, ada), adas, "a member has one");
    let full = Movement { infographics: 20, next_charge: Some(Money::from_cents(500)), ..month("sub", NOW.plus(1)) };
    let life = Movement {
        plan_id: "lifetime".to_owned(),
        period: Some(Period { starts_at: NOW, ends_at: None }),
        ..bare(MovementKind::Charged, "life", NOW)
    };
    let pause = Movement { months: Some(2), ..bare(MovementKind::Paused, "sub", NOW.plus(2)) };
    let back = refund(&full, NOW.plus(3));
    for movement in [&full, &life, &pause, &back] {
        record(world, adas, movement);
        assert!(!world.store().record_movement(adas, movement).unwrap(), "once");
        assert!(!world.store().record_movement(bobs, movement).unwrap(), "and for nobody else");
        let found = world.store().find_movement(&movement.key).unwrap();
        assert_eq!(found, Some((adas, movement.clone())));
    }
    let wanted = [life, full, pause, back];
    assert_eq!(world.store().movements_of(ada).unwrap(), wanted, "by the time at which they happened");
    assert_eq!(world.store().movements_of_payer(adas).unwrap(), wanted);
    assert_eq!(world.store().movements_of(bob).unwrap(), []);
    assert_eq!(world.store().find_movement("none").unwrap(), None);
    let store = world.store();
    assert_eq!(store.find_payer_of_purchase(&PurchaseKey::new("sub")).unwrap(), Some(adas));
    assert_eq!(store.find_payer_of_purchase(&PurchaseKey::new("none")).unwrap(), None);
    assert_eq!(store.member_of_payer(adas).unwrap(), Some(ada));
}

fn entitlements_and_subscriptions_follow_from_movements(world: &mut dyn World) {
    let (ada, _) = two_members(world);
    let payer = payer(world, ada);
    let first = month("sub", NOW);
    let end = NOW.plus_months(1);
    record(world, payer, &first);
    assert!(is_paid(world, ada, end.plus(GRACE - 1)) && !is_paid(world, ada, end.plus(GRACE)));
    assert_eq!(world.store().subscriptions_due(end.plus(-1), ALL).unwrap(), []);
    let due = world.store().subscriptions_due(end, ALL).unwrap();
    assert_eq!(due.iter().map(|one| (one.payer, one.due_at)).collect::<Vec<_>>(), [(payer, end)]);
    assert_eq!((due[0].amount.cents(), due[0].plan_id.as_str(), due[0].purchase.as_str()), (999, "monthly", "sub"));

    record(world, payer, &month("sub", end));
    assert_eq!(world.store().subscriptions_due(end, ALL).unwrap(), [], "it was charged");
    record(world, payer, &bare(MovementKind::Canceled, "sub", end.plus(1)));
    assert_eq!(world.store().subscriptions_due(end.plus(99 * DAY), ALL).unwrap(), [], "it does not renew");
    let after = end.plus_months(1);
    assert!(is_paid(world, ada, after.plus(-1)) && !is_paid(world, ada, after));
    record(world, payer, &refund(&month("sub", end), end.plus(DAY)));
    assert!(is_paid(world, ada, end) && !is_paid(world, ada, end.plus(DAY)));
    assert!(world.store().entitlements_agree(payer).unwrap());
    let plan = world.store().member_plan(ada).unwrap();
    assert_eq!(plan, world.store().payer_plan(payer).unwrap());
    world.store().replace_entitlements(ada, &crate::MemberPlan::default()).unwrap();
    assert!(!world.store().entitlements_agree(payer).unwrap(), "the check finds what is missing");
}

fn a_subscription_that_is_over_is_to_be_closed_until_it_is(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let (adas, bobs) = (payer(world, ada), payer(world, bob));
    let end = NOW.plus_months(1);
    record(world, adas, &month("canceled", NOW));
    record(world, adas, &bare(MovementKind::Canceled, "canceled", NOW.plus(1)));
    record(world, bobs, &month("refunded", NOW.plus(5)));
    record(world, bobs, &refund(&month("refunded", NOW.plus(5)), NOW.plus(6)));
    let close = |world: &mut dyn World, at: Timestamp, limit: usize| {
        let found = world.store().subscriptions_to_close(at, Limit::clamped(limit)).unwrap();
        found.into_iter().map(|(payer, purchase)| (payer, purchase.to_string())).collect::<Vec<_>>()
    };
    let (refunded, canceled) = ((bobs, "refunded".to_owned()), (adas, "canceled".to_owned()));
    assert_eq!(close(world, NOW.plus(5), 9), []);
    assert_eq!(close(world, end.plus(-1), 9), std::slice::from_ref(&refunded));
    assert_eq!(close(world, end, 9), [refunded.clone(), canceled.clone()]);
    assert_eq!(close(world, end, 1), [refunded]);
    for _ in 0..2 {
        let ended = bare(MovementKind::Ended, "refunded", NOW.plus(DAY));
        world.store().record_movement(bobs, &ended).unwrap();
        assert_eq!(close(world, end, 9), std::slice::from_ref(&canceled));
    }
    record(world, bobs, &month("other", NOW.plus(DAY)));
    assert_eq!(close(world, end, 9), [canceled], "what is closed stays so");
}

fn a_movement_that_makes_no_sense_is_not_recorded(world: &mut dyn World) {
    let (ada, _) = two_members(world);
    let payer = payer(world, ada);
    let wrong = Movement { amount: Money::from_cents(-1), ..month("sub", NOW) };
    assert!(matches!(world.store().record_movement(payer, &wrong), Err(BillingError::Invalid(_))));
    let nobody = PayerId::from_store(i64::MAX);
    let refused = world.store().record_movement(nobody, &month("sub", NOW));
    assert!(matches!(refused, Err(BillingError::UnknownPayer)));
    assert_eq!(world.store().movements_of(ada).unwrap(), []);
}

fn a_guests_purchase_is_claimed_once(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let guest = world.store().insert_guest_payer(&email("guest@example.com"), NOW).unwrap();
    record(world, guest, &month("sub", NOW));
    assert_eq!(world.store().member_of_payer(guest).unwrap(), None);
    assert_eq!(world.store().subscriptions_due(NOW.plus_months(1), ALL).unwrap().len(), 1, "it renews all the same");
    assert!(world.store().payer_plan(guest).unwrap().is_paid_at(NOW));
    assert!(world.store().claim_payer(guest, ada).unwrap());
    for member in [ada, bob] {
        assert!(!world.store().claim_payer(guest, member).unwrap());
    }
    assert!(is_paid(world, ada, NOW) && !is_paid(world, bob, NOW));
    assert_eq!(world.store().movements_of(ada).unwrap(), [month("sub", NOW)]);
    let adas = payer(world, ada);
    assert_ne!(adas, guest, "the member's own payer is another");
    assert!(!world.store().claim_payer(adas, bob).unwrap(), "a member's payer can't be claimed");
    assert!(!world.store().claim_payer(PayerId::from_store(i64::MAX), bob).unwrap());
}

fn a_claim_and_the_members_own_plan_count_together(world: &mut dyn World) {
    let (ada, _) = two_members(world);
    let adas = payer(world, ada);
    record(world, adas, &month("own", NOW));
    let guest = world.store().insert_guest_payer(&email("guest@example.com"), NOW).unwrap();
    let year = Movement { months: Some(12), ..bare(MovementKind::CodeRedeemed, "code", NOW) };
    record(world, guest, &year);
    assert!(world.store().claim_payer(guest, ada).unwrap());
    let end = NOW.plus_months(1).plus_months(12);
    assert!(is_paid(world, ada, end.plus(-1)), "the redeemed year follows the paid month");
    let due = world.store().subscriptions_due(end, ALL).unwrap();
    assert_eq!(due.iter().map(|one| (one.payer, one.due_at)).collect::<Vec<_>>(), [(adas, end)]);
    record(world, adas, &month("own", NOW.plus_months(1)));
    let due = world.store().subscriptions_due(NOW.plus(999 * DAY), ALL).unwrap();
    assert_eq!(
        due.iter().map(|one| (one.payer, one.due_at)).collect::<Vec<_>>(),
        [(adas, NOW.plus_months(2).plus_months(12))]
    );
}

fn plans_that_were_given_are_withdrawn(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    for member in [ada, bob] {
        world.store().grant_entitlement(member, &given("yearly", NOW, Some(NOW.plus(365 * DAY)))).unwrap();
    }
    let bought = month("sub", NOW);
    let adas = payer(world, ada);
    record(world, adas, &bought);
    for _ in 0..2 {
        world.store().withdraw_plans(ada, NOW.plus(40 * DAY)).unwrap();
    }
    assert!(!is_paid(world, ada, NOW.plus(40 * DAY)) && is_paid(world, ada, NOW.plus(40 * DAY - 1)));
    assert!(is_paid(world, bob, NOW.plus(40 * DAY)));
    let movements = world.store().movements_of(ada).unwrap();
    let undone = movements.iter().find(|one| one.kind == MovementKind::PlanWithdrawn).unwrap();
    let given = movements.iter().find(|one| one.kind == MovementKind::PlanGiven).unwrap();
    assert_eq!((&undone.plan_id, &undone.plan_name), (&given.plan_id, &given.plan_name), "it says which plan it was");
    assert_eq!((undone.plan_id.as_str(), undone.reference.as_ref()), ("yearly", Some(&given.key)));
    let kinds: Vec<_> = movements.into_iter().map(|one| one.kind).collect();
    let withdrawn = kinds.iter().filter(|kind| **kind == MovementKind::PlanWithdrawn).count();
    assert_eq!((kinds.len(), withdrawn), (3, 1), "{kinds:?}");
}

fn the_ledger_stays_when_the_member_goes(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let adas = payer(world, ada);
    record(world, adas, &month("sub", NOW));
    let address = email("ada@example.com");
    let guest = world.store().insert_guest_payer(&address, NOW).unwrap();
    let stripe = GatewayProvider::Stripe;
    world.store().save_provider_customer(adas, stripe, &CustomerId::new("cus_1")).unwrap();
    world.store().delete_billing_records(ada, Some(&address)).unwrap();
    assert_eq!(world.store().movements_of(ada).unwrap(), []);
    assert_eq!(world.store().movements_of_payer(adas).unwrap(), [month("sub", NOW)], "the invoice, without the name");
    assert_eq!(world.store().member_of_payer(adas).unwrap(), None);
    assert_eq!(world.store().provider_customer_of(adas, stripe).unwrap(), None);
    assert!(!world.store().claim_payer(adas, bob).unwrap() && !is_paid(world, bob, NOW), "nobody gets it");
    // Later reports of the provider are still recorded.
    record(world, adas, &refund(&month("sub", NOW), NOW.plus(DAY)));
    assert!(world.store().entitlements_agree(adas).unwrap());
    assert!(world.store().claim_payer(guest, bob).unwrap(), "possession alone entitles");
}

fn accounts_add_up_to_zero(world: &mut dyn World) {
    let (ada, _) = two_members(world);
    let payer = payer(world, ada);
    assert!(world.store().account_balances().unwrap().iter().all(|(_, sum)| sum.cents() == 0));
    let (one, two) = (month("sub", NOW), month("sub", NOW.plus_months(1)));
    for movement in [&one, &two, &refund(&one, NOW.plus(DAY)), &bare(MovementKind::Canceled, "sub", NOW)] {
        record(world, payer, movement);
    }
    let mut balances = world.store().account_balances().unwrap();
    balances.retain(|(_, sum)| sum.cents() != 0);
    balances.sort_unstable();
    let wanted = [
        (Account::ProviderCash, 2 * 940 - 999),
        (Account::Fees, 2 * 59),
        (Account::Revenue, -2 * 999),
        (Account::Refunds, 999),
    ];
    assert_eq!(balances, wanted.map(|(account, cents)| (account, Money::from_cents(cents))));
    assert_eq!(balances.iter().map(|(_, sum)| sum.cents()).sum::<i64>(), 0);
}

fn customers_of_providers_are_known_by_payer(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let (adas, bobs) = (payer(world, ada), payer(world, bob));
    let store = world.store();
    for (provider, customer) in
        [(GatewayProvider::Stripe, "cus_0"), (GatewayProvider::PayPal, "P-1"), (GatewayProvider::Stripe, "cus_1")]
    {
        store.save_provider_customer(adas, provider, &CustomerId::new(customer)).unwrap();
    }
    let of = |payer, provider, store: &mut dyn crate::BillingStore| {
        store.provider_customer_of(payer, provider).unwrap().map(|customer| customer.to_string())
    };
    assert_eq!(of(adas, GatewayProvider::Stripe, store).as_deref(), Some("cus_1"));
    assert_eq!(of(adas, GatewayProvider::PayPal, store).as_deref(), Some("P-1"));
    assert_eq!(of(adas, GatewayProvider::Sandbox, store), None);
    assert_eq!(of(bobs, GatewayProvider::Stripe, store), None);
}

fn payers_come_by_their_number(world: &mut dyn World) {
    let mut payers: Vec<PayerId> = (0..3)
        .map(|n| world.store().insert_guest_payer(&email(&format!("guest{n}@example.com")), NOW).unwrap())
        .collect();
    payers.sort_unstable();
    let store = world.store();
    assert_eq!(store.payers_after(None, ALL).unwrap(), payers);
    assert_eq!(store.payers_after(Some(payers[0]), Limit::clamped(1)).unwrap(), payers[1..2]);
    assert_eq!(store.payers_after(Some(payers[2]), ALL).unwrap(), []);
}

fn the_last_offer_of_a_pause_is_known_for_each_member(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let store = world.store();
    assert_eq!(store.pause_offered_at(ada).unwrap(), None);
    for at in [NOW, NOW.plus(DAY)] {
        store.note_pause_offer(ada, at).unwrap();
        assert_eq!(store.pause_offered_at(ada).unwrap(), Some(at));
    }
    assert_eq!(store.pause_offered_at(bob).unwrap(), None);
}

fn a_guests_address_is_known_until_it_is_forgotten_and_their_cards_are_their_own(world: &mut dyn World) {
    let (ada, _) = two_members(world);
    let own = payer(world, ada);
    let address = email("guest@example.com");
    let guest = world.store().insert_guest_payer(&address, NOW).unwrap();
    let store = world.store();
    assert_eq!(store.guest_email_of(own).unwrap(), None);
    assert_eq!(store.guest_email_of(guest).unwrap(), Some(address.clone()));
    for card in ["visa", "amex", "visa"] {
        store.note_card(guest, &CardFingerprint::new(card)).unwrap();
    }
    assert_eq!(store.cards_of_payer(guest).unwrap(), ["amex", "visa"].map(CardFingerprint::new));
    assert_eq!(store.cards_of_payer(own).unwrap(), []);
    store.claim_payer(guest, ada).unwrap();
    // After the claim they still belong to the guest's payer only.
    assert_eq!(store.cards_of_payer(own).unwrap(), []);
    store.delete_billing_records(ada, Some(&address)).unwrap();
    assert_eq!(store.guest_email_of(guest).unwrap(), None);
    assert_eq!(store.cards_of_payer(guest).unwrap(), []);
}

fn payers_are_locked_in_whatever_order_they_are_named(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let (of_ada, of_bob) = (payer(world, ada), payer(world, bob));
    let guest = world.store().insert_guest_payer(&email("guest@example.com"), NOW).unwrap();
    for order in [[of_ada, of_bob, guest], [guest, of_bob, of_ada], [of_bob, of_bob, of_ada]] {
        world.store().lock_payers(&order).unwrap();
    }
}

fn the_cards_of_a_member_are_those_of_all_their_payers(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let own = payer(world, ada);
    let guest = world.store().insert_guest_payer(&email("guest@example.com"), NOW).unwrap();
    let store = world.store();
    for (payer, card) in [(own, "visa"), (guest, "visa"), (guest, "amex"), (own, "visa")] {
        store.note_card(payer, &CardFingerprint::new(card)).unwrap();
    }
    assert_eq!(store.cards_of(ada).unwrap(), [CardFingerprint::new("visa")]);
    store.claim_payer(guest, ada).unwrap();
    assert_eq!(store.cards_of(ada).unwrap(), ["amex", "visa"].map(CardFingerprint::new));
    assert_eq!(store.cards_of(bob).unwrap(), []);
    store.delete_billing_records(ada, None).unwrap();
    assert_eq!(store.cards_of(ada).unwrap(), []);
}
