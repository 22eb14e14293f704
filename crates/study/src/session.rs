//! A session: key ideas of several books on one topic, to be read or heard in one go within some minutes (`study.session-ideas`,
//! `study.session-length`).

use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
};

use kernel::{BookId, DAY, MINUTE, Timestamp};

use crate::StudyError;

/// How long a session may be, in minutes.
pub const SESSION_MINUTES: RangeInclusive<u32> = 1..=120;
/// The most characters of a topic.
pub const TOPIC_MAX_CHARS: usize = 100;
/// How long an idea that was completed is not offered again, in milliseconds.
pub const NOT_OFFERED_AGAIN: i64 = 30 * DAY;
/// An idea that matches less than this share of what the best one does is not about the topic.
const LEAST_SHARE: f64 = 0.2;
/// The most ideas of one book, while other books have some.
const IDEAS_OF_BOOK: usize = 3;

/// How long a session shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionMinutes(u32);

impl SessionMinutes {
    /// Fails if it is not one of [`SESSION_MINUTES`].
    pub fn new(minutes: u32) -> Result<Self, StudyError> {
        if SESSION_MINUTES.contains(&minutes) { Ok(Self(minutes)) } else { Err(StudyError::InvalidSessionMinutes) }
    }

    pub const fn get(self) -> u32 {
        self.0
    }

    fn millis(self) -> u64 {
        u64::from(self.0) * MINUTE.unsigned_abs()
    }
}

/// What a session is about; blank: anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionTopic(String);

impl SessionTopic {
    /// Fails if it is longer than [`TOPIC_MAX_CHARS`].
    pub fn new(text: &str) -> Result<Self, StudyError> {
        let text = kernel::one_line(text);
        if text.chars().count() > TOPIC_MAX_CHARS { Err(StudyError::TopicTooLong) } else { Ok(Self(text)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A key idea that a session may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdeaOffer {
    pub book: BookId,
    /// The index of its section, from 0.
    pub section: usize,
    /// How well it matches the topic; higher is better.
    pub rank: f64,
    /// How long it takes to read or to hear, in milliseconds.
    pub millis: u64,
    /// Whether the member may read and hear it without taking from their allowance.
    pub may_read: bool,
    /// Whether it is where the member stopped reading a book.
    pub is_left_open: bool,
    /// When the member completed it last; `None`: never.
    pub completed_at: Option<Timestamp>,
}

impl IdeaOffer {
    fn is_offered(&self, now: Timestamp) -> bool {
        self.may_read && self.completed_at.is_none_or(|at| at.plus(NOT_OFFERED_AGAIN) <= now)
    }
}

/// Chooses the ideas of a session; gives their indexes, in the order in which they are read.
///
/// The idea that the member left open and that matches best comes first. The others are chosen by how well they match, at most a
/// few of a book before other books have their turn; one with which the session would not come nearer to its length is passed
/// over. They are read book by book, the book that was chosen first at the beginning, and within a book in the order of its text. So a
/// session exceeds its length by less than one idea, and has at least one if there is any.
pub fn build_session(minutes: SessionMinutes, offers: &[IdeaOffer], now: Timestamp) -> Vec<usize> {
    let mut offered: Vec<usize> = (0..offers.len()).filter(|at| offers[*at].is_offered(now)).collect();
    let best = offered.iter().map(|at| offers[*at].rank).fold(0.0, f64::max);
    offered.retain(|at| offers[*at].rank >= best * LEAST_SHARE);
    offered.sort_by(|a, b| {
        let (a, b) = (&offers[*a], &offers[*b]);
        b.rank.total_cmp(&a.rank).then_with(|| (a.book, a.section).cmp(&(b.book, b.section)))
    });
    let opened = offered.iter().position(|at| offers[*at].is_left_open).map(|place| offered.remove(place));
    let mut chosen = Chosen { wanted: minutes.millis(), millis: 0, ideas: Vec::new(), of_book: HashMap::new() };
    if let Some(at) = opened {
        chosen.add(at, &offers[at]);
    }
    for most in [IDEAS_OF_BOOK, usize::MAX] {
        for at in &offered {
            let offer = &offers[*at];
            let is_twice = chosen.ideas.iter().any(|there| {
                let there = &offers[*there];
                (there.book, there.section) == (offer.book, offer.section)
            });
            if !is_twice && chosen.has_room(offer, most) {
                chosen.add(*at, offer);
            }
        }
    }
    in_order(&chosen.ideas, offers, opened)
}

/// The ideas that were chosen so far.
struct Chosen {
    wanted: u64,
    millis: u64,
    ideas: Vec<usize>,
    of_book: HashMap<BookId, usize>,
}

impl Chosen {
    /// Whether the session comes nearer to its length with this idea.
    fn has_room(&self, offer: &IdeaOffer, most: usize) -> bool {
        let with = self.millis.saturating_add(offer.millis);
        let is_nearer = with <= self.wanted || with - self.wanted < self.wanted.saturating_sub(self.millis);
        let of_book = self.of_book.get(&offer.book).copied().unwrap_or(0);
        self.ideas.is_empty() || (is_nearer && of_book < most)
    }

    fn add(&mut self, at: usize, offer: &IdeaOffer) {
        self.millis = self.millis.saturating_add(offer.millis);
        self.ideas.push(at);
        *self.of_book.entry(offer.book).or_default() += 1;
    }
}

/// Book by book, in the order in which the books were chosen; the idea that was left open stays first.
fn in_order(chosen: &[usize], offers: &[IdeaOffer], opened: Option<usize>) -> Vec<usize> {
    let mut first: BTreeMap<BookId, usize> = BTreeMap::new();
    for (place, at) in chosen.iter().enumerate() {
        first.entry(offers[*at].book).or_insert(place);
    }
    let mut ordered = chosen.to_vec();
    ordered.sort_by_key(|at| {
        let offer = &offers[*at];
        (opened != Some(*at), first[&offer.book], offer.section)
    });
    ordered
}

/// An idea that a member has read or heard to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedIdea {
    pub book: BookId,
    /// The heading: sections are written again when the text changes.
    pub idea: String,
    /// When it was completed last.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn offer(book: i64, section: usize, rank: f64, minutes: u64) -> IdeaOffer {
        let millis = minutes * MINUTE.unsigned_abs();
        let book = BookId::from_store(book);
        IdeaOffer { book, section, rank, millis, may_read: true, is_left_open: false, completed_at: None }
    }

    fn session(minutes: u32, offers: &[IdeaOffer]) -> Vec<(i64, usize)> {
        let chosen = build_session(SessionMinutes::new(minutes).unwrap(), offers, NOW);
        chosen.into_iter().map(|at| (offers[at].book.get(), offers[at].section)).collect()
    }

    #[test]
    fn minutes_and_topics_have_limits() {
        assert!(SessionMinutes::new(0).is_err() && SessionMinutes::new(121).is_err());
        assert_eq!(SessionMinutes::new(12).map(SessionMinutes::get), Ok(12));
        assert_eq!(SessionTopic::new(" how to \n negotiate ").unwrap().as_str(), "how to negotiate");
        assert_eq!(SessionTopic::new(&"é".repeat(TOPIC_MAX_CHARS + 1)), Err(StudyError::TopicTooLong));
    }

    #[test]
    fn it_begins_with_what_was_left_open_and_goes_on_with_what_matches_best() {
        let opened = IdeaOffer { is_left_open: true, ..offer(3, 4, 2.0, 2) };
        let offers = [offer(1, 2, 5.0, 2), offer(2, 0, 9.0, 2), offer(1, 0, 4.0, 2), opened, offer(3, 1, 3.0, 2)];
        assert_eq!(session(10, &offers), [(3, 4), (3, 1), (2, 0), (1, 0), (1, 2)]);
        assert_eq!(session(6, &offers), [(3, 4), (2, 0), (1, 2)]);
    }

    #[test]
    fn other_books_have_their_turn_before_the_fourth_idea_of_one() {
        let mut offers: Vec<IdeaOffer> = (0..6).map(|section| offer(1, section, 9.0, 2)).collect();
        offers.push(offer(2, 0, 2.0, 2));
        assert_eq!(session(8, &offers), [(1, 0), (1, 1), (1, 2), (2, 0)]);
        assert_eq!(session(12, &offers).len(), 6, "when no other book has any, the first goes on");
    }

    #[test]
    fn what_hardly_matches_is_not_about_the_topic() {
        let offers = [offer(1, 0, 10.0, 2), offer(2, 0, 2.0, 2), offer(3, 0, 1.9, 2)];
        assert_eq!(session(30, &offers), [(1, 0), (2, 0)]);
        let unread = IdeaOffer { may_read: false, ..offer(1, 0, 10.0, 2) };
        assert_eq!(session(30, &[unread, offer(3, 0, 1.9, 2)]), [(3, 0)], "what may not be read is no measure");
    }

    #[test]
    fn the_last_idea_is_left_out_if_the_session_is_nearer_to_its_length_without_it() {
        assert_eq!(session(3, &[offer(1, 0, 2.0, 2), offer(2, 0, 1.0, 2)]), [(1, 0)]);
        assert_eq!(session(4, &[offer(1, 0, 2.0, 3), offer(2, 0, 1.0, 4)]), [(1, 0)]);
        assert_eq!(session(1, &[offer(1, 0, 1.0, 5)]), [(1, 0)], "there is always one");
    }

    #[test]
    fn what_was_completed_within_thirty_days_is_not_offered() {
        let done = |days: i64| IdeaOffer { completed_at: Some(NOW.plus(-days * DAY)), ..offer(1, 0, 1.0, 2) };
        assert!(session(5, &[done(29)]).is_empty());
        assert_eq!(session(5, &[done(30)]), [(1, 0)]);
    }

    fn offers() -> impl Strategy<Value = Vec<IdeaOffer>> {
        let one = (1_i64..8, 0_usize..9, 0_u32..50, 10_u64..600, any::<bool>(), 0_u8..6, prop::option::of(0_i64..60));
        let read =
            |(book, section, rank, seconds, may_read, opened, days): (i64, usize, u32, u64, bool, u8, Option<i64>)| {
                IdeaOffer {
                    may_read,
                    millis: seconds * 1000,
                    is_left_open: opened == 0,
                    completed_at: days.map(|days| NOW.plus(-days * DAY)),
                    ..offer(book, section, f64::from(rank), 0)
                }
            };
        prop::collection::vec(one.prop_map(read), 0..40)
    }

    proptest! {
        #[test]
        fn a_session_never_exceeds_its_minutes_by_more_than_one_idea(minutes in 1_u32..=120, offers in offers()) {
            let minutes = SessionMinutes::new(minutes).unwrap();
            let chosen = build_session(minutes, &offers, NOW);
            let all: u64 = chosen.iter().map(|at| offers[*at].millis).sum();
            let longest = chosen.iter().map(|at| offers[*at].millis).max().unwrap_or(0);
            prop_assert!(all < minutes.millis() + longest.max(1));
            // Of several, the last one brought it nearer to its length: it exceeds it by less than half of that idea.
            prop_assert!(chosen.len() <= 1 || all <= minutes.millis() + longest / 2);
        }

        #[test]
        fn a_session_has_only_what_may_be_read_and_was_not_completed_lately_and_each_idea_once(
            minutes in 1_u32..=120, offers in offers()
        ) {
            let chosen = build_session(SessionMinutes::new(minutes).unwrap(), &offers, NOW);
            let mut names: Vec<_> = chosen.iter().map(|at| (offers[*at].book, offers[*at].section)).collect();
            for at in &chosen {
                prop_assert!(offers[*at].is_offered(NOW));
            }
            names.sort_unstable();
            prop_assert!(names.is_sorted_by(|a, b| a < b), "each idea once");
            let any = offers.iter().any(|offer| offer.is_offered(NOW));
            prop_assert_eq!(chosen.is_empty(), !any);
            let best = offers.iter().filter(|one| one.is_offered(NOW)).map(|one| one.rank).fold(0.0, f64::max);
            let is_about = |offer: &IdeaOffer| offer.is_offered(NOW) && offer.rank >= best * LEAST_SHARE;
            let opened = offers.iter().any(|offer| is_about(offer) && offer.is_left_open);
            prop_assert!(!opened || offers[chosen[0]].is_left_open, "what was left open comes first");
            prop_assert!(chosen.iter().all(|at| is_about(&offers[*at])));
        }
    }
}
