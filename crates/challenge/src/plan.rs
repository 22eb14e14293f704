//! The ten-day plan, as pure functions of the candidates.

use std::{cmp::Reverse, collections::HashSet};

use kernel::{BookId, GoalId, Timestamp};

use crate::ChallengeError;

/// The most goals that a person can choose (`challenge.goal-limit`).
pub const MAX_GOALS: usize = 2;
/// The number of days of a plan, with one book each (`challenge.plan-length`).
pub const PLAN_DAYS: usize = 10;

/// One or two different goals, in the order in which they were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenGoals(Vec<GoalId>);

impl ChosenGoals {
    /// Validates the chosen goals; a repeated goal counts once. [`ChallengeError::Incomplete`] without a goal,
    /// [`ChallengeError::TooManyGoals`] above [`MAX_GOALS`].
    pub fn new(goals: &[GoalId]) -> Result<Self, ChallengeError> {
        let goals = distinct(goals.iter().copied());
        match goals.len() {
            0 => Err(ChallengeError::Incomplete),
            1..=MAX_GOALS => Ok(Self(goals)),
            _ => Err(ChallengeError::TooManyGoals),
        }
    }

    pub fn as_slice(&self) -> &[GoalId] {
        &self.0
    }
}

/// A readable book that a plan may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub book: BookId,
    /// All goals that it serves.
    pub goals: Vec<GoalId>,
}

/// A member's saved plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPlan {
    /// The chosen goals.
    pub goals: Vec<GoalId>,
    /// The books, in the order of the days.
    pub books: Vec<BookId>,
    pub saved_at: Timestamp,
}

/// What a reader may read in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadableBooks {
    /// Every book: the reader has a plan.
    All,
    /// Books that are free for everybody, those in `opened`, and `free_summaries` others.
    Limited {
        /// The books that the reader has opened forever.
        opened: Vec<BookId>,
        /// How many summaries the reader's allowance holds now.
        free_summaries: usize,
    },
}

/// How the reader of a plan gets to read a book of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookAccess {
    /// The reader may read it, and no allowance is used.
    Included,
    /// It uses one of the reader's free summaries.
    FreeSummary,
    /// It needs a plan.
    PlanRequired,
}

/// A day of a plan that is not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftDay {
    pub book: BookId,
    pub access: BookAccess,
}

/// Books in the order in which a plan takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// A list for each topic, best match first.
    pub lists: Vec<Vec<BookId>>,
    /// Popular books, for when the lists are used up.
    pub popular: Vec<BookId>,
}

/// A day of a saved plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanDay {
    /// The number of the day, from 1.
    pub number: usize,
    pub book: BookId,
    /// Whether the member has completed the book, even before the plan was saved.
    pub is_done: bool,
}

/// Orders candidates by how well they match the chosen goals: a book that serves more of them first, then one that
/// serves fewer other goals. Equal ones keep their order.
pub fn order_by_match(mut candidates: Vec<Candidate>, chosen: &[GoalId]) -> Vec<BookId> {
    candidates.sort_by_key(|candidate| {
        let served = chosen.iter().filter(|goal| candidate.goals.contains(goal)).count();
        (Reverse(served), candidate.goals.len())
    });
    candidates.into_iter().map(|candidate| candidate.book).collect()
}

/// Takes `count` different books, in turns from each list its next book that is not taken yet. When the lists are used
/// up, `popular` fills the rest.
pub fn alternate(lists: &[Vec<BookId>], popular: &[BookId], count: usize) -> Vec<BookId> {
    let mut queues: Vec<_> = lists.iter().map(|list| list.iter().copied()).collect();
    let (mut taken, mut chosen) = (HashSet::new(), Vec::with_capacity(count));
    while !queues.is_empty() && chosen.len() < count {
        queues.retain_mut(|queue| {
            if chosen.len() == count {
                return true;
            }
            let next = queue.find(|book| taken.insert(*book));
            chosen.extend(next);
            next.is_some()
        });
    }
    let left = count - chosen.len();
    chosen.extend(popular.iter().copied().filter(|book| taken.insert(*book)).take(left));
    chosen
}

/// Chooses the days of a plan (`challenge.plan-access`): `open` books first, then `closed` ones, of which the first
/// `free_summaries` use the allowance. As many as possible can be read without a plan. Among those, books of the topics
/// come before popular ones that only fill the plan up.
pub fn choose_days(open: &Ranking, closed: &Ranking, free_summaries: usize, count: usize) -> Vec<DraftDay> {
    let of_topics = |ranking: &Ranking| alternate(&ranking.lists, &[], count).len();
    let kept_for_free_summaries = free_summaries.min(of_topics(closed)).min(count - of_topics(open));
    let open = alternate(&open.lists, &open.popular, count - kept_for_free_summaries);
    let closed = alternate(&closed.lists, &closed.popular, count - open.len());
    let included = open.into_iter().map(|book| DraftDay { book, access: BookAccess::Included });
    let others = closed.into_iter().enumerate().map(|(place, book)| {
        let access = if place < free_summaries { BookAccess::FreeSummary } else { BookAccess::PlanRequired };
        DraftDay { book, access }
    });
    included.chain(others).collect()
}

/// The values without duplicates, in the order of their first occurrence.
pub(crate) fn distinct<T: Copy + Eq + std::hash::Hash>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.into_iter().filter(|value| seen.insert(*value)).collect()
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, GoalId};
    use proptest::prelude::*;

    use super::{BookAccess, Candidate, ChosenGoals, PLAN_DAYS, Ranking, alternate, choose_days, order_by_match};
    use crate::ChallengeError;

    fn books(ids: &[i64]) -> Vec<BookId> {
        ids.iter().map(|id| BookId::from_store(*id)).collect()
    }

    fn goals(ids: &[i64]) -> Vec<GoalId> {
        ids.iter().map(|id| GoalId::from_store(*id)).collect()
    }

    #[test]
    fn one_or_two_goals_are_chosen() {
        assert!(matches!(ChosenGoals::new(&[]), Err(ChallengeError::Incomplete)));
        assert!(matches!(ChosenGoals::new(&goals(&[1, 2, 3])), Err(ChallengeError::TooManyGoals)));
        assert_eq!(ChosenGoals::new(&goals(&[2, 1])).unwrap().as_slice(), goals(&[2, 1]));
        assert_eq!(ChosenGoals::new(&goals(&[2, 2, 2])).unwrap().as_slice(), goals(&[2]));
        let texts = [ChallengeError::Incomplete.to_string(), ChallengeError::TooManyGoals.to_string()];
        assert_eq!(
            texts,
            ["Please pick at least one goal and specify an email address.", "You can only pick two goals."]
        );
    }

    #[test]
    fn a_book_for_both_goals_comes_before_one_for_one_and_a_devoted_one_before_one_for_all() {
        let candidate = |book, of: &[i64]| Candidate { book: BookId::from_store(book), goals: goals(of) };
        let candidates =
            vec![candidate(1, &[1, 3, 4]), candidate(2, &[1]), candidate(3, &[1, 2, 3]), candidate(4, &[1])];
        assert_eq!(order_by_match(candidates, &goals(&[1, 2])), books(&[3, 2, 4, 1]));
    }

    #[test]
    fn lists_alternate_and_a_short_one_leaves_its_turns_to_the_others() {
        let lists = [books(&[1, 2, 3]), books(&[2, 9])];
        assert_eq!(alternate(&lists, &books(&[9, 7, 3, 8]), 6), books(&[1, 2, 3, 9, 7, 8]));
        let lists = [books(&[1, 2, 3, 4]), books(&[5])];
        assert_eq!(alternate(&lists, &books(&[6]), 4), books(&[1, 5, 2, 3]));
    }

    fn days(open: &Ranking, closed: &Ranking, free_summaries: usize, count: usize) -> Vec<(i64, BookAccess)> {
        let days = choose_days(open, closed, free_summaries, count);
        days.iter().map(|day| (day.book.get(), day.access)).collect()
    }

    #[test]
    fn a_plan_begins_with_open_books_then_the_free_summaries_then_what_needs_a_plan() {
        use BookAccess::{FreeSummary, Included, PlanRequired};
        let open = Ranking { lists: vec![books(&[1, 2]), books(&[3])], popular: books(&[4]) };
        let closed = Ranking { lists: vec![books(&[11, 12]), books(&[21])], popular: books(&[31]) };
        let included = [(1, Included), (3, Included), (2, Included), (4, Included)];
        let all = days(&open, &closed, 2, 10);
        assert_eq!(all[..4], included);
        assert_eq!(all[4..], [(11, FreeSummary), (21, FreeSummary), (12, PlanRequired), (31, PlanRequired)]);
        assert_eq!(days(&open, &closed, 0, 5)[4..], [(11, PlanRequired)]);
    }

    #[test]
    fn a_book_of_a_goal_that_the_allowance_covers_comes_before_a_popular_one_that_is_open() {
        use BookAccess::{FreeSummary, Included};
        let open = Ranking { lists: vec![books(&[1])], popular: books(&[2, 3, 4]) };
        let closed = Ranking { lists: vec![books(&[11, 12, 13])], popular: books(&[14]) };
        let expected = [(1, Included), (2, Included), (11, FreeSummary), (12, FreeSummary)];
        assert_eq!(days(&open, &closed, 2, 4), expected);
        let only_popular = Ranking { lists: vec![Vec::new()], popular: books(&[14]) };
        assert_eq!(days(&open, &only_popular, 2, 4)[1..], [(2, Included), (3, Included), (4, Included)]);
    }

    fn list() -> impl Strategy<Value = Vec<BookId>> {
        prop::collection::vec((1..30_i64).prop_map(BookId::from_store), 0..25)
    }

    proptest! {
        #[test]
        fn a_plan_has_different_books_and_as_many_as_there_are(
            lists in prop::collection::vec(list(), 1..=2), popular in list(),
        ) {
            let plan = alternate(&lists, &popular, PLAN_DAYS);
            let mut all: Vec<BookId> = lists.iter().chain([&popular]).flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(plan.len(), all.len().min(PLAN_DAYS));
            let mut different = plan.clone();
            different.sort_unstable();
            different.dedup();
            prop_assert_eq!(different.len(), plan.len());
            prop_assert_eq!(&plan, &alternate(&lists, &popular, PLAN_DAYS));
        }

        #[test]
        fn a_plan_holds_as_many_readable_books_as_there_are_and_they_come_first(
            lists in prop::collection::vec(list(), 1..=2), popular in list(), free_summaries in 0..6_usize,
        ) {
            // Odd ids are open.
            let part = |is_open: bool| {
                let of = |list: &Vec<BookId>| list.iter().copied().filter(|id| (id.get() % 2 == 1) == is_open).collect();
                Ranking { lists: lists.iter().map(of).collect(), popular: of(&popular) }
            };
            let (open, closed) = (part(true), part(false));
            let number = |part: &Ranking| alternate(&part.lists, &part.popular, 100).len();
            let days = choose_days(&open, &closed, free_summaries, PLAN_DAYS);
            prop_assert_eq!(days.len(), (number(&open) + number(&closed)).min(PLAN_DAYS));
            let place = |access| [BookAccess::Included, BookAccess::FreeSummary, BookAccess::PlanRequired]
                .iter().position(|one| *one == access);
            prop_assert!(days.is_sorted_by_key(|day| place(day.access)));
            prop_assert!(days.iter().all(|day| (day.access == BookAccess::Included) == (day.book.get() % 2 == 1)));
            let readable = days.iter().filter(|day| day.access != BookAccess::PlanRequired).count();
            prop_assert_eq!(readable, PLAN_DAYS.min(number(&open) + free_summaries.min(number(&closed))));
            // Who may read everything gets the plan of the goals alone.
            let everything = Ranking { lists: lists.clone(), popular: popular.clone() };
            let plan: Vec<BookId> =
                choose_days(&everything, &Ranking::default(), 0, PLAN_DAYS).iter().map(|day| day.book).collect();
            prop_assert_eq!(plan, alternate(&lists, &popular, PLAN_DAYS));
        }

        #[test]
        fn popular_books_come_only_after_those_of_the_goals(
            lists in prop::collection::vec(list(), 1..=2), popular in list(),
        ) {
            let plan = alternate(&lists, &popular, PLAN_DAYS);
            let first_filler = plan.iter().position(|book| !lists.iter().any(|list| list.contains(book)));
            if let Some(first) = first_filler {
                prop_assert!(plan[first..].iter().all(|book| popular.contains(book)));
                prop_assert!(lists.iter().flatten().all(|book| plan[..first].contains(book)));
            }
        }

        #[test]
        fn two_goals_without_a_common_book_take_turns(length in 5..20_usize) {
            let numbers = |from: i64| (from..).take(length).map(BookId::from_store).collect::<Vec<_>>();
            let plan = alternate(&[numbers(1), numbers(100)], &[], PLAN_DAYS);
            for (day, book) in plan.iter().enumerate() {
                prop_assert_eq!(book.get() >= 100, day % 2 == 1);
            }
        }
    }
}
