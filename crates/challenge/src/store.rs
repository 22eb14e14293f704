//! What the challenge, the quizzes and onboarding need from storage.

use std::collections::HashSet;

use kernel::{BookId, CategoryId, GoalId, Limit, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    Candidate, DailyMail, PlanDay, Question, QuestionDraft, QuizKind, QuizResult, SavedPlan, SavedResult, SiteFigures,
};

/// Which candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// All books.
    All,
    /// Books that serve this goal.
    Goal(GoalId),
    /// Books of this category.
    Category(CategoryId),
}

/// Reads, callable by everyone who holds a connection.
pub trait ChallengeQueries {
    /// Readable books of a topic that the reader has not completed: those that the editors marked first, then by trend, then the
    /// latest.
    fn candidates(&mut self, topic: Topic, reader: Option<UserId>, limit: usize) -> Result<Vec<Candidate>, StoreError>;

    /// A member's saved plan. Books that were deleted since are not in it.
    fn saved_plan(&mut self, member: UserId) -> Result<Option<SavedPlan>, StoreError>;

    /// Those of the books that the member has completed, in any order.
    fn completed_among(&mut self, member: UserId, books: &[BookId]) -> Result<Vec<BookId>, StoreError>;

    /// The goals that a member has chosen, in their order.
    fn chosen_goals(&mut self, member: UserId) -> Result<Vec<GoalId>, StoreError>;

    /// What is stored of a member's daily mails; `None`: they have never asked for any.
    fn daily_mail(&mut self, member: UserId) -> Result<Option<DailyMail>, StoreError>;

    /// Members whose daily mails are to be looked at by a moment, after one of them, by their number.
    fn members_with_daily_mail_due(
        &mut self,
        by: Timestamp,
        after: Option<UserId>,
        limit: Limit,
    ) -> Result<Vec<UserId>, StoreError>;

    /// A quiz's questions, in their order.
    fn questions(&mut self, kind: QuizKind) -> Result<Vec<Question>, StoreError>;

    /// A member's latest results of a quiz, the latest first.
    fn quiz_results(&mut self, member: UserId, kind: QuizKind, limit: usize) -> Result<Vec<SavedResult>, StoreError>;

    /// What this instance has counted.
    fn site_figures(&mut self) -> Result<SiteFigures, StoreError>;

    /// Whether all of these goals are there.
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

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait ChallengeCommands: ChallengeQueries {
    /// Saves a member's result.
    fn insert_quiz_result(&mut self, member: UserId, result: &QuizResult, at: Timestamp) -> Result<(), StoreError>;

    /// Puts these statements in the place of a quiz's questions, in this order; those with a number keep it. Results of members
    /// stay: they hold totals.
    fn replace_questions(&mut self, kind: QuizKind, questions: &[QuestionDraft]) -> Result<(), StoreError>;
}

/// Storage, within one transaction. The rules are in [`crate::Challenge`].
pub trait ChallengeStore: ChallengeCommands {
    /// Lets one transaction at a time pass for this member, and gives their time zone; `None` when there is no such member.
    fn lock_challenger(&mut self, member: UserId) -> Result<Option<TimeZone>, StoreError>;

    /// Whether all of these books are published.
    fn has_published_books(&mut self, books: &[BookId]) -> Result<bool, StoreError>;

    /// Writes the member's plan in the place of the one before.
    fn replace_plan(&mut self, member: UserId, plan: &SavedPlan) -> Result<(), StoreError>;

    /// Writes what is stored of a member's daily mails.
    fn put_daily_mail(&mut self, member: UserId, mail: &DailyMail) -> Result<(), StoreError>;

    /// Writes the member's goals in the place of those before.
    fn replace_goals(&mut self, member: UserId, goals: &[GoalId]) -> Result<(), StoreError>;
}
