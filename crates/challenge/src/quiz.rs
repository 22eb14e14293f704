//! The quizzes: questions, and results as pure functions of the answers.

use std::{collections::HashMap, str::FromStr};

use kernel::{QuestionId, Timestamp};

use crate::ChallengeError;

/// Which quiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuizKind {
    /// The intelligence quiz at `/quiz`.
    Intelligence,
    /// The personality quiz at `/personality-quiz`.
    Personality,
}

/// There is no quiz of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such quiz")]
pub struct UnknownQuiz;

impl QuizKind {
    /// Its name in addresses and in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intelligence => "intelligence",
            Self::Personality => "personality",
        }
    }

    /// The plan whose owners see the detailed report (`decisions.md` 33).
    pub const fn plan_id(self) -> &'static str {
        match self {
            Self::Intelligence => "quiz",
            Self::Personality => "personality-quiz",
        }
    }
}

impl FromStr for QuizKind {
    type Err = UnknownQuiz;

    fn from_str(text: &str) -> Result<Self, UnknownQuiz> {
        [Self::Intelligence, Self::Personality].into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownQuiz)
    }
}

/// Whether a member sees the detailed report of a quiz (`decisions.md` 48): who owns its plan, or has a subscription that runs.
pub fn may_see_report<'a>(
    kind: QuizKind,
    has_subscription: bool,
    owned_plans: impl IntoIterator<Item = &'a str>,
) -> bool {
    has_subscription || owned_plans.into_iter().any(|plan| plan == kind.plan_id())
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $kind:ident $variant:ident $name:literal,)+) => {
        /// What a quiz measures: a type of intelligence, or a colour of personality.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Dimension {
            $($(#[$doc])* $variant,)+
        }

        /// All dimensions, in the order in which results show them.
        pub const DIMENSIONS: &[Dimension] = &[$(Dimension::$variant),+];

        impl Dimension {
            /// Its name for people, on the wire and in storage (`back-office.md §9`).
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The quiz that measures it.
            pub const fn kind(self) -> QuizKind {
                match self { $(Self::$variant => QuizKind::$kind,)+ }
            }
        }
    };
}

dimensions! {
    /// Words.
    Intelligence Linguistic "Linguistic",
    /// Logic and number.
    Intelligence LogicalMathematical "Logical-Mathematical",
    /// Pictures and space.
    Intelligence Spatial "Spatial",
    /// Sound and rhythm.
    Intelligence Musical "Musical",
    /// The body.
    Intelligence BodilyKinesthetic "Bodily-Kinesthetic",
    /// Other people.
    Intelligence Interpersonal "Interpersonal",
    /// Oneself.
    Intelligence Intrapersonal "Intrapersonal",
    /// Nature.
    Intelligence Naturalistic "Naturalistic",
    /// The great questions.
    Intelligence Existential "Existential",
    /// Decides.
    Personality Red "Red",
    /// Inspires.
    Personality Yellow "Yellow",
    /// Supports.
    Personality Green "Green",
    /// Examines.
    Personality Blue "Blue",
}

/// There is no dimension of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no quiz measures this")]
pub struct UnknownDimension;

impl FromStr for Dimension {
    type Err = UnknownDimension;

    fn from_str(text: &str) -> Result<Self, UnknownDimension> {
        DIMENSIONS.iter().copied().find(|dimension| dimension.name() == text).ok_or(UnknownDimension)
    }
}

/// A statement that is true or false of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its number.
    pub id: QuestionId,
    /// What a True counts for.
    pub dimension: Dimension,
    /// The statement, in plain text.
    pub statement: String,
}

/// What a person says of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The statement.
    pub question: QuestionId,
    /// True, or False.
    pub is_true: bool,
}

/// How often a person said True to the statements of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The dimension.
    pub dimension: Dimension,
    /// How often.
    pub count: u16,
    /// Out of how many statements: at least one.
    pub questions: u16,
}

impl Total {
    /// The share in whole percent, rounded half up.
    pub fn percent(self) -> u16 {
        (self.count * 200 + self.questions) / (self.questions * 2)
    }
}

/// The result of a quiz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuizResult {
    /// The quiz.
    pub kind: QuizKind,
    /// The totals of all dimensions that the quiz has questions for, in the order of [`DIMENSIONS`].
    pub totals: Vec<Total>,
}

impl QuizResult {
    /// Counts the answers: a True counts one for the statement's dimension, a False nothing.
    ///
    /// # Errors
    /// [`ChallengeError::InvalidAnswers`] when a question is not answered, or an answer has no question.
    pub fn count(kind: QuizKind, questions: &[Question], answers: &[Answer]) -> Result<Self, ChallengeError> {
        let said: HashMap<QuestionId, bool> = answers.iter().map(|answer| (answer.question, answer.is_true)).collect();
        if said.len() != answers.len() || said.len() != questions.len() {
            return Err(ChallengeError::InvalidAnswers);
        }
        let mut counts: HashMap<Dimension, (u16, u16)> = HashMap::new();
        for question in questions {
            let is_true = *said.get(&question.id).ok_or(ChallengeError::InvalidAnswers)?;
            let (count, all) = counts.entry(question.dimension).or_default();
            (*count, *all) = (*count + u16::from(is_true), *all + 1);
        }
        let totals = DIMENSIONS.iter().filter_map(|dimension| {
            counts.get(dimension).map(|(count, questions)| Total {
                dimension: *dimension,
                count: *count,
                questions: *questions,
            })
        });
        Ok(Self { kind, totals: totals.collect() })
    }

    /// The dimensions with the greatest count, all of them on a tie; none when nothing was true.
    pub fn leaders(&self) -> Vec<Dimension> {
        let greatest = self.totals.iter().map(|total| total.count).max().unwrap_or(0);
        let leading = self.totals.iter().filter(|total| total.count == greatest && greatest > 0);
        leading.map(|total| total.dimension).collect()
    }
}

/// A result that a member has saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedResult {
    /// The result.
    pub result: QuizResult,
    /// When the quiz was taken.
    pub taken_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use kernel::QuestionId;
    use proptest::prelude::*;

    use super::{Answer, DIMENSIONS, Dimension, Question, QuizKind, QuizResult, Total, may_see_report};
    use crate::ChallengeError;

    fn questions(dimensions: &[Dimension]) -> Vec<Question> {
        let numbered = (1..).zip(dimensions);
        numbered
            .map(|(id, dimension)| Question {
                id: QuestionId::from_store(id),
                dimension: *dimension,
                statement: format!("Statement {id}."),
            })
            .collect()
    }

    fn answers(truths: &[bool]) -> Vec<Answer> {
        let numbered = (1..).zip(truths);
        numbered.map(|(id, is_true)| Answer { question: QuestionId::from_store(id), is_true: *is_true }).collect()
    }

    #[test]
    fn names_are_read_back() {
        assert_eq!(DIMENSIONS.len(), 13);
        for dimension in DIMENSIONS {
            assert_eq!(dimension.name().parse(), Ok(*dimension));
        }
        for kind in [QuizKind::Intelligence, QuizKind::Personality] {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert!("Purple".parse::<Dimension>().is_err() && "quiz".parse::<QuizKind>().is_err());
    }

    #[test]
    fn co_leaders_share_the_lead_and_nobody_leads_without_a_true() {
        use Dimension::{Blue, Green, Red, Yellow};
        let quiz = questions(&[Red, Yellow, Green, Blue, Red, Yellow, Green]);
        let led =
            |truths: &[bool]| QuizResult::count(QuizKind::Personality, &quiz, &answers(truths)).unwrap().leaders();
        assert_eq!(led(&[true, false, false, true, true, false, false]), [Red]);
        assert_eq!(led(&[true, false, false, true, false, false, false]), [Red, Blue]);
        assert!(led(&[false; 7]).is_empty());
    }

    #[test]
    fn every_question_is_answered_once() {
        let quiz = questions(&[Dimension::Red, Dimension::Blue]);
        let wrong: [&[Answer]; 3] = [&answers(&[true]), &answers(&[true; 3]), &[answers(&[true])[0]; 2]];
        for wrong in wrong {
            let refused = QuizResult::count(QuizKind::Personality, &quiz, wrong);
            assert!(matches!(refused, Err(ChallengeError::InvalidAnswers)));
        }
        let other = [answers(&[true])[0], Answer { question: QuestionId::from_store(9), is_true: true }];
        assert!(QuizResult::count(QuizKind::Personality, &quiz, &other).is_err());
    }

    #[test]
    fn a_share_is_rounded_half_up() {
        let share = |count, questions| Total { dimension: Dimension::Red, count, questions }.percent();
        assert_eq!(
            [share(0, 2), share(1, 2), share(2, 2), share(1, 3), share(2, 3), share(1, 8)],
            [0, 50, 100, 33, 67, 13]
        );
    }

    #[test]
    fn a_report_is_for_owners_of_its_plan_and_for_subscribers() {
        let (own, other) = (QuizKind::Intelligence, QuizKind::Personality);
        assert!(may_see_report(own, false, ["infographics-20", "quiz"]) && may_see_report(own, true, []));
        assert!(!may_see_report(other, false, ["quiz"]) && !may_see_report(own, false, ["personality-quiz"]));
    }

    proptest! {
        #[test]
        fn totals_count_every_answer_once_in_any_order(
            picks in prop::collection::vec((0..9_usize, any::<bool>()), 1..30), seed: prop::sample::Index,
        ) {
            let quiz = questions(&picks.iter().map(|(at, _)| DIMENSIONS[*at]).collect::<Vec<_>>());
            let mut said = answers(&picks.iter().map(|(_, is_true)| *is_true).collect::<Vec<_>>());
            let result = QuizResult::count(QuizKind::Intelligence, &quiz, &said).unwrap();
            let sum = |of: fn(&Total) -> u16| result.totals.iter().map(|total| usize::from(of(total))).sum::<usize>();
            prop_assert_eq!(sum(|total| total.questions), quiz.len());
            prop_assert_eq!(sum(|total| total.count), said.iter().filter(|answer| answer.is_true).count());
            for total in &result.totals {
                prop_assert!(total.questions > 0 && total.count <= total.questions && total.percent() <= 100);
                let leads = result.leaders().contains(&total.dimension);
                let is_greatest = result.totals.iter().all(|other| other.count <= total.count) && total.count > 0;
                prop_assert_eq!(leads, is_greatest);
            }
            let turn = seed.index(said.len());
            said.rotate_left(turn);
            prop_assert_eq!(QuizResult::count(QuizKind::Intelligence, &quiz, &said).unwrap(), result);
        }
    }
}
