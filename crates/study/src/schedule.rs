//! The schedule of a review card: a function of its answers, by the algorithm FSRS 6 with its default parameters
//! (`study.review-schedule`, `study.answer-merge`).

use std::sync::LazyLock;

use fsrs::{FSRS, FSRS6_DEFAULT_DECAY, ItemState, MemoryState, NextStates, current_retrievability};
use kernel::{AnswerId, Day, ReviewCardId, Timestamp};

use crate::StudyError;

/// How likely a member still knows an answer on the day on which it is due.
pub const DESIRED_RETENTION: f32 = 0.9;
/// The longest time until a card is due again, in days.
pub const LONGEST_INTERVAL: u32 = 3_650;

/// How well a member knew an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rating {
    Again = 1,
    Hard = 2,
    Good = 3,
    Easy = 4,
}

impl Rating {
    /// Every rating, in order.
    pub const ALL: [Self; 4] = [Self::Again, Self::Hard, Self::Good, Self::Easy];

    /// The rating of this number, from 1 to 4.
    pub fn new(number: i64) -> Result<Self, StudyError> {
        Self::ALL.into_iter().find(|rating| i64::from(rating.number()) == number).ok_or(StudyError::InvalidRating)
    }

    /// Its number, from 1 to 4.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether the member knew the answer.
    pub const fn is_right(self) -> bool {
        !matches!(self, Self::Again)
    }
}

/// One rating of a review card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardAnswer {
    pub id: AnswerId,
    pub card: ReviewCardId,
    pub rating: Rating,
    pub at: Timestamp,
    /// The day of the member's calendar, as it was when the answer was stored first.
    pub day: Day,
}

/// What FSRS knows of how well an answer is remembered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardMemory {
    /// After how many days the answer is still known with a likelihood of 90%.
    pub stability: f32,
    /// From 1 to 10.
    pub difficulty: f32,
}

/// When a card is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// `None` before the first answer.
    pub memory: Option<CardMemory>,
    /// The day on which it is due.
    pub due: Day,
    /// The day of the latest answer.
    pub last: Option<Day>,
    /// How many answers it has.
    pub answers: u32,
    /// How many of them were Again a day or more after the answer before.
    pub lapses: u32,
}

/// FSRS with its parameters.
struct Scheduler(Option<FSRS>);

static SCHEDULER: LazyLock<Scheduler> = LazyLock::new(|| Scheduler::with_parameters(&[]));

impl Scheduler {
    /// Without parameters, with the default ones. The algorithm accepts those, and refuses others that make no sense.
    fn with_parameters(parameters: &[f32]) -> Self {
        Self(FSRS::new(parameters).ok())
    }

    /// Memory and interval, in days, after each of the four ratings.
    fn next_states(&self, memory: Option<CardMemory>, elapsed: u32) -> Option<[(CardMemory, f32); 4]> {
        let memory = memory.map(|CardMemory { stability, difficulty }| MemoryState { stability, difficulty });
        let NextStates { again, hard, good, easy } =
            self.0.as_ref()?.next_states(memory, DESIRED_RETENTION, elapsed).ok()?;
        Some([again, hard, good, easy].map(|ItemState { memory: MemoryState { stability, difficulty }, interval }| {
            (CardMemory { stability, difficulty }, interval)
        }))
    }
}

impl Schedule {
    /// The schedule of a card without an answer: it is due on the day on which it was added.
    pub const fn new(first: Day) -> Self {
        Self { memory: None, due: first, last: None, answers: 0, lapses: 0 }
    }

    /// The schedule after all answers, in whatever order they arrived. An answer that arrived twice counts once.
    pub fn replayed(first: Day, answers: &[CardAnswer]) -> Self {
        let mut answers: Vec<&CardAnswer> = answers.iter().collect();
        answers.sort_by_key(|answer| (answer.at, answer.id));
        answers.dedup_by_key(|answer| answer.id);
        answers.into_iter().fold(Self::new(first), |schedule, answer| schedule.after(answer.rating, answer.day))
    }

    /// The schedule after one more answer. A day before that of the answer before, as after a change of the time zone,
    /// counts as the same day.
    #[must_use]
    pub fn after(&self, rating: Rating, day: Day) -> Self {
        let elapsed = self.elapsed(day);
        let day = self.last.map_or(day, |last| last.max(day));
        let next = self.next(elapsed).map(|states| states[usize::from(rating.number()) - 1]);
        // Without a state, which these parameters never lead to, the memory stays and the card is due tomorrow.
        let interval = next.map_or(1, |(_, interval)| whole_days(interval));
        let due = if rating == Rating::Again { day } else { day.plus(i32::try_from(interval).unwrap_or(i32::MAX)) };
        let is_lapse = rating == Rating::Again && elapsed > 0;
        Self {
            memory: next.map(|(memory, _)| memory).or(self.memory),
            due,
            last: Some(day),
            answers: self.answers.saturating_add(1),
            lapses: self.lapses.saturating_add(is_lapse.into()),
        }
    }

    /// In how many days the card is due after each of the four ratings on this day; 0 for Again.
    pub fn next_days(&self, day: Day) -> [u32; 4] {
        Rating::ALL.map(|rating| {
            let next = self.after(rating, day);
            let from = next.last.unwrap_or(day);
            u32::try_from(next.due.since_epoch().saturating_sub(from.since_epoch())).unwrap_or(0)
        })
    }

    /// How likely the member still knows the answer on this day; `None` before the first answer.
    pub fn retrievability(&self, day: Day) -> Option<f32> {
        let CardMemory { stability, difficulty } = self.memory?;
        #[expect(clippy::cast_precision_loss, reason = "days are far fewer than 2^23")]
        let elapsed = self.elapsed(day) as f32;
        Some(current_retrievability(MemoryState { stability, difficulty }, elapsed, FSRS6_DEFAULT_DECAY))
    }

    /// Whole days since the latest answer; 0 before the first one.
    fn elapsed(&self, day: Day) -> u32 {
        let days = self.last.map_or(0, |last| day.since_epoch().saturating_sub(last.since_epoch()));
        u32::try_from(days).unwrap_or(0)
    }

    fn next(&self, elapsed: u32) -> Option<[(CardMemory, f32); 4]> {
        SCHEDULER.next_states(self.memory, elapsed)
    }
}

/// An interval in whole days, from one day to [`LONGEST_INTERVAL`].
fn whole_days(interval: f32) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a conversion of a float saturates")]
    let days = interval.round() as u32;
    days.clamp(1, LONGEST_INTERVAL)
}

#[cfg(test)]
mod tests {
    use fsrs::{FSRS, MemoryState, current_retrievability};
    use kernel::{AnswerId, Day, ReviewCardId, Timestamp};
    use proptest::prelude::*;

    use super::{CardAnswer, CardMemory, DESIRED_RETENTION, LONGEST_INTERVAL, Rating, Schedule, Scheduler};
    use crate::StudyError;

    const FIRST: Day = Day::from_epoch(20_700);

    /// The parameters of FSRS 5 with which the crate `fsrs` 6.6.2 proves that it still computes what version 5 did.
    const PARAMETERS_OF_5: [f32; 19] = [
        0.684_542_2,
        1.679_082_5,
        4.734_942_4,
        10.042_885,
        7.441_023_3,
        0.642_197_97,
        1.071_918,
        0.002_519_525_4,
        1.432_437,
        0.154_4,
        0.869_276_6,
        2.069_675_2,
        0.095_3,
        0.297_5,
        2.469_124_8,
        0.195_420_35,
        3.201_072,
        0.180_462_61,
        0.121_442_534,
    ];

    fn assert_near(found: CardMemory, stability: f32, difficulty: f32) {
        let is_near = |found: f32, expected: f32| (found - expected).abs() <= 1e-4 * expected.max(1.0);
        let CardMemory { stability: found_stability, difficulty: found_difficulty } = found;
        assert!(
            is_near(found_stability, stability) && is_near(found_difficulty, difficulty),
            "{found:?} is not {stability}, {difficulty}"
        );
    }

    /// The memory after ratings, each so many days after the one before.
    fn memory_after(scheduler: &Scheduler, ratings: &[(usize, u32)]) -> CardMemory {
        let next = |memory, (rating, elapsed): &(usize, u32)| {
            Some(scheduler.next_states(memory, *elapsed).expect("a state")[rating - 1].0)
        };
        ratings.iter().fold(None, next).expect("a rating")
    }

    // The vectors are those of the tests of the crate `fsrs` 6.6.2.

    #[test]
    fn first_answers_have_the_published_memory() {
        let states = Scheduler::with_parameters(&[]).next_states(None, 0).expect("a state");
        let published = [(0.212, 6.4133), (1.2931, 5.112_170_7), (2.306_5, 2.118_104), (8.295_6, 1.0)];
        for ((memory, _), (stability, difficulty)) in states.into_iter().zip(published) {
            assert_near(memory, stability, difficulty);
        }
    }

    #[test]
    fn courses_of_answers_have_the_published_memory() {
        let course = [(1, 0), (3, 0), (3, 1), (3, 3), (3, 8), (3, 21)];
        assert_near(memory_after(&Scheduler::with_parameters(&[]), &course), 53.626_91, 6.357_486_7);
        let course = [(1, 0), (3, 1), (3, 3), (3, 8), (3, 21)];
        assert_near(memory_after(&Scheduler::with_parameters(&PARAMETERS_OF_5), &course), 31.722_992, 7.382_128);
    }

    #[test]
    fn answers_from_a_known_memory_have_the_published_memory() {
        let scheduler = Scheduler::with_parameters(&PARAMETERS_OF_5);
        let known = CardMemory { stability: 20.925_528, difficulty: 7.005_062 };
        let states = scheduler.next_states(Some(known), 21).expect("a state");
        assert_near(states[2].0, 40.874_56, 6.991_380_7);
        let before = memory_after(&scheduler, &[(1, 0), (3, 1), (3, 3), (3, 8)]);
        let published =
            [(2.969_145_5, 8.000_659), (17.091_452, 7.691_393_4), (31.722_992, 7.382_128), (71.750_2, 7.072_862_6)];
        let states = scheduler.next_states(Some(before), 21).expect("a state");
        for ((memory, _), (stability, difficulty)) in states.into_iter().zip(published) {
            assert_near(memory, stability, difficulty);
        }
    }

    #[test]
    fn intervals_and_retrievability_are_the_published_ones() {
        let fsrs = FSRS::new(&[]).expect("the default parameters");
        let intervals = [1_u8, 2, 3, 4, 5, 6, 7, 8, 9, 10]
            .map(|tenths| fsrs.next_interval(Some(1.0), f32::from(tenths) / 10.0, 1).round().max(1.0));
        let published = [3_116_766.0, 34_793.0, 2_508.0, 387.0, 90.0, 27.0, 9.0, 3.0, 1.0, 1.0];
        assert!(
            intervals.iter().zip(published).all(|(found, expected)| (found - expected).abs() < 1.5),
            "{intervals:?}"
        );
        let state = MemoryState { stability: 1.0, difficulty: 5.0 };
        for (days, published) in [(0.0, 1.0), (1.0, 0.9), (2.0, 0.840_289_35), (3.0, 0.798_500_1)] {
            assert!((current_retrievability(state, days, 0.2) - published).abs() < 1e-4, "{days}");
        }
    }

    #[test]
    fn ratings_are_the_numbers_from_1_to_4() {
        for rating in Rating::ALL {
            assert_eq!(Rating::new(rating.number().into()), Ok(rating));
        }
        for wrong in [i64::MIN, -1, 0, 5, 257] {
            assert_eq!(Rating::new(wrong), Err(StudyError::InvalidRating), "{wrong}");
        }
    }

    #[test]
    fn a_new_card_is_due_on_the_day_on_which_it_was_added() {
        let schedule = Schedule::new(FIRST);
        assert_eq!((schedule.due, schedule.retrievability(FIRST)), (FIRST, None));
        assert_eq!(schedule.next_days(FIRST), [0, 1, 2, 8]);
    }

    #[test]
    fn again_is_due_on_its_day_and_a_lapse_when_a_day_has_passed() {
        let again = Schedule::new(FIRST).after(Rating::Again, FIRST);
        assert_eq!((again.due, again.answers, again.lapses), (FIRST, 1, 0));
        let good = again.after(Rating::Good, FIRST);
        assert_eq!((good.due, good.lapses), (FIRST.plus(1), 0), "the same day");
        let lapse = good.after(Rating::Again, FIRST.plus(1));
        assert_eq!((lapse.due, lapse.answers, lapse.lapses), (FIRST.plus(1), 3, 1));
    }

    #[test]
    fn an_easy_card_is_due_after_ten_years_at_most() {
        assert_eq!((LONGEST_INTERVAL, DESIRED_RETENTION), (3_650, 0.9));
        let mut schedule = Schedule::new(FIRST);
        let mut day = FIRST;
        for _ in 0..12 {
            schedule = schedule.after(Rating::Easy, day);
            day = schedule.due;
        }
        assert_eq!(schedule.due, schedule.last.expect("a day").plus(3_650));
    }

    #[test]
    fn a_day_that_goes_back_counts_as_the_same_day() {
        let schedule = Schedule::new(FIRST).after(Rating::Good, FIRST);
        let back = schedule.after(Rating::Good, FIRST.plus(-1));
        assert_eq!(back, schedule.after(Rating::Good, FIRST));
        assert_eq!(schedule.next_days(FIRST.plus(-1)), schedule.next_days(FIRST));
        assert_eq!(schedule.retrievability(FIRST.plus(-400)), Some(1.0));
    }

    #[test]
    fn a_card_is_known_with_the_desired_retention_when_it_is_due() {
        let schedule = Schedule::new(FIRST).after(Rating::Easy, FIRST);
        let known = schedule.retrievability(schedule.due).expect("an answer");
        assert!((known - DESIRED_RETENTION).abs() < 0.01, "{known}");
    }

    fn some_answers() -> impl Strategy<Value = Vec<CardAnswer>> {
        let one = (0..4_usize, 0..40_i64, -1..=1_i32);
        proptest::collection::vec(one, 0..14).prop_map(|answers| {
            let answers = (1..).zip(answers).map(|(id, (rating, half_days, zone))| CardAnswer {
                id: AnswerId::from_store(id),
                card: ReviewCardId::from_store(1),
                rating: Rating::ALL[rating],
                at: Timestamp::from_millis(half_days * kernel::DAY / 2),
                day: FIRST.plus(i32::try_from(half_days / 2).expect("a few days") + zone),
            });
            answers.collect()
        })
    }

    proptest! {
        /// Two devices that reviewed offline end in the same schedule, whichever is online first.
        #[test]
        fn answers_in_any_order_and_number_give_the_same_schedule(
            (answers, arrived) in some_answers().prop_flat_map(|answers| {
                let twice: Vec<_> = answers.iter().chain(&answers).cloned().collect();
                (Just(answers), Just(twice).prop_shuffle())
            }),
        ) {
            prop_assert_eq!(Schedule::replayed(FIRST, &arrived), Schedule::replayed(FIRST, &answers));
        }

        #[test]
        fn a_schedule_is_the_one_before_after_its_latest_answer(mut answers in some_answers()) {
            answers.sort_by_key(|answer| (answer.at, answer.id));
            let all = Schedule::replayed(FIRST, &answers);
            if let Some((last, before)) = answers.split_last() {
                prop_assert_eq!(all, Schedule::replayed(FIRST, before).after(last.rating, last.day));
            }
            prop_assert_eq!(all.answers as usize, answers.len());
        }

        #[test]
        fn a_better_rating_is_never_due_earlier(answers in some_answers(), later in 0..900_i32) {
            let schedule = Schedule::replayed(FIRST, &answers);
            let day = schedule.last.unwrap_or(FIRST).plus(later);
            let [again, hard, good, easy] = schedule.next_days(day);
            prop_assert!(again == 0 && hard >= 1 && good >= hard && easy >= good && easy <= LONGEST_INTERVAL);
            for rating in Rating::ALL {
                let next = schedule.after(rating, day);
                let memory = next.memory.expect("an answer");
                prop_assert!(memory.stability > 0.0 && (1.0..=10.0).contains(&memory.difficulty));
                prop_assert_eq!(next.due > day, rating.is_right());
            }
        }

        #[test]
        fn no_day_is_too_far(days in proptest::collection::vec((any::<i32>(), 0..4_usize), 0..6)) {
            let schedule = days.iter().fold(Schedule::new(FIRST), |schedule, (day, rating)| {
                schedule.after(Rating::ALL[*rating], Day::from_epoch(*day))
            });
            prop_assert!(schedule.memory.is_none_or(|memory| memory.stability.is_finite()));
        }
    }
}
