//! What the challenge, the quizzes and onboarding offer.

use std::collections::HashSet;

use kernel::{BookId, GoalId, StoreError, Timestamp, UserId};

use crate::{
    Answer, ChallengeError, ChallengeStore, Choices, ChosenGoals, FITTING_BOOKS, PLAN_DAYS, PlanDay, QuizKind,
    QuizResult, SavedPlan, Topic, alternate, order_by_match, plan::distinct,
};

/// How many candidates of a topic are compared: enough for ten books beside those of another topic.
const COMPARED: usize = 60;

/// The challenge, the quizzes and onboarding, over any store of them. Everything happens in the store's transaction.
pub trait Challenge: ChallengeStore {
    /// Draws up a plan (`decisions.md` 47): the goals alternate, the best match first, without what the reader has completed, filled up
    /// from popular books.
    fn draw_up_plan(&mut self, goals: &ChosenGoals, reader: Option<UserId>) -> Result<Vec<BookId>, ChallengeError> {
        if !self.has_goals(goals.as_slice())? {
            return Err(ChallengeError::UnknownGoal);
        }
        let topics: Vec<Topic> = goals.as_slice().iter().copied().map(Topic::Goal).collect();
        Ok(choose_books(self, &topics, goals.as_slice(), reader, PLAN_DAYS)?)
    }

    /// The books that fit what a person has chosen, by the same rule; popular ones when nothing is chosen.
    fn fitting_books(&mut self, choices: &Choices, reader: Option<UserId>) -> Result<Vec<BookId>, StoreError> {
        let goals = choices.goals().iter().copied().map(Topic::Goal);
        let topics: Vec<Topic> = goals.chain(choices.categories().iter().copied().map(Topic::Category)).collect();
        // Of more topics than books the last ones would never have a turn.
        let topics = &topics[..topics.len().min(FITTING_BOOKS)];
        choose_books(self, topics, choices.goals(), reader, FITTING_BOOKS)
    }

    /// Saves a plan in the place of the one before.
    fn save_plan(
        &mut self,
        member: UserId,
        goals: &ChosenGoals,
        books: &[BookId],
        now: Timestamp,
    ) -> Result<(), ChallengeError> {
        let is_plan = (1..=PLAN_DAYS).contains(&books.len()) && distinct(books.iter().copied()).len() == books.len();
        if !is_plan || !self.has_published_books(books)? {
            return Err(ChallengeError::InvalidPlan);
        }
        self.choose_goals(member, goals.as_slice())?;
        let plan = SavedPlan { goals: goals.as_slice().to_vec(), books: books.to_vec(), saved_at: now };
        Ok(self.replace_plan(member, &plan)?)
    }

    /// Remembers a member's goals in the place of those before.
    fn choose_goals(&mut self, member: UserId, goals: &[GoalId]) -> Result<(), ChallengeError> {
        if !self.has_goals(goals)? {
            return Err(ChallengeError::UnknownGoal);
        }
        if !self.lock_challenger(member)? {
            return Err(ChallengeError::UnknownMember);
        }
        Ok(self.replace_goals(member, goals)?)
    }

    /// A member's saved plan, day by day; a day is done when its book is completed.
    fn plan_of(&mut self, member: UserId) -> Result<Option<(SavedPlan, Vec<PlanDay>)>, StoreError> {
        let Some(plan) = self.saved_plan(member)? else { return Ok(None) };
        let completed: HashSet<BookId> = self.completed_among(member, &plan.books)?.into_iter().collect();
        let days = (1..).zip(&plan.books);
        let days = days.map(|(number, book)| PlanDay { number, book: *book, is_done: completed.contains(book) });
        let days = days.collect();
        Ok(Some((plan, days)))
    }

    /// Counts the answers to a quiz; a member's result is saved.
    fn take_quiz(
        &mut self,
        kind: QuizKind,
        answers: &[Answer],
        member: Option<UserId>,
        now: Timestamp,
    ) -> Result<QuizResult, ChallengeError> {
        let result = QuizResult::count(kind, &self.questions(kind)?, answers)?;
        if let Some(member) = member {
            if !self.lock_challenger(member)? {
                return Err(ChallengeError::UnknownMember);
            }
            self.insert_quiz_result(member, &result, now)?;
        }
        Ok(result)
    }
}

impl<S: ChallengeStore + ?Sized> Challenge for S {}

fn choose_books<S: ChallengeStore + ?Sized>(
    store: &mut S,
    topics: &[Topic],
    goals: &[GoalId],
    reader: Option<UserId>,
    count: usize,
) -> Result<Vec<BookId>, StoreError> {
    let mut lists = Vec::new();
    for topic in topics {
        lists.push(order_by_match(store.candidates(*topic, reader, COMPARED)?, goals));
    }
    // As many as could be in the lists already, and the rest.
    let popular = store.candidates(Topic::All, reader, 2 * count)?;
    Ok(alternate(&lists, &popular.iter().map(|candidate| candidate.book).collect::<Vec<_>>(), count))
}
