//! What happens in the made-up year, drawn from a seed: who signs up, reads, pays, cancels or asks for money back, and when.
//! A pure function of the moment at which the year ends and the seed; nothing here knows what a step does.

use kernel::{DAY, HOUR, MINUTE, TimeZone, Timestamp};
use support::CANCEL_REASONS;

use super::people::{FIRST_NAMES, LAST_NAMES, QUESTIONS};

/// Length of the year in days: thirteen months, so that the first yearly plans have renewed.
pub(super) const DAYS: i64 = 396;
/// Days from a trial's start to its first charge.
const TRIAL: i64 = billing::TRIAL_DAYS as i64 * DAY;
/// The books are drawn from this many, the first one most often.
pub(super) const BOOK_RANKS: usize = 24;

/// A made-up member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
}

/// What is bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purchase {
    Monthly,
    Yearly,
    Lifetime,
    /// A gift; the next member who signs up by [`Step::SignUp::gift_of`] redeems it.
    Gift,
    Quiz,
    /// The book of this rank.
    Book(usize),
}

/// Whose link brought a new member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CameBy {
    Friend(usize),
    Affiliate(usize),
}

/// What a member does, or what happens to the member's plan. Members are numbered in the order of [`YearPlan::members`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    SignUp {
        came_by: Option<CameBy>,
        /// The member whose gift the new member redeems.
        gift_of: Option<usize>,
    },
    /// Opens the book of this rank, by a plan or because it is free.
    Read {
        rank: usize,
        by_plan: bool,
        /// How far, in percent; 100: to the end.
        percent: i64,
        stars: Option<u8>,
    },
    InviteFriend,
    JoinAffiliates,
    /// Sends the contact form with this text.
    Ask(usize),
    Buy {
        what: Purchase,
        with_coupon: bool,
    },
    Cancel(&'static str),
    Pause,
    /// From now on the card is declined.
    CardFails,
    ChangeCard,
    /// Asks for the last charge back, and gets it.
    Refund,
    Dispute,
    DisputeDecided {
        won: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlannedStep {
    pub(super) at: Timestamp,
    pub(super) member: usize,
    pub(super) step: Step,
}

/// The visitors of one day, in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Traffic {
    pub(super) midnight: Timestamp,
    pub(super) visits: Vec<Timestamp>,
    /// How often the book of each rank was opened.
    pub(super) opens: Vec<u64>,
}

/// The whole year.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YearPlan {
    pub(super) members: Vec<Member>,
    /// In the order of time.
    pub(super) steps: Vec<PlannedStep>,
    /// Each day, the earliest first.
    pub(super) traffic: Vec<Traffic>,
}

impl YearPlan {
    /// The year that ends at `now`: the same for the same moment and seed.
    pub(super) fn new(now: Timestamp, seed: u64) -> Self {
        let mut draw = Draw {
            rng: fastrand::Rng::with_seed(seed),
            now,
            members: Vec::new(),
            steps: Vec::new(),
            inviters: Vec::new(),
            affiliate: None,
            gifts: Vec::new(),
        };
        let last = TimeZone::UTC.day_of(now).since_epoch();
        let mut traffic = Vec::new();
        for day in 0..DAYS {
            let midnight = Timestamp::from_millis((i64::from(last) - DAYS + 1 + day) * DAY);
            traffic.push(draw.day(midnight, day));
        }
        let Draw { members, mut steps, .. } = draw;
        steps.retain(|one| one.at < now);
        steps.sort_by_key(|one| (one.at, one.member));
        Self { members, steps, traffic }
    }
}

struct Draw {
    rng: fastrand::Rng,
    now: Timestamp,
    members: Vec<Member>,
    steps: Vec<PlannedStep>,
    /// Members who invite friends, and since when.
    inviters: Vec<(usize, Timestamp)>,
    /// The one affiliate, and since when.
    affiliate: Option<(usize, Timestamp)>,
    /// Gifts that nobody has redeemed: who bought them, and when.
    gifts: Vec<(usize, Timestamp)>,
}

impl Draw {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    /// A moment between two others.
    fn between(&mut self, from: Timestamp, first: i64, last: i64) -> Timestamp {
        from.plus(self.rng.i64(first..last))
    }

    fn add(&mut self, at: Timestamp, member: usize, step: Step) {
        self.steps.push(PlannedStep { at, member, step });
    }

    /// A whole number whose mean is `thousandths` / 1000, between two fifths and eight fifths of it.
    fn about(&mut self, thousandths: i64) -> i64 {
        let drawn = thousandths * self.rng.i64(400..1_600);
        let (whole, rest) = (drawn / 1_000_000, drawn % 1_000_000);
        whole + i64::from(self.rng.i64(0..1_000_000) < rest)
    }

    /// The rank of a book: the first ones are drawn most often.
    fn rank(&mut self) -> usize {
        let (a, b) = (self.rng.usize(0..BOOK_RANKS), self.rng.usize(0..BOOK_RANKS));
        a.min(b)
    }

    /// The visitors of a day, and those who sign up. The site grows from 0.35 sign-ups a day to nearly two.
    fn day(&mut self, midnight: Timestamp, day: i64) -> Traffic {
        let expected = 350 + 1_350 * day * day / (DAYS * DAYS) + 200 * day / DAYS;
        // Members are numbered in the order in which they sign up.
        let count = self.about(expected);
        let mut arrivals: Vec<Timestamp> = (0..count).map(|_| self.between(midnight, 6 * HOUR, 23 * HOUR)).collect();
        arrivals.sort_unstable();
        for at in arrivals {
            self.sign_up(at);
        }
        let count = self.about(expected * 14);
        let mut visits: Vec<Timestamp> = (0..count).map(|_| self.between(midnight, 5 * HOUR, 23 * HOUR)).collect();
        visits.retain(|at| *at < self.now);
        let mut opens = vec![0; BOOK_RANKS];
        for _ in 0..visits.len() {
            opens[self.rank()] += 1;
        }
        if self.chance(9) && !self.members.is_empty() {
            let (member, at) = (self.rng.usize(0..self.members.len()), self.between(midnight, 8 * HOUR, 22 * HOUR));
            let text = self.rng.usize(0..QUESTIONS.len());
            // A member of the same day may not have signed up yet at that hour.
            self.add(at.plus(DAY), member, Step::Ask(text));
        }
        Traffic { midnight, visits, opens }
    }

    fn sign_up(&mut self, at: Timestamp) {
        let member = self.members.len();
        let first_name = FIRST_NAMES[self.rng.usize(0..FIRST_NAMES.len())];
        let last_name = LAST_NAMES[self.rng.usize(0..LAST_NAMES.len())];
        self.members.push(Member { first_name, last_name });
        let gift_of = self.gifts.iter().position(|(_, since)| *since < at).map(|place| self.gifts.remove(place).0);
        let came_by = if gift_of.is_some() { None } else { self.came_by(at) };
        self.add(at, member, Step::SignUp { came_by, gift_of });
        if gift_of.is_some() {
            return self.reading(member, at.plus(HOUR), 3, true);
        }
        if self.chance(55) {
            self.reading(member, at.plus(10 * MINUTE), 1, false);
        }
        let soon = if self.chance(65) { 4 * HOUR } else { 20 * DAY };
        let at = self.between(at, 20 * MINUTE, soon);
        match self.rng.u32(0..1_000) {
            0..180 => self.subscription(member, at, Purchase::Monthly),
            180..280 => self.subscription(member, at, Purchase::Yearly),
            280..310 => self.once(member, at, Purchase::Lifetime),
            310..345 => {
                let rank = self.rank();
                self.once(member, at, Purchase::Book(rank));
            }
            345..365 => {
                self.once(member, at, Purchase::Gift);
                self.gifts.push((member, at.plus(DAY)));
            }
            365..380 => self.once(member, at, Purchase::Quiz),
            _ => {}
        }
    }

    fn came_by(&mut self, at: Timestamp) -> Option<CameBy> {
        match self.rng.u32(0..100) {
            0..12 => {
                let inviters: Vec<usize> =
                    self.inviters.iter().filter(|(_, since)| *since < at).map(|(member, _)| *member).collect();
                self.rng.choice(inviters).map(CameBy::Friend)
            }
            12..22 => self.affiliate.filter(|(_, since)| *since < at).map(|(member, _)| CameBy::Affiliate(member)),
            _ => None,
        }
    }

    /// Some books, over some weeks.
    fn reading(&mut self, member: usize, from: Timestamp, most: i64, by_plan: bool) {
        let mut at = from;
        for _ in 0..self.rng.i64(1..=most) {
            let percent = if self.chance(60) { 100 } else { self.rng.i64(5..95) };
            let stars = (percent == 100 && self.chance(35)).then(|| self.rng.u8(3..=5));
            let rank = self.rank();
            self.add(at, member, Step::Read { rank, by_plan, percent, stars });
            at = self.between(at, HOUR, 12 * DAY);
        }
    }

    fn once(&mut self, member: usize, at: Timestamp, what: Purchase) {
        let with_coupon = self.chance(12);
        self.add(at, member, Step::Buy { what, with_coupon });
        if what == Purchase::Lifetime {
            self.reading(member, at.plus(HOUR), 3, true);
        }
    }

    /// A plan that renews: a trial, perhaps a first charge, and what comes of it.
    fn subscription(&mut self, member: usize, at: Timestamp, what: Purchase) {
        let with_coupon = self.chance(15);
        self.add(at, member, Step::Buy { what, with_coupon });
        if self.chance(38) {
            let end = self.between(at, 5 * HOUR, TRIAL - 5 * HOUR);
            return self.cancel(member, end);
        }
        self.reading(member, at.plus(HOUR), 2, true);
        let charged = at.plus(TRIAL);
        match self.rng.u32(0..100) {
            0..5 => {
                let end = self.between(charged, DAY, 8 * DAY);
                return self.add(end, member, Step::Refund);
            }
            5..8 => {
                let opened = self.between(charged, 2 * DAY, 6 * DAY);
                let (decided, won) = (self.between(opened, 9 * DAY, 16 * DAY), self.chance(50));
                self.add(opened, member, Step::Dispute);
                return self.add(decided, member, Step::DisputeDecided { won });
            }
            _ => {}
        }
        self.advertise(member, charged);
        let months = if what == Purchase::Yearly { 12 } else { 1 };
        for renewal in 1.. {
            let due = charged.plus_months(renewal * months);
            if due >= self.now {
                return self.leave_before(member, due, what);
            }
            match self.rng.u32(0..100) {
                0..9 => {
                    let end = self.between(due, -20 * DAY, -2 * DAY);
                    return self.cancel(member, end);
                }
                9..13 => {
                    self.add(due.plus(-36 * HOUR), member, Step::CardFails);
                    if self.chance(45) {
                        return;
                    }
                    let mended = self.between(due, 26 * HOUR, 60 * HOUR);
                    self.add(mended, member, Step::ChangeCard);
                    // The following renewals are counted from the late charge: none of them comes before it.
                    return;
                }
                13..15 if renewal == 3 => {
                    let at = self.between(due, -9 * DAY, -3 * DAY);
                    return self.add(at, member, Step::Pause);
                }
                _ => {}
            }
        }
    }

    /// Of the yearly plans that have not renewed yet, some are canceled long before.
    fn leave_before(&mut self, member: usize, due: Timestamp, what: Purchase) {
        if what == Purchase::Yearly && self.chance(16) {
            let end = self.between(due, -320 * DAY, -20 * DAY);
            self.cancel(member, end);
        }
    }

    fn cancel(&mut self, member: usize, at: Timestamp) {
        let reason =
            CANCEL_REASONS[self.rng.usize(0..CANCEL_REASONS.len()).min(self.rng.usize(0..CANCEL_REASONS.len()))];
        self.add(at, member, Step::Cancel(reason));
    }

    /// Some who pay invite friends, and the first of them becomes an affiliate.
    fn advertise(&mut self, member: usize, charged: Timestamp) {
        if self.affiliate.is_none() {
            let at = charged.plus(5 * DAY);
            self.affiliate = Some((member, at.plus(DAY)));
            return self.add(at, member, Step::JoinAffiliates);
        }
        if self.chance(30) {
            let at = self.between(charged, DAY, 30 * DAY);
            self.inviters.push((member, at.plus(DAY)));
            self.add(at, member, Step::InviteFriend);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);

    fn count(plan: &YearPlan, is_counted: impl Fn(&Step) -> bool) -> usize {
        plan.steps.iter().filter(|one| is_counted(&one.step)).count()
    }

    #[test]
    fn the_same_seed_draws_the_same_year_and_another_seed_another() {
        assert_eq!(YearPlan::new(NOW, 7), YearPlan::new(NOW, 7));
        assert_ne!(YearPlan::new(NOW, 7), YearPlan::new(NOW, 8));
    }

    #[test]
    fn whatever_the_seed_members_sign_up_first_and_nothing_lies_in_the_future() {
        for seed in 0..50 {
            let plan = YearPlan::new(NOW, seed);
            let mut known = BTreeSet::new();
            let mut before = Timestamp::from_millis(0);
            for PlannedStep { at, member, step } in &plan.steps {
                assert!(*at < NOW && *at >= before && NOW.since(*at) <= DAYS * DAY, "{seed}: {at:?}");
                before = *at;
                match step {
                    Step::SignUp { came_by, gift_of } => {
                        assert!(
                            *member == known.len() && known.insert(*member),
                            "{seed}: {member} signs up out of order"
                        );
                        let others = came_by.iter().map(|by| match by {
                            CameBy::Friend(other) | CameBy::Affiliate(other) => other,
                        });
                        assert!(others.chain(gift_of).all(|other| known.contains(other)), "{seed}: {member}");
                    }
                    _ => assert!(known.contains(member), "{seed}: {member} {step:?}"),
                }
            }
            assert_eq!(plan.traffic.len(), usize::try_from(DAYS).unwrap(), "{seed}");
            assert!(plan.traffic.windows(2).all(|days| days[1].midnight.since(days[0].midnight) == DAY), "{seed}");
        }
    }

    #[test]
    fn a_year_has_everything_that_a_business_meets() {
        let plan = YearPlan::new(NOW, super::super::SEED);
        assert!((250..500).contains(&plan.members.len()), "{} members", plan.members.len());
        let is_bought =
            |wanted: fn(Purchase) -> bool| count(&plan, |step| matches!(step, Step::Buy { what, .. } if wanted(*what)));
        for (what, found, least) in [
            ("subscriptions", is_bought(|what| matches!(what, Purchase::Monthly | Purchase::Yearly)), 60),
            ("lifetime plans", is_bought(|what| what == Purchase::Lifetime), 3),
            ("gifts", is_bought(|what| what == Purchase::Gift), 2),
            ("books", is_bought(|what| matches!(what, Purchase::Book(_))), 3),
            ("coupons", count(&plan, |step| matches!(step, Step::Buy { with_coupon: true, .. })), 5),
            ("cancellations", count(&plan, |step| matches!(step, Step::Cancel(_))), 20),
            ("failed cards", count(&plan, |step| *step == Step::CardFails), 2),
            ("changed cards", count(&plan, |step| *step == Step::ChangeCard), 1),
            ("refunds", count(&plan, |step| *step == Step::Refund), 1),
            ("disputes", count(&plan, |step| matches!(step, Step::DisputeDecided { .. })), 1),
            ("invitations", count(&plan, |step| *step == Step::InviteFriend), 5),
            ("ratings", count(&plan, |step| matches!(step, Step::Read { stars: Some(_), .. })), 20),
            ("redeemed gifts", count(&plan, |step| matches!(step, Step::SignUp { gift_of: Some(_), .. })), 1),
            ("referred", count(&plan, |step| matches!(step, Step::SignUp { came_by: Some(_), .. })), 10),
            ("questions", count(&plan, |step| matches!(step, Step::Ask(_))), 10),
        ] {
            assert!(found >= least, "{found} {what}");
        }
        let half = |late: bool| count_signups(&plan, |at| (NOW.since(at) < DAYS * DAY / 2) == late);
        assert!(half(true) > half(false), "the site grows");
    }

    fn count_signups(plan: &YearPlan, is_counted: impl Fn(Timestamp) -> bool) -> usize {
        plan.steps.iter().filter(|one| matches!(one.step, Step::SignUp { .. }) && is_counted(one.at)).count()
    }
}
