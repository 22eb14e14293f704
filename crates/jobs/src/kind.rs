//! Kinds of jobs: the part of a job's definition that needs no I/O.

use kernel::{HOUR, SECOND, Timestamp};

/// The number of attempts, spread over about a day, after which a job is set aside.
pub const MAX_ATTEMPTS: u32 = 10;
/// The number of attempts with an unknown outcome after which a job is set aside: its effect happens twice at most.
pub const MAX_UNCERTAIN: u32 = 2;

/// A kind of jobs: a constant of the crate that owns the work. The work itself is defined by [`crate::JobDefinition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobKind {
    /// The stored name. It must never change, because stored jobs refer to it.
    pub name: &'static str,
    /// The queue whose slots its jobs share.
    pub queue: Queue,
    /// What an attempt changes, which decides what is known when its lease lapses.
    pub effect: Effect,
    /// Whether equal payloads mean equal work: it is then queued once and done by one worker at a time. Sealed payloads
    /// are never equal.
    pub deduplicated: bool,
    /// How often and when a failed attempt is retried.
    pub retry: RetryPolicy,
    /// The schedule on which it is queued, if any. A scheduled kind has an empty payload and at most one job.
    pub schedule: Option<Schedule>,
}

/// A queue: kinds that share slots. Jobs of one queue never wait for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    /// Its name, for logs.
    pub name: &'static str,
    /// How many of its jobs a process runs at once.
    pub slots: usize,
}

impl Queue {
    /// For all work that takes seconds.
    pub const DEFAULT: Self = Self { name: "default", slots: 8 };
}

/// What an attempt changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Database rows only, in the transaction that ends the attempt. An attempt without a recorded end had no effect.
    Transactional,
    /// An external system, such as a mail server. It is unknown whether an attempt without a recorded end had its
    /// effect.
    External,
    /// An external system where repeating does no harm, such as a file under a key of its own. It may take minutes: the
    /// worker renews the lease, and releases the job when the process stops.
    Long,
}

/// How often and when a failed attempt is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The number of attempts after which the job is set aside.
    pub max_attempts: u32,
    /// The number of attempts with an unknown outcome after which the job is set aside.
    pub max_uncertain: u32,
    /// The wait after the first attempt, in milliseconds. Each further wait is four times as long.
    pub first_wait: i64,
    /// The longest wait, in milliseconds.
    pub longest_wait: i64,
}

impl RetryPolicy {
    /// Ten attempts over about a day. The first wait is short: some of what is mailed is valid for minutes only.
    pub const DEFAULT: Self = Self {
        max_attempts: MAX_ATTEMPTS,
        max_uncertain: MAX_UNCERTAIN,
        first_wait: 10 * SECOND,
        longest_wait: 6 * HOUR,
    };
}

/// A schedule with a fixed interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The interval, in milliseconds.
    pub every: i64,
}

impl Schedule {
    /// The first due time after `now`, given an earlier one. Due times that passed while no worker ran are skipped.
    pub fn next(self, due_at: Timestamp, now: Timestamp) -> Timestamp {
        let missed = now.since(due_at).max(0) / self.every;
        due_at.plus((missed + 1) * self.every)
    }
}

impl JobKind {
    /// A kind whose effect is [`Effect::Transactional`].
    pub const fn transactional(name: &'static str) -> Self {
        Self::new(name, Effect::Transactional)
    }

    /// A kind whose effect is [`Effect::External`].
    pub const fn external(name: &'static str) -> Self {
        Self::new(name, Effect::External)
    }

    /// A kind whose effect is [`Effect::Long`].
    pub const fn long(name: &'static str) -> Self {
        Self::new(name, Effect::Long)
    }

    const fn new(name: &'static str, effect: Effect) -> Self {
        let (queue, retry) = (Queue::DEFAULT, RetryPolicy::DEFAULT);
        Self { name, queue, effect, deduplicated: false, retry, schedule: None }
    }

    /// The kind in another queue.
    #[must_use]
    pub const fn in_queue(self, queue: Queue) -> Self {
        Self { queue, ..self }
    }

    /// The kind, deduplicated by its payload.
    #[must_use]
    pub const fn deduplicated(self) -> Self {
        Self { deduplicated: true, ..self }
    }

    /// The kind, queued every `millis` milliseconds.
    #[must_use]
    pub const fn every(self, millis: i64) -> Self {
        Self { deduplicated: true, schedule: Some(Schedule { every: millis }), ..self }
    }
}

#[cfg(test)]
mod tests {
    use kernel::MINUTE;

    use super::*;

    const DUE: Timestamp = Timestamp::from_millis(1_000_000);

    #[test]
    fn schedule_next_moment_is_one_period_after_the_due_one() {
        let schedule = Schedule { every: MINUTE };
        assert_eq!(schedule.next(DUE, DUE), DUE.plus(MINUTE));
        assert_eq!(schedule.next(DUE, DUE.plus(MINUTE - 1)), DUE.plus(MINUTE));
    }

    #[test]
    fn schedule_skips_moments_that_passed_without_a_worker() {
        let schedule = Schedule { every: MINUTE };
        assert_eq!(schedule.next(DUE, DUE.plus(MINUTE)), DUE.plus(2 * MINUTE));
        assert_eq!(schedule.next(DUE, DUE.plus(10 * MINUTE + 1)), DUE.plus(11 * MINUTE));
    }

    #[test]
    fn schedule_ignores_a_clock_that_went_back() {
        assert_eq!(Schedule { every: MINUTE }.next(DUE, DUE.plus(-HOUR)), DUE.plus(MINUTE));
    }
}
