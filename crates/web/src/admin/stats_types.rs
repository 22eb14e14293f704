//! Business figures on the wire. Days are texts such as `2026-11-23`, in UTC; money is in cents.

use std::collections::BTreeMap;

use crate::http::{error::ApiError, wire::page::given};
use admin::{
    BookReaders, BookReads, Cohort, CountedDay, DayRange, PlanRevenue, PlanTotal, RangeTotals, StatsQueries,
    plan_totals, series, totals,
};
use kernel::{BookId, Day, StoreError, TimeZone, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The default number of days.
const SHOWN_DAYS: i32 = 30;

/// Which days are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatsParams {
    /// The first day; 30 days in all when nothing is said. At most three years.
    #[param(pattern = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
    from: Option<String>,
    /// The last day; today when nothing is said.
    #[param(pattern = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
    to: Option<String>,
}

impl StatsParams {
    /// Parses and validates the parameters.
    pub(crate) fn read(&self, now: Timestamp) -> Result<DayRange, ApiError> {
        let day = |field: &'static str, text: Option<&str>| {
            let day = given(text).map(str::parse::<Day>).transpose();
            day.map_err(|_| ApiError::invalid(field, "Please enter a date such as 2026-11-23."))
        };
        let last = day("to", self.to.as_deref())?.unwrap_or_else(|| TimeZone::UTC.day_of(now));
        let first =
            day("from", self.from.as_deref())?.unwrap_or_else(|| Day::from_epoch(last.since_epoch() - SHOWN_DAYS + 1));
        DayRange::new(first, last).map_err(|error| ApiError::invalid("from", error.to_string()))
    }
}

/// What is counted for a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StatsDay {
    /// The day.
    day: String,
    /// Accounts that were made.
    signups: u64,
    /// Summaries that were completed.
    completions: u64,
    /// Visits of the site.
    visits: u64,
    /// Subscriptions that were paid for the first time.
    subscriptions: u64,
    /// Subscriptions that ended.
    ended: u64,
    /// Accounts at the end of the day.
    members: u64,
    /// Members who paid at the end of the day.
    paying: u64,
    /// Trials that ran at the end of the day.
    trials: u64,
    /// What the subscriptions bring in a month, at the end of the day, in cents.
    mrr: i64,
    /// What was charged, in cents.
    revenue: i64,
    /// What went back, in cents; below zero when disputes were won.
    refunds: i64,
}

impl From<&CountedDay> for StatsDay {
    fn from((day, figures): &CountedDay) -> Self {
        Self {
            day: day.to_string(),
            signups: figures.signups,
            completions: figures.completions,
            visits: figures.visits,
            subscriptions: figures.subscriptions,
            ended: figures.ended,
            members: figures.members,
            paying: figures.paying,
            trials: figures.trials,
            mrr: figures.mrr.cents(),
            revenue: figures.revenue.cents(),
            refunds: figures.refunds.cents(),
        }
    }
}

/// Subscriptions that ended, beside who paid when the days began.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct ChurnCount {
    /// Subscriptions that ended.
    ended: u64,
    /// Members who paid when the days began.
    paying: u64,
}

impl From<&RangeTotals> for ChurnCount {
    fn from(totals: &RangeTotals) -> Self {
        Self { ended: totals.ended, paying: totals.paying_at_start }
    }
}

/// The same beside the days before.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Churn {
    #[serde(flatten)]
    now: ChurnCount,
    /// Of as many days before; null: they are not counted.
    before: Option<ChurnCount>,
}

/// From visit to sign-up to paid.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct FunnelCount {
    /// Visits of the site.
    visits: u64,
    /// Accounts that were made.
    signups: u64,
    /// Subscriptions that were paid for the first time.
    paid: u64,
}

impl From<&RangeTotals> for FunnelCount {
    fn from(totals: &RangeTotals) -> Self {
        Self { visits: totals.visits, signups: totals.signups, paid: totals.paid }
    }
}

/// The same beside the days before.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Funnel {
    #[serde(flatten)]
    now: FunnelCount,
    /// Of as many days before; null: they are not counted.
    before: Option<FunnelCount>,
}

/// What a plan brought.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevenueOfPlan {
    /// The plan or item.
    plan_id: String,
    /// Its name.
    plan_name: String,
    /// What was charged, in cents.
    amount: i64,
    /// What was charged in the days before, in cents.
    before: i64,
}

impl From<PlanTotal> for RevenueOfPlan {
    fn from(total: PlanTotal) -> Self {
        let (amount, before) = (total.amount.cents(), total.before.cents());
        Self { plan_id: total.plan_id, plan_name: total.plan_name, amount, before }
    }
}

/// What the plans brought on a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RevenueDay {
    /// The day.
    day: String,
    /// What was charged, in cents, by the plan's id.
    amounts: BTreeMap<String, i64>,
}

/// Those who first paid for a subscription in a month.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StatsCohort {
    /// The month: `2026-11`.
    month: String,
    /// How many they are.
    size: u64,
    /// How many of them paid at the end of that month, of the next, and so on.
    paid: Vec<u64>,
}

impl From<Cohort> for StatsCohort {
    fn from(cohort: Cohort) -> Self {
        Self { month: cohort.month, size: cohort.size, paid: cohort.paid }
    }
}

/// A book that was read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TopBook {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    subid: String,
    /// Its title.
    title: String,
    /// How often it was opened.
    opened: u64,
    /// How often it was completed.
    completed: u64,
    /// How often it was opened in the days before.
    before: u64,
}

impl From<BookReads> for TopBook {
    fn from(book: BookReads) -> Self {
        let (opened, completed, before) = (book.opened, book.completed, book.before);
        Self { id: book.id.get(), subid: book.subid, title: book.title, opened, completed, before }
    }
}

/// The figures of a range of days.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stats {
    /// The first day.
    from: String,
    /// The last day.
    to: String,
    /// When the latest day was counted last, in ms since the epoch; null: nothing was counted yet.
    counted_at: Option<i64>,
    /// Whether members and orders of the demo are among them that are made up.
    made_up: bool,
    /// Each day.
    days: Vec<StatsDay>,
    /// Each of as many days before.
    before: Vec<StatsDay>,
    /// Who left.
    churn: Churn,
    /// Who came.
    funnel: Funnel,
    /// What each plan brought, the most first.
    revenue_by_plan: Vec<RevenueOfPlan>,
    /// What the plans brought on each day on which they did.
    revenue_days: Vec<RevenueDay>,
    /// Who first paid in the months that the days touch.
    cohorts: Vec<StatsCohort>,
    /// The books that were opened most.
    top_books: Vec<TopBook>,
}

/// The revenue per plan and day. Days without revenue are left out.
fn revenue_days(range: DayRange, revenue: &[PlanRevenue]) -> Vec<RevenueDay> {
    let mut days: BTreeMap<Day, BTreeMap<String, i64>> = BTreeMap::new();
    for one in revenue.iter().filter(|one| one.day >= range.first()) {
        days.entry(one.day).or_default().insert(one.plan_id.clone(), one.amount.cents());
    }
    days.into_iter().map(|(day, amounts)| RevenueDay { day: day.to_string(), amounts }).collect()
}

impl Stats {
    /// Reads the figures of a range, and of the range of the same length before it. Only a demo can have made-up members.
    pub(crate) fn read(store: &mut impl StatsQueries, range: DayRange, is_demo: bool) -> Result<Self, StoreError> {
        let before = range.before();
        // The day before both ranges provides the totals at their beginning.
        let whole = DayRange::spanning(before.first().yesterday(), range.last());
        let counted = store.counted_days(whole)?;
        let revenue = store.plan_revenue(DayRange::spanning(before.first(), range.last()))?;
        let days = |range| series(range, &counted).iter().map(Into::into).collect();
        let (sums, sums_before) = (totals(range, &counted), totals(before, &counted));
        let sums = sums.unwrap_or(RangeTotals::NONE);
        Ok(Self {
            from: range.first().to_string(),
            to: range.last().to_string(),
            counted_at: store.last_count()?.and_then(|last| last.at).map(Timestamp::millis),
            made_up: is_demo && store.has_made_up_members()?,
            days: days(range),
            before: days(before),
            churn: Churn { now: (&sums).into(), before: sums_before.as_ref().map(Into::into) },
            funnel: Funnel { now: (&sums).into(), before: sums_before.as_ref().map(Into::into) },
            revenue_by_plan: plan_totals(range, &revenue).into_iter().map(Into::into).collect(),
            revenue_days: revenue_days(range, &revenue),
            cohorts: store.cohorts(range)?.into_iter().map(Into::into).collect(),
            top_books: store.top_books(range)?.into_iter().map(Into::into).collect(),
        })
    }
}

/// A section of a book, and how many readers reached it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReachedSection {
    /// Its place in the book.
    place: u32,
    /// Its title.
    title: String,
    /// How many readers reached it.
    reached: u64,
}

/// How far the readers of a book have come.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BookStats {
    /// The book's id.
    id: i64,
    /// Its title.
    title: String,
    /// How many readers there are.
    readers: u64,
    /// How many of them completed it.
    completed: u64,
    /// Its sections in their order.
    sections: Vec<ReachedSection>,
}

impl BookStats {
    pub(crate) fn new(book: BookId, readers: BookReaders) -> Self {
        let section = |(place, title, reached)| ReachedSection { place, title, reached };
        Self {
            id: book.get(),
            title: readers.title,
            readers: readers.readers,
            completed: readers.completed,
            sections: readers.sections.into_iter().map(section).collect(),
        }
    }
}
