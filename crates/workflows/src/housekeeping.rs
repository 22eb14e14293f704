//! Scheduled jobs that look after what all nodes share.

use std::sync::Arc;

use admin::StatsCommands;
use catalogue::CatalogueCommands;
use identity::{Identity, IdentityCommands};
use jobs::{JobDefinition, JobKind, Jobs, PayloadError};
use kernel::{DAY, Env, HOUR, MINUTE, StoreError};
use postgres::Pg;
use support::Support;
use worker::TransactionalJob;

use crate::recording_files::REMOVE_FILE;

/// A job without a payload that a schedule queues.
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
    /// Ranks what is trending.
    RankTrending, "rank_trending" every MINUTE, |pg, now| pg.refresh_trending(now)
}

scheduled! {
    /// Counts what the figures of the business are made of (`admin.business-figures`), a month of days at most in each run.
    CountDays, "count_days" every HOUR, |pg, now| pg.count_days(now).map(|_| ())
}

scheduled! {
    /// Deletes what is left of sessions and secrets that ended long ago.
    SweepSessions, "sweep_sessions" every HOUR, |pg, now| pg.sweep_expired_sessions(now).map(|_| ())
}

scheduled! {
    /// Deletes rate limits that would admit a whole burst again.
    SweepRateLimits, "sweep_rate_limits" every HOUR, |pg, now| pg.sweep_rate_limits(now).map(|_| ())
}

scheduled! {
    /// Deletes jobs that were done or set aside long ago.
    SweepJobs, "sweep_jobs" every HOUR, |pg, now| pg.sweep_jobs(now).map(|_| ())
}

scheduled! {
    /// Queues removals again that were set aside: no file stays for ever because the object store was away for days.
    RetryRemovals, "retry_removals" every HOUR, |pg, now| pg.retry_jobs(REMOVE_FILE, now)
}

/// Deletes events and messages that are older than they are kept.
pub struct SweepRecords {
    /// The clock.
    pub env: Arc<dyn Env>,
    /// How long events are kept, in days.
    pub events_kept_days: u32,
    /// How long messages of the inbox are kept, in days.
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
        pg.delete_events_before(now.plus(-i64::from(self.events_kept_days) * DAY)).map(|_| ())
    }
}
