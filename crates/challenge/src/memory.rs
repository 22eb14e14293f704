//! The in-memory store, for tests of the rules and of the code above them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use kernel::{BookId, CategoryId, GoalId, Limit, QuestionId, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    Candidate, ChallengeCommands, ChallengeQueries, ChallengeStore, DailyMail, Dimension, Openness, Question,
    QuestionDraft, QuizKind, QuizResult, SavedPlan, SavedResult, SiteFigures, Topic,
    contract::{BookFacts, World},
};

/// The stored state, with the books and members that other domains own. Of the popular books, the one added last comes
/// first.
#[derive(Debug, Default)]
pub struct Memory {
    books: Vec<BookFacts>,
    goals: usize,
    categories: usize,
    members: usize,
    zones: BTreeMap<UserId, TimeZone>,
    completed: BTreeSet<(UserId, BookId)>,
    plans: BTreeMap<UserId, SavedPlan>,
    daily_mails: BTreeMap<UserId, DailyMail>,
    chosen: BTreeMap<UserId, Vec<GoalId>>,
    questions: Vec<Question>,
    results: Vec<(UserId, SavedResult)>,
}

fn number(count: &mut usize) -> i64 {
    *count += 1;
    i64::try_from(*count).unwrap_or(i64::MAX)
}

impl World for Memory {
    fn add_member(&mut self) -> UserId {
        UserId::from_store(number(&mut self.members))
    }

    fn move_to(&mut self, member: UserId, zone: &str) {
        self.zones.insert(member, TimeZone::named(zone));
    }

    fn add_goal(&mut self) -> GoalId {
        GoalId::from_store(number(&mut self.goals))
    }

    fn add_category(&mut self) -> CategoryId {
        CategoryId::from_store(number(&mut self.categories))
    }

    fn add_book(&mut self, book: &BookFacts) -> BookId {
        self.books.push(book.clone());
        BookId::from_store(i64::try_from(self.books.len()).unwrap_or(i64::MAX))
    }

    fn complete(&mut self, member: UserId, book: BookId) {
        self.completed.insert((member, book));
    }

    fn add_question(&mut self, dimension: Dimension, statement: &str) -> QuestionId {
        let id = QuestionId::from_store(self.questions.iter().map(|question| question.id.get()).max().unwrap_or(0) + 1);
        self.questions.push(Question { id, dimension, statement: statement.to_owned() });
        id
    }

    fn store(&mut self) -> &mut dyn ChallengeStore {
        self
    }
}

impl ChallengeQueries for Memory {
    fn candidates(
        &mut self,
        topic: Topic,
        openness: Openness<'_>,
        reader: Option<UserId>,
        limit: usize,
    ) -> Result<Vec<Candidate>, StoreError> {
        let mut numbered: Vec<(BookId, &BookFacts)> = (1..).map(BookId::from_store).zip(&self.books).collect();
        numbered.sort_by_key(|(id, book)| Reverse((book.is_popular, *id)));
        let fits = |book: &BookFacts| match topic {
            Topic::All => true,
            Topic::Goal(goal) => book.goals.contains(&goal),
            Topic::Category(category) => book.categories.contains(&category),
        };
        let is_part = |id, book: &BookFacts| match openness {
            Openness::Any => true,
            Openness::Open(opened) => book.is_free || opened.contains(&id),
            Openness::Closed(opened) => !book.is_free && !opened.contains(&id),
        };
        let is_completed = |book| reader.is_some_and(|reader| self.completed.contains(&(reader, book)));
        Ok(numbered
            .into_iter()
            .filter(|(id, book)| book.is_readable && fits(book) && is_part(*id, book) && !is_completed(*id))
            .map(|(id, book)| Candidate { book: id, goals: book.goals.clone() })
            .take(limit)
            .collect())
    }

    fn saved_plan(&mut self, member: UserId) -> Result<Option<SavedPlan>, StoreError> {
        Ok(self.plans.get(&member).cloned())
    }

    fn completed_among(&mut self, member: UserId, books: &[BookId]) -> Result<Vec<BookId>, StoreError> {
        Ok(books.iter().copied().filter(|book| self.completed.contains(&(member, *book))).collect())
    }

    fn chosen_goals(&mut self, member: UserId) -> Result<Vec<GoalId>, StoreError> {
        Ok(self.chosen.get(&member).cloned().unwrap_or_default())
    }

    fn daily_mail(&mut self, member: UserId) -> Result<Option<DailyMail>, StoreError> {
        Ok(self.daily_mails.get(&member).copied())
    }

    fn members_with_daily_mail_due(
        &mut self,
        by: Timestamp,
        after: Option<UserId>,
        limit: Limit,
    ) -> Result<Vec<UserId>, StoreError> {
        let due = self.daily_mails.iter().filter(|(_, mail)| mail.due_at.is_some_and(|due_at| due_at <= by));
        let members = due.map(|(member, _)| *member).filter(|member| after.is_none_or(|after| after < *member));
        Ok(members.take(limit.get()).collect())
    }

    fn questions(&mut self, kind: QuizKind) -> Result<Vec<Question>, StoreError> {
        Ok(self.questions.iter().filter(|question| question.dimension.kind() == kind).cloned().collect())
    }

    fn quiz_results(&mut self, member: UserId, kind: QuizKind, limit: usize) -> Result<Vec<SavedResult>, StoreError> {
        let theirs = self.results.iter().rev().filter(|(who, saved)| *who == member && saved.result.kind == kind);
        Ok(theirs.map(|(_, saved)| saved.clone()).take(limit).collect())
    }

    fn site_figures(&mut self) -> Result<SiteFigures, StoreError> {
        let readers: BTreeSet<UserId> = self.completed.iter().map(|(reader, _)| *reader).collect();
        let readers = u64::try_from(readers.len()).map_err(StoreError::new)?;
        Ok(SiteFigures { readers, ..SiteFigures::default() })
    }

    fn has_goals(&mut self, goals: &[GoalId]) -> Result<bool, StoreError> {
        Ok(goals.iter().all(|goal| usize::try_from(goal.get()).is_ok_and(|number| number <= self.goals)))
    }
}

impl ChallengeCommands for Memory {
    fn insert_quiz_result(&mut self, member: UserId, result: &QuizResult, at: Timestamp) -> Result<(), StoreError> {
        self.results.push((member, SavedResult { result: result.clone(), taken_at: at }));
        Ok(())
    }

    fn replace_questions(&mut self, kind: QuizKind, questions: &[QuestionDraft]) -> Result<(), StoreError> {
        let greatest = self.questions.iter().map(|question| question.id.get()).max().unwrap_or(0);
        let mut free = (greatest + 1..).map(QuestionId::from_store);
        self.questions.retain(|question| question.dimension.kind() != kind);
        for QuestionDraft { id, dimension, statement } in questions {
            let id = id.or_else(|| free.next()).ok_or_else(|| StoreError::new("no number is left"))?;
            self.questions.push(Question { id, dimension: *dimension, statement: statement.clone() });
        }
        Ok(())
    }
}

impl ChallengeStore for Memory {
    fn lock_challenger(&mut self, member: UserId) -> Result<Option<TimeZone>, StoreError> {
        let is_there = usize::try_from(member.get()).is_ok_and(|number| number <= self.members);
        Ok(is_there.then(|| self.zones.get(&member).cloned().unwrap_or(TimeZone::UTC)))
    }

    fn has_published_books(&mut self, books: &[BookId]) -> Result<bool, StoreError> {
        Ok(books.iter().all(|book| usize::try_from(book.get()).is_ok_and(|number| number <= self.books.len())))
    }

    fn replace_plan(&mut self, member: UserId, plan: &SavedPlan) -> Result<(), StoreError> {
        self.plans.insert(member, plan.clone());
        Ok(())
    }

    fn put_daily_mail(&mut self, member: UserId, mail: &DailyMail) -> Result<(), StoreError> {
        self.daily_mails.insert(member, *mail);
        Ok(())
    }

    fn replace_goals(&mut self, member: UserId, goals: &[GoalId]) -> Result<(), StoreError> {
        self.chosen.insert(member, goals.to_vec());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::suggested_books::SuggestedBooks;
    use kernel::{BookId, GoalId, UserId};
    use proptest::prelude::*;

    use super::Memory;
    use crate::{
        ChosenGoals, PLAN_DAYS, ReadableBooks,
        contract::{self, BookFacts, World},
    };

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }

    /// For each book: which of four goals it serves, whether it is marked as popular, and whether the member has
    /// completed it.
    fn catalogue() -> impl Strategy<Value = Vec<(Vec<bool>, bool, bool)>> {
        let goals = prop::collection::vec(any::<bool>(), 4);
        prop::collection::vec((goals, any::<bool>(), any::<bool>()), 0..60)
    }

    fn world(catalogue: &[(Vec<bool>, bool, bool)]) -> (Memory, UserId, Vec<GoalId>) {
        let mut world = Memory::default();
        let member = world.add_member();
        let goals: Vec<GoalId> = (0..4).map(|_| world.add_goal()).collect();
        for (serves, is_popular, is_completed) in catalogue {
            let served = goals.iter().zip(serves).filter(|(_, serves)| **serves).map(|(goal, _)| *goal).collect();
            let book = world.add_book(&BookFacts { goals: served, is_popular: *is_popular, ..BookFacts::default() });
            if *is_completed {
                world.complete(member, book);
            }
        }
        (world, member, goals)
    }

    proptest! {
        #[test]
        fn a_plan_has_ten_different_books_and_none_that_is_completed(
            catalogue in catalogue(), chosen in prop::collection::vec(0..4_usize, 1..=2),
        ) {
            let (mut world, member, goals) = world(&catalogue);
            let chosen = ChosenGoals::new(&chosen.iter().map(|at| goals[*at]).collect::<Vec<_>>()).unwrap();
            let draw = |world: &mut Memory| -> Vec<BookId> {
                let days = world.draw_up_plan(&chosen, Some(member), &ReadableBooks::All).unwrap();
                days.iter().map(|day| day.book).collect()
            };
            let plan = draw(&mut world);
            let open = catalogue.iter().filter(|(_, _, is_completed)| !is_completed).count();
            prop_assert_eq!(plan.len(), open.min(PLAN_DAYS));
            let different: std::collections::HashSet<BookId> = plan.iter().copied().collect();
            prop_assert_eq!(different.len(), plan.len());
            let is_completed = |book: &BookId| catalogue[usize::try_from(book.get()).unwrap() - 1].2;
            prop_assert!(!plan.iter().any(is_completed));
            prop_assert_eq!(&plan, &draw(&mut world));
            // Books that serve no chosen goal come after all that do.
            let serves = |book: &BookId| {
                let served = &world_goals(&catalogue, *book);
                chosen.as_slice().iter().any(|goal| served[usize::try_from(goal.get()).unwrap() - 1])
            };
            prop_assert!(plan.is_sorted_by_key(|book| !serves(book)));
        }
    }

    fn world_goals(catalogue: &[(Vec<bool>, bool, bool)], book: BookId) -> Vec<bool> {
        catalogue[usize::try_from(book.get()).unwrap() - 1].0.clone()
    }
}
