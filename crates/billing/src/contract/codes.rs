//! Codes.

use std::collections::BTreeSet;

use kernel::{DAY, FixedEnv, Money, PayerId, UserId};

use super::{Case, NOW, World, email, two_members};
use crate::{Billing, Code, CodeError, CodeKind, CodeTerms, Movement, MovementKind, PurchaseKey, TeamSeat};

pub(super) const CASES: &[Case] = &[
    a_code_is_redeemed_once,
    the_codes_of_a_purchase_are_made_once_and_listed_for_the_buyer,
    a_seat_is_sent_by_its_buyer_while_it_is_unused,
    a_seat_is_held_until_it_is_revoked_or_over,
    codes_of_a_refunded_purchase_are_revoked,
    unused_codes_are_suspended_while_their_payment_is_disputed,
    imported_codes_are_counted_once_and_give_a_plan_for_life,
    a_lifetime_code_that_was_made_with_months_gives_the_plan_for_life,
    one_code_is_revoked_and_no_other,
];

fn terms(purchase: Option<&str>, buyer: Option<PayerId>) -> CodeTerms {
    CodeTerms {
        kind: CodeKind::Bulk,
        plan_id: "bulk".to_owned(),
        plan_name: "Teams".to_owned(),
        months: Some(12),
        purchase: purchase.map(PurchaseKey::new),
        buyer,
    }
}

fn issue(world: &mut dyn World, terms: &CodeTerms, count: u32) -> Vec<Code> {
    world.store().issue_codes(terms, count, &FixedEnv::at(NOW)).unwrap()
}

fn is_paid(world: &mut dyn World, member: UserId) -> bool {
    world.store().entitlements_of(member, NOW.plus(DAY)).unwrap().iter().any(|one| one.runs_at(NOW.plus(DAY)))
}

fn a_code_is_redeemed_once(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let code = issue(world, &terms(None, None), 1).remove(0);
    let unknown = Code::parse("ABCD-EFGH-JKLM-NPQR").unwrap();
    assert!(matches!(world.store().redeem_code(&unknown, ada, NOW), Err(CodeError::Unknown)));
    let redeemed = world.store().redeem_code(&code, ada, NOW).unwrap();
    let payer = world.store().payer_of_member(ada, NOW).unwrap();
    assert_eq!(redeemed.redeemed, Some((payer, NOW)));
    for member in [ada, bob] {
        let again = world.store().redeem_code(&code, member, NOW.plus(1));
        assert!(matches!(again, Err(CodeError::Redeemed)));
    }
    assert_eq!(world.store().find_code(&code).unwrap(), Some(redeemed));
    assert!(is_paid(world, ada) && !is_paid(world, bob));
    let movements = world.store().movements_of(ada).unwrap();
    let said: Vec<_> = movements.iter().map(|one| (one.kind, one.months, one.plan_id.as_str())).collect();
    assert_eq!(said, [(MovementKind::CodeRedeemed, Some(12), "bulk")]);
}

fn the_codes_of_a_purchase_are_made_once_and_listed_for_the_buyer(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let guest = world.store().insert_guest_payer(&email("guest@example.com"), NOW).unwrap();
    let bought = terms(Some("checkout"), Some(guest));
    let codes = issue(world, &bought, 20);
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 20);
    assert_eq!(issue(world, &bought, 20), codes, "again makes no others");
    assert_eq!(world.store().codes_bought_by(ada).unwrap(), []);
    world.store().claim_payer(guest, ada).unwrap();
    world.store().redeem_code(&codes[4], bob, NOW).unwrap();
    let seats = world.store().codes_bought_by(ada).unwrap();
    assert_eq!(seats.iter().map(|one| &one.code).collect::<Vec<_>>(), codes.iter().collect::<Vec<_>>());
    assert_eq!(seats.iter().map(|one| one.redeemed.is_some()).filter(|used| *used).count(), 1);
    assert!(seats.iter().all(|one| one.terms == bought && one.created_at == NOW && one.revoked_at.is_none()));
    let bobs = world.store().payer_of_member(bob, NOW).unwrap();
    assert_eq!(seats[4].redeemed, Some((bobs, NOW)));
    assert_eq!(world.store().codes_of_purchase(&PurchaseKey::new("checkout")).unwrap(), seats);
    assert_eq!(world.store().codes_bought_by(bob).unwrap(), []);
}

fn a_seat_is_held_until_it_is_revoked_or_over(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let buyer = world.store().payer_of_member(ada, NOW).unwrap();
    let seats = issue(world, &terms(Some("checkout"), Some(buyer)), 3);
    let gift = CodeTerms { kind: CodeKind::Gift, ..terms(Some("gift"), Some(buyer)) };
    let gift = issue(world, &gift, 1).remove(0);
    world.store().redeem_code(&gift, bob, NOW).unwrap();
    assert_eq!(world.store().team_seats_held_by(bob).unwrap(), []);
    world.store().redeem_code(&seats[0], bob, NOW.plus(1)).unwrap();
    world.store().redeem_code(&seats[1], ada, NOW.plus(2)).unwrap();
    let seat = |member, at| TeamSeat { redeemed_at: NOW.plus(at), buyer: ada, member, months: Some(12) };
    assert_eq!(world.store().team_seats_of(&[ada]).unwrap(), [seat(bob, 1), seat(ada, 2)]);
    assert_eq!(world.store().team_seats_of(&[bob]).unwrap(), []);
    assert_eq!(world.store().team_seats_held_by(bob).unwrap(), [seat(bob, 1)]);
    let lasts = |at| seat(bob, 0).lasts_at(at);
    let end = NOW.plus_months(12);
    assert_eq!((lasts(NOW), lasts(end.plus(-1)), lasts(end)), (true, true, false));
    assert!(TeamSeat { months: None, ..seat(bob, 0) }.lasts_at(end));
    world.store().revoke_code(&seats[0], NOW.plus(3)).unwrap();
    assert_eq!(world.store().team_seats_held_by(bob).unwrap(), []);
    assert_eq!(world.store().team_seats_of(&[ada]).unwrap(), [seat(ada, 2)]);
}

fn a_seat_is_sent_by_its_buyer_while_it_is_unused(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let payer = world.store().payer_of_member(ada, NOW).unwrap();
    let codes = issue(world, &terms(Some("checkout"), Some(payer)), 3);
    let (carol, dan) = (email("Carol@example.com"), email("dan@example.com"));
    assert!(matches!(world.store().send_code(&codes[0], bob, &carol), Err(CodeError::Unknown)));
    let given = issue(world, &terms(None, None), 1).remove(0);
    assert!(matches!(world.store().send_code(&given, ada, &carol), Err(CodeError::Unknown)));
    world.store().send_code(&codes[0], ada, &dan).unwrap();
    world.store().send_code(&codes[0], ada, &carol).unwrap();
    world.store().redeem_code(&codes[1], bob, NOW).unwrap();
    assert!(matches!(world.store().send_code(&codes[1], ada, &carol), Err(CodeError::Redeemed)));
    let sent: Vec<_> = world.store().codes_bought_by(ada).unwrap().into_iter().map(|one| one.sent_to).collect();
    assert_eq!(sent, [Some(carol), None, None]);
    world.store().revoke_codes(&PurchaseKey::new("checkout"), NOW.plus(1)).unwrap();
    assert!(matches!(world.store().send_code(&codes[2], ada, &dan), Err(CodeError::Revoked)));
}

fn codes_of_a_refunded_purchase_are_revoked(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let codes = issue(world, &terms(Some("checkout"), None), 2);
    let other = issue(world, &terms(Some("other"), None), 1).remove(0);
    world.store().redeem_code(&codes[0], bob, NOW).unwrap();
    assert!(is_paid(world, bob));
    for _ in 0..2 {
        world.store().revoke_codes(&PurchaseKey::new("checkout"), NOW.plus(1)).unwrap();
    }
    assert!(!is_paid(world, bob));
    assert!(matches!(world.store().redeem_code(&codes[1], ada, NOW.plus(2)), Err(CodeError::Revoked)));
    assert!(!is_paid(world, ada));
    assert!(world.store().redeem_code(&other, ada, NOW).is_ok(), "others stay");
    assert_eq!(world.store().movements_of(bob).unwrap().len(), 2);
}

/// Records a movement about the charge of the purchase `checkout`, and updates its codes.
fn settle(world: &mut dyn World, payer: PayerId, kind: MovementKind, cents: i64, at: i64) {
    let purchase = PurchaseKey::new("checkout");
    let is_charge = kind == MovementKind::Charged;
    let key = if is_charge { "charge".to_owned() } else { format!("{}:{at}", kind.as_str()) };
    let movement = Movement {
        plan_id: "bulk".to_owned(),
        amount: Money::from_cents(cents),
        reference: (!is_charge).then(|| "charge".to_owned()),
        ..Movement::new(kind, key, &purchase, NOW.plus(at))
    };
    assert!(world.store().record_movement(payer, &movement).unwrap());
    world.store().settle_codes(&purchase, NOW.plus(at)).unwrap();
}

fn unused_codes_are_suspended_while_their_payment_is_disputed(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let payer = world.store().payer_of_member(ada, NOW).unwrap();
    let codes = issue(world, &terms(Some("checkout"), Some(payer)), 3);
    settle(world, payer, MovementKind::Charged, 9_000, 0);
    world.store().redeem_code(&codes[0], bob, NOW).unwrap();
    settle(world, payer, MovementKind::Disputed, 9_000, 1);
    let to = email("carol@example.com");
    assert!(matches!(world.store().redeem_code(&codes[1], ada, NOW), Err(CodeError::Suspended)));
    assert!(matches!(world.store().send_code(&codes[1], ada, &to), Err(CodeError::Suspended)));
    assert!(is_paid(world, bob), "what was redeemed stays until it is decided");
    let suspended = |world: &mut dyn World| {
        let codes = world.store().codes_of_purchase(&PurchaseKey::new("checkout")).unwrap();
        codes.into_iter().map(|one| one.suspended_at.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(suspended(world), [false, true, true]);
    settle(world, payer, MovementKind::DisputeWon, 9_000, 2);
    assert_eq!(suspended(world), [false; 3]);
    world.store().redeem_code(&codes[1], ada, NOW).unwrap();
    settle(world, payer, MovementKind::Disputed, 9_000, 3);
    settle(world, payer, MovementKind::DisputeLost, 0, 4);
    assert!(matches!(world.store().redeem_code(&codes[2], ada, NOW), Err(CodeError::Revoked)));
    assert!(!is_paid(world, ada) && !is_paid(world, bob), "all end when it is lost");
}

fn imported_codes_are_counted_once_and_give_a_plan_for_life(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let codes: Vec<Code> = ["STACK-00000-00000-00001", "STACK-00000-00000-00002", "stack000000000000001"]
        .map(|text| Code::parse(text).unwrap())
        .to_vec();
    let life = CodeTerms { kind: CodeKind::Marketplace, months: None, ..terms(None, None) };
    assert_eq!(world.store().import_codes(&codes, &life, NOW).unwrap(), 2);
    assert_eq!(world.store().import_codes(&codes, &life, NOW).unwrap(), 0);
    world.store().redeem_code(&codes[0], ada, NOW).unwrap();
    assert!(world.store().member_plan(ada).unwrap().is_for_life());
    let useless = world.store().redeem_code(&codes[1], ada, NOW);
    assert!(matches!(useless, Err(CodeError::ForLife)), "nobody pays for what they have");
    assert!(matches!(world.store().redeem_code(&codes[2], ada, NOW), Err(CodeError::Redeemed)));
    assert!(world.store().redeem_code(&codes[1], bob, NOW).is_ok(), "it is still unused");
    assert_eq!(world.store().find_code(&codes[1]).unwrap().map(|one| one.terms), Some(life));
}

fn a_lifetime_code_that_was_made_with_months_gives_the_plan_for_life(world: &mut dyn World) {
    let (ada, _) = two_members(world);
    let wrong = CodeTerms { plan_id: "lifetime".to_owned(), plan_name: "Lifetime".to_owned(), ..terms(None, None) };
    let code = issue(world, &wrong, 1).remove(0);
    world.store().redeem_code(&code, ada, NOW).unwrap();
    assert!(world.store().member_plan(ada).unwrap().is_for_life());
    assert_eq!(world.store().movements_of(ada).unwrap()[0].months, None);
}

fn one_code_is_revoked_and_no_other(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let codes = issue(world, &terms(None, None), 2);
    world.store().redeem_code(&codes[0], ada, NOW).unwrap();
    for _ in 0..2 {
        world.store().revoke_code(&codes[0], NOW.plus(1)).unwrap();
    }
    assert!(!is_paid(world, ada));
    assert_eq!(world.store().find_code(&codes[0]).unwrap().unwrap().revoked_at, Some(NOW.plus(1)));
    world.store().redeem_code(&codes[1], bob, NOW).unwrap();
    assert!(is_paid(world, bob));
    let free = issue(world, &terms(None, None), 1).remove(0);
    world.store().revoke_code(&free, NOW).unwrap();
    assert!(matches!(world.store().redeem_code(&free, ada, NOW), Err(CodeError::Revoked)));
}
