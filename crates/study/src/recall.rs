//! How much a member remembers, for each category (`study.recall-figures`).

use std::collections::BTreeMap;

use kernel::{CategoryId, Day};

use crate::Rating;

/// Of how many days answers count, today included.
pub const RECALL_DAYS: i32 = 90;
/// From how many answers on the share of right ones is shown.
pub const RECALL_FROM: u32 = 20;

/// An answer, and what its card is about. A card of a book with several categories gives one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallAnswer {
    pub category: CategoryId,
    pub rating: Rating,
    pub day: Day,
    /// The day of the card's answer before; `None`: this was the first.
    pub before: Option<Day>,
}

/// How many answers of a category were right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallFigure {
    pub category: CategoryId,
    /// How many of the answers were Hard, Good or Easy.
    pub right: u32,
    pub answers: u32,
}

impl RecallFigure {
    /// How many per cent of the answers were right, rounded; `None` under [`RECALL_FROM`] answers.
    pub const fn percent(&self) -> Option<u32> {
        if self.answers < RECALL_FROM { None } else { Some((self.right * 100 + self.answers / 2) / self.answers) }
    }

    /// How many answers are missing until the share is shown.
    pub const fn missing(&self) -> u32 {
        RECALL_FROM.saturating_sub(self.answers)
    }
}

/// The figures of the answers of the last [`RECALL_DAYS`], by category. An answer counts if it came a day or more after its
/// card's answer before: one on the same day says little about memory.
pub fn recall(answers: &[RecallAnswer], today: Day) -> Vec<RecallFigure> {
    let mut counts: BTreeMap<CategoryId, (u32, u32)> = BTreeMap::new();
    let first = today.plus(1 - RECALL_DAYS);
    let counting = answers.iter().filter(|answer| {
        answer.day >= first && answer.day <= today && answer.before.is_some_and(|before| before < answer.day)
    });
    for answer in counting {
        let (right, all) = counts.entry(answer.category).or_default();
        *right += u32::from(answer.rating.is_right());
        *all += 1;
    }
    counts.into_iter().map(|(category, (right, answers))| RecallFigure { category, right, answers }).collect()
}

#[cfg(test)]
mod tests {
    use kernel::{CategoryId, Day};

    use super::{RECALL_DAYS, RECALL_FROM, RecallAnswer, RecallFigure, recall};
    use crate::Rating;

    const TODAY: Day = Day::from_epoch(20_700);

    fn answer(category: i64, rating: Rating, days_ago: i32, gap: Option<i32>) -> RecallAnswer {
        let day = TODAY.plus(-days_ago);
        let before = gap.map(|gap| day.plus(-gap));
        RecallAnswer { category: CategoryId::from_store(category), rating, day, before }
    }

    fn figure(category: i64, right: u32, answers: u32) -> RecallFigure {
        RecallFigure { category: CategoryId::from_store(category), right, answers }
    }

    #[test]
    fn every_rating_but_again_is_right() {
        let answers = Rating::ALL.map(|rating| answer(2, rating, 3, Some(1)));
        assert_eq!(recall(&answers, TODAY), [figure(2, 3, 4)]);
        assert_eq!(recall(&[], TODAY), []);
    }

    #[test]
    fn first_answers_and_those_of_the_same_day_do_not_count() {
        let answers = [
            answer(1, Rating::Good, 3, None),
            answer(1, Rating::Good, 3, Some(0)),
            answer(1, Rating::Good, 3, Some(-1)),
            answer(1, Rating::Good, 3, Some(1)),
            answer(7, Rating::Again, 0, Some(40)),
        ];
        assert_eq!(recall(&answers, TODAY), [figure(1, 1, 1), figure(7, 0, 1)]);
    }

    #[test]
    fn answers_of_the_last_90_days_count() {
        assert_eq!(RECALL_DAYS, 90);
        let count = |days_ago| recall(&[answer(1, Rating::Good, days_ago, Some(1))], TODAY).len();
        assert_eq!([count(-1), count(0), count(89), count(90)], [0, 1, 1, 0]);
    }

    #[test]
    fn the_share_is_shown_from_20_answers_on() {
        assert_eq!(RECALL_FROM, 20);
        assert_eq!((figure(1, 19, 19).percent(), figure(1, 19, 19).missing()), (None, 1));
        assert_eq!((figure(1, 17, 20).percent(), figure(1, 17, 20).missing()), (Some(85), 0));
        assert_eq!((figure(1, 37, 43).percent(), figure(1, 0, 30).percent()), (Some(86), Some(0)));
    }
}
