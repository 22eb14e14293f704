//! The review of a day: which cards are in review, and which of them a member is asked today (`study.daily-maximum`,
//! `study.free-cards`).
//!
//! The web app decides the same offline; `review_cases.json` is the table of cases that both keep.

use std::{collections::BTreeSet, ops::RangeInclusive};

use kernel::{Day, ReviewCardId, Timestamp};

/// How many cards a day asks at most, until the member chooses another number.
pub const DAILY_MAX: u32 = 20;
/// The numbers that a member can choose.
pub const DAILY_MAX_RANGE: RangeInclusive<u32> = 5..=200;
/// How long a card takes, in seconds.
pub const SECONDS_PER_CARD: u32 = 15;
/// How many cards are in review without a plan.
pub const FREE_CARDS: usize = 20;

/// What the review of a day depends on of a card. Deleted cards have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFacts {
    pub id: ReviewCardId,
    pub created_at: Timestamp,
    pub is_paused: bool,
    /// Whether what it asks for is still there.
    pub is_askable: bool,
    pub due: Day,
    /// When it was answered for the first time today.
    pub first_answer_today: Option<Timestamp>,
}

/// The review of a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayReview {
    /// The cards to ask, in order.
    pub due: Vec<ReviewCardId>,
    /// How many different cards were answered today.
    pub done: u32,
    /// How many more cards are due than the day asks.
    pub later: u32,
}

/// The cards in review, those added first at the beginning: all that are neither paused nor gone, without a plan as many of
/// them as `free_limit` says (`study.free-cards`). The others wait.
pub fn cards_in_review(cards: &[CardFacts], free_limit: Option<usize>) -> Vec<ReviewCardId> {
    let mut in_review: Vec<&CardFacts> = cards.iter().filter(|card| !card.is_paused && card.is_askable).collect();
    in_review.sort_by_key(|card| (card.created_at, card.id));
    in_review.truncate(free_limit.unwrap_or(usize::MAX));
    in_review.into_iter().map(|card| card.id).collect()
}

/// The review of a day that asks `max` different cards at most: what is due longest comes first. A card that was answered
/// Again today is asked once more, after the others, and counts once.
pub fn review_of_day(cards: &[CardFacts], free_limit: Option<usize>, max: u32, today: Day) -> DayReview {
    let in_review: BTreeSet<ReviewCardId> = cards_in_review(cards, free_limit).into_iter().collect();
    let done = cards.iter().filter(|card| card.first_answer_today.is_some()).count();
    let done = u32::try_from(done).unwrap_or(u32::MAX);
    let due = cards.iter().filter(|card| in_review.contains(&card.id) && card.due <= today);
    let (mut again, mut fresh): (Vec<&CardFacts>, Vec<&CardFacts>) =
        due.partition(|card| card.first_answer_today.is_some());
    again.sort_by_key(|card| (card.first_answer_today, card.id));
    fresh.sort_by_key(|card| (card.due, card.id));
    let asked = usize::try_from(max.saturating_sub(done)).unwrap_or(usize::MAX).min(fresh.len());
    let later = u32::try_from(fresh.len() - asked).unwrap_or(u32::MAX);
    let due = fresh[..asked].iter().chain(&again).map(|card| card.id).collect();
    DayReview { due, done, later }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kernel::{Day, ReviewCardId, Timestamp};
    use proptest::{prelude::*, sample::Index};

    use super::{
        CardFacts, DAILY_MAX, DAILY_MAX_RANGE, DayReview, FREE_CARDS, SECONDS_PER_CARD, cards_in_review, review_of_day,
    };

    const TODAY: Day = Day::from_epoch(20_700);

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        name: String,
        today: String,
        max: u32,
        free_limit: Option<usize>,
        cards: Vec<CaseCard>,
        in_review: Vec<i64>,
        due: Vec<i64>,
        done: u32,
        later: u32,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CaseCard {
        id: i64,
        created_at: i64,
        paused: bool,
        askable: bool,
        due: String,
        first_answer_today: Option<i64>,
    }

    fn ids(numbers: &[i64]) -> Vec<ReviewCardId> {
        numbers.iter().map(|id| ReviewCardId::from_store(*id)).collect()
    }

    #[test]
    fn the_cases_that_the_web_app_shares_have_their_review() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("review_cases.json")).expect("the table is JSON");
        assert!(cases.len() >= 10);
        for Case { name, today, max, free_limit, cards, in_review, due, done, later } in cases {
            let facts = |card: CaseCard| CardFacts {
                id: ReviewCardId::from_store(card.id),
                created_at: Timestamp::from_millis(card.created_at),
                is_paused: card.paused,
                is_askable: card.askable,
                due: card.due.parse().expect("a day"),
                first_answer_today: card.first_answer_today.map(Timestamp::from_millis),
            };
            let cards: Vec<CardFacts> = cards.into_iter().map(facts).collect();
            assert_eq!(cards_in_review(&cards, free_limit), ids(&in_review), "{name}");
            let review = review_of_day(&cards, free_limit, max, today.parse().expect("a day"));
            assert_eq!(review, DayReview { due: ids(&due), done, later }, "{name}");
        }
    }

    #[test]
    fn twenty_cards_take_five_minutes_and_are_free() {
        assert_eq!((DAILY_MAX, DAILY_MAX_RANGE, FREE_CARDS), (20, 5..=200, 20));
        assert_eq!(DAILY_MAX * SECONDS_PER_CARD, 5 * 60);
    }

    fn some_cards() -> impl Strategy<Value = Vec<CardFacts>> {
        let one = (0..20_i64, proptest::bool::weighted(0.1), proptest::bool::weighted(0.9), -5..5_i32);
        proptest::collection::vec(one, 0..40).prop_map(|cards| {
            let cards = (1..).zip(cards).map(|(id, (created, is_paused, is_askable, due))| CardFacts {
                id: ReviewCardId::from_store(id),
                created_at: Timestamp::from_millis(created),
                is_paused,
                is_askable,
                due: TODAY.plus(due),
                first_answer_today: None,
            });
            cards.collect()
        })
    }

    /// Answers a card: today again, or due after some days.
    fn answer(cards: &mut [CardFacts], id: ReviewCardId, moment: i64, due: Day) {
        let card = cards.iter_mut().find(|card| card.id == id).expect("a card that was asked");
        card.first_answer_today = card.first_answer_today.or(Some(Timestamp::from_millis(moment)));
        card.due = due;
    }

    proptest! {
        #[test]
        fn a_day_never_asks_more_cards_than_its_maximum(
            mut cards in some_cards(), max in 0..12_u32, free_limit in proptest::option::of(0..25_usize),
            answers in proptest::collection::vec((any::<Index>(), 0..3_i32), 0..60),
        ) {
            let mut asked = BTreeSet::new();
            for (moment, (which, days)) in (0..).zip(answers) {
                let review = review_of_day(&cards, free_limit, max, TODAY);
                asked.extend(review.due.iter().copied());
                prop_assert!(asked.len() <= max as usize);
                prop_assert!(review.done <= max);
                if review.due.is_empty() {
                    break;
                }
                answer(&mut cards, review.due[which.index(review.due.len())], moment, TODAY.plus(days));
            }
        }

        /// Cards that are answered make no room for others that were due for less long.
        #[test]
        fn every_due_card_is_asked_in_time(
            mut cards in some_cards(), max in 1..12_u32, free_limit in proptest::option::of(0..25_usize), days in 1..4_i32,
        ) {
            let in_review = cards_in_review(&cards, free_limit);
            let is_due = |card: &&CardFacts| in_review.contains(&card.id) && card.due <= TODAY;
            let mut waiting: BTreeSet<ReviewCardId> = cards.iter().filter(is_due).map(|card| card.id).collect();
            let needed = waiting.len().div_ceil(max as usize);
            for day in 0..i32::try_from(needed).expect("a few days") {
                let today = TODAY.plus(day);
                let review = review_of_day(&cards, free_limit, max, today);
                prop_assert_eq!(review.due.len(), review.due.iter().collect::<BTreeSet<_>>().len());
                for id in review.due {
                    waiting.remove(&id);
                    answer(&mut cards, id, 0, today.plus(days));
                }
                for card in &mut cards {
                    card.first_answer_today = None;
                }
            }
            prop_assert!(waiting.is_empty());
        }

        #[test]
        fn nothing_that_is_due_is_forgotten(cards in some_cards(), max in 0..12_u32) {
            let review = review_of_day(&cards, None, max, TODAY);
            let due = cards.iter().filter(|card| !card.is_paused && card.is_askable && card.due <= TODAY).count();
            prop_assert_eq!(review.due.len() + review.later as usize, due);
        }
    }
}
