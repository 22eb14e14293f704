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

/// Query parameters of a range of days.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatsParams {
    /// The first day, such as `2026-11-23`. Default: 30 days ending on the last day. A range has at most three years.
    #[param(pattern = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
    from: Option<String>,
    /// The last day, inclusive. Default: today, in UTC.
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

/// The figures of one day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StatsDay {
    /// The day.
    day: String,
    /// The number of accounts created.
    signups: u64,
    /// The number of summaries completed.
    completions: u64,
    /// The number of visits to the site.
    visits: u64,
    /// The number of subscriptions paid for the first time.
    subscriptions: u64,
    /// The number of paid subscriptions that ended.
    ended: u64,
    /// The number of accounts at the end of the day.
    members: u64,
    /// The number of members with a paid subscription at the end of the day.
    paying: u64,
    /// The number of running trials at the end of the day.
    trials: u64,
    /// The monthly recurring revenue at the end of the day, in cents.
    mrr: i64,
    /// The charged amount, in cents.
    revenue: i64,
    /// The amount taken back by refunds and disputes, in cents; negative if won disputes exceed it.
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

/// The churn of a range of days.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct ChurnCount {
    /// The number of paid subscriptions that ended.
    ended: u64,
    /// The number of paying members at the start of the range.
    paying: u64,
}

impl From<&RangeTotals> for ChurnCount {
    fn from(totals: &RangeTotals) -> Self {
        Self { ended: totals.ended, paying: totals.paying_at_start }
    }
}

/// The churn of a range of days, compared with the range before.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Churn {
    #[serde(flatten)]
    now: ChurnCount,
    /// The churn of the range of equal length before; null if it was not counted.
    before: Option<ChurnCount>,
}

/// The conversion from visits to sign-ups to paid subscriptions.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct FunnelCount {
    /// The number of visits to the site.
    visits: u64,
    /// The number of accounts created.
    signups: u64,
    /// The number of subscriptions paid for the first time.
    paid: u64,
}

impl From<&RangeTotals> for FunnelCount {
    fn from(totals: &RangeTotals) -> Self {
        Self { visits: totals.visits, signups: totals.signups, paid: totals.paid }
    }
}

/// The conversion of a range of days, compared with the range before.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Funnel {
    #[serde(flatten)]
    now: FunnelCount,
    /// The conversion of the range of equal length before; null if it was not counted.
    before: Option<FunnelCount>,
}

/// The revenue of a plan.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevenueOfPlan {
    /// The id of the plan or item.
    plan_id: String,
    /// The display name.
    plan_name: String,
    /// The charged amount, in cents.
    amount: i64,
    /// The charged amount in the range before, in cents.
    before: i64,
}

impl From<PlanTotal> for RevenueOfPlan {
    fn from(total: PlanTotal) -> Self {
        let (amount, before) = (total.amount.cents(), total.before.cents());
        Self { plan_id: total.plan_id, plan_name: total.plan_name, amount, before }
    }
}

/// The revenue of one day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RevenueDay {
    /// The day.
    day: String,
    /// The charged amounts by plan id, in cents.
    amounts: BTreeMap<String, i64>,
}

/// The members who first paid for a subscription in one month.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StatsCohort {
    /// The month, such as `2026-11`.
    month: String,
    /// The number of members.
    size: u64,
    /// The number of them with a paid subscription at the end of that month, of the next month, and so on.
    paid: Vec<u64>,
}

impl From<Cohort> for StatsCohort {
    fn from(cohort: Cohort) -> Self {
        Self { month: cohort.month, size: cohort.size, paid: cohort.paid }
    }
}

/// A book and its reads.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TopBook {
    /// The id of the book.
    id: i64,
    /// The slug of the book.
    subid: String,
    /// The title.
    title: String,
    /// The number of times it was opened.
    opened: u64,
    /// The number of times it was completed.
    completed: u64,
    /// The number of times it was opened in the range before.
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
    /// When the latest day was last counted, in milliseconds since the Unix epoch; null if nothing was counted yet.
    counted_at: Option<i64>,
    /// Whether the figures include made-up members and orders of the demo.
    made_up: bool,
    /// The figures of each day.
    days: Vec<StatsDay>,
    /// The figures of each day of the range of equal length before.
    before: Vec<StatsDay>,
    /// The churn.
    churn: Churn,
    /// The conversion from visits to paid subscriptions.
    funnel: Funnel,
    /// The revenue of each plan, highest first.
    revenue_by_plan: Vec<RevenueOfPlan>,
    /// The revenue by plan of each day that had any.
    revenue_days: Vec<RevenueDay>,
    /// The members who first paid in the months of the range, by month.
    cohorts: Vec<StatsCohort>,
    /// The books opened most often, at most 20.
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

/// A section of a book and the number of readers who reached it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReachedSection {
    /// The index of the section, from 0.
    place: u32,
    /// The title of the section.
    title: String,
    /// The number of readers who reached it.
    reached: u64,
}

/// The progress of the readers of a book whose reading position changed in a range of days.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BookStats {
    /// The id of the book.
    id: i64,
    /// The title of the book.
    title: String,
    /// The number of readers.
    readers: u64,
    /// The number of readers who completed it.
    completed: u64,
    /// The sections, in order.
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
