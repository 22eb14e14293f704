//! When a member is asked what became of a commitment (`study.commitment-askings`).
//!
//! The web app decides the same offline; `asking_cases.json` is the table of cases that both keep.

use kernel::Day;

use crate::{Asking, CommitmentState, Outcome, StoredCommitment};

/// How many commitments are asked at once.
pub const MOST_ASKED: usize = 3;

/// The asking of a commitment that is due; `None`: it is not open, none has begun, or the latest that has begun was answered.
pub fn due_asking(state: &CommitmentState, first_day: Day, today: Day) -> Option<Asking> {
    if !state.is_shown() || state.outcome.value != Outcome::Open {
        return None;
    }
    Asking::reached(first_day, today).filter(|reached| state.answered < Some(*reached))
}

/// The commitments of a member that are asked about today, those made first at the beginning: [`MOST_ASKED`] at most. The
/// others follow once these are answered.
pub fn asked_today(commitments: &[StoredCommitment], today: Day) -> Vec<(&StoredCommitment, Asking)> {
    asked(commitments, None, today)
}

/// Those about which a reminder asks: their asking has begun after `last_on`, the day of the reminder before, at the earliest
/// today when there was none. A reminder asks once for each asking.
pub fn asked_by_reminder(
    commitments: &[StoredCommitment],
    last_on: Option<Day>,
    today: Day,
) -> Vec<(&StoredCommitment, Asking)> {
    asked(commitments, Some(last_on.unwrap_or(today.yesterday())), today)
}

fn asked(commitments: &[StoredCommitment], begun_after: Option<Day>, today: Day) -> Vec<(&StoredCommitment, Asking)> {
    let mut asked: Vec<_> = commitments
        .iter()
        .filter_map(|stored| {
            let asking = due_asking(&stored.commitment.state, stored.first_day, today)?;
            let is_new = begun_after.is_none_or(|day| stored.first_day.plus(asking.day()) > day);
            is_new.then_some((stored, asking))
        })
        .collect();
    asked.sort_by_key(|(stored, _)| (stored.commitment.state.created_at, stored.commitment.id));
    asked.truncate(MOST_ASKED);
    asked
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kernel::{CommitmentId, DAY, Day, TimeZone, Timestamp};
    use proptest::prelude::*;

    use super::{Asking, MOST_ASKED, asked_by_reminder, asked_today, due_asking};
    use crate::{Commitment, CommitmentState, CommitmentText, Outcome, Register, StoredCommitment};

    const NOW: Timestamp = Timestamp::from_millis(1_795_824_000_000);

    /// A commitment that was made this many days before [`NOW`].
    fn made(id: i64, days_ago: i64) -> StoredCommitment {
        let created_at = NOW.plus(-days_ago * DAY);
        let text = Register::new(CommitmentText::new("Walk daily.").expect("a text"), created_at);
        stored(id, CommitmentState { text, ..CommitmentState::new(created_at) })
    }

    fn stored(id: i64, state: CommitmentState) -> StoredCommitment {
        let first_day = TimeZone::UTC.day_of(state.created_at);
        let [book_title, book_author] = ["Walden", "Henry David Thoreau"].map(str::to_owned);
        let commitment = Commitment { id: CommitmentId::from_store(id), book: None, book_title, book_author, state };
        StoredCommitment { commitment, first_day, version: 1 }
    }

    fn today() -> Day {
        TimeZone::UTC.day_of(NOW)
    }

    fn ids(asked: &[(&StoredCommitment, Asking)]) -> Vec<(i64, i32)> {
        asked.iter().map(|(stored, asking)| (stored.commitment.id.get(), asking.day())).collect()
    }

    fn asked(commitments: &[StoredCommitment], today: Day) -> Vec<(i64, i32)> {
        ids(&asked_today(commitments, today))
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        name: String,
        today: String,
        commitments: Vec<CaseCommitment>,
        asked: Vec<CaseAsked>,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CaseCommitment {
        id: i64,
        created_at: i64,
        outcome: String,
        answered_day: Option<i64>,
        deleted: bool,
    }

    #[derive(serde::Deserialize)]
    struct CaseAsked {
        id: i64,
        day: i32,
    }

    #[test]
    fn the_cases_that_the_web_app_shares_have_their_askings() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("asking_cases.json")).expect("the table is JSON");
        assert!(cases.len() >= 10);
        for Case { name, today, commitments, asked: expected } in cases {
            let commitment = |case: CaseCommitment| {
                let created_at = Timestamp::from_millis(case.created_at);
                let outcome = Register::new(case.outcome.parse().expect("an outcome"), created_at);
                let answered = case.answered_day.map(|day| Asking::on_day(day).expect("an asking"));
                let deleted_at = case.deleted.then(|| created_at.plus(1));
                stored(case.id, CommitmentState { outcome, answered, deleted_at, ..CommitmentState::new(created_at) })
            };
            let commitments: Vec<_> = commitments.into_iter().map(commitment).collect();
            let expected: Vec<_> = expected.iter().map(|one| (one.id, one.day)).collect();
            assert_eq!(asked(&commitments, today.parse().expect("a day")), expected, "{name}");
        }
    }

    #[test]
    fn a_commitment_is_asked_about_on_day_3_and_day_14() {
        assert_eq!(Asking::ALL.iter().map(|asking| asking.day()).collect::<Vec<_>>(), [3, 14]);
        assert_eq!([2, 3, 4, 13, 14, 15].map(Asking::on_day), {
            let (three, two) = (Some(Asking::AfterThreeDays), Some(Asking::AfterTwoWeeks));
            [None, three, None, None, two, None]
        });
    }

    #[test]
    fn days_are_those_of_the_calendar_on_which_it_was_made() {
        let late = Timestamp::from_millis(1_795_824_000_000 - 1);
        let commitment = stored(1, CommitmentState::new(late));
        let first = commitment.first_day;
        assert_eq!(asked(std::slice::from_ref(&commitment), first.plus(2)), []);
        assert_eq!(asked(&[commitment], first.plus(3)), [(1, 3)]);
    }

    fn some_commitments() -> impl Strategy<Value = Vec<StoredCommitment>> {
        let answered = proptest::option::of(prop::sample::select(Asking::ALL));
        let outcome = prop_oneof![4 => Just(Outcome::Open), 1 => Just(Outcome::Done), 1 => Just(Outcome::Dropped)];
        let one = (0..20_i64, answered, outcome, proptest::bool::weighted(0.1));
        proptest::collection::vec(one, 0..12).prop_map(|all| {
            let commitments = (1..).zip(all).map(|(id, (days_ago, answered, outcome, is_deleted))| {
                let mut one = made(id, days_ago);
                let state = &mut one.commitment.state;
                (state.answered, state.outcome) = (answered, Register::new(outcome, state.created_at));
                state.deleted_at = is_deleted.then(|| state.created_at.plus(1));
                one
            });
            commitments.collect()
        })
    }

    /// What a device reports that answers with 'Not yet'.
    fn answer(commitments: &mut [StoredCommitment], (id, asking): (CommitmentId, Asking)) {
        let one = commitments.iter_mut().find(|one| one.commitment.id == id).expect("one that was asked about");
        let report =
            CommitmentState { answered: Some(asking), ..CommitmentState::new(one.commitment.state.created_at) };
        one.commitment.state = one.commitment.state.clone().merged(report);
    }

    #[test]
    fn a_reminder_asks_on_the_day_on_which_an_asking_begins_or_on_the_first_one_after() {
        let all = [2, 3, 4, 13, 14, 15].map(|days| made(days, days));
        let by_reminder =
            |last_on: Option<i32>| ids(&asked_by_reminder(&all, last_on.map(|days| today().plus(-days)), today()));
        assert_eq!(by_reminder(None), [(14, 14), (3, 3)], "never before: what begins today");
        assert_eq!(by_reminder(Some(1)), [(14, 14), (3, 3)]);
        assert_eq!(by_reminder(Some(2)), [(15, 14), (14, 14), (4, 3)], "three at most, those made first");
        assert_eq!(by_reminder(Some(0)), [], "today's reminder was sent");
    }

    proptest! {
        /// Over the weeks that follow, with an answer to everything that is asked.
        #[test]
        fn nothing_answered_is_asked_again_and_nothing_due_is_forgotten(mut commitments in some_commitments()) {
            let mut answered = BTreeSet::new();
            for day in 0..40 {
                let today = today().plus(day);
                loop {
                    let asked: Vec<_> = asked_today(&commitments, today)
                        .iter()
                        .map(|(stored, asking)| (stored.commitment.id, *asking))
                        .collect();
                    prop_assert!(asked.len() <= MOST_ASKED);
                    if asked.is_empty() {
                        break;
                    }
                    for one in asked {
                        prop_assert!(answered.insert((one.0, one.1.day())), "{:?} again", one);
                        answer(&mut commitments, one);
                    }
                }
                let is_due = |one: &StoredCommitment| due_asking(&one.commitment.state, one.first_day, today).is_some();
                prop_assert!(!commitments.iter().any(is_due));
            }
            for one in &commitments {
                let state = &one.commitment.state;
                let is_open = state.is_shown() && state.outcome.value == Outcome::Open;
                prop_assert_eq!(is_open && state.answered != Some(Asking::AfterTwoWeeks), false, "{:?}", state);
            }
        }

        #[test]
        fn what_is_due_is_due_on_every_day_until_it_is_answered(commitments in some_commitments(), days in 0..20_i32) {
            for one in &commitments {
                let is_due = |one: &StoredCommitment, day| due_asking(&one.commitment.state, one.first_day, day).is_some();
                prop_assert!(!is_due(one, today()) || is_due(one, today().plus(days)));
            }
        }

        #[test]
        fn what_is_done_or_dropped_or_deleted_is_asked_no_more(commitments in some_commitments(), days in 0..40_i32) {
            for (one, _) in asked_today(&commitments, today().plus(days)) {
                let state = &one.commitment.state;
                prop_assert!(state.is_shown() && state.outcome.value == Outcome::Open);
            }
        }
    }
}
