//! What becomes of a job when it is taken, when its attempt ends, and when nobody knows how it ended.

use kernel::{Env, HOUR, MINUTE, SECOND, Timestamp};

use crate::{Job, State};

/// How long a worker may take for an attempt, in milliseconds. It gives up by itself before that.
pub const LEASE: i64 = 2 * MINUTE;
/// So many attempts, spread over about a day, before a job is set aside.
pub const MAX_ATTEMPTS: u32 = 10;
/// So many attempts of which nobody knows how they ended before a job is set aside: what it does is done twice at most.
pub const MAX_UNCERTAIN: u32 = 2;

/// The wait after the first attempt, in milliseconds. Some of what is mailed is good for minutes only.
const FIRST_WAIT: i64 = 10 * SECOND;
/// Each wait is so many times the one before it.
const GROWTH: i64 = 4;
/// The longest wait, in milliseconds.
const LONGEST_WAIT: i64 = 6 * HOUR;
/// Waits differ by up to this part of them, in percent, so that what failed together does not come back together.
const JITTER_PERCENT: i64 = 20;

const LOST: &str = "The worker was stopped in the middle of it.";

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The work is done.
    Done,
    /// The work was not done, for certain.
    Failed {
        /// Why, without personal data and secrets.
        reason: String,
        /// Whether trying again can't help.
        for_good: bool,
    },
    /// Nobody knows whether the work was done.
    Uncertain {
        /// What happened, without personal data and secrets.
        reason: String,
    },
    /// The worker has to stop in the middle of it: as if it had not been taken. For work that can be begun anew only.
    PutBack,
}

/// How long to wait after so many attempts, in milliseconds: four times longer each time, up to six hours, and a
/// little more or less by chance.
pub fn backoff(attempts: u32, env: &dyn Env) -> i64 {
    let grown = (1..attempts).fold(FIRST_WAIT, |wait, _| wait.saturating_mul(GROWTH).min(LONGEST_WAIT));
    let mut dice = [0; 2];
    env.fill_random(&mut dice);
    let spread = grown * JITTER_PERCENT / 100;
    grown - spread + 2 * spread * i64::from(u16::from_be_bytes(dice)) / i64::from(u16::MAX)
}

impl Job {
    /// An attempt begins.
    pub(crate) fn begin(&mut self, now: Timestamp) {
        self.state = State::Running;
        self.attempts += 1;
        self.due_at = now.plus(LEASE);
    }

    /// The attempt goes on: its lease begins anew.
    pub(crate) fn renew(&mut self, now: Timestamp) {
        self.due_at = now.plus(LEASE);
    }

    /// The lease has lapsed: whoever had it may have done the work or not.
    pub(crate) fn lapse(&mut self, now: Timestamp) {
        if self.kind.reaches_out() {
            self.doubt(LOST.to_owned(), now);
        } else {
            self.fail(LOST.to_owned(), false, now);
        }
    }

    /// The attempt has ended.
    pub(crate) fn end(&mut self, outcome: Outcome, env: &dyn Env) {
        let now = env.now();
        match outcome {
            Outcome::Done => self.call_off(now),
            Outcome::Failed { reason, for_good } => {
                self.fail(reason, for_good, now.plus(backoff(self.attempts, env)));
            }
            Outcome::Uncertain { reason } => self.doubt(reason, now.plus(backoff(self.attempts, env))),
            Outcome::PutBack => {
                self.state = State::Queued;
                self.attempts = self.attempts.saturating_sub(1);
                self.due_at = now;
            }
        }
    }

    /// There is nothing to do any more.
    pub(crate) fn call_off(&mut self, now: Timestamp) {
        self.state = State::Done;
        self.done_at = Some(now);
        self.last_error = None;
    }

    /// An admin wants it to be tried again.
    pub(crate) fn retry(&mut self, now: Timestamp) {
        self.state = State::Queued;
        self.attempts = 0;
        self.retries += 1;
        self.due_at = now;
    }

    /// One more attempt that did nothing, for certain.
    fn fail(&mut self, reason: String, for_good: bool, again_at: Timestamp) {
        self.state = if for_good || self.attempts >= MAX_ATTEMPTS { State::SetAside } else { State::Queued };
        self.due_at = again_at;
        self.last_error = Some(reason);
    }

    /// One more attempt of which nobody knows how it ended.
    fn doubt(&mut self, reason: String, again_at: Timestamp) {
        self.uncertain += 1;
        // Each retry of an admin, who has seen what is not known, allows as many again.
        let allowed = MAX_UNCERTAIN * (1 + self.retries);
        let is_over = self.uncertain >= allowed || self.attempts >= MAX_ATTEMPTS;
        self.state = if is_over { State::SetAside } else { State::Queued };
        self.due_at = again_at;
        self.last_error = Some(reason);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, JobId};
    use proptest::prelude::*;

    use super::*;
    use crate::{Deliveries, Kind};

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn job() -> Job {
        Job {
            id: JobId::from_store(1),
            kind: Kind::Mail,
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
        }
    }

    fn failed(for_good: bool) -> Outcome {
        Outcome::Failed { reason: "no".to_owned(), for_good }
    }

    #[test]
    fn waits_grow_fourfold_from_ten_seconds_to_six_hours() {
        let env = FixedEnv::at(NOW);
        for (attempts, seconds) in [(1, 10), (2, 40), (3, 160), (4, 640), (5, 2_560), (6, 10_240), (7, 21_600)] {
            let wait = backoff(attempts, &env);
            let middle = seconds * SECOND;
            assert!((middle * 8 / 10..=middle * 12 / 10).contains(&wait), "{attempts}: {wait}");
        }
        let all: i64 = (1..MAX_ATTEMPTS).map(|attempts| backoff(attempts, &env)).sum();
        assert!((16 * HOUR..=30 * HOUR).contains(&all), "about a day: {all}");
    }

    #[test]
    fn waits_differ() {
        let env = FixedEnv::at(NOW);
        let waits: std::collections::HashSet<i64> = (0..20).map(|_| backoff(6, &env)).collect();
        assert!(waits.len() > 10);
    }

    #[test]
    fn what_fails_for_certain_is_tried_ten_times() {
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
    fn what_can_not_be_mended_is_set_aside_at_once() {
        let mut job = job();
        job.begin(NOW);
        job.end(failed(true), &FixedEnv::at(NOW));
        assert_eq!((job.state, job.last_error.as_deref()), (State::SetAside, Some("no")));
    }

    #[test]
    fn one_lapsed_lease_leaves_once_or_twice_and_two_end_it() {
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
    fn a_lapsed_lease_of_what_stays_inside_leaves_no_doubt() {
        let mut job = Job { kind: Kind::Recovery, ..job() };
        for _ in 0..MAX_ATTEMPTS {
            assert_eq!(job.state, State::Queued);
            job.begin(NOW);
            job.lapse(NOW);
        }
        assert_eq!((job.state, job.deliveries(), job.uncertain), (State::SetAside, Deliveries::None, 0));
    }

    #[test]
    fn what_is_put_back_is_as_if_it_had_not_been_taken() {
        let mut job = Job { kind: Kind::Narration, ..job() };
        let before = job.clone();
        for _ in 0..=MAX_ATTEMPTS {
            job.begin(NOW);
            job.end(Outcome::PutBack, &FixedEnv::at(NOW));
        }
        assert_eq!(job, before);
    }

    #[test]
    fn an_admins_retry_begins_anew_and_forgets_no_doubt() {
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
        // Whatever happens to the attempts: what may have been done is never begun a third time without an admin.
        #[test]
        fn what_may_have_been_done_twice_is_not_begun_again(ends in prop::collection::vec(0_u8..4, 0..40)) {
            let (mut job, env) = (job(), FixedEnv::at(NOW));
            let mut perhaps_done = 0;
            for end in ends {
                if job.state != State::Queued {
                    break;
                }
                prop_assert!(perhaps_done < MAX_UNCERTAIN);
                job.begin(NOW);
                match end {
                    0 => job.end(failed(false), &env),
                    1 => job.end(Outcome::Uncertain { reason: "who knows".to_owned() }, &env),
                    2 => job.lapse(NOW),
                    _ => job.end(Outcome::Done, &env),
                }
                perhaps_done += u32::from(matches!(end, 1 | 2));
            }
            prop_assert!(job.uncertain <= MAX_UNCERTAIN && job.attempts <= MAX_ATTEMPTS);
        }
    }
}
