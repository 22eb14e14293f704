//! Selects the books that fit a person's choices: for a ten-day plan, and for onboarding.

use kernel::{BookId, GoalId, StoreError, UserId};

use crate::{
    ChallengeError, ChallengeQueries, Choices, ChosenGoals, FITTING_BOOKS, PLAN_DAYS, Topic, alternate, order_by_match,
};

/// The number of candidates of a topic that are compared: enough for ten books beside those of another topic.
const COMPARED: usize = 60;

/// Reads that apply the selection rule, over any store of the challenge.
pub trait SuggestedBooks: ChallengeQueries {
    /// Draws up a plan (`challenge.plan-selection`): the goals alternate, each with its best match first, without books
    /// that the reader has completed; then popular books. [`ChallengeError::UnknownGoal`] when a goal does not exist.
    fn draw_up_plan(&mut self, goals: &ChosenGoals, reader: Option<UserId>) -> Result<Vec<BookId>, ChallengeError> {
        if !self.has_goals(goals.as_slice())? {
            return Err(ChallengeError::UnknownGoal);
        }
        let topics: Vec<Topic> = goals.as_slice().iter().copied().map(Topic::Goal).collect();
        Ok(choose_books(self, &topics, goals.as_slice(), reader, PLAN_DAYS)?)
    }

    /// The books that fit a person's choices, by the same rule; popular ones when nothing is chosen.
    fn fitting_books(&mut self, choices: &Choices, reader: Option<UserId>) -> Result<Vec<BookId>, StoreError> {
        let goals = choices.goals().iter().copied().map(Topic::Goal);
        let topics: Vec<Topic> = goals.chain(choices.categories().iter().copied().map(Topic::Category)).collect();
        // With more topics than books, the last ones would hardly get a turn.
        let topics = &topics[..topics.len().min(FITTING_BOOKS)];
        choose_books(self, topics, choices.goals(), reader, FITTING_BOOKS)
    }
}

impl<S: ChallengeQueries + ?Sized> SuggestedBooks for S {}

fn choose_books<S: ChallengeQueries + ?Sized>(
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
    // Enough even if `count` of them are already taken from the lists.
    let popular = store.candidates(Topic::All, reader, 2 * count)?;
    Ok(alternate(&lists, &popular.iter().map(|candidate| candidate.book).collect::<Vec<_>>(), count))
}
