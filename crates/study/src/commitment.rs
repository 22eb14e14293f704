//! Commitments: what members want to do after a book, merged from the reports of several devices (`study.kept-commitments`,
//! `study.commitment-merge`).
//!
//! The web app merges by the same rules; `commitment_cases.json` is the table of cases that both keep.

use kernel::{BookId, CommitmentId, Day, Timestamp, one_line};

use crate::{Register, StudyError, words::words};

/// The longest text of a commitment, in characters.
pub const COMMITMENT_MAX_CHARS: usize = 500;

/// One of the two times at which a commitment is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asking {
    AfterThreeDays,
    AfterTwoWeeks,
}

impl Asking {
    /// Both, in order.
    pub const ALL: &[Self] = &[Self::AfterThreeDays, Self::AfterTwoWeeks];

    /// How many days of the member's calendar after the commitment was made it begins.
    pub const fn day(self) -> i32 {
        match self {
            Self::AfterThreeDays => 3,
            Self::AfterTwoWeeks => 14,
        }
    }

    /// The asking that begins after this many days.
    pub fn on_day(day: i64) -> Option<Self> {
        Self::ALL.iter().copied().find(|asking| i64::from(asking.day()) == day)
    }

    /// The latest asking that has begun for what was made on `first_day`.
    pub(crate) fn reached(first_day: Day, today: Day) -> Option<Self> {
        Self::ALL.iter().rev().copied().find(|asking| first_day.plus(asking.day()) <= today)
    }
}

words! {
    /// What has become of a commitment.
    Outcome {
        Open = "open",
        Done = "done",
        Dropped = "dropped",
    }
}

/// What a member wants to do, as one paragraph.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommitmentText(String);

impl CommitmentText {
    /// Sanitizes a paragraph and checks its length.
    pub fn new(text: &str) -> Result<Self, StudyError> {
        let line = one_line(text);
        if line.is_empty() {
            return Err(StudyError::NoCommitment);
        }
        if line.chars().count() > COMMITMENT_MAX_CHARS { Err(StudyError::CommitmentTooLong) } else { Ok(Self(line)) }
    }

    /// A text from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What devices report of a commitment, in part or as a whole. Two states of one commitment merge to the same state in any
/// order, any number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitmentState {
    pub created_at: Timestamp,
    pub text: Register<CommitmentText>,
    pub outcome: Register<Outcome>,
    /// The latest asking that was answered, and with it those before.
    pub answered: Option<Asking>,
    /// When it was deleted; a later change brings it back.
    pub deleted_at: Option<Timestamp>,
}

impl CommitmentState {
    /// A state of which only the creation is known: the other parts lose against any that was set.
    pub const fn new(created_at: Timestamp) -> Self {
        Self {
            created_at,
            text: Register::unset(CommitmentText(String::new())),
            outcome: Register::unset(Outcome::Open),
            answered: None,
            deleted_at: None,
        }
    }

    /// Checks a new commitment: it has a text.
    pub const fn check(&self) -> Result<(), StudyError> {
        if self.text.value.0.is_empty() { Err(StudyError::NoCommitment) } else { Ok(()) }
    }

    /// The state with its moments corrected: that of the creation by one function, all others by the other, as those of a
    /// highlight are ([`crate::HighlightState::with_moments`]).
    #[must_use]
    pub fn with_moments(
        self,
        created_at: impl FnOnce(Timestamp) -> Timestamp,
        correct: impl Fn(Timestamp) -> Timestamp,
    ) -> Self {
        Self {
            created_at: created_at(self.created_at),
            text: self.text.with_moment(&correct),
            outcome: self.outcome.with_moment(&correct),
            deleted_at: self.deleted_at.map(&correct),
            ..self
        }
    }

    /// What two states of one commitment say together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            created_at: self.created_at.min(other.created_at),
            text: self.text.merged(other.text),
            outcome: self.outcome.merged(other.outcome),
            answered: self.answered.max(other.answered),
            deleted_at: self.deleted_at.max(other.deleted_at),
        }
    }

    /// The latest moment of any part, the deletion excepted.
    pub fn edited_at(&self) -> Timestamp {
        self.created_at.max(self.text.at).max(self.outcome.at)
    }

    /// Whether it was not deleted, or changed since.
    pub fn is_shown(&self) -> bool {
        self.deleted_at.is_none_or(|deleted| deleted < self.edited_at())
    }
}

/// A commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    pub id: CommitmentId,
    /// `None`: the book was deleted.
    pub book: Option<BookId>,
    /// The title of the book when the commitment was stored first.
    pub book_title: String,
    pub book_author: String,
    /// What the devices have reported.
    pub state: CommitmentState,
}

/// A commitment as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCommitment {
    pub commitment: Commitment,
    /// The day of the member's calendar on which it was made.
    pub first_day: Day,
    /// Greater than that of all records of the member that were stored before.
    pub version: u64,
}

#[cfg(test)]
mod tests {
    use kernel::Timestamp;
    use proptest::prelude::*;

    use super::{COMMITMENT_MAX_CHARS, CommitmentState, CommitmentText, Outcome};
    use crate::{Asking, Register, StudyError, merge_properties::merge_properties};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn text(text: &str) -> CommitmentText {
        CommitmentText::new(text).expect("a text")
    }

    #[test]
    fn a_commitment_is_one_paragraph_of_1_to_500_characters() {
        assert_eq!(COMMITMENT_MAX_CHARS, 500);
        assert_eq!(text(" Walk\r\n\ndaily. \0").as_str(), "Walk daily.");
        assert_eq!(text(&"é".repeat(500)).as_str().chars().count(), 500);
        assert_eq!(CommitmentText::new(&"é".repeat(501)), Err(StudyError::CommitmentTooLong));
        for blank in ["", " \n\u{a0}", "\0"] {
            assert_eq!(CommitmentText::new(blank), Err(StudyError::NoCommitment), "{blank:?}");
        }
        let state = CommitmentState::new(NOW);
        assert_eq!(state.check(), Err(StudyError::NoCommitment));
        assert_eq!(CommitmentState { text: Register::new(text("Walk."), NOW), ..state }.check(), Ok(()));
    }

    #[test]
    fn words_of_outcomes_are_read_back() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse(), Ok(*outcome));
        }
        assert!("later".parse::<Outcome>().is_err());
    }

    #[test]
    fn a_register_of_long_ago_is_not_made_younger() {
        let report = CommitmentState {
            text: Register::new(text("Walk."), NOW.plus(-400 * kernel::DAY)),
            outcome: Register::new(Outcome::Done, NOW.plus(-300 * kernel::DAY)),
            answered: Some(Asking::AfterThreeDays),
            deleted_at: Some(NOW.plus(-300 * kernel::DAY)),
            created_at: NOW.plus(-400 * kernel::DAY),
        };
        let correct = |at| kernel::correct_moment(at, Some(NOW), NOW);
        let corrected = report.clone().with_moments(|at| kernel::moment(Some(at), Some(NOW), NOW), correct);
        assert_eq!(corrected.created_at, NOW.plus(-30 * kernel::DAY));
        assert_eq!(CommitmentState { created_at: report.created_at, ..corrected }, report);
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        name: String,
        states: Vec<CaseState>,
        merged: CaseState,
        shown: bool,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CaseState {
        created_at: i64,
        text: CaseRegister,
        outcome: CaseRegister,
        answered_day: Option<i64>,
        deleted_at: Option<i64>,
    }

    #[derive(serde::Deserialize)]
    struct CaseRegister {
        value: String,
        at: i64,
    }

    impl From<CaseState> for CommitmentState {
        fn from(case: CaseState) -> Self {
            let at = Timestamp::from_millis;
            Self {
                created_at: at(case.created_at),
                text: Register::new(CommitmentText::from_store(case.text.value), at(case.text.at)),
                outcome: Register::new(case.outcome.value.parse().expect("an outcome"), at(case.outcome.at)),
                answered: case.answered_day.map(|day| Asking::on_day(day).expect("an asking")),
                deleted_at: case.deleted_at.map(at),
            }
        }
    }

    #[test]
    fn the_cases_that_the_web_app_shares_merge_in_any_order() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("commitment_cases.json")).expect("the table is JSON");
        assert!(cases.len() >= 8);
        for Case { name, states, merged: expected, shown } in cases {
            let mut states: Vec<CommitmentState> = states.into_iter().map(Into::into).collect();
            let expected = CommitmentState::from(expected);
            assert_eq!(merged(&states), expected, "{name}");
            states.reverse();
            assert_eq!(merged(&states), expected, "{name}, reversed");
            assert_eq!(expected.is_shown(), shown, "{name}");
        }
    }

    fn some_reports() -> impl Strategy<Value = Vec<CommitmentState>> {
        let text = ("[ab]{1,2}", 0..9_i64).prop_map(|(words, at)| Register::new(text(&words), NOW.plus(at)));
        let outcome = (0..3_usize, 0..9_i64).prop_map(|(at, moment)| Register::new(Outcome::ALL[at], NOW.plus(moment)));
        let answered = proptest::option::of(prop::sample::select(Asking::ALL));
        let report = (0..3_i64, text, outcome, answered, proptest::option::of(0..9_i64));
        let report = report.prop_map(|(created, text, outcome, answered, deleted)| CommitmentState {
            created_at: NOW.plus(created),
            text,
            outcome,
            answered,
            deleted_at: deleted.map(|at| NOW.plus(at)),
        });
        proptest::collection::vec(report, 1..=16)
    }

    merge_properties!(CommitmentState);

    proptest! {
        #[test]
        fn the_latest_change_of_each_part_is_kept(said in some_reports()) {
            let all = merged(&said);
            prop_assert_eq!(Some(&all.text), said.iter().map(|report| &report.text).max());
            prop_assert_eq!(Some(all.outcome), said.iter().map(|report| report.outcome).max());
            prop_assert_eq!(Some(all.created_at), said.iter().map(|report| report.created_at).min());
            // What one device has heard an answer to, no merge makes unanswered.
            for report in &said {
                prop_assert!(all.answered >= report.answered);
            }
        }

        #[test]
        fn a_later_change_brings_a_deleted_commitment_back(said in some_reports(), later in 9..20_i64) {
            let state = merged(&said);
            let changed = CommitmentState { text: Register::new(text("c"), NOW.plus(later)), ..state.clone() };
            prop_assert!(state.merged(changed).is_shown());
        }
    }
}
