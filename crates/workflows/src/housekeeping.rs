//! Scheduled maintenance jobs for data that all nodes share.

use std::sync::Arc;

use admin::StatsCommands;
use billing::BillingCommands;
use catalogue::CatalogueCommands;
use identity::{Identity, IdentityCommands};
use jobs::{JobDefinition, JobKind, Jobs, PayloadError};
use kernel::{DAY, Env, HOUR, MINUTE, StoreError};
use postgres::Pg;
use support::Support;
use worker::TransactionalJob;

use crate::recording_files::REMOVE_FILE;

/// Declares a scheduled job without a payload.
macro_rules! scheduled {
    ($(#[$doc:meta])* $name:ident, $word:literal every $every:expr, |$pg:ident, $now:ident| $work:expr) => {
        $(#[$doc])*
        pub struct $name(
            /// The clock.
            pub Arc<dyn Env>,
        );

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl JobDefinition for $name {
            const KIND: JobKind = JobKind::transactional($word).every($every);
            type Payload = ();

            fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
                Ok(())
            }
        }

        impl TransactionalJob for $name {
            fn run_transactional(&self, $pg: &mut Pg<'_>, (): &()) -> Result<(), StoreError> {
                let $now = self.0.now();
                $work
            }
        }
    };
}

scheduled! {
    /// Recomputes the trends of books.
    RankTrending, "rank_trending" every MINUTE, |pg, now| pg.refresh_trending(now)
}

scheduled! {
    /// Counts the days of the business statistics (`admin.business-figures`), a month of days at most per run.
    CountDays, "count_days" every HOUR, |pg, now| pg.count_days(now).map(|_| ())
}

scheduled! {
    /// Adds up the ledger's accounts (`billing.account-sums`).
    SumAccounts, "sum_accounts" every HOUR, |pg, _now| pg.sum_accounts()
}

scheduled! {
    /// Deletes sessions and single-use secrets that ended long ago.
    SweepSessions, "sweep_sessions" every HOUR, |pg, now| pg.sweep_expired_sessions(now).map(|_| ())
}

scheduled! {
    /// Deletes rate limits that would allow a full burst again.
    SweepRateLimits, "sweep_rate_limits" every HOUR, |pg, now| pg.sweep_rate_limits(now).map(|_| ())
}

scheduled! {
    /// Deletes finished jobs and dead letters after their retention.
    SweepJobs, "sweep_jobs" every HOUR, |pg, now| pg.sweep_jobs(now).map(|_| ())
}

scheduled! {
    /// Retries file removals that became dead letters, so that no file stays for ever because the object store was down for days.
    RetryRemovals, "retry_removals" every HOUR, |pg, now| pg.retry_jobs(REMOVE_FILE, now)
}

/// Deletes analytics events, inbox messages and counts of searches after their retention.
pub struct SweepRecords {
    /// The clock.
    pub env: Arc<dyn Env>,
    /// Retention of events, in days.
    pub events_kept_days: u32,
    /// Retention of inbox messages, in days.
    pub messages_kept_days: u32,
}

impl std::fmt::Debug for SweepRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SweepRecords")
    }
}

impl JobDefinition for SweepRecords {
    const KIND: JobKind = JobKind::transactional("sweep_records").every(HOUR);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl TransactionalJob for SweepRecords {
    fn run_transactional(&self, pg: &mut Pg<'_>, (): &()) -> Result<(), StoreError> {
        let now = self.env.now();
        pg.sweep_messages(self.messages_kept_days, now)?;
        pg.sweep_unanswered_searches(now)?;
        pg.delete_events_before(now.plus(-i64::from(self.events_kept_days) * DAY)).map(|_| ())
    }
}
