//! The quizzes: questions, and results as pure functions of the answers.

use std::{
    collections::{HashMap, HashSet},
    str::FromStr,
};

use kernel::{QuestionId, Timestamp, one_line};

use crate::ChallengeError;

/// The two quizzes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuizKind {
    /// The intelligence quiz at `/quiz`.
    Intelligence,
    /// The personality quiz at `/personality-quiz`.
    Personality,
}

/// The error for a text that names no quiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such quiz")]
pub struct UnknownQuiz;

impl QuizKind {
    /// The name on the wire and in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intelligence => "intelligence",
            Self::Personality => "personality",
        }
    }

    /// The rule for the number of statements, as a message for editors (`challenge.quiz-statements`).
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Intelligence => "The intelligence quiz has 18 statements: two for each of the nine types.",
            Self::Personality => {
                "The personality quiz has 15 statements: four for each of three colors, and three for the fourth."
            }
        }
    }

    /// The id of the plan whose buyers see the detailed report (`challenge.quiz-report`).
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

/// Whether a member sees the detailed report of a quiz (`challenge.quiz-report`): with a running subscription, or by
/// owning the quiz's plan.
pub fn may_see_report<'a>(
    kind: QuizKind,
    has_subscription: bool,
    owned_plans: impl IntoIterator<Item = &'a str>,
) -> bool {
    has_subscription || owned_plans.into_iter().any(|plan| plan == kind.plan_id())
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $kind:ident $variant:ident $name:literal $hue:literal,)+) => {
        /// What a quiz measures: a type of intelligence, or a color of personality.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Dimension {
            $($(#[$doc])* $variant,)+
        }

        /// All dimensions, in the order in which results show them.
        pub const DIMENSIONS: &[Dimension] = &[$(Dimension::$variant),+];

        impl Dimension {
            /// The name for people, on the wire and in storage (`challenge.quiz-dimensions`).
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The OKLCH hue of its color, in degrees.
            pub const fn hue(self) -> u16 {
                match self { $(Self::$variant => $hue,)+ }
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
    Intelligence Linguistic "Linguistic" 15,
    /// Logic and number.
    Intelligence LogicalMathematical "Logical-Mathematical" 255,
    /// Pictures and space.
    Intelligence Spatial "Spatial" 195,
    /// Sound and rhythm.
    Intelligence Musical "Musical" 315,
    /// Movement and the body.
    Intelligence BodilyKinesthetic "Bodily-Kinesthetic" 45,
    /// Other people.
    Intelligence Interpersonal "Interpersonal" 345,
    /// Oneself.
    Intelligence Intrapersonal "Intrapersonal" 285,
    /// Nature.
    Intelligence Naturalistic "Naturalistic" 135,
    /// Questions of meaning and existence.
    Intelligence Existential "Existential" 225,
    /// Decides.
    Personality Red "Red" 30,
    /// Inspires.
    Personality Yellow "Yellow" 90,
    /// Supports.
    Personality Green "Green" 150,
    /// Examines.
    Personality Blue "Blue" 255,
}

/// The error for a text that names no dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no quiz measures this")]
pub struct UnknownDimension;

impl FromStr for Dimension {
    type Err = UnknownDimension;

    fn from_str(text: &str) -> Result<Self, UnknownDimension> {
        DIMENSIONS.iter().copied().find(|dimension| dimension.name() == text).ok_or(UnknownDimension)
    }
}

/// A question of a quiz: a statement that a person answers with True or False.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub id: QuestionId,
    /// The dimension that an answer of True counts for.
    pub dimension: Dimension,
    /// The statement, in plain text.
    pub statement: String,
}

/// The greatest length of a statement, in characters.
pub const STATEMENT_MAX_CHARS: usize = 200;

/// A statement as an editor writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionDraft {
    /// The id; `None` for a new statement.
    pub id: Option<QuestionId>,
    /// The dimension that an answer of True counts for.
    pub dimension: Dimension,
    /// The statement, in plain text.
    pub statement: String,
}

/// Validates the statements of a quiz as a whole, and returns them with each text on one line
/// (`challenge.quiz-statements`): the intelligence quiz has two for each of nine types, the personality quiz four for
/// each of three colors and three for the fourth.
///
/// # Errors
/// The first violation: [`ChallengeError::BlankStatement`], [`ChallengeError::StatementTooLong`],
/// [`ChallengeError::RepeatedStatement`] or [`ChallengeError::UnbalancedQuiz`].
pub fn checked_questions(kind: QuizKind, drafts: &[QuestionDraft]) -> Result<Vec<QuestionDraft>, ChallengeError> {
    let drafts: Vec<QuestionDraft> =
        drafts.iter().map(|draft| QuestionDraft { statement: one_line(&draft.statement), ..draft.clone() }).collect();
    let mut seen = HashSet::new();
    for QuestionDraft { statement, .. } in &drafts {
        if statement.is_empty() {
            return Err(ChallengeError::BlankStatement);
        }
        if statement.chars().count() > STATEMENT_MAX_CHARS {
            return Err(ChallengeError::StatementTooLong);
        }
        if !seen.insert(statement.to_lowercase()) {
            return Err(ChallengeError::RepeatedStatement);
        }
    }
    let count = |dimension: &&Dimension| drafts.iter().filter(|draft| draft.dimension == **dimension).count();
    let mut counts: Vec<usize> = DIMENSIONS.iter().filter(|one| one.kind() == kind).map(|one| count(&one)).collect();
    counts.sort_unstable();
    let wanted: &[usize] = match kind {
        QuizKind::Intelligence => &[2; 9],
        QuizKind::Personality => &[3, 4, 4, 4],
    };
    // A statement of the other quiz's dimensions is not in `counts`, but in the length.
    if counts != wanted || drafts.len() != wanted.iter().sum::<usize>() {
        return Err(ChallengeError::UnbalancedQuiz(kind.rule()));
    }
    Ok(drafts)
}

/// A person's answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub question: QuestionId,
    /// The answer: `true` for True, `false` for False.
    pub is_true: bool,
}

/// How often a person answered True to the statements of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    pub dimension: Dimension,
    /// The number of True answers.
    pub count: u16,
    /// The number of statements of the dimension, at least 1.
    pub questions: u16,
}

impl Total {
    /// The share in whole percent, rounded half up.
    pub fn percent(self) -> u16 {
        (self.count * 200 + self.questions) / (self.questions * 2)
    }
}

/// A result of a quiz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuizResult {
    pub kind: QuizKind,
    /// The totals of all dimensions that have questions, in the order of [`DIMENSIONS`].
    pub totals: Vec<Total>,
}

impl QuizResult {
    /// Counts the answers: True counts one for the question's dimension, False nothing.
    ///
    /// # Errors
    /// [`ChallengeError::InvalidAnswers`] when a question is not answered exactly once, or an answer has no question.
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

    /// The result with these counts of True, one for each dimension that has questions, in the order of [`DIMENSIONS`].
    ///
    /// # Errors
    /// [`ChallengeError::InvalidCounts`] when there are more or fewer counts than dimensions, or a count exceeds its
    /// dimension's questions.
    pub fn of_counts(kind: QuizKind, questions: &[Question], counts: &[u16]) -> Result<Self, ChallengeError> {
        let no: Vec<Answer> =
            questions.iter().map(|question| Answer { question: question.id, is_true: false }).collect();
        let mut result = Self::count(kind, questions, &no)?;
        if result.totals.len() != counts.len() {
            return Err(ChallengeError::InvalidCounts);
        }
        for (total, count) in result.totals.iter_mut().zip(counts) {
            if *count > total.questions {
                return Err(ChallengeError::InvalidCounts);
            }
            total.count = *count;
        }
        Ok(result)
    }

    /// The result in the first person: a label, which may be empty, and a headline.
    pub fn headline(&self) -> (&'static str, String) {
        let leaders: Vec<&str> = self.leaders().into_iter().map(Dimension::name).collect();
        match (self.kind, leaders.as_slice()) {
            (_, []) => ("", "Nothing stood out".to_owned()),
            (_, [_, _, _, _, ..]) => ("", format!("A balance of {}", leaders.len())),
            (QuizKind::Intelligence, _) => ("I am strongest in", join_names(&leaders)),
            (QuizKind::Personality, [_]) => ("My color is", join_names(&leaders)),
            (QuizKind::Personality, _) => ("My colors are", join_names(&leaders)),
        }
    }

    /// The dimensions with the greatest count, several on a tie; empty when every answer was False.
    pub fn leaders(&self) -> Vec<Dimension> {
        let greatest = self.totals.iter().map(|total| total.count).max().unwrap_or(0);
        let leading = self.totals.iter().filter(|total| total.count == greatest && greatest > 0);
        leading.map(|total| total.dimension).collect()
    }
}

/// `Red`, `Red and Blue`, `Red, Green, and Blue`.
fn join_names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, other] => format!("{one} and {other}"),
        [others @ .., last] => format!("{}, and {last}", others.join(", ")),
    }
}

/// A member's saved result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedResult {
    pub result: QuizResult,
    /// When the quiz was taken.
    pub taken_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use kernel::QuestionId;
    use proptest::prelude::*;

    use super::{
        Answer, DIMENSIONS, Dimension, Question, QuestionDraft, QuizKind, QuizResult, STATEMENT_MAX_CHARS, Total,
        checked_questions, may_see_report,
    };
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

    /// Drafts with this number of statements for each dimension.
    fn drafts(counts: &[(Dimension, usize)]) -> Vec<QuestionDraft> {
        let all = counts.iter().flat_map(|(dimension, count)| (0..*count).map(move |n| (*dimension, n)));
        all.map(|(dimension, n)| QuestionDraft { id: None, dimension, statement: format!("{} {n}.", dimension.name()) })
            .collect()
    }

    fn types(kind: QuizKind, count: usize) -> Vec<QuestionDraft> {
        let of_kind = DIMENSIONS.iter().filter(|one| one.kind() == kind);
        drafts(&of_kind.map(|one| (*one, count)).collect::<Vec<_>>())
    }

    #[test]
    fn intelligence_quiz_has_two_statements_for_each_of_nine_types() {
        let kind = QuizKind::Intelligence;
        let right = types(kind, 2);
        assert_eq!((right.len(), checked_questions(kind, &right).unwrap()), (18, right.clone()));
        let mut moved = right.clone();
        moved[0].dimension = Dimension::Existential;
        let mut of_other = right.clone();
        of_other[0].dimension = Dimension::Red;
        let mut surplus = right.clone();
        surplus.extend(drafts(&[(Dimension::Red, 1)]));
        for wrong in [&right[1..], &moved, &of_other, &surplus, &types(kind, 3), &[]] {
            let refused = checked_questions(kind, wrong).unwrap_err();
            assert_eq!(refused.to_string(), "The intelligence quiz has 18 statements: two for each of the nine types.");
        }
    }

    #[test]
    fn personality_quiz_has_four_statements_for_three_colours_and_three_for_the_fourth() {
        use Dimension::{Blue, Green, Red, Yellow};
        let kind = QuizKind::Personality;
        for right in [[4, 4, 4, 3], [3, 4, 4, 4]] {
            let counts: Vec<_> = [Red, Yellow, Green, Blue].into_iter().zip(right).collect();
            assert_eq!(checked_questions(kind, &drafts(&counts)).unwrap().len(), 15);
        }
        for wrong in [[4, 4, 4, 4], [5, 4, 3, 3], [5, 4, 4, 2], [4, 4, 3, 3]] {
            let counts: Vec<_> = [Red, Yellow, Green, Blue].into_iter().zip(wrong).collect();
            let refused = checked_questions(kind, &drafts(&counts)).unwrap_err();
            assert!(matches!(refused, ChallengeError::UnbalancedQuiz(_)), "{wrong:?}");
        }
    }

    #[test]
    fn statements_are_one_line_each_and_all_different() {
        let with = |statement: &str| {
            let mut all = types(QuizKind::Intelligence, 2);
            all[1].statement = statement.to_owned();
            checked_questions(QuizKind::Intelligence, &all)
        };
        assert_eq!(with(" I\n hum. ").unwrap()[1].statement, "I hum.");
        assert!(matches!(with(" \n"), Err(ChallengeError::BlankStatement)));
        assert!(matches!(with("LINGUISTIC  0."), Err(ChallengeError::RepeatedStatement)));
        assert!(matches!(with(&"x".repeat(STATEMENT_MAX_CHARS + 1)), Err(ChallengeError::StatementTooLong)));
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
    fn a_result_of_counts_is_that_of_the_answers_and_one_that_can_not_be_is_refused() {
        let all = questions(&[Dimension::Red, Dimension::Blue, Dimension::Red, Dimension::Green]);
        let taken = QuizResult::count(QuizKind::Personality, &all, &answers(&[true, false, true, true])).unwrap();
        let of = |counts: &[u16]| QuizResult::of_counts(QuizKind::Personality, &all, counts);
        assert_eq!(of(&[2, 1, 0]).unwrap(), taken, "in the order of the dimensions: red, green, blue");
        for wrong in [&[][..], &[2, 1], &[2, 1, 0, 0], &[3, 1, 0], &[2, 2, 0], &[u16::MAX, 0, 0]] {
            assert!(matches!(of(wrong), Err(ChallengeError::InvalidCounts)), "{wrong:?}");
        }
    }

    #[test]
    fn a_result_says_itself_in_a_few_words() {
        let all = questions(&[Dimension::Red, Dimension::Yellow, Dimension::Green, Dimension::Blue]);
        let of = |counts: &[u16]| QuizResult::of_counts(QuizKind::Personality, &all, counts).unwrap().headline();
        assert_eq!(of(&[0, 0, 1, 0]), ("My color is", "Green".to_owned()));
        assert_eq!(of(&[1, 0, 1, 0]), ("My colors are", "Red and Green".to_owned()));
        assert_eq!(of(&[1, 0, 1, 1]), ("My colors are", "Red, Green, and Blue".to_owned()));
        assert_eq!(of(&[1, 1, 1, 1]), ("", "A balance of 4".to_owned()));
        assert_eq!(of(&[0, 0, 0, 0]), ("", "Nothing stood out".to_owned()));
        let types = questions(&[Dimension::Spatial]);
        let spatial = QuizResult::of_counts(QuizKind::Intelligence, &types, &[1]).unwrap().headline();
        assert_eq!(spatial, ("I am strongest in", "Spatial".to_owned()));
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
