//! Generates random histories: actions of a member, an admin and the provider, and the movements that record them.

use kernel::{DAY, Money, Period, Timestamp};
use proptest::prelude::*;

use crate::{MemberPlan, Movement, MovementKind, PAUSE_MAX_MONTHS, PurchaseKey, RenewalTerms, settlement::ended};

const START: Timestamp = Timestamp::from_millis(1_832_932_800_000);

/// The next action of the member, an admin or the provider.
#[derive(Clone, Copy, Debug)]
enum Step {
    Try,
    Buy { yearly: bool },
    Lifetime,
    Renew,
    Fail,
    Cancel,
    Resume,
    Pause { months: u32 },
    EndPause,
    Switch { yearly: bool },
    SwitchOnCredit { yearly: bool },
    Refund { which: usize, part: bool },
    Dispute { which: usize },
    WinDispute { which: usize },
    Redeem,
    Revoke { which: usize },
    Give { days: i64 },
    Withdraw { which: usize },
    BuyItem,
    End,
}

fn steps_of(step: impl Strategy<Value = Step>) -> impl Strategy<Value = Vec<(i64, Step)>> {
    // Short intervals are included because a trial lasts three days.
    let wait = prop_oneof![0..60 * DAY, 0..2 * DAY];
    prop::collection::vec((wait, step), 1..30)
}

fn step() -> impl Strategy<Value = Step> {
    let which = 0..4_usize;
    prop_oneof![
        Just(Step::Try),
        any::<bool>().prop_map(|yearly| Step::Buy { yearly }),
        Just(Step::Lifetime),
        Just(Step::Renew),
        Just(Step::Renew),
        Just(Step::Fail),
        Just(Step::Cancel),
        Just(Step::Resume),
        (1..=PAUSE_MAX_MONTHS).prop_map(|months| Step::Pause { months }),
        Just(Step::EndPause),
        any::<bool>().prop_map(|yearly| Step::Switch { yearly }),
        (which.clone(), any::<bool>()).prop_map(|(which, part)| Step::Refund { which, part }),
        which.clone().prop_map(|which| Step::Dispute { which }),
        which.clone().prop_map(|which| Step::WinDispute { which }),
        Just(Step::Redeem),
        which.clone().prop_map(|which| Step::Revoke { which }),
        (1..400_i64).prop_map(|days| Step::Give { days }),
        which.prop_map(|which| Step::Withdraw { which }),
        Just(Step::BuyItem),
        Just(Step::End),
    ]
}

/// A simulated provider and admin, and the ledger they write.
#[derive(Default)]
struct World {
    movements: Vec<Movement>,
    count: usize,
    subscription: usize,
}

/// The plan id, price in cents and months.
const fn terms(yearly: bool) -> (&'static str, i64, u32) {
    if yearly { ("yearly", 5_999, 12) } else { ("monthly", 999, 1) }
}

impl World {
    fn add(&mut self, kind: MovementKind, purchase: String, at: Timestamp) -> &mut Movement {
        self.count += 1;
        self.movements.push(Movement::new(kind, format!("event-{}", self.count), &PurchaseKey::new(purchase), at));
        self.movements.last_mut().unwrap()
    }

    fn of_subscription(&mut self, kind: MovementKind, at: Timestamp) -> &mut Movement {
        self.add(kind, format!("sub-{}", self.subscription), at)
    }

    fn charge(&mut self, yearly: bool, start: Timestamp, at: Timestamp) {
        let (id, cents, months) = terms(yearly);
        let one = self.of_subscription(MovementKind::Charged, at);
        id.clone_into(&mut one.plan_id);
        (one.amount, one.fee) = (Money::from_cents(cents), Money::from_cents(30));
        one.period = Some(Period { starts_at: start, ends_at: Some(start.plus_months(months)) });
        one.renewal = Some(RenewalTerms { price: one.amount, months });
    }

    fn begin_trial(&mut self, yearly: bool, at: Timestamp, ends_at: Timestamp) {
        let (id, cents, months) = terms(yearly);
        let one = self.of_subscription(MovementKind::TrialStarted, at);
        id.clone_into(&mut one.plan_id);
        one.period = Some(Period { starts_at: at, ends_at: Some(ends_at) });
        one.renewal = Some(RenewalTerms { price: Money::from_cents(cents), months });
    }

    fn was_charged(&self, purchase: &PurchaseKey) -> bool {
        self.movements.iter().any(|one| one.kind == MovementKind::Charged && one.purchase == *purchase)
    }

    fn latest(&self) -> Option<crate::Subscription> {
        let plan = MemberPlan::of(&self.movements);
        let key = PurchaseKey::new(format!("sub-{}", self.subscription));
        plan.subscriptions.into_iter().find(|one| one.purchase == key)
    }

    fn nth(&self, kind: MovementKind, which: usize) -> Option<Movement> {
        let found: Vec<&Movement> = self.movements.iter().filter(|one| one.kind == kind).collect();
        found.get(which % found.len().max(1)).map(|one| (*one).clone())
    }

    fn undo(&mut self, kind: MovementKind, undone: MovementKind, which: usize, at: Timestamp, cents: Option<i64>) {
        let Some(one) = self.nth(undone, which) else { return };
        // A provider never refunds more than it took.
        let taken: i64 = self
            .movements
            .iter()
            .filter(|back| back.reference.as_ref() == Some(&one.key))
            .map(|back| match back.kind {
                MovementKind::DisputeWon => -back.amount.cents(),
                _ => back.amount.cents(),
            })
            .sum();
        let left = if kind == MovementKind::DisputeWon { taken } else { one.amount.cents() - taken };
        let amount = cents.map_or(left, |cents| cents.min(left));
        let is_money = undone == MovementKind::Charged;
        if is_money == (amount <= 0) {
            return;
        }
        let back = self.add(kind, one.purchase.to_string(), at);
        back.reference = Some(one.key);
        back.amount = Money::from_cents(if is_money { amount } else { 0 });
    }

    /// Ends at the provider every subscription that is over here, as the sweep does.
    fn end_what_is_over(&mut self, now: Timestamp) {
        let plan = MemberPlan::of(&self.movements);
        for one in plan.subscriptions.iter().filter(|one| one.must_be_ended(now)) {
            self.movements.push(ended(&one.purchase, now));
        }
    }

    fn run(&mut self, step: Step, at: Timestamp) {
        match step {
            Step::Try => {
                self.subscription += 1;
                self.begin_trial(false, at, at.plus(3 * DAY));
            }
            Step::Buy { yearly } => {
                self.subscription += 1;
                self.charge(yearly, at, at);
            }
            Step::Lifetime => {
                let purchase = format!("life-{}", self.count);
                let one = self.add(MovementKind::Charged, purchase, at);
                "lifetime".clone_into(&mut one.plan_id);
                one.amount = Money::from_cents(14_900);
                one.period = Some(Period { starts_at: at, ends_at: None });
            }
            Step::Renew => {
                if let Some(one) = self.latest().filter(|one| one.next_charge_at(at).is_some()) {
                    self.charge(one.plan_id == "yearly", one.due_at.max(at), at);
                }
            }
            Step::SwitchOnCredit { yearly } => {
                let charged = self.movements.len();
                self.run(Step::Switch { yearly }, at);
                for one in self.movements[charged..].iter_mut().filter(|one| one.kind == MovementKind::Charged) {
                    (one.amount, one.fee) = (Money::from_cents(0), Money::from_cents(0));
                }
            }
            Step::Switch { yearly } => {
                let other = if yearly { "yearly" } else { "monthly" };
                match self.latest().filter(|one| one.runs_at(at) && one.plan_id != other) {
                    // The trial continues, and nothing is charged.
                    Some(one) if at < one.paid_until && !self.was_charged(&one.purchase) => {
                        self.begin_trial(yearly, at, one.paid_until);
                    }
                    Some(_) => self.charge(yearly, at, at),
                    None => {}
                }
            }
            Step::Fail => drop(self.of_subscription(MovementKind::ChargeFailed, at)),
            Step::Cancel => drop(self.of_subscription(MovementKind::Canceled, at)),
            Step::Resume => drop(self.of_subscription(MovementKind::Resumed, at)),
            Step::Pause { months } => self.of_subscription(MovementKind::Paused, at).months = Some(months),
            Step::EndPause => drop(self.of_subscription(MovementKind::PauseEnded, at)),
            Step::End => drop(self.of_subscription(MovementKind::Ended, at)),
            Step::Refund { which, part } => {
                self.undo(MovementKind::Refunded, MovementKind::Charged, which, at, part.then_some(300));
            }
            Step::Dispute { which } => self.undo(MovementKind::Disputed, MovementKind::Charged, which, at, None),
            Step::WinDispute { which } => {
                let disputed = self.nth(MovementKind::Disputed, which);
                if let Some(dispute) = disputed {
                    let won = self
                        .movements
                        .iter()
                        .any(|one| one.kind == MovementKind::DisputeWon && one.reference == dispute.reference);
                    if !won {
                        let one = self.add(MovementKind::DisputeWon, dispute.purchase.to_string(), at);
                        (one.reference, one.amount) = (dispute.reference, dispute.amount);
                    }
                }
            }
            Step::Redeem => {
                let purchase = format!("code-{}", self.count);
                let one = self.add(MovementKind::CodeRedeemed, purchase, at);
                (one.plan_id, one.months) = ("gift".to_owned(), Some(12));
            }
            Step::Revoke { which } => {
                self.undo(MovementKind::CodeRevoked, MovementKind::CodeRedeemed, which, at, None);
            }
            Step::Give { days } => {
                let purchase = format!("given-{}", self.count);
                let one = self.add(MovementKind::PlanGiven, purchase, at);
                "yearly".clone_into(&mut one.plan_id);
                one.period = Some(Period { starts_at: at, ends_at: Some(at.plus(days * DAY)) });
            }
            Step::Withdraw { which } => {
                self.undo(MovementKind::PlanWithdrawn, MovementKind::PlanGiven, which, at, None);
            }
            Step::BuyItem => {
                let purchase = format!("item-{}", self.count);
                let one = self.add(MovementKind::Charged, purchase, at);
                (one.plan_id, one.amount) = ("quiz".to_owned(), Money::from_cents(299));
            }
        }
    }
}

/// Histories as real providers and sweeps produce them: no renewal before its due date, subscriptions that are over end
/// at the provider at the same time, and no two steps at one time. Some plan switches are paid from credit of the old
/// plan.
pub fn swept_histories() -> impl Strategy<Value = Vec<Movement>> {
    let on_credit = any::<bool>().prop_map(|yearly| Step::SwitchOnCredit { yearly });
    steps_of(prop_oneof![9 => step(), 1 => on_credit]).prop_map(|steps| {
        let (mut world, mut now) = (World::default(), START);
        for (wait, step) in steps {
            now = now.plus(wait.max(1));
            let is_early = |one: crate::Subscription| now < one.due_at;
            if !(matches!(step, Step::Renew) && world.latest().is_some_and(is_early)) {
                world.run(step, now);
                world.end_what_is_over(now);
            }
        }
        world.movements
    })
}

#[cfg(test)]
mod tests;
