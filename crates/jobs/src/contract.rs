//! The contract test suite of [`crate::JobStore`], with the rules of [`Jobs`] over it. Run against memory and Postgres.

use kernel::{Email, Env, FixedEnv, HOUR, JobId, Limit, MINUTE, SECOND, Timestamp};

use crate::{
    Deliveries, JOB_RETENTION, Job, JobCount, JobKind, JobRequest, JobStore, Jobs, LEASE, LeasedJob, MAX_UNCERTAIN,
    Outcome, RESTORED, State,
};

/// A test case, run on an empty store.
pub type Case = fn(&mut dyn JobStore);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    queued_job_is_taken_with_its_payload,
    taken_job_is_not_taken_again_while_its_lease_lasts,
    longest_due_job_is_taken_first_and_the_limit_holds,
    done_job_stays_without_its_payload,
    failed_job_is_repeated_after_its_backoff,
    permanently_failed_job_is_set_aside_with_its_payload,
    external_job_is_repeated_after_a_lapsed_lease_and_is_uncertain,
    second_lapsed_lease_sets_an_external_job_aside,
    attempt_that_ends_after_its_lease_changes_nothing,
    only_a_job_that_was_set_aside_is_retried,
    all_jobs_of_a_kind_that_were_set_aside_are_retried,
    only_jobs_that_certainly_failed_are_retried_together,
    lists_are_paged_newest_first_by_state,
    a_list_of_several_kinds_has_them_in_one_order,
    jobs_are_counted_by_kind_and_state,
    next_due_moment_counts_queued_jobs_and_leases,
    done_and_set_aside_jobs_are_swept_after_their_retention,
    only_the_kinds_asked_for_are_taken_and_lapsed,
    renewed_lease_does_not_lapse,
    jobs_of_a_recipient_are_forgotten,
    deduplicated_work_is_queued_once,
    deduplicated_work_runs_once_at_a_time,
    delayed_job_waits_for_its_latest_moment,
    queued_job_is_cancelled_and_a_running_one_is_not,
    lapsed_jobs_are_given_with_their_payload_and_new_state,
    scheduled_job_is_queued_once_for_each_due_moment,
    scheduled_job_leaves_no_row_when_it_is_done,
    scheduled_job_whose_worker_died_runs_again,
    scheduled_job_that_waits_or_was_set_aside_runs_at_the_next_due_moment,
    schedules_of_other_kinds_are_left_alone,
    queued_and_running_jobs_are_set_aside_after_a_restore,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

/// A kind with an external effect.
pub const MAIL: JobKind = JobKind::external("mail");
/// A kind with a transactional effect.
pub const RECOVERY: JobKind = JobKind::transactional("recovery");
/// A kind that takes minutes, deduplicated.
pub const NARRATION: JobKind = JobKind::long("narration").deduplicated();
/// A kind of short work, deduplicated.
pub const REMOVAL: JobKind = JobKind::long("removal").deduplicated();
/// A kind with a schedule.
pub const SWEEP: JobKind = JobKind::transactional("sweep").every(HOUR);
/// Another kind with a schedule.
pub const RANKING: JobKind = JobKind::transactional("ranking").every(MINUTE);
/// All kinds of the suite.
pub const KINDS: &[JobKind] = &[MAIL, RECOVERY, NARRATION, REMOVAL, SWEEP, RANKING];

fn env() -> FixedEnv {
    FixedEnv::at(NOW)
}

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn queue(store: &mut dyn JobStore, to: &str, payload: &str, now: Timestamp) -> JobId {
    let recipient = email(to);
    let work =
        JobRequest { kind: MAIL, about: "confirm_email", recipient: Some(&recipient), payload: payload.as_bytes() };
    store.queue_job(work, now).unwrap()
}

fn queue_late(store: &mut dyn JobStore, payload: &[u8], due_at: Timestamp) -> JobId {
    store.queue_job_for(JobRequest { kind: MAIL, about: "", recipient: None, payload }, due_at, NOW).unwrap()
}

fn queue_one(store: &mut dyn JobStore) -> JobId {
    queue(store, "ada@example.com", "hello", NOW)
}

fn narration(payload: &[u8]) -> JobRequest<'_> {
    JobRequest { kind: NARRATION, about: "audio", recipient: None, payload }
}

/// Takes jobs as a worker does, after ending lapsed leases.
fn take_of(store: &mut dyn JobStore, kinds: &[JobKind], limit: usize, now: Timestamp) -> Vec<LeasedJob> {
    store.lapse_jobs(kinds, limit, now).unwrap();
    store.take_jobs(kinds, limit, now).unwrap()
}

fn take_many(store: &mut dyn JobStore, limit: usize, now: Timestamp) -> Vec<LeasedJob> {
    take_of(store, KINDS, limit, now)
}

fn take(store: &mut dyn JobStore, now: Timestamp) -> Option<LeasedJob> {
    let mut taken = take_many(store, 1, now);
    assert!(taken.len() <= 1);
    taken.pop()
}

fn finish(store: &mut dyn JobStore, taken: &LeasedJob, outcome: Outcome, env: &FixedEnv) -> Option<Job> {
    store.finish_job(&taken.job, outcome, env).unwrap()
}

fn failed(is_permanent: bool) -> Outcome {
    Outcome::Failed { reason: "The mail server refused it (450).".to_owned(), is_permanent }
}

fn all(store: &mut dyn JobStore, state: Option<State>) -> Vec<Job> {
    store.jobs(&[MAIL], state, None, Limit::clamped(100)).unwrap().items
}

fn the_only(store: &mut dyn JobStore) -> Job {
    let mut jobs = all(store, None);
    assert_eq!(jobs.len(), 1);
    jobs.remove(0)
}

fn queued_job_is_taken_with_its_payload(store: &mut dyn JobStore) {
    let id = queue_one(store);
    let queued = the_only(store);
    assert_eq!((queued.id, queued.state, queued.attempts), (id, State::Queued, 0));
    assert_eq!((queued.about.as_str(), queued.recipient.as_deref()), ("confirm_email", Some("a…@example.com")));
    assert_eq!((queued.created_at, queued.due_at, queued.deliveries()), (NOW, NOW, Deliveries::None));
    assert!(take(store, NOW.plus(-1)).is_none());
    let taken = take(store, NOW).unwrap();
    assert_eq!(taken.payload, b"hello");
    assert_eq!((taken.job.id, taken.job.state, taken.job.attempts), (id, State::Running, 1));
    assert_eq!(taken.job.due_at, NOW.plus(LEASE));
    assert_eq!(the_only(store), taken.job);
    assert!(!format!("{taken:?}").contains("payload"));
}

fn taken_job_is_not_taken_again_while_its_lease_lasts(store: &mut dyn JobStore) {
    queue_one(store);
    take(store, NOW).unwrap();
    assert!(take(store, NOW).is_none());
    assert!(take(store, NOW.plus(LEASE - 1)).is_none());
}

fn longest_due_job_is_taken_first_and_the_limit_holds(store: &mut dyn JobStore) {
    let ids = [3, 1, 2].map(|n| queue(store, "ada@example.com", "x", NOW.plus(n)));
    let later = NOW.plus(SECOND);
    let first: Vec<JobId> = take_many(store, 2, later).iter().map(|taken| taken.job.id).collect();
    assert_eq!(first, [ids[1], ids[2]]);
    let rest: Vec<JobId> = take_many(store, 2, later).iter().map(|taken| taken.job.id).collect();
    assert_eq!(rest, [ids[0]]);
    assert!(take_many(store, 0, later).is_empty());
}

fn done_job_stays_without_its_payload(store: &mut dyn JobStore) {
    let env = env();
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    env.advance(700);
    let done = finish(store, &taken, Outcome::Done, &env).unwrap();
    assert_eq!((done.state, done.done_at, done.deliveries()), (State::Done, Some(NOW.plus(700)), Deliveries::Once));
    assert_eq!(the_only(store), done);
    assert!(take(store, NOW.plus(10 * LEASE)).is_none());
    // The payload of a job that is done is erased.
    let kept = store.lock_jobs_due(KINDS, State::Done, NOW.plus(10 * LEASE), 1).unwrap();
    assert_eq!(kept, [(done, None)]);
}

fn failed_job_is_repeated_after_its_backoff(store: &mut dyn JobStore) {
    let env = env();
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    let waiting = finish(store, &taken, failed(false), &env).unwrap();
    assert_eq!(waiting.state, State::Queued);
    assert_eq!(waiting.last_error.as_deref(), Some("The mail server refused it (450)."));
    assert!(waiting.due_at > NOW);
    assert!(take(store, waiting.due_at.plus(-1)).is_none());
    let again = take(store, waiting.due_at).unwrap();
    assert_eq!((again.job.attempts, again.payload.as_slice()), (2, b"hello".as_slice()));
    let done = finish(store, &again, Outcome::Done, &env).unwrap();
    assert_eq!((done.deliveries(), done.last_error), (Deliveries::Once, None));
}

fn permanently_failed_job_is_set_aside_with_its_payload(store: &mut dyn JobStore) {
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    let aside = finish(store, &taken, failed(true), &env()).unwrap();
    assert_eq!((aside.state, aside.deliveries()), (State::SetAside, Deliveries::None));
    assert!(take(store, NOW.plus(100 * LEASE)).is_none());
    let kept = store.lock_jobs_due(KINDS, State::SetAside, NOW.plus(100 * LEASE), 1).unwrap();
    assert_eq!(kept[0].1.as_deref(), Some(b"hello".as_slice()));
}

fn external_job_is_repeated_after_a_lapsed_lease_and_is_uncertain(store: &mut dyn JobStore) {
    let env = env();
    queue_one(store);
    take(store, NOW).unwrap();
    env.advance(LEASE);
    let again = take(store, env.now()).unwrap();
    assert_eq!((again.job.attempts, again.job.uncertain), (2, 1));
    let done = finish(store, &again, Outcome::Done, &env).unwrap();
    assert_eq!(done.deliveries(), Deliveries::OnceOrTwice);
}

fn second_lapsed_lease_sets_an_external_job_aside(store: &mut dyn JobStore) {
    queue_one(store);
    let mut now = NOW;
    for _ in 0..MAX_UNCERTAIN {
        take(store, now).unwrap();
        now = now.plus(LEASE);
    }
    assert!(take(store, now).is_none());
    let aside = the_only(store);
    assert_eq!((aside.state, aside.deliveries()), (State::SetAside, Deliveries::Unknown));
    assert!(aside.last_error.is_some());
    assert!(take(store, now.plus(100 * LEASE)).is_none());
}

fn attempt_that_ends_after_its_lease_changes_nothing(store: &mut dyn JobStore) {
    let env = env();
    queue_one(store);
    let late = take(store, NOW).unwrap();
    env.advance(LEASE);
    let current = take(store, env.now()).unwrap();
    assert_eq!(finish(store, &late, failed(true), &env), None);
    assert_eq!(the_only(store), current.job);
    assert!(finish(store, &current, Outcome::Done, &env).is_some());
    assert_eq!(finish(store, &current, failed(true), &env), None);
    assert_eq!(the_only(store).state, State::Done);
}

fn only_a_job_that_was_set_aside_is_retried(store: &mut dyn JobStore) {
    let env = env();
    let id = queue_one(store);
    assert_eq!(store.retry_job(&[MAIL], id, NOW).unwrap(), Some(false));
    assert_eq!(store.retry_job(&[MAIL], JobId::from_store(i64::MAX), NOW).unwrap(), None);
    let taken = take(store, NOW).unwrap();
    assert_eq!(store.retry_job(&[MAIL], id, NOW).unwrap(), Some(false));
    finish(store, &taken, failed(true), &env).unwrap();
    let later = NOW.plus(10 * LEASE);
    assert_eq!(store.retry_job(&[MAIL], id, later).unwrap(), Some(true));
    let queued = the_only(store);
    assert_eq!((queued.state, queued.attempts, queued.retries, queued.due_at), (State::Queued, 0, 1, later));
    assert_eq!(take(store, later).unwrap().payload, b"hello");
}

fn all_jobs_of_a_kind_that_were_set_aside_are_retried(store: &mut dyn JobStore) {
    let mail = queue_one(store);
    let numbers: Vec<String> = (0..Limit::MAX + 2).map(|number| number.to_string()).collect();
    for number in &numbers {
        store.queue_job(narration(number.as_bytes()), NOW).unwrap();
    }
    let running = store.queue_job(narration(b"running"), NOW.plus(1)).unwrap();
    for taken in take_many(store, numbers.len() + 1, NOW) {
        finish(store, &taken, failed(true), &env()).unwrap();
    }
    let later = NOW.plus(1);
    assert_eq!(take(store, later).unwrap().job.id, running);
    assert_eq!(store.retry_failed_jobs(NARRATION, 2, later).unwrap(), (2, numbers.len() as u64 - 2));
    store.retry_jobs(NARRATION, later).unwrap();
    let count = |counts: Vec<JobCount>, kind: JobKind, state| {
        counts.iter().find(|count| count.kind == kind.name && count.state == state).map(|count| count.count)
    };
    let counts = store.job_counts(KINDS).unwrap();
    assert_eq!(count(counts.clone(), NARRATION, State::Queued), Some(numbers.len() as u64));
    assert_eq!(count(counts.clone(), NARRATION, State::Running), Some(1));
    assert_eq!(count(counts, MAIL, State::SetAside), Some(1), "{mail:?} is another kind");
    assert_eq!(take_many(store, numbers.len() + 1, later).len(), numbers.len());
}

fn only_jobs_that_certainly_failed_are_retried_together(store: &mut dyn JobStore) {
    let env = env();
    let certain = queue_one(store);
    let taken = take(store, NOW).unwrap();
    finish(store, &taken, failed(true), &env).unwrap();
    // Two attempts of unknown outcome, and one that a restore has set aside.
    let unknown = queue_one(store);
    let mut now = NOW;
    for _ in 0..=MAX_UNCERTAIN {
        take(store, now);
        now = now.plus(LEASE);
    }
    let restored = queue_one(store);
    store.set_aside_jobs(&[MAIL], RESTORED, NOW).unwrap();
    assert_eq!(store.retry_failed_jobs(MAIL, 9, NOW).unwrap(), (1, 2), "{unknown:?} {restored:?}");
    let queued: Vec<JobId> = all(store, Some(State::Queued)).iter().map(|job| job.id).collect();
    assert_eq!(queued, [certain]);
}

fn lists_are_paged_newest_first_by_state(store: &mut dyn JobStore) {
    let ids: Vec<JobId> = (0..5).map(|_| queue_one(store)).collect();
    let taken = take(store, NOW).unwrap();
    finish(store, &taken, Outcome::Done, &env()).unwrap();
    let mut page = |state, after| store.jobs(&[MAIL], state, after, Limit::clamped(2)).unwrap();
    let first = page(None, None);
    assert_eq!(first.items.iter().map(|job| job.id).collect::<Vec<_>>(), [ids[4], ids[3]]);
    assert_eq!(first.next, Some(ids[3]));
    let last = page(None, Some(ids[1]));
    assert_eq!((last.items.len(), last.next), (1, None));
    let done = page(Some(State::Done), None);
    assert_eq!(done.items.iter().map(|job| job.id).collect::<Vec<_>>(), [taken.job.id]);
    assert_eq!(page(Some(State::Queued), Some(ids[3])).items.len(), 2);
    assert!(page(Some(State::SetAside), None).items.is_empty());
}

fn a_list_of_several_kinds_has_them_in_one_order(store: &mut dyn JobStore) {
    let mail = queue_one(store);
    let one = store.queue_job(narration(b"one"), NOW).unwrap();
    let other = queue_one(store);
    let mut list = |kinds: &[JobKind]| {
        let page = store.jobs(kinds, Some(State::Queued), None, Limit::clamped(9)).unwrap();
        page.items.into_iter().map(|job| (job.id, job.kind)).collect::<Vec<_>>()
    };
    assert_eq!(list(&[MAIL, NARRATION]), [(other, MAIL), (one, NARRATION), (mail, MAIL)]);
    assert_eq!(list(&[NARRATION]), [(one, NARRATION)]);
    assert_eq!(list(&[]), []);
    // A job of another kind is not retried.
    assert_eq!(store.retry_job(&[NARRATION], mail, NOW).unwrap(), None);
    assert_eq!(store.retry_job(&[NARRATION, MAIL], mail, NOW).unwrap(), Some(false));
}

fn jobs_are_counted_by_kind_and_state(store: &mut dyn JobStore) {
    for _ in 0..4 {
        queue_one(store);
    }
    let taken = take_many(store, 3, NOW);
    finish(store, &taken[0], Outcome::Done, &env()).unwrap();
    finish(store, &taken[1], failed(true), &env()).unwrap();
    let counts = store.job_counts(KINDS).unwrap();
    assert_eq!(counts.len(), KINDS.len() * State::ALL.len());
    let expected = |kind| u64::from(kind == MAIL.name);
    assert!(counts.iter().all(|count| count.count == expected(count.kind)), "{counts:?}");
    assert!(counts.iter().all(|count| count.oldest_due_at.is_some() == (count.kind == MAIL.name)), "{counts:?}");
    queue(store, "ada@example.com", "x", NOW.plus(-HOUR));
    let counts = store.job_counts(&[MAIL]).unwrap();
    let queued = counts.iter().find(|count| count.state == State::Queued).unwrap();
    assert_eq!((queued.count, queued.oldest_due_at), (2, Some(NOW.plus(-HOUR))));
}

fn next_due_moment_counts_queued_jobs_and_leases(store: &mut dyn JobStore) {
    assert_eq!(store.next_job_due(KINDS).unwrap(), None);
    queue(store, "ada@example.com", "x", NOW.plus(LEASE - 1));
    queue_one(store);
    assert_eq!(store.next_job_due(KINDS).unwrap(), Some(NOW));
    let taken = take(store, NOW).unwrap();
    assert_eq!(store.next_job_due(KINDS).unwrap(), Some(NOW.plus(LEASE - 1)));
    let later = take(store, NOW.plus(LEASE - 1)).unwrap();
    finish(store, &later, Outcome::Done, &env()).unwrap();
    // The lapse of a lease counts too.
    assert_eq!(store.next_job_due(KINDS).unwrap(), Some(taken.job.due_at));
    finish(store, &taken, failed(true), &env()).unwrap();
    assert_eq!(store.next_job_due(KINDS).unwrap(), None);
}

fn only_the_kinds_asked_for_are_taken_and_lapsed(store: &mut dyn JobStore) {
    let mail = queue_one(store);
    let narration = store.queue_job(narration(b"7"), NOW).unwrap();
    let kinds = [MAIL, RECOVERY];
    let taken: Vec<JobId> = take_of(store, &kinds, 5, NOW).iter().map(|taken| taken.job.id).collect();
    assert_eq!(taken, [mail]);
    assert_eq!(store.next_job_due(&[NARRATION]).unwrap(), Some(NOW));
    assert_eq!(store.next_job_due(&kinds).unwrap(), Some(NOW.plus(LEASE)));
    // A worker ends lapsed leases of the kinds that it takes only.
    let later = NOW.plus(LEASE);
    let taken: Vec<JobId> = take_of(store, &[NARRATION], 5, later).iter().map(|taken| taken.job.id).collect();
    assert_eq!(taken, [narration]);
    assert_eq!(take_of(store, &[], 5, later), []);
    assert_eq!(take_of(store, &kinds, 5, later).len(), 1);
}

fn renewed_lease_does_not_lapse(store: &mut dyn JobStore) {
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    let middle = NOW.plus(LEASE / 2);
    let renewed = store.renew_job(&taken.job, middle).unwrap().unwrap();
    assert_eq!((renewed.due_at, renewed.attempts), (middle.plus(LEASE), 1));
    assert!(take_many(store, 1, NOW.plus(LEASE)).is_empty(), "it is not over yet");
    // Only the renewed lease identifies the attempt now.
    assert_eq!(store.renew_job(&taken.job, middle).unwrap(), None);
    assert_eq!(finish(store, &taken, Outcome::Done, &env()), None);
    let again = LeasedJob { job: renewed, ..taken };
    assert_eq!(
        finish(store, &again, Outcome::Released, &env()).map(|job| (job.state, job.attempts)),
        Some((State::Queued, 0))
    );
    assert_eq!(store.renew_job(&again.job, middle).unwrap(), None);
    assert_eq!(take(store, NOW).unwrap().payload, b"hello");
}

fn done_and_set_aside_jobs_are_swept_after_their_retention(store: &mut dyn JobStore) {
    let env = env();
    let ids: Vec<JobId> = (0..3).map(|_| queue_one(store)).collect();
    let taken = take_many(store, 2, NOW);
    finish(store, &taken[0], Outcome::Done, &env).unwrap();
    finish(store, &taken[1], failed(true), &env).unwrap();
    assert_eq!(store.sweep_jobs(NOW.plus(JOB_RETENTION)).unwrap(), 0);
    assert_eq!(store.sweep_jobs(NOW.plus(JOB_RETENTION + 1)).unwrap(), 1);
    assert_eq!(all(store, None).iter().map(|job| job.id).collect::<Vec<_>>(), [ids[2], ids[1]]);
    // Jobs that are set aside are kept as long, counted from their due time. Queued jobs are never swept.
    let aside = all(store, Some(State::SetAside))[0].due_at;
    assert_eq!(store.sweep_jobs(aside.plus(JOB_RETENTION)).unwrap(), 0);
    assert_eq!(store.sweep_jobs(aside.plus(JOB_RETENTION + 1)).unwrap(), 1);
    assert_eq!(the_only(store).id, ids[2]);
}

fn jobs_of_a_recipient_are_forgotten(store: &mut dyn JobStore) {
    for to in ["ada@example.com", "Ada@Example.com", "bob@example.com"] {
        queue(store, to, "x", NOW);
    }
    assert_eq!(store.forget_jobs_about(&email("ada@example.com"), "another thing").unwrap(), 0);
    let taken = take(store, NOW).unwrap();
    assert_eq!(store.forget_jobs_of(&email("ADA@example.com")).unwrap(), 2);
    assert_eq!(finish(store, &taken, Outcome::Done, &env()), None);
    assert_eq!(the_only(store).recipient.as_deref(), Some("b…@example.com"));
    assert_eq!(store.forget_jobs_about(&email("bob@example.com"), "confirm_email").unwrap(), 1);
}

fn deduplicated_work_is_queued_once(store: &mut dyn JobStore) {
    let first = store.queue_job(narration(b"7"), NOW).unwrap();
    assert_eq!(store.queue_job(narration(b"7"), NOW).unwrap(), first);
    let other = store.queue_job(narration(b"8"), NOW).unwrap();
    let taken: Vec<JobId> = take_many(store, 5, NOW).iter().map(|taken| taken.job.id).collect();
    assert_eq!(taken, [first, other]);
    // The input may have changed since the job started: the work is queued once more, and only once.
    let again = store.queue_job(narration(b"7"), NOW).unwrap();
    assert!(again != first && again != other);
    assert_eq!(store.queue_job(narration(b"7"), NOW).unwrap(), again);
    // Kinds without deduplication may have equal payloads.
    assert_ne!(queue_one(store), queue_one(store));
}

fn deduplicated_work_runs_once_at_a_time(store: &mut dyn JobStore) {
    let env = env();
    store.queue_job(narration(b"7"), NOW).unwrap();
    let first = take(store, NOW).unwrap();
    let again = store.queue_job(narration(b"7"), NOW).unwrap();
    let other = store.queue_job(narration(b"8"), NOW.plus(1)).unwrap();
    let later = NOW.plus(1);
    assert_eq!(store.next_job_due(&[NARRATION]).unwrap(), Some(later), "what has to wait is not due");
    // A job with another payload does not wait.
    assert_eq!(take(store, later).unwrap().job.id, other);
    assert!(take(store, later).is_none());
    finish(store, &first, Outcome::Done, &env).unwrap();
    assert_eq!(store.next_job_due(&[NARRATION]).unwrap(), Some(NOW));
    assert_eq!(take(store, later).unwrap().job.id, again);
}

fn delayed_job_waits_for_its_latest_moment(store: &mut dyn JobStore) {
    let work = JobRequest { kind: REMOVAL, about: "audio", recipient: None, payload: b"audio/a.mp3" };
    let id = store.queue_job_for(work, NOW.plus(10), NOW).unwrap();
    assert!(take(store, NOW.plus(9)).is_none());
    // The latest due time counts.
    assert_eq!(store.queue_job_for(work, NOW.plus(20), NOW).unwrap(), id);
    assert_eq!(store.queue_job_for(work, NOW.plus(5), NOW).unwrap(), id);
    assert!(take(store, NOW.plus(19)).is_none());
    let taken = take(store, NOW.plus(20)).unwrap();
    assert_eq!((taken.job.id, taken.job.created_at, taken.payload.as_slice()), (id, NOW, b"audio/a.mp3".as_slice()));
}

fn queued_job_is_cancelled_and_a_running_one_is_not(store: &mut dyn JobStore) {
    let env = env();
    let cancel = |store: &mut dyn JobStore| store.cancel_job(NARRATION, b"7", NOW).unwrap();
    assert!(cancel(store), "there is nothing to cancel");
    let id = store.queue_job(narration(b"7"), NOW).unwrap();
    let other = store.queue_job(narration(b"8"), NOW).unwrap();
    assert!(cancel(store));
    let done = store.jobs(&[NARRATION], Some(State::Done), None, Limit::clamped(9)).unwrap().items;
    assert_eq!(done.iter().map(|job| job.id).collect::<Vec<_>>(), [id]);
    assert_eq!(take(store, NOW).unwrap().job.id, other);
    store.queue_job(narration(b"7"), NOW).unwrap();
    let taken = take(store, NOW).unwrap();
    assert!(!cancel(store), "it is running");
    finish(store, &taken, Outcome::Done, &env).unwrap();
    assert!(cancel(store));
}

fn lapsed_jobs_are_given_with_their_payload_and_new_state(store: &mut dyn JobStore) {
    queue_one(store);
    let mut now = NOW;
    for state in [State::Queued, State::SetAside] {
        take(store, now).unwrap();
        assert!(store.lapse_jobs(KINDS, 9, now.plus(LEASE - 1)).unwrap().is_empty());
        now = now.plus(LEASE);
        assert!(store.lapse_jobs(&[NARRATION], 9, now).unwrap().is_empty());
        let lapsed = store.lapse_jobs(KINDS, 9, now).unwrap();
        assert_eq!((lapsed.len(), lapsed[0].job.state, lapsed[0].payload.as_slice()), (1, state, b"hello".as_slice()));
        assert_eq!(the_only(store), lapsed[0].job);
    }
    assert!(store.lapse_jobs(KINDS, 9, now).unwrap().is_empty());
}

/// Queues scheduled jobs as a worker does; returns how many schedules were due.
fn queue_scheduled(store: &mut dyn JobStore, now: Timestamp) -> usize {
    store.add_schedules(KINDS, now).unwrap();
    store.queue_scheduled_jobs(KINDS, now).unwrap()
}

fn scheduled_job_is_queued_once_for_each_due_moment(store: &mut dyn JobStore) {
    assert_eq!(store.next_schedule_due(KINDS).unwrap(), None);
    assert_eq!(queue_scheduled(store, NOW), 2, "both are due at once");
    assert_eq!(queue_scheduled(store, NOW), 0);
    assert_eq!(store.next_schedule_due(KINDS).unwrap(), Some(NOW.plus(MINUTE)));
    assert_eq!(store.next_schedule_due(&[SWEEP, MAIL]).unwrap(), Some(NOW.plus(HOUR)));
    let env = env();
    for taken in take_many(store, 9, NOW) {
        assert!(taken.payload.is_empty());
        finish(store, &taken, Outcome::Done, &env).unwrap();
    }
    assert_eq!(queue_scheduled(store, NOW.plus(MINUTE - 1)), 0);
    assert!(take(store, NOW.plus(MINUTE - 1)).is_none());
    // A node that is minutes late runs it once.
    let late = NOW.plus(5 * MINUTE + 1);
    assert_eq!(queue_scheduled(store, late), 1);
    assert_eq!(take(store, late).unwrap().job.kind, RANKING);
    assert!(take(store, late).is_none());
    assert_eq!(store.next_schedule_due(KINDS).unwrap(), Some(NOW.plus(6 * MINUTE)));
}

fn scheduled_job_leaves_no_row_when_it_is_done(store: &mut dyn JobStore) {
    queue_scheduled(store, NOW);
    for taken in take_many(store, 9, NOW) {
        assert_eq!(finish(store, &taken, Outcome::Done, &env()).unwrap().state, State::Done);
    }
    assert!(store.count_jobs().unwrap().is_empty());
}

fn scheduled_job_whose_worker_died_runs_again(store: &mut dyn JobStore) {
    queue_scheduled(store, NOW);
    assert_eq!(take_of(store, &[SWEEP], 9, NOW).len(), 1);
    // At the next due time it is not queued a second time, because the first attempt has not ended.
    assert_eq!(store.queue_scheduled_jobs(&[SWEEP], NOW.plus(HOUR)).unwrap(), 1);
    let later = NOW.plus(HOUR);
    let again = take_of(store, &[SWEEP], 9, later);
    assert_eq!((again.len(), again[0].job.attempts), (1, 2));
    let env = FixedEnv::at(later);
    finish(store, &again[0], Outcome::Done, &env).unwrap();
    assert!(take_of(store, &[SWEEP], 9, later).is_empty());
}

fn scheduled_job_that_waits_or_was_set_aside_runs_at_the_next_due_moment(store: &mut dyn JobStore) {
    queue_scheduled(store, NOW);
    let env = env();
    for (attempts, is_permanent) in [(1, false), (2, true), (1, false)] {
        let taken = take_of(store, &[RANKING], 9, env.now()).remove(0);
        assert_eq!(taken.job.attempts, attempts);
        finish(store, &taken, failed(is_permanent), &env).unwrap();
        env.advance(MINUTE);
        assert_eq!(queue_scheduled(store, env.now()), 1);
        assert_eq!(store.next_job_due(&[RANKING]).unwrap().map(|due| due <= env.now()), Some(true));
    }
    assert_eq!(take_of(store, &[RANKING], 9, env.now()).len(), 1);
}

fn schedules_of_other_kinds_are_left_alone(store: &mut dyn JobStore) {
    queue_scheduled(store, NOW);
    let later = NOW.plus(HOUR);
    assert_eq!(store.queue_scheduled_jobs(&[MAIL, RECOVERY], later).unwrap(), 0);
    assert_eq!(store.queue_scheduled_jobs(&[SWEEP], later).unwrap(), 1);
    assert_eq!(store.next_schedule_due(KINDS).unwrap(), Some(NOW.plus(MINUTE)));
}

fn queued_and_running_jobs_are_set_aside_after_a_restore(store: &mut dyn JobStore) {
    let (done, running, queued) =
        (queue_late(store, b"done", NOW), queue_late(store, b"running", NOW), queue_late(store, b"queued", NOW));
    let taken = take_many(store, 2, NOW);
    finish(store, &taken[0], Outcome::Done, &env()).unwrap();
    store.queue_job(narration(b"book"), NOW).unwrap();
    let late = NOW.plus(30 * MINUTE);
    queue_late(store, b"late", late);

    let set_aside = store.set_aside_jobs(&[MAIL], "From a backup.", NOW).unwrap();
    let payloads: Vec<&[u8]> = set_aside.iter().map(|one| one.payload.as_slice()).collect();
    assert_eq!(payloads, [&b"running"[..], b"queued", b"late"]);
    for LeasedJob { job, .. } in &set_aside {
        assert_eq!((job.state, job.deliveries()), (State::SetAside, Deliveries::Unknown));
        assert_eq!(job.last_error.as_deref(), Some("From a backup."));
    }
    assert_eq!(set_aside.iter().map(|one| one.job.id).take(2).collect::<Vec<_>>(), [running, queued]);
    // Jobs that are done stay done, and jobs of other kinds stay queued.
    assert_eq!(take_many(store, 9, late).iter().map(|one| one.job.kind).collect::<Vec<_>>(), [NARRATION]);
    assert!(set_aside.iter().all(|one| one.job.id != done));
    // An admin can retry it.
    store.retry_job(&[MAIL], queued, NOW).unwrap();
    assert_eq!(take(store, NOW).map(|taken| taken.payload), Some(b"queued".to_vec()));
}
