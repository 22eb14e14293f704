//! State transitions of a job: an attempt starts or ends, or its lease lapses.

use kernel::{Env, MINUTE, Timestamp};

use crate::{Effect, Job, RetryPolicy, State};

/// The lease of an attempt, in milliseconds. Before it lapses, a worker ends the attempt or renews the lease.
pub const LEASE: i64 = 2 * MINUTE;

/// Each wait is this many times as long as the one before it.
const GROWTH: i64 = 4;
/// The jitter of waits, in percent either way, so that jobs that failed together are not retried together.
const JITTER_PERCENT: i64 = 20;

const LOST: &str = "The worker was stopped in the middle of it.";

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The work is done.
    Done,
    /// The work was certainly not done.
    Failed {
        /// Why, without personal data and secrets.
        reason: String,
        /// Whether retrying can't help.
        is_permanent: bool,
    },
    /// It is unknown whether the work was done.
    Uncertain {
        /// What happened, without personal data and secrets.
        reason: String,
    },
    /// The worker had to stop before the work was done; the attempt does not count. For [`Effect::Long`] only.
    Released,
}

/// The wait after this many attempts, in milliseconds: four times longer each time, up to the policy's longest wait,
/// with jitter.
pub fn backoff(policy: RetryPolicy, attempts: u32, env: &dyn Env) -> i64 {
    let longer = |wait: i64, _| wait.saturating_mul(GROWTH).min(policy.longest_wait);
    let grown = (1..attempts).fold(policy.first_wait, longer);
    let mut dice = [0; 2];
    env.fill_random(&mut dice);
    let spread = grown * JITTER_PERCENT / 100;
    grown - spread + 2 * spread * i64::from(u16::from_be_bytes(dice)) / i64::from(u16::MAX)
}

impl Job {
    /// Starts an attempt.
    pub(crate) fn begin(&mut self, now: Timestamp) {
        self.state = State::Running;
        self.attempts += 1;
        self.due_at = now.plus(LEASE);
    }

    /// Renews the lease of the attempt.
    pub(crate) fn renew(&mut self, now: Timestamp) {
        self.due_at = now.plus(LEASE);
    }

    /// The lease has lapsed: the worker died or hangs, and may have done the work.
    pub(crate) fn lapse(&mut self, now: Timestamp) {
        match self.kind.effect {
            Effect::External => self.end_uncertain(LOST.to_owned(), now),
            Effect::Transactional | Effect::Long => self.fail(LOST.to_owned(), false, now),
        }
    }

    /// Ends the attempt.
    pub(crate) fn end(&mut self, outcome: Outcome, env: &dyn Env) {
        let now = env.now();
        match outcome {
            Outcome::Done => self.complete(now),
            Outcome::Failed { reason, is_permanent } => self.fail(reason, is_permanent, self.next_attempt(env)),
            Outcome::Uncertain { reason } => self.end_uncertain(reason, self.next_attempt(env)),
            Outcome::Released => {
                self.state = State::Queued;
                self.attempts = self.attempts.saturating_sub(1);
                self.due_at = now;
            }
        }
    }

    fn next_attempt(&self, env: &dyn Env) -> Timestamp {
        env.now().plus(backoff(self.kind.retry, self.attempts, env))
    }

    /// Marks the job as done.
    pub(crate) fn complete(&mut self, now: Timestamp) {
        self.state = State::Done;
        self.done_at = Some(now);
        self.last_error = None;
    }

    /// Queues a job again that was set aside, on behalf of an admin or its schedule.
    pub(crate) fn retry(&mut self, now: Timestamp) {
        self.state = State::Queued;
        self.attempts = 0;
        self.retries += 1;
        self.due_at = now;
    }

    /// Sets aside a job from a backup: its effect may have happened after the backup was made.
    pub(crate) fn set_aside(&mut self, reason: String, now: Timestamp) {
        self.state = State::SetAside;
        self.uncertain += 1;
        self.due_at = now;
        self.last_error = Some(reason);
    }

    /// Ends an attempt that certainly had no effect.
    fn fail(&mut self, reason: String, is_permanent: bool, again_at: Timestamp) {
        let is_over = is_permanent || self.attempts >= self.kind.retry.max_attempts;
        self.state = if is_over { State::SetAside } else { State::Queued };
        self.due_at = again_at;
        self.last_error = Some(reason);
    }

    /// Ends an attempt with an unknown outcome.
    fn end_uncertain(&mut self, reason: String, again_at: Timestamp) {
        let retry = self.kind.retry;
        self.uncertain += 1;
        // Each retry allows as many again: the admin has seen that the outcome is unknown.
        let allowed = retry.max_uncertain * (1 + self.retries);
        let is_over = self.uncertain >= allowed || self.attempts >= retry.max_attempts;
        self.state = if is_over { State::SetAside } else { State::Queued };
        self.due_at = again_at;
        self.last_error = Some(reason);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, HOUR, JobId, SECOND};
    use proptest::prelude::*;

    use super::*;
    use crate::{Deliveries, JobKind, MAX_ATTEMPTS, MAX_UNCERTAIN};

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn job() -> Job {
        Job {
            id: JobId::from_store(1),
            kind: JobKind::external("mail"),
            about: "confirm_email".to_owned(),
            recipient: None,
            state: State::Queued,
            attempts: 0,
            uncertain: 0,
            retries: 0,
            last_error: None,
            created_at: NOW,
            due_at: NOW,
            done_at: None,
            trace_context: None,
        }
    }

    fn failed(is_permanent: bool) -> Outcome {
        Outcome::Failed { reason: "no".to_owned(), is_permanent }
    }

    #[test]
    fn backoff_grows_fourfold_from_ten_seconds_to_six_hours() {
        let env = FixedEnv::at(NOW);
        for (attempts, seconds) in [(1, 10), (2, 40), (3, 160), (4, 640), (5, 2_560), (6, 10_240), (7, 21_600)] {
            let wait = backoff(RetryPolicy::DEFAULT, attempts, &env);
            let middle = seconds * SECOND;
            assert!((middle * 8 / 10..=middle * 12 / 10).contains(&wait), "{attempts}: {wait}");
        }
        let all: i64 = (1..MAX_ATTEMPTS).map(|attempts| backoff(RetryPolicy::DEFAULT, attempts, &env)).sum();
        assert!((16 * HOUR..=30 * HOUR).contains(&all), "about a day: {all}");
    }

    #[test]
    fn backoff_has_jitter() {
        let env = FixedEnv::at(NOW);
        let waits: std::collections::HashSet<i64> = (0..20).map(|_| backoff(RetryPolicy::DEFAULT, 6, &env)).collect();
        assert!(waits.len() > 10);
    }

    #[test]
    fn failed_attempt_is_repeated_ten_times() {
        let (mut job, env) = (job(), FixedEnv::at(NOW));
        for attempt in 1..=MAX_ATTEMPTS {
            assert_eq!(job.state, State::Queued);
            job.begin(NOW);
            assert_eq!((job.attempts, job.due_at), (attempt, NOW.plus(LEASE)));
            job.end(failed(false), &env);
        }
        assert_eq!((job.state, job.deliveries()), (State::SetAside, Deliveries::None));
    }

    #[test]
    fn permanent_failure_sets_the_job_aside_at_once() {
        let mut job = job();
        job.begin(NOW);
        job.end(failed(true), &FixedEnv::at(NOW));
        assert_eq!((job.state, job.last_error.as_deref()), (State::SetAside, Some("no")));
    }

    #[test]
    fn external_job_is_repeated_after_one_lapsed_lease_and_set_aside_after_two() {
        let (mut job, env) = (job(), FixedEnv::at(NOW));
        job.begin(NOW);
        job.lapse(NOW.plus(LEASE));
        assert_eq!((job.state, job.due_at, job.deliveries()), (State::Queued, NOW.plus(LEASE), Deliveries::Unknown));
        let mut lucky = job.clone();
        lucky.begin(NOW);
        lucky.end(Outcome::Done, &env);
        assert_eq!((lucky.state, lucky.deliveries()), (State::Done, Deliveries::OnceOrTwice));
        job.begin(NOW);
        job.lapse(NOW);
        assert_eq!((job.state, job.deliveries()), (State::SetAside, Deliveries::Unknown));
    }

    #[test]
    fn lapsed_lease_of_a_transactional_job_is_a_certain_failure() {
        let mut job = Job { kind: JobKind::transactional("recovery"), ..job() };
        for _ in 0..MAX_ATTEMPTS {
            assert_eq!(job.state, State::Queued);
            job.begin(NOW);
            job.lapse(NOW);
        }
        assert_eq!((job.state, job.deliveries(), job.uncertain), (State::SetAside, Deliveries::None, 0));
    }

    #[test]
    fn released_job_is_as_if_it_had_not_been_taken() {
        let mut job = Job { kind: JobKind::long("narration"), ..job() };
        let before = job.clone();
        for _ in 0..=MAX_ATTEMPTS {
            job.begin(NOW);
            job.end(Outcome::Released, &FixedEnv::at(NOW));
        }
        assert_eq!(job, before);
    }

    #[test]
    fn retry_resets_attempts_and_keeps_the_uncertain_ones() {
        let (mut job, env) = (job(), FixedEnv::at(NOW));
        for _ in 0..MAX_UNCERTAIN {
            job.begin(NOW);
            job.lapse(NOW);
        }
        job.retry(NOW.plus(5));
        assert_eq!((job.state, job.attempts, job.due_at), (State::Queued, 0, NOW.plus(5)));
        job.begin(NOW);
        job.end(Outcome::Done, &env);
        assert_eq!((job.state, job.deliveries()), (State::Done, Deliveries::Unknown));
    }

    proptest! {
        #[test]
        fn external_job_with_two_uncertain_attempts_is_not_begun_again(ends in prop::collection::vec(0_u8..4, 0..40)) {
            let (mut job, env) = (job(), FixedEnv::at(NOW));
            let mut uncertain_ends = 0;
            for end in ends {
                if job.state != State::Queued {
                    break;
                }
                prop_assert!(uncertain_ends < MAX_UNCERTAIN);
                job.begin(NOW);
                match end {
                    0 => job.end(failed(false), &env),
                    1 => job.end(Outcome::Uncertain { reason: "who knows".to_owned() }, &env),
                    2 => job.lapse(NOW),
                    _ => job.end(Outcome::Done, &env),
                }
                uncertain_ends += u32::from(matches!(end, 1 | 2));
            }
            prop_assert!(job.uncertain <= MAX_UNCERTAIN && job.attempts <= MAX_ATTEMPTS);
        }
    }
}
