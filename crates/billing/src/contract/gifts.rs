//! Gifts.

use kernel::{DAY, FixedEnv};

use super::{Case, NOW, World, email, two_members};
use crate::{Billing, Code, CodeKind, CodeTerms, Gift, PurchaseKey};

pub(super) const CASES: &[Case] =
    &[a_gift_is_stored_with_its_code_and_delivered_once, a_gift_loses_what_is_personal_when_an_account_goes];

fn give(world: &mut dyn World, giver: kernel::UserId, purchase: &str, to: &str) -> (Code, Gift) {
    let buyer = world.store().payer_of_member(giver, NOW).unwrap();
    let terms = CodeTerms {
        kind: CodeKind::Gift,
        plan_id: "yearly".to_owned(),
        plan_name: "Yearly".to_owned(),
        months: Some(12),
        purchase: Some(PurchaseKey::new(purchase)),
        buyer: Some(buyer),
    };
    let code = world.store().issue_codes(&terms, 1, &FixedEnv::at(NOW)).unwrap().remove(0);
    let gift = Gift {
        sender_name: "Ada".to_owned(),
        recipient_name: "Grace".to_owned(),
        recipient: Some(email(to)),
        message: "Enjoy.".to_owned(),
        deliver_at: NOW.plus(DAY),
        delivered_at: None,
    };
    world.store().save_gift(&code, &gift).unwrap();
    (code, gift)
}

fn a_gift_is_stored_with_its_code_and_delivered_once(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let (code, gift) = give(world, ada, "one", "grace@example.com");
    let store = world.store();
    assert_eq!(store.find_gift(&code).unwrap(), Some(gift.clone()));
    assert_eq!(store.find_gift(&Code::parse("ABCD-EFGH-JKLM-NPQR").unwrap()).unwrap(), None);
    assert!(store.mark_gift_delivered(&code, NOW.plus(DAY)).unwrap());
    assert!(!store.mark_gift_delivered(&code, NOW.plus(2 * DAY)).unwrap());
    let delivered = Gift { delivered_at: Some(NOW.plus(DAY)), ..gift };
    let given = store.gifts_given_by(ada).unwrap();
    assert_eq!(given.iter().map(|(one, gift)| (&one.code, gift)).collect::<Vec<_>>(), [(&code, &delivered)]);
    assert!(store.gifts_given_by(bob).unwrap().is_empty());
    let named = Gift { recipient: None, ..delivered };
    store.save_gift(&code, &named).unwrap();
    assert_eq!(store.find_gift(&code).unwrap(), Some(named));
}

/// The giver's name and message are deleted with the giver's account; a delivered gift's are deleted with the recipient's
/// account too.
fn a_gift_loses_what_is_personal_when_an_account_goes(world: &mut dyn World) {
    let (ada, bob) = two_members(world);
    let (delivered, _) = give(world, ada, "one", "bob@example.com");
    let (later, _) = give(world, ada, "two", "bob@example.com");
    let store = world.store();
    store.mark_gift_delivered(&delivered, NOW.plus(DAY)).unwrap();
    store.delete_billing_records(bob, Some(&email("bob@example.com"))).unwrap();
    let seen = |store: &mut dyn crate::BillingStore, code: &Code| {
        let gift = store.find_gift(code).unwrap().unwrap();
        (gift.sender_name, gift.recipient_name, gift.recipient.is_some(), gift.message)
    };
    let texts = |sender: &str, recipient: &str, has_address, message: &str| {
        (sender.to_owned(), recipient.to_owned(), has_address, message.to_owned())
    };
    assert_eq!(seen(store, &delivered), texts("Ada", "", false, ""));
    assert_eq!(seen(store, &later), texts("Ada", "Grace", true, "Enjoy."), "it is still to come");
    store.delete_billing_records(ada, None).unwrap();
    assert_eq!(seen(store, &delivered), texts("", "", false, ""));
    assert_eq!(seen(store, &later), texts("", "Grace", true, ""), "it was paid for, and comes");
}
