//! Business statistics (`admin.business-figures`): daily counts, and figures derived from them for a range of days.

use kernel::{BookId, Day, MINUTE, Money, StoreError, TimeZone, Timestamp};

use crate::BookPositions;
#[cfg(doc)]
use crate::{DROP_OFF_DAYS, OBSERVED_BOOKS, STOPPED_AFTER};

/// The maximum length of a requested range, in days: three years.
pub const STATS_MAX_DAYS: i32 = 1_096;
/// The number of books in the list of most-read books.
pub const TOP_BOOKS: u32 = 20;
/// The number of past days that are counted again on each run, because providers report late and readers sync from other
/// time zones.
pub const RECOUNTED_DAYS: i32 = 7;
/// The maximum number of days counted in one transaction.
pub const COUNTED_AT_ONCE: i32 = 31;

/// For how long the counts of today are shown without counting again, in milliseconds.
pub const TODAY_FRESH: i64 = MINUTE;

/// A range of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    first: Day,
    last: Day,
}

/// The range ends before it begins or is longer than [`STATS_MAX_DAYS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please choose a range of at most three years that starts before it ends.")]
pub struct InvalidDayRange;

impl DayRange {
    /// A range of at most [`STATS_MAX_DAYS`], both ends included.
    pub const fn new(first: Day, last: Day) -> Result<Self, InvalidDayRange> {
        match last.since_epoch().checked_sub(first.since_epoch()) {
            Some(distance) if distance >= 0 && distance < STATS_MAX_DAYS => Ok(Self { first, last }),
            Some(_) | None => Err(InvalidDayRange),
        }
    }

    /// A range of any length, for internal queries. `first` must not be after `last`.
    pub const fn spanning(first: Day, last: Day) -> Self {
        Self { first, last }
    }

    pub const fn first(self) -> Day {
        self.first
    }

    pub const fn last(self) -> Day {
        self.last
    }

    /// The number of days.
    pub const fn count(self) -> i32 {
        self.last.since_epoch() - self.first.since_epoch() + 1
    }

    /// The range of equal length just before this one.
    #[must_use]
    pub const fn before(self) -> Self {
        let first = Day::from_epoch(self.first.since_epoch() - self.count());
        Self { first, last: self.first.yesterday() }
    }

    /// The days in ascending order.
    pub fn days(self) -> impl Iterator<Item = Day> {
        (self.first.since_epoch()..=self.last.since_epoch()).map(Day::from_epoch)
    }
}

/// The counts of one UTC day: events during the day first, then totals at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayFigures {
    /// Accounts created.
    pub signups: u64,
    /// Summaries completed, by the reader's local date.
    pub completions: u64,
    /// Visits, one per browser session.
    pub visits: u64,
    /// Subscriptions paid for the first time.
    pub subscriptions: u64,
    /// Subscriptions that ended after they had been paid for.
    pub ended: u64,
    /// Total accounts at the end of the day.
    pub members: u64,
    /// Members with a paid subscription at the end of the day.
    pub paying: u64,
    /// Running trials at the end of the day.
    pub trials: u64,
    /// Monthly recurring revenue at the end of the day: the sum of each running subscription's renewal price divided by
    /// its months.
    pub mrr: Money,
    /// The amount charged.
    pub revenue: Money,
    /// The amount taken back by refunds, and by disputes that were not won.
    pub refunds: Money,
}

impl DayFigures {
    /// All zero.
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

    /// The figures of a following day without counts: no events, and unchanged totals.
    #[must_use]
    pub const fn carried(self) -> Self {
        Self { members: self.members, paying: self.paying, trials: self.trials, mrr: self.mrr, ..Self::NONE }
    }
}

/// A day with its figures.
pub type CountedDay = (Day, DayFigures);

/// The totals of a range of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeTotals {
    pub visits: u64,
    /// Accounts created.
    pub signups: u64,
    /// Subscriptions paid for the first time.
    pub paid: u64,
    pub ended: u64,
    /// Paying members at the start of the range.
    pub paying_at_start: u64,
}

impl RangeTotals {
    /// All zero.
    pub const NONE: Self = Self { visits: 0, signups: 0, paid: 0, ended: 0, paying_at_start: 0 };
}

/// The figures of every day of a range. `counted` is in ascending order and may begin before the range. A missing day has
/// no events and the totals of the day before.
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

/// The totals at the start of a day.
fn standing_before(day: Day, counted: &[CountedDay]) -> DayFigures {
    let before = counted.iter().take_while(|(counted, _)| *counted < day).last();
    before.map_or(DayFigures::NONE, |(_, figures)| figures.carried())
}

/// The totals of a range; `None` if all counted days are after it.
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

/// The days to count in the next run, at most [`COUNTED_AT_ONCE`]: from [`RECOUNTED_DAYS`] before the last counted day,
/// or from `first`, the first day with data. `None` if there is no data yet.
pub fn days_to_count(first: Option<Day>, counted: Option<Day>, today: Day) -> Option<DayRange> {
    let again = counted.map(|day| Day::from_epoch(day.since_epoch() - RECOUNTED_DAYS));
    let from = first.into_iter().chain(again).max().filter(|_| first.is_some())?.min(today);
    let until = Day::from_epoch(from.since_epoch() + COUNTED_AT_ONCE - 1);
    DayRange::new(from, until.min(today)).ok()
}

/// Whether today has to be counted before it is shown (`admin.live-figures`): it was not counted within the last [`TODAY_FRESH`].
pub fn is_today_stale(last: Option<LastCount>, now: Timestamp) -> bool {
    let fresh = |last: LastCount| {
        last.day >= TimeZone::UTC.day_of(now) && last.at.is_some_and(|at| now.millis() - at.millis() < TODAY_FRESH)
    };
    !last.is_some_and(fresh)
}

/// The latest counted day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastCount {
    pub day: Day,
    /// When it was counted last; `None`: by a node of an earlier release.
    pub at: Option<Timestamp>,
}

/// The revenue of a plan on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRevenue {
    pub day: Day,
    /// The id of the plan or item.
    pub plan_id: String,
    /// The display name.
    pub plan_name: String,
    /// The amount charged.
    pub amount: Money,
}

/// The revenue of a plan in a range and in the range before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTotal {
    /// The id of the plan or item.
    pub plan_id: String,
    /// The display name.
    pub plan_name: String,
    /// The amount charged.
    pub amount: Money,
    /// The amount charged in the range before.
    pub before: Money,
}

/// The revenue of each plan in a range and in the range before, highest first.
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

/// The members who first paid for a subscription in one month (`admin.payment-cohorts`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cohort {
    /// The month in the format `2026-11`.
    pub month: String,
    /// How many they are.
    pub size: u64,
    /// How many of them had a paid subscription at the end of that month, of the next month, and so on.
    pub paid: Vec<u64>,
}

/// The reads of a book in a range of days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookReads {
    pub id: BookId,
    /// The slug.
    pub subid: String,
    pub title: String,
    /// How often it was opened.
    pub opened: u64,
    /// How many readers completed it.
    pub completed: u64,
    /// How often it was opened in the range before.
    pub before: u64,
}

/// The progress of a book's readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookReaders {
    pub title: String,
    /// The number of readers with a reading position in it.
    pub readers: u64,
    /// The number of readers who completed it.
    pub completed: u64,
    /// The sections: index, title, and the number of readers who reached it.
    pub sections: Vec<(u32, String, u64)>,
}

/// Reads of the statistics, available on any connection.
pub trait StatsQueries {
    /// The counted days of a range, in ascending order.
    fn counted_days(&mut self, range: DayRange) -> Result<Vec<CountedDay>, StoreError>;

    /// The latest counted day; `None` if none was counted.
    fn last_count(&mut self) -> Result<Option<LastCount>, StoreError>;

    /// The revenue of each plan on each day, in ascending order of days.
    fn plan_revenue(&mut self, range: DayRange) -> Result<Vec<PlanRevenue>, StoreError>;

    /// The cohorts of the months in the range, in ascending order.
    fn cohorts(&mut self, range: DayRange) -> Result<Vec<Cohort>, StoreError>;

    /// The books opened most often in a range, at most [`TOP_BOOKS`].
    fn top_books(&mut self, range: DayRange) -> Result<Vec<BookReads>, StoreError>;

    /// The progress of a book's readers whose reading position changed in the range; `None` if there is no such book.
    fn book_readers(&mut self, book: BookId, range: DayRange) -> Result<Option<BookReaders>, StoreError>;

    /// Whether there are made-up members of the demo (`admin.made-up-figures`).
    fn has_made_up_members(&mut self) -> Result<bool, StoreError>;

    /// How far the readers came who have stopped by `now` ([`DROP_OFF_DAYS`], [`STOPPED_AFTER`]), for the [`OBSERVED_BOOKS`]
    /// readable books with the highest trend, in any order. Who only listened to a book is not among its readers.
    fn book_positions(&mut self, now: Timestamp) -> Result<Vec<BookPositions>, StoreError>;
}

/// Writes of the statistics, within one transaction.
pub trait StatsCommands: StatsQueries {
    /// Counts the days of [`days_to_count`], replacing earlier counts. `true` if more days remain.
    fn count_days(&mut self, now: Timestamp) -> Result<bool, StoreError>;

    /// Counts these days, replacing earlier counts: what happened on them became known later than [`Self::count_days`] expects.
    fn recount_days(&mut self, range: DayRange, now: Timestamp) -> Result<(), StoreError>;

    /// Counts today again if [`is_today_stale`]; when today was not counted yet, the days of [`days_to_count`].
    fn count_today(&mut self, now: Timestamp) -> Result<(), StoreError>;
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
    fn today_is_counted_again_after_a_minute_and_when_it_was_counted_before_midnight() {
        let at = |day: i64, millis: i64| Timestamp::from_millis(day * kernel::DAY + millis);
        let last = |at| Some(LastCount { day: day(100), at });
        assert!(is_today_stale(None, at(100, 0)));
        assert!(is_today_stale(last(None), at(100, 0)));
        assert!(!is_today_stale(last(Some(at(100, 5))), at(100, MINUTE + 4)));
        assert!(is_today_stale(last(Some(at(100, 5))), at(100, MINUTE + 5)));
        assert!(is_today_stale(last(Some(at(101, -5))), at(101, 5)), "the day of yesterday");
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
