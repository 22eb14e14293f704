//! The figures of the business (`admin.business-figures`): what is counted for each day, and what follows from it for a range of days.

use kernel::{BookId, Day, Money, StoreError, Timestamp};

/// The most days that are asked for at once: three years.
pub const STATS_MAX_DAYS: i32 = 1_096;
/// How many books are shown as the most read.
pub const TOP_BOOKS: u32 = 20;
/// For so many days back figures are counted again: providers tell late, and readers come home from other time zones.
pub const RECOUNTED_DAYS: i32 = 7;
/// The most days that are counted in one transaction.
pub const COUNTED_AT_ONCE: i32 = 31;

/// Days from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    first: Day,
    last: Day,
}

/// The range ends before it begins, or is longer than three years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please choose at most three years, which begin before they end.")]
pub struct InvalidDayRange;

impl DayRange {
    /// The days between two, both included.
    pub const fn new(first: Day, last: Day) -> Result<Self, InvalidDayRange> {
        match last.since_epoch().checked_sub(first.since_epoch()) {
            Some(distance) if distance >= 0 && distance < STATS_MAX_DAYS => Ok(Self { first, last }),
            Some(_) | None => Err(InvalidDayRange),
        }
    }

    /// The days between two that are in order, however many they are: for what is read together.
    pub const fn spanning(first: Day, last: Day) -> Self {
        Self { first, last }
    }

    /// The first day.
    pub const fn first(self) -> Day {
        self.first
    }

    /// The last day.
    pub const fn last(self) -> Day {
        self.last
    }

    /// How many days it has.
    pub const fn count(self) -> i32 {
        self.last.since_epoch() - self.first.since_epoch() + 1
    }

    /// As many days, just before it.
    #[must_use]
    pub const fn before(self) -> Self {
        let first = Day::from_epoch(self.first.since_epoch() - self.count());
        Self { first, last: self.first.yesterday() }
    }

    /// Its days in their order.
    pub fn days(self) -> impl Iterator<Item = Day> {
        (self.first.since_epoch()..=self.last.since_epoch()).map(Day::from_epoch)
    }
}

/// What is counted for a day of UTC's calendar. What happened comes first, then how it stood at the day's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayFigures {
    /// Accounts that were made.
    pub signups: u64,
    /// Summaries that were completed, by the reader's calendar.
    pub completions: u64,
    /// Visits of the site, one for each browser session.
    pub visits: u64,
    /// Subscriptions that were paid for the first time.
    pub subscriptions: u64,
    /// Subscriptions that ended after they had been paid for.
    pub ended: u64,
    /// Accounts at the end of the day.
    pub members: u64,
    /// Members with a subscription that was paid for, at the end of the day.
    pub paying: u64,
    /// Trials that ran at the end of the day.
    pub trials: u64,
    /// What the running subscriptions bring in a month, at the end of the day: the renewal's price divided by its months.
    pub mrr: Money,
    /// What was charged.
    pub revenue: Money,
    /// What went back: refunds and disputes, without those that were won.
    pub refunds: Money,
}

impl DayFigures {
    /// Nothing.
    pub const NONE: Self = Self {
        signups: 0,
        completions: 0,
        visits: 0,
        subscriptions: 0,
        ended: 0,
        members: 0,
        paying: 0,
        trials: 0,
        mrr: Money::from_cents(0),
        revenue: Money::from_cents(0),
        refunds: Money::from_cents(0),
    };

    /// A day of which nothing is counted: nothing happened, and all stands as it did.
    #[must_use]
    pub const fn carried(self) -> Self {
        Self { members: self.members, paying: self.paying, trials: self.trials, mrr: self.mrr, ..Self::NONE }
    }
}

/// A day's figures.
pub type CountedDay = (Day, DayFigures);

/// What a range of days adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeTotals {
    pub visits: u64,
    /// Accounts that were made.
    pub signups: u64,
    /// Subscriptions that were paid for the first time.
    pub paid: u64,
    /// Subscriptions that ended.
    pub ended: u64,
    /// Members who paid when the range began.
    pub paying_at_start: u64,
}

impl RangeTotals {
    /// Nothing.
    pub const NONE: Self = Self { visits: 0, signups: 0, paid: 0, ended: 0, paying_at_start: 0 };
}

/// The figures of every day of a range. `counted` is in the order of days and may begin earlier: a day that is missing carries on
/// what stood before.
pub fn series(range: DayRange, counted: &[CountedDay]) -> Vec<CountedDay> {
    let mut last = standing_before(range.first(), counted);
    let mut rest = counted.iter().skip_while(|(day, _)| *day < range.first()).peekable();
    let figures = range.days().map(|day| {
        last = match rest.next_if(|(counted, _)| *counted == day) {
            Some((_, figures)) => *figures,
            None => last.carried(),
        };
        (day, last)
    });
    figures.collect()
}

/// How it stood when a day began.
fn standing_before(day: Day, counted: &[CountedDay]) -> DayFigures {
    let before = counted.iter().take_while(|(counted, _)| *counted < day).last();
    before.map_or(DayFigures::NONE, |(_, figures)| figures.carried())
}

/// What a range adds up to; `None`: the counts begin after it.
pub fn totals(range: DayRange, counted: &[CountedDay]) -> Option<RangeTotals> {
    counted.first().filter(|(day, _)| *day <= range.last())?;
    let days = series(range, counted);
    let sum = |of: fn(&DayFigures) -> u64| days.iter().map(|(_, figures)| of(figures)).sum();
    Some(RangeTotals {
        visits: sum(|day| day.visits),
        signups: sum(|day| day.signups),
        paid: sum(|day| day.subscriptions),
        ended: sum(|day| day.ended),
        paying_at_start: standing_before(range.first(), counted).paying,
    })
}

/// The days that a run of the job counts: from the day after which all is final, or from the first day of the business, at most
/// [`COUNTED_AT_ONCE`]; `None`: there is nothing to count yet.
pub fn days_to_count(first: Option<Day>, counted: Option<Day>, today: Day) -> Option<DayRange> {
    let again = counted.map(|day| Day::from_epoch(day.since_epoch() - RECOUNTED_DAYS));
    let from = first.into_iter().chain(again).max().filter(|_| first.is_some())?.min(today);
    let until = Day::from_epoch(from.since_epoch() + COUNTED_AT_ONCE - 1);
    DayRange::new(from, until.min(today)).ok()
}

/// What a plan brought on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRevenue {
    pub day: Day,
    /// The plan or item.
    pub plan_id: String,
    /// Its name for people.
    pub plan_name: String,
    /// What was charged.
    pub amount: Money,
}

/// What a plan brought in a range and in the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTotal {
    /// The plan or item.
    pub plan_id: String,
    /// Its name for people.
    pub plan_name: String,
    /// What was charged.
    pub amount: Money,
    /// What was charged in the range before.
    pub before: Money,
}

/// What each plan brought in a range and in the one before, the most first.
pub fn plan_totals(range: DayRange, revenue: &[PlanRevenue]) -> Vec<PlanTotal> {
    let mut totals: Vec<PlanTotal> = Vec::new();
    for one in revenue.iter().filter(|one| one.day <= range.last()) {
        let index = totals.iter().position(|total| total.plan_id == one.plan_id).unwrap_or_else(|| {
            let (plan_id, plan_name) = (one.plan_id.clone(), one.plan_name.clone());
            totals.push(PlanTotal { plan_id, plan_name, amount: Money::from_cents(0), before: Money::from_cents(0) });
            totals.len() - 1
        });
        let Some(total) = totals.get_mut(index) else { continue };
        let side = if one.day < range.first() { &mut total.before } else { &mut total.amount };
        *side = Money::from_cents(side.cents() + one.amount.cents());
    }
    totals.sort_by(|a, b| b.amount.cmp(&a.amount).then_with(|| a.plan_id.cmp(&b.plan_id)));
    totals
}

/// Those who joined in a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cohort {
    /// The month: `2026-11`.
    pub month: String,
    /// How many joined.
    pub joined: u64,
    /// How many of them paid for a subscription at the end of that month, of the next, and so on.
    pub paid: Vec<u64>,
}

/// A book that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookReads {
    pub id: BookId,
    /// Its name in addresses.
    pub subid: String,
    pub title: String,
    /// How often it was opened.
    pub opened: u64,
    /// How many completed it.
    pub completed: u64,
    /// How often it was opened in the range before.
    pub before: u64,
}

/// How far the readers of a book have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookReaders {
    pub title: String,
    /// How many have a place in it.
    pub readers: u64,
    /// How many completed it.
    pub completed: u64,
    /// Each section: its place, its title, and how many reached it.
    pub sections: Vec<(u32, String, u64)>,
}

/// Reads of the figures, callable by everyone who holds a connection.
pub trait StatsQueries {
    /// The days that are counted, in their order.
    fn counted_days(&mut self, range: DayRange) -> Result<Vec<CountedDay>, StoreError>;

    /// How it stood when it was counted last.
    fn last_counted_day(&mut self) -> Result<Option<CountedDay>, StoreError>;

    /// What each plan brought on each day, in the order of days.
    fn plan_revenue(&mut self, range: DayRange) -> Result<Vec<PlanRevenue>, StoreError>;

    /// The cohorts of the months that the range touches, in their order.
    fn cohorts(&mut self, range: DayRange) -> Result<Vec<Cohort>, StoreError>;

    /// The books that were opened most in a range, [`TOP_BOOKS`] of them.
    fn top_books(&mut self, range: DayRange) -> Result<Vec<BookReads>, StoreError>;

    /// How far the readers of a book have come whose place changed in the range; `None`: there is no such book.
    fn book_readers(&mut self, book: BookId, range: DayRange) -> Result<Option<BookReaders>, StoreError>;
}

/// Counting, within one transaction.
pub trait StatsCommands: StatsQueries {
    /// Counts the days that [`days_to_count`] names, in the place of what was counted of them; says whether days are left.
    fn count_days(&mut self, now: Timestamp) -> Result<bool, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn day(number: i32) -> Day {
        Day::from_epoch(number)
    }

    fn range(first: i32, last: i32) -> DayRange {
        DayRange::new(day(first), day(last)).unwrap()
    }

    fn figures(signups: u64, paying: u64) -> DayFigures {
        DayFigures {
            signups,
            subscriptions: signups / 2,
            ended: 1,
            paying,
            mrr: Money::from_cents(900),
            ..DayFigures::NONE
        }
    }

    #[test]
    fn a_range_has_one_to_1096_days_and_as_many_before_it() {
        assert_eq!(DayRange::new(day(10), day(9)), Err(InvalidDayRange));
        assert_eq!(DayRange::new(day(0), day(1_096)), Err(InvalidDayRange));
        assert_eq!(DayRange::new(day(i32::MIN), day(i32::MAX)), Err(InvalidDayRange));
        assert_eq!(range(0, 1_095).count(), 1_096);
        assert_eq!(range(10, 12).before(), range(7, 9));
        assert_eq!(range(10, 10).before(), range(9, 9));
    }

    #[test]
    fn a_day_that_is_not_counted_carries_on_what_stood_before() {
        let counted = [(day(8), figures(4, 10)), (day(10), figures(6, 12))];
        let shown = series(range(9, 11), &counted);
        let seen: Vec<_> = shown.iter().map(|(day, one)| (day.since_epoch(), one.signups, one.paying)).collect();
        assert_eq!(seen, [(9, 0, 10), (10, 6, 12), (11, 0, 12)]);
        assert_eq!(series(range(1, 1), &counted), [(day(1), DayFigures::NONE)]);
    }

    #[test]
    fn a_range_adds_up_and_knows_who_paid_when_it_began() {
        let counted = [(day(8), figures(4, 10)), (day(10), figures(6, 12)), (day(11), figures(2, 13))];
        let all = RangeTotals { visits: 0, signups: 8, paid: 4, ended: 2, paying_at_start: 10 };
        assert_eq!(totals(range(9, 11), &counted), Some(all));
        assert_eq!(totals(range(6, 7), &counted), None, "the counts begin after it");
        assert_eq!(totals(range(7, 8), &counted).map(|sums| sums.paying_at_start), Some(0));
        assert_eq!(totals(range(9, 11), &[]), None);
    }

    #[test]
    fn the_last_week_is_counted_again_and_a_year_in_steps() {
        assert_eq!(days_to_count(None, None, day(100)), None);
        assert_eq!(days_to_count(None, Some(day(99)), day(100)), None);
        assert_eq!(days_to_count(Some(day(0)), None, day(100)), Some(range(0, 30)));
        assert_eq!(days_to_count(Some(day(0)), Some(day(30)), day(100)), Some(range(23, 53)));
        assert_eq!(days_to_count(Some(day(0)), Some(day(100)), day(100)), Some(range(93, 100)));
        assert_eq!(days_to_count(Some(day(98)), Some(day(100)), day(100)), Some(range(98, 100)));
        assert_eq!(days_to_count(Some(day(200)), None, day(100)), Some(range(100, 100)), "a clock that went back");
    }

    #[test]
    fn plans_are_added_up_apart_from_the_range_before_the_most_first() {
        let revenue = |number, id: &str, cents| PlanRevenue {
            day: day(number),
            plan_id: id.to_owned(),
            plan_name: id.to_uppercase(),
            amount: Money::from_cents(cents),
        };
        let all =
            [revenue(8, "b", 7), revenue(9, "a", 5), revenue(10, "a", 2), revenue(11, "b", 30), revenue(12, "b", 1)];
        let seen: Vec<_> = plan_totals(range(10, 11), &all)
            .into_iter()
            .map(|total| (total.plan_id, total.plan_name, total.amount.cents(), total.before.cents()))
            .collect();
        assert_eq!(seen, [("b".to_owned(), "B".to_owned(), 30, 7), ("a".to_owned(), "A".to_owned(), 2, 5)]);
    }
}
