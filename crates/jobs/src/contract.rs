//! What every store of jobs does, with the rules of [`Jobs`] over it: one suite for memory and Postgres.

use kernel::{Email, Env, FixedEnv, JobId, Limit, SECOND, Timestamp};

use crate::{Assignment, Deliveries, Job, JobStore, Jobs, KEPT, Kind, LEASE, MAX_UNCERTAIN, Outcome, State, Taken};

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn JobStore);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// A case that is not listed here is dead code, which the compiler tells.
const CASES: &[Case] = &[
    what_is_queued_is_taken_with_its_payload,
    what_is_taken_is_not_taken_again_while_the_lease_lasts,
    the_longest_due_is_taken_first_and_no_more_than_asked,
    what_is_done_is_remembered_without_its_payload,
    what_failed_waits_and_is_tried_again,
    what_fails_for_good_is_set_aside_with_its_payload,
    a_lapsed_lease_is_tried_once_more_and_told_apart,
    a_second_lapsed_lease_sets_it_aside,
    whoever_comes_late_changes_nothing,
    an_admin_retries_what_was_set_aside_only,
    all_that_was_set_aside_of_a_kind_is_retried,
    lists_are_paged_newest_first_by_state,
    jobs_are_found_by_their_ids,
    all_states_are_counted,
    the_next_moment_is_told,
    what_was_done_or_set_aside_long_ago_is_swept,
    kinds_are_taken_apart,
    a_lease_that_is_renewed_does_not_lapse,
    everything_of_a_person_is_forgotten,
    what_is_told_by_its_payload_is_queued_once,
    of_those_alike_one_is_done_at_a_time,
    what_is_to_be_done_later_waits,
    what_is_queued_is_called_off_and_what_has_begun_is_not,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn env() -> FixedEnv {
    FixedEnv::at(NOW)
}

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn queue(store: &mut dyn JobStore, to: &str, payload: &str, now: Timestamp) -> JobId {
    let recipient = email(to);
    let work = Assignment {
        kind: Kind::Mail,
        about: "confirm_email",
        recipient: Some(&recipient),
        payload: payload.as_bytes(),
    };
    store.queue_job(work, now).unwrap()
}

fn queue_one(store: &mut dyn JobStore) -> JobId {
    queue(store, "ada@example.com", "hello", NOW)
}

fn narration(payload: &[u8]) -> Assignment<'_> {
    Assignment { kind: Kind::Narration, about: "audio", recipient: None, payload }
}

fn take(store: &mut dyn JobStore, now: Timestamp) -> Option<Taken> {
    let mut taken = store.take_jobs(1, now).unwrap();
    assert!(taken.len() <= 1);
    taken.pop()
}

fn finish(store: &mut dyn JobStore, taken: &Taken, outcome: Outcome, env: &FixedEnv) -> Option<Job> {
    store.finish_job(&taken.job, outcome, env).unwrap()
}

fn failed(for_good: bool) -> Outcome {
    Outcome::Failed { reason: "The mail server refused it (450).".to_owned(), for_good }
}

fn all(store: &mut dyn JobStore, state: Option<State>) -> Vec<Job> {
    store.jobs(Kind::Mail, state, None, Limit::clamped(100)).unwrap().items
}

fn the_only(store: &mut dyn JobStore) -> Job {
    let mut jobs = all(store, None);
    assert_eq!(jobs.len(), 1);
    jobs.remove(0)
}

fn what_is_queued_is_taken_with_its_payload(store: &mut dyn JobStore) {
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

fn what_is_taken_is_not_taken_again_while_the_lease_lasts(store: &mut dyn JobStore) {
    queue_one(store);
    take(store, NOW).unwrap();
    assert!(take(store, NOW).is_none());
    assert!(take(store, NOW.plus(LEASE - 1)).is_none());
}

fn the_longest_due_is_taken_first_and_no_more_than_asked(store: &mut dyn JobStore) {
    let ids = [3, 1, 2].map(|n| queue(store, "ada@example.com", "x", NOW.plus(n)));
    let later = NOW.plus(SECOND);
    let first: Vec<JobId> = store.take_jobs(2, later).unwrap().iter().map(|taken| taken.job.id).collect();
    assert_eq!(first, [ids[1], ids[2]]);
    let rest: Vec<JobId> = store.take_jobs(2, later).unwrap().iter().map(|taken| taken.job.id).collect();
    assert_eq!(rest, [ids[0]]);
    assert!(store.take_jobs(0, later).unwrap().is_empty());
}

fn what_is_done_is_remembered_without_its_payload(store: &mut dyn JobStore) {
    let env = env();
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    env.advance(700);
    let done = finish(store, &taken, Outcome::Done, &env).unwrap();
    assert_eq!((done.state, done.done_at, done.deliveries()), (State::Done, Some(NOW.plus(700)), Deliveries::Once));
    assert_eq!(the_only(store), done);
    assert!(take(store, NOW.plus(10 * LEASE)).is_none());
    // What a store would give to be done again.
    let kept = store.lock_jobs_due(Kind::ALL, State::Done, NOW.plus(10 * LEASE), 1).unwrap();
    assert_eq!(kept, [(done, None)]);
}

fn what_failed_waits_and_is_tried_again(store: &mut dyn JobStore) {
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

fn what_fails_for_good_is_set_aside_with_its_payload(store: &mut dyn JobStore) {
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    let aside = finish(store, &taken, failed(true), &env()).unwrap();
    assert_eq!((aside.state, aside.deliveries()), (State::SetAside, Deliveries::None));
    assert!(take(store, NOW.plus(100 * LEASE)).is_none());
    let kept = store.lock_jobs_due(Kind::ALL, State::SetAside, NOW.plus(100 * LEASE), 1).unwrap();
    assert_eq!(kept[0].1.as_deref(), Some(b"hello".as_slice()));
}

fn a_lapsed_lease_is_tried_once_more_and_told_apart(store: &mut dyn JobStore) {
    let env = env();
    queue_one(store);
    take(store, NOW).unwrap();
    env.advance(LEASE);
    let again = take(store, env.now()).unwrap();
    assert_eq!((again.job.attempts, again.job.uncertain), (2, 1));
    let done = finish(store, &again, Outcome::Done, &env).unwrap();
    assert_eq!(done.deliveries(), Deliveries::OnceOrTwice);
}

fn a_second_lapsed_lease_sets_it_aside(store: &mut dyn JobStore) {
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

fn whoever_comes_late_changes_nothing(store: &mut dyn JobStore) {
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

fn an_admin_retries_what_was_set_aside_only(store: &mut dyn JobStore) {
    let env = env();
    let id = queue_one(store);
    assert_eq!(store.retry_job(Kind::Mail, id, NOW).unwrap(), Some(false));
    assert_eq!(store.retry_job(Kind::Mail, JobId::from_store(i64::MAX), NOW).unwrap(), None);
    let taken = take(store, NOW).unwrap();
    assert_eq!(store.retry_job(Kind::Mail, id, NOW).unwrap(), Some(false));
    finish(store, &taken, failed(true), &env).unwrap();
    let later = NOW.plus(10 * LEASE);
    assert_eq!(store.retry_job(Kind::Mail, id, later).unwrap(), Some(true));
    let queued = the_only(store);
    assert_eq!((queued.state, queued.attempts, queued.retries, queued.due_at), (State::Queued, 0, 1, later));
    assert_eq!(take(store, later).unwrap().payload, b"hello");
}

fn all_that_was_set_aside_of_a_kind_is_retried(store: &mut dyn JobStore) {
    let mail = queue_one(store);
    let numbers: Vec<String> = (0..Limit::MAX + 2).map(|number| number.to_string()).collect();
    for number in &numbers {
        store.queue_job(narration(number.as_bytes()), NOW).unwrap();
    }
    let running = store.queue_job(narration(b"running"), NOW.plus(1)).unwrap();
    for taken in store.take_jobs(numbers.len() + 1, NOW).unwrap() {
        finish(store, &taken, failed(true), &env()).unwrap();
    }
    let later = NOW.plus(1);
    assert_eq!(take(store, later).unwrap().job.id, running);
    store.retry_jobs(Kind::Narration, later).unwrap();
    let count = |counts: Vec<crate::JobCount>, kind, state| {
        counts.iter().find(|count| count.kind == kind && count.state == state).map(|count| count.count)
    };
    let counts = store.job_counts().unwrap();
    assert_eq!(count(counts.clone(), Kind::Narration, State::Queued), Some(numbers.len() as u64));
    assert_eq!(count(counts.clone(), Kind::Narration, State::Running), Some(1));
    assert_eq!(count(counts, Kind::Mail, State::SetAside), Some(1), "{mail:?} is another kind");
    assert_eq!(store.take_jobs(numbers.len() + 1, later).unwrap().len(), numbers.len());
}

fn lists_are_paged_newest_first_by_state(store: &mut dyn JobStore) {
    let ids: Vec<JobId> = (0..5).map(|_| queue_one(store)).collect();
    let taken = take(store, NOW).unwrap();
    finish(store, &taken, Outcome::Done, &env()).unwrap();
    let mut page = |state, after| store.jobs(Kind::Mail, state, after, Limit::clamped(2)).unwrap();
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

fn jobs_are_found_by_their_ids(store: &mut dyn JobStore) {
    let (first, _, last) = (queue_one(store), queue_one(store), queue_one(store));
    let taken = take(store, NOW).unwrap();
    assert_eq!(taken.job.id, first);
    let found = store.jobs_by_id(&[last, first, JobId::from_store(4_711)]).unwrap();
    assert_eq!((found.len(), &found[&first], found[&last].state), (2, &taken.job, State::Queued));
    assert!(store.jobs_by_id(&[]).unwrap().is_empty());
}

fn all_states_are_counted(store: &mut dyn JobStore) {
    for _ in 0..4 {
        queue_one(store);
    }
    let taken = store.take_jobs(3, NOW).unwrap();
    finish(store, &taken[0], Outcome::Done, &env()).unwrap();
    finish(store, &taken[1], failed(true), &env()).unwrap();
    let counts = store.job_counts().unwrap();
    assert_eq!(counts.len(), Kind::ALL.len() * State::ALL.len());
    let expected = |kind| u64::from(kind == Kind::Mail);
    assert!(counts.iter().all(|count| count.count == expected(count.kind)), "{counts:?}");
}

fn the_next_moment_is_told(store: &mut dyn JobStore) {
    assert_eq!(store.next_job_due(Kind::ALL).unwrap(), None);
    queue(store, "ada@example.com", "x", NOW.plus(LEASE - 1));
    queue_one(store);
    assert_eq!(store.next_job_due(Kind::ALL).unwrap(), Some(NOW));
    let taken = take(store, NOW).unwrap();
    assert_eq!(store.next_job_due(Kind::ALL).unwrap(), Some(NOW.plus(LEASE - 1)));
    let later = take(store, NOW.plus(LEASE - 1)).unwrap();
    finish(store, &later, Outcome::Done, &env()).unwrap();
    // A lease that may lapse is something to look after as well.
    assert_eq!(store.next_job_due(Kind::ALL).unwrap(), Some(taken.job.due_at));
    finish(store, &taken, failed(true), &env()).unwrap();
    assert_eq!(store.next_job_due(Kind::ALL).unwrap(), None);
}

fn kinds_are_taken_apart(store: &mut dyn JobStore) {
    let mail = queue_one(store);
    let narration = store.queue_job(narration(b"7"), NOW).unwrap();
    let kinds = [Kind::Mail, Kind::Recovery];
    let taken: Vec<JobId> = store.take_jobs_of(&kinds, 5, NOW).unwrap().iter().map(|taken| taken.job.id).collect();
    assert_eq!(taken, [mail]);
    assert_eq!(store.next_job_due(&[Kind::Narration]).unwrap(), Some(NOW));
    assert_eq!(store.next_job_due(&kinds).unwrap(), Some(NOW.plus(LEASE)));
    // A lapsed lease is seen to by those who take its kind.
    let later = NOW.plus(LEASE);
    let taken: Vec<JobId> =
        store.take_jobs_of(&[Kind::Narration], 5, later).unwrap().iter().map(|taken| taken.job.id).collect();
    assert_eq!(taken, [narration]);
    assert_eq!(store.take_jobs_of(&[], 5, later).unwrap(), []);
    assert_eq!(store.take_jobs_of(&kinds, 5, later).unwrap().len(), 1);
}

fn a_lease_that_is_renewed_does_not_lapse(store: &mut dyn JobStore) {
    queue_one(store);
    let taken = take(store, NOW).unwrap();
    let middle = NOW.plus(LEASE / 2);
    let renewed = store.renew_job(&taken.job, middle).unwrap().unwrap();
    assert_eq!((renewed.due_at, renewed.attempts), (middle.plus(LEASE), 1));
    assert!(store.take_jobs(1, NOW.plus(LEASE)).unwrap().is_empty(), "it is not over yet");
    // What was taken first is not the attempt any more; what it became is.
    assert_eq!(store.renew_job(&taken.job, middle).unwrap(), None);
    assert_eq!(finish(store, &taken, Outcome::Done, &env()), None);
    let again = Taken { job: renewed, ..taken };
    assert_eq!(
        finish(store, &again, Outcome::PutBack, &env()).map(|job| (job.state, job.attempts)),
        Some((State::Queued, 0))
    );
    assert_eq!(store.renew_job(&again.job, middle).unwrap(), None);
    assert_eq!(take(store, NOW).unwrap().payload, b"hello");
}

fn what_was_done_or_set_aside_long_ago_is_swept(store: &mut dyn JobStore) {
    let env = env();
    let ids: Vec<JobId> = (0..3).map(|_| queue_one(store)).collect();
    let taken = store.take_jobs(2, NOW).unwrap();
    finish(store, &taken[0], Outcome::Done, &env).unwrap();
    finish(store, &taken[1], failed(true), &env).unwrap();
    assert_eq!(store.sweep_jobs(NOW.plus(KEPT)).unwrap(), 0);
    assert_eq!(store.sweep_jobs(NOW.plus(KEPT + 1)).unwrap(), 1);
    assert_eq!(all(store, None).iter().map(|job| job.id).collect::<Vec<_>>(), [ids[2], ids[1]]);
    // What was set aside stays as long, from when it would have been due again; what waits is never swept.
    let aside = all(store, Some(State::SetAside))[0].due_at;
    assert_eq!(store.sweep_jobs(aside.plus(KEPT)).unwrap(), 0);
    assert_eq!(store.sweep_jobs(aside.plus(KEPT + 1)).unwrap(), 1);
    assert_eq!(the_only(store).id, ids[2]);
}

fn everything_of_a_person_is_forgotten(store: &mut dyn JobStore) {
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

fn what_is_told_by_its_payload_is_queued_once(store: &mut dyn JobStore) {
    let first = store.queue_job(narration(b"7"), NOW).unwrap();
    assert_eq!(store.queue_job(narration(b"7"), NOW).unwrap(), first);
    let other = store.queue_job(narration(b"8"), NOW).unwrap();
    let taken: Vec<JobId> = store.take_jobs(5, NOW).unwrap().iter().map(|taken| taken.job.id).collect();
    assert_eq!(taken, [first, other]);
    // What it was begun with may have changed since: it is to be done once more, and once only.
    let again = store.queue_job(narration(b"7"), NOW).unwrap();
    assert!(again != first && again != other);
    assert_eq!(store.queue_job(narration(b"7"), NOW).unwrap(), again);
    // Payloads of other kinds tell nothing.
    assert_ne!(queue_one(store), queue_one(store));
}

fn of_those_alike_one_is_done_at_a_time(store: &mut dyn JobStore) {
    let env = env();
    store.queue_job(narration(b"7"), NOW).unwrap();
    let first = take(store, NOW).unwrap();
    let again = store.queue_job(narration(b"7"), NOW).unwrap();
    let other = store.queue_job(narration(b"8"), NOW.plus(1)).unwrap();
    let later = NOW.plus(1);
    assert_eq!(store.next_job_due(&[Kind::Narration]).unwrap(), Some(later), "what has to wait is not due");
    // The other one does not wait behind it.
    assert_eq!(take(store, later).unwrap().job.id, other);
    assert!(take(store, later).is_none());
    finish(store, &first, Outcome::Done, &env).unwrap();
    assert_eq!(store.next_job_due(&[Kind::Narration]).unwrap(), Some(NOW));
    assert_eq!(take(store, later).unwrap().job.id, again);
}

fn what_is_to_be_done_later_waits(store: &mut dyn JobStore) {
    let work = Assignment { kind: Kind::Removal, about: "audio", recipient: None, payload: b"audio/a.mp3" };
    let id = store.queue_job_for(work, NOW.plus(10), NOW).unwrap();
    assert!(take(store, NOW.plus(9)).is_none());
    // The last word counts, and an earlier one does not hasten it.
    assert_eq!(store.queue_job_for(work, NOW.plus(20), NOW).unwrap(), id);
    assert_eq!(store.queue_job_for(work, NOW.plus(5), NOW).unwrap(), id);
    assert!(take(store, NOW.plus(19)).is_none());
    let taken = take(store, NOW.plus(20)).unwrap();
    assert_eq!((taken.job.id, taken.job.created_at, taken.payload.as_slice()), (id, NOW, b"audio/a.mp3".as_slice()));
}

fn what_is_queued_is_called_off_and_what_has_begun_is_not(store: &mut dyn JobStore) {
    let env = env();
    let call_off = |store: &mut dyn JobStore| store.call_off_job(Kind::Narration, b"7", NOW).unwrap();
    assert!(call_off(store), "there is nothing to call off");
    let id = store.queue_job(narration(b"7"), NOW).unwrap();
    let other = store.queue_job(narration(b"8"), NOW).unwrap();
    assert!(call_off(store));
    assert_eq!(store.jobs_by_id(&[id]).unwrap()[&id].state, State::Done);
    assert_eq!(take(store, NOW).unwrap().job.id, other);
    store.queue_job(narration(b"7"), NOW).unwrap();
    let taken = take(store, NOW).unwrap();
    assert!(!call_off(store), "it is being done");
    finish(store, &taken, Outcome::Done, &env).unwrap();
    assert!(call_off(store));
}
