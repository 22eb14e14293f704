//! What the queue knows of a kind of jobs: the part of a job's definition that needs no I/O.

use kernel::{HOUR, SECOND, Timestamp};

/// So many attempts, spread over about a day, before a job is set aside.
pub const MAX_ATTEMPTS: u32 = 10;
/// So many attempts without a known end before a job is set aside: its effect happens twice at most.
pub const MAX_UNCERTAIN: u32 = 2;

/// A kind of jobs, as a constant of the crate that owns the work. What runs is defined beside it, for the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobKind {
    /// The word by which it is stored. It never changes: rows of the kind may be waiting.
    pub name: &'static str,
    /// Where its jobs wait for a slot.
    pub queue: Queue,
    /// What an attempt changes, and so what is known when its lease lapses.
    pub effect: Effect,
    /// Whether equal payloads mean equal work: it is then queued once and done by one worker at a time. Sealed payloads
    /// are never equal.
    pub deduplicated: bool,
    /// How often and when a failed attempt is repeated.
    pub retry: RetryPolicy,
    /// When it is queued by itself. Its payload is empty, and it has one row at most.
    pub schedule: Option<Schedule>,
}

/// A queue: kinds that wait for the same slots. Jobs of one queue never wait for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    /// Its name, for logs.
    pub name: &'static str,
    /// How many of its jobs a process does at once.
    pub slots: usize,
}

impl Queue {
    /// For everything that takes seconds.
    pub const DEFAULT: Self = Self { name: "default", slots: 8 };
}

/// What an attempt changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Rows of the database, in the transaction that ends the attempt. An attempt without a recorded end did nothing.
    Transactional,
    /// Something outside, such as a mail server. Of an attempt without a recorded end nobody knows whether it did.
    External,
    /// Something outside that repeating does not harm, such as a file under a key of its own. It may take minutes: the
    /// worker renews the lease, and releases the job when the process stops.
    Long,
}

/// How often and when a failed attempt is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// So many attempts before the job is set aside.
    pub max_attempts: u32,
    /// So many attempts without a known end before the job is set aside.
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

/// Due moments at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The distance, in milliseconds.
    pub every: i64,
}

impl Schedule {
    /// The first due moment after `now`, given an earlier one. Moments that passed while no worker ran are skipped.
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

    /// The kind, queued by itself every so many milliseconds.
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
