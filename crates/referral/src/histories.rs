//! Random histories of a member's link: whatever is bought, refunded and paid out, no reward is negative and no more is
//! paid out than was earned.

use std::collections::{HashMap, HashSet};

use kernel::{DAY, Email, FixedEnv, Money, Timestamp};
use proptest::prelude::*;

use crate::{
    LinkKind, PayoutOutcome, Person, Referral, ReferralQueries, ReferredPurchase, contract::World, memory::Memory,
};

const START: Timestamp = Timestamp::from_millis(1_795_226_400_000);

#[derive(Clone, Copy, Debug)]
enum Step {
    Buy {
        buyer: u8,
        cents: i64,
    },
    GiveBack {
        which: u8,
        cents: i64,
    },
    /// The link's owner claims a guest's purchase.
    Claim {
        which: u8,
    },
    PayOut,
}

fn steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
    let step = prop_oneof![
        (0..6_u8, 0..20_000_i64).prop_map(|(buyer, cents)| Step::Buy { buyer, cents }),
        (any::<u8>(), 0..20_000_i64).prop_map(|(which, cents)| Step::GiveBack { which, cents }),
        any::<u8>().prop_map(|which| Step::Claim { which }),
        Just(Step::PayOut),
    ];
    prop::collection::vec((0..20 * DAY, step), 1..40)
}

proptest! {
    #[test]
    fn no_reward_is_negative_and_payouts_are_covered(steps in steps(), is_affiliate: bool) {
        let mut world = Memory::default();
        let email = Email::parse("ada@example.com").unwrap();
        let ada = world.add_member(&email);
        let kind = if is_affiliate { LinkKind::Affiliate } else { LinkKind::Friend };
        let link = world.link_of(ada, kind, &FixedEnv::at(START)).unwrap().id;
        // The last buyer is Ada herself, with an address alias.
        let owner = Person::new(Some(ada), &email, vec![]);
        let (mut now, mut left, mut buyers) = (START, Vec::<(ReferredPurchase, u8)>::new(), HashSet::new());
        let mut buyers_claimed = HashSet::new();
        // The reward of each purchase in the ledger, summed from the reported changes.
        let mut recorded: HashMap<String, i64> = HashMap::new();
        for (n, (wait, step)) in steps.into_iter().enumerate() {
            now = now.plus(wait);
            match step {
                Step::Buy { buyer, cents } => {
                    let address = if buyer == 5 { "ada+x@example.com".to_owned() } else { format!("b{buyer}@example.com") };
                    let purchase = ReferredPurchase {
                        purchase: format!("co_{n}"),
                        buyer: Person::new(None, &Email::parse(&address).unwrap(), vec![]),
                        net: Money::from_cents(cents),
                        is_first_payment: buyers.insert(buyer),
                        is_premium: true,
                        at: now,
                    };
                    for _ in 0..2 {
                        if let Some(change) = world.reward_purchase(&link, &owner, &purchase).unwrap() {
                            prop_assert!(buyer != 5 && change.after > change.before);
                            let sum = recorded.entry(purchase.purchase.clone()).or_default();
                            *sum += change.after.cents() - change.before.cents();
                        }
                    }
                    left.push((purchase, buyer));
                }
                Step::GiveBack { which, cents } if !left.is_empty() => {
                    let place = usize::from(which) % left.len();
                    let (purchase, _) = &mut left[place];
                    purchase.net = Money::from_cents(purchase.net.cents() - cents);
                    if let Some(change) = world.judge_reward(&owner, purchase).unwrap() {
                        prop_assert!(change.after.cents() >= 0);
                        let sum = recorded.entry(purchase.purchase.clone()).or_default();
                        *sum += change.after.cents() - change.before.cents();
                    }
                }
                Step::Claim { which } if !left.is_empty() => {
                    let place = usize::from(which) % left.len();
                    let (purchase, _) = &mut left[place];
                    purchase.buyer.member = Some(ada);
                    buyers_claimed.insert(purchase.purchase.clone());
                    if let Some(change) = world.judge_reward(&owner, purchase).unwrap() {
                        prop_assert_eq!(change.after.cents(), 0, "nobody earns from their own purchase");
                        let sum = recorded.entry(purchase.purchase.clone()).or_default();
                        *sum -= change.before.cents();
                    }
                }
                Step::GiveBack { .. } | Step::Claim { .. } => {}
                Step::PayOut => {
                    let before = world.earnings_of(ada, now).unwrap();
                    let wanted = (before.payable, before.paid);
                    let is_due = before.payable.cents() > 0;
                    let paid = [0, 1].map(|_| world.pay_out(ada, wanted, now).unwrap());
                    let expected = if is_due { [PayoutOutcome::Now, PayoutOutcome::Before] } else { [PayoutOutcome::Changed; 2] };
                    prop_assert_eq!(paid, expected);
                    let after = world.earnings_of(ada, now).unwrap();
                    prop_assert_eq!(after.paid.cents(), before.paid.cents() + before.payable.cents(), "once");
                    prop_assert_eq!(after.payable.cents(), 0);
                    prop_assert!(!is_due || after.paid.cents() <= after.money.cents() - after.pending.cents());
                }
            }
        }
        let rewards = world.rewards_of(ada).unwrap();
        for (purchase, buyer) in left {
            let amount = rewards.iter().find(|one| one.purchase == purchase.purchase).map_or(0, |one| one.amount.cents());
            prop_assert_eq!(recorded.get(&purchase.purchase).copied().unwrap_or(0), amount, "the ledger agrees");
            let is_alone = || buyers_claimed.contains(&purchase.purchase);
            prop_assert!(amount == 0 || buyer != 5 && !is_alone() && amount == kind.reward_of(purchase.net).cents());
        }
    }
}
