//! What the challenge, the quizzes and onboarding need from storage.

use std::collections::HashSet;

use kernel::{BookId, CategoryId, GoalId, Limit, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    Candidate, DailyMail, PlanDay, Question, QuestionDraft, QuizKind, QuizResult, SavedPlan, SavedResult, SiteFigures,
};

/// The group of books that candidates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// All books.
    All,
    /// Books that serve this goal.
    Goal(GoalId),
    /// Books of this category.
    Category(CategoryId),
}

/// A part of the catalogue, by who may read the full texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openness<'a> {
    /// All books.
    Any,
    /// Books that are free for everybody, and these, which the reader has opened forever.
    Open(&'a [BookId]),
    /// All others.
    Closed(&'a [BookId]),
}

/// Reads, callable with any connection.
pub trait ChallengeQueries {
    /// Published books of a topic that are not only announced and that the reader has not completed: those marked as
    /// popular by editors first, then by trend, then the newest.
    fn candidates(
        &mut self,
        topic: Topic,
        openness: Openness<'_>,
        reader: Option<UserId>,
        limit: usize,
    ) -> Result<Vec<Candidate>, StoreError>;

    /// A member's saved plan, without books that were deleted since; `None` when none is saved.
    fn saved_plan(&mut self, member: UserId) -> Result<Option<SavedPlan>, StoreError>;

    /// The ones among these books that the member has completed, in any order.
    fn completed_among(&mut self, member: UserId, books: &[BookId]) -> Result<Vec<BookId>, StoreError>;

    /// The goals that a member has chosen, in their order.
    fn chosen_goals(&mut self, member: UserId) -> Result<Vec<GoalId>, StoreError>;

    /// The stored state of a member's daily mails; `None` when they have never requested any.
    fn daily_mail(&mut self, member: UserId) -> Result<Option<DailyMail>, StoreError>;

    /// Members whose daily mails are due for a check by a moment, ordered by id, after the member `after`.
    fn members_with_daily_mail_due(
        &mut self,
        by: Timestamp,
        after: Option<UserId>,
        limit: Limit,
    ) -> Result<Vec<UserId>, StoreError>;

    /// A quiz's questions, in their order.
    fn questions(&mut self, kind: QuizKind) -> Result<Vec<Question>, StoreError>;

    /// A member's results of a quiz, latest first.
    fn quiz_results(&mut self, member: UserId, kind: QuizKind, limit: usize) -> Result<Vec<SavedResult>, StoreError>;

    /// The figures that this instance has counted.
    fn site_figures(&mut self) -> Result<SiteFigures, StoreError>;

    /// Whether all of these goals exist.
    fn has_goals(&mut self, goals: &[GoalId]) -> Result<bool, StoreError>;

    /// A member's saved plan, day by day; a day is done when its book is completed.
    fn plan_of(&mut self, member: UserId) -> Result<Option<(SavedPlan, Vec<PlanDay>)>, StoreError> {
        let Some(plan) = self.saved_plan(member)? else { return Ok(None) };
        let completed: HashSet<BookId> = self.completed_among(member, &plan.books)?.into_iter().collect();
        let days = (1..).zip(&plan.books);
        let days = days.map(|(number, book)| PlanDay { number, book: *book, is_done: completed.contains(book) });
        let days = days.collect();
        Ok(Some((plan, days)))
    }
}

/// Writes that need no rule, callable in any transaction.
pub trait ChallengeCommands: ChallengeQueries {
    /// Saves a member's quiz result.
    fn insert_quiz_result(&mut self, member: UserId, result: &QuizResult, at: Timestamp) -> Result<(), StoreError>;

    /// Replaces a quiz's questions with these statements, in this order; those with an id keep it. Members' results
    /// stay, because they hold totals.
    fn replace_questions(&mut self, kind: QuizKind, questions: &[QuestionDraft]) -> Result<(), StoreError>;
}

/// Storage, within one transaction. The rules are in [`crate::Challenge`].
pub trait ChallengeStore: ChallengeCommands {
    /// Locks the member until the transaction ends, and returns their time zone; `None` when there is no such member.
    fn lock_challenger(&mut self, member: UserId) -> Result<Option<TimeZone>, StoreError>;

    /// Whether all of these books are published.
    fn has_published_books(&mut self, books: &[BookId]) -> Result<bool, StoreError>;

    /// Stores the member's plan; replaces the earlier one.
    fn replace_plan(&mut self, member: UserId, plan: &SavedPlan) -> Result<(), StoreError>;

    /// Stores the state of a member's daily mails.
    fn put_daily_mail(&mut self, member: UserId, mail: &DailyMail) -> Result<(), StoreError>;

    /// Stores the member's goals; replaces the earlier ones.
    fn replace_goals(&mut self, member: UserId, goals: &[GoalId]) -> Result<(), StoreError>;
}
