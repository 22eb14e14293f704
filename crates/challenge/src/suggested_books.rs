//! Selects the books that fit a person's choices: for a ten-day plan, and for onboarding.

use kernel::{BookId, GoalId, StoreError, UserId};

use crate::{
    ChallengeError, ChallengeQueries, Choices, ChosenGoals, DraftDay, FITTING_BOOKS, Openness, PLAN_DAYS, Ranking,
    ReadableBooks, Topic, alternate, choose_days, order_by_match,
};

/// The number of candidates of a topic that are compared: enough for ten books beside those of another topic.
const COMPARED: usize = 60;

/// Reads that apply the selection rule, over any store of the challenge.
pub trait SuggestedBooks: ChallengeQueries {
    /// Draws up a plan (`challenge.plan-selection`): the goals alternate, each with its best match first, without books
    /// that the reader has completed; then popular books. Books that the reader may read come first
    /// (`challenge.plan-access`). [`ChallengeError::UnknownGoal`] when a goal does not exist.
    fn draw_up_plan(
        &mut self,
        goals: &ChosenGoals,
        reader: Option<UserId>,
        readable: &ReadableBooks,
    ) -> Result<Vec<DraftDay>, ChallengeError> {
        if !self.has_goals(goals.as_slice())? {
            return Err(ChallengeError::UnknownGoal);
        }
        let topics: Vec<Topic> = goals.as_slice().iter().copied().map(Topic::Goal).collect();
        let mut ranked = |openness| ranking(self, &topics, goals.as_slice(), openness, reader, PLAN_DAYS);
        Ok(match readable {
            ReadableBooks::All => choose_days(&ranked(Openness::Any)?, &Ranking::default(), 0, PLAN_DAYS),
            ReadableBooks::Limited { opened, free_summaries } => {
                let (open, closed) = (ranked(Openness::Open(opened))?, ranked(Openness::Closed(opened))?);
                choose_days(&open, &closed, *free_summaries, PLAN_DAYS)
            }
        })
    }

    /// The books that fit a person's choices: topics alternate, best match first, then popular ones.
    fn fitting_books(&mut self, choices: &Choices, reader: Option<UserId>) -> Result<Vec<BookId>, StoreError> {
        let goals = choices.goals().iter().copied().map(Topic::Goal);
        let topics: Vec<Topic> = goals.chain(choices.categories().iter().copied().map(Topic::Category)).collect();
        // With more topics than books, the last ones would hardly get a turn.
        let topics = &topics[..topics.len().min(FITTING_BOOKS)];
        let ranked = ranking(self, topics, choices.goals(), Openness::Any, reader, FITTING_BOOKS)?;
        Ok(alternate(&ranked.lists, &ranked.popular, FITTING_BOOKS))
    }
}

impl<S: ChallengeQueries + ?Sized> SuggestedBooks for S {}

/// The candidates of each topic, and the popular ones, enough to choose `count` of them.
fn ranking<S: ChallengeQueries + ?Sized>(
    store: &mut S,
    topics: &[Topic],
    goals: &[GoalId],
    openness: Openness<'_>,
    reader: Option<UserId>,
    count: usize,
) -> Result<Ranking, StoreError> {
    let mut lists = Vec::new();
    for topic in topics {
        lists.push(order_by_match(store.candidates(*topic, openness, reader, COMPARED)?, goals));
    }
    // Enough even if `count` of them are already taken from the lists.
    let popular = store.candidates(Topic::All, openness, reader, 2 * count)?;
    Ok(Ranking { lists, popular: popular.iter().map(|candidate| candidate.book).collect() })
}
