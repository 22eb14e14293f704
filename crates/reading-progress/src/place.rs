//! Where a reader is in a book, merged from what several devices say, late and in any order.
//!
//! Every part of a [`Place`] only ever takes the greatest (or for the first completion the least) of what was said. So
//! the order in which requests arrive makes no difference, nor does one that arrives twice.

use kernel::{DAY, MINUTE, Timestamp};

/// How long ago a device may have been read on that could not say so until now: what is older counts as that old.
pub const LATEST_ARRIVAL: i64 = 30 * DAY;
/// The longest way that a request takes. One that says it was sent longer ago comes from a clock that is slow.
pub const SLOWEST_REQUEST: i64 = 10 * MINUTE;
/// The longest audio, in milliseconds: a day.
pub const LONGEST_AUDIO: u64 = 24 * 60 * 60 * 1000;

/// The last paragraph of a section that a place can name, from 0.
pub const LAST_PARAGRAPH: u32 = 9_999;

/// A browser, by the random name that it gave itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Device(String);

impl Device {
    /// The most characters that a name has.
    pub const MAX_CHARS: usize = 64;

    /// Reads a name: 1 to [`Device::MAX_CHARS`] letters, digits, hyphens and underscores of ASCII.
    pub fn parse(name: &str) -> Option<Self> {
        let fits = (1..=Self::MAX_CHARS).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| Self(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where the text was open. The order of the fields is the order of what wins: the latest moment; at the same moment
/// the further section and paragraph, so that nobody is moved backwards; then any, but always the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadingPosition {
    /// When the reader was there.
    pub at: Timestamp,
    /// The section, from 0.
    pub position: u32,
    /// The paragraph at the top of the screen, from 0 in its section; `None`: the section's beginning.
    pub paragraph: Option<u32>,
    /// Which browser said so.
    pub device: Option<Device>,
}

/// Where the audio was. The latest moment wins, and at the same moment the further place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AudioPosition {
    /// When the reader listened there.
    pub at: Timestamp,
    /// Milliseconds from the beginning.
    pub millis: u64,
}

/// What one request says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// When the reader was with the book.
    pub at: Timestamp,
    /// The section, from 0; `None`: wherever the reader was.
    pub position: Option<u32>,
    /// The paragraph of that section, from 0; `None`: its beginning, or no section.
    pub paragraph: Option<u32>,
    /// Where the audio was, in milliseconds.
    pub audio: Option<u64>,
    /// Which browser says so.
    pub device: Option<Device>,
}

/// Where a reader is in a book, as all that was said makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the text was open last; `None`: it never was, a video or the audio was started.
    pub reading: Option<ReadingPosition>,
    /// The furthest section ever reached, from 0.
    pub furthest: u32,
    /// Where the audio was last.
    pub audio: Option<AudioPosition>,
    /// When the summary was completed for the first time.
    pub completed_at: Option<Timestamp>,
    /// When the reader was last with the book, in whatever way.
    pub seen_at: Timestamp,
    /// When the reader hid the entry of history.
    pub hidden_at: Option<Timestamp>,
}

impl Visit {
    /// Where it says that the text was open.
    pub fn reading(&self) -> Option<ReadingPosition> {
        let (at, paragraph) = (self.at, self.paragraph);
        self.position.map(|position| ReadingPosition { at, position, paragraph, device: self.device.clone() })
    }

    /// Where it says that the audio was.
    pub fn audio_position(&self) -> Option<AudioPosition> {
        self.audio.map(|millis| AudioPosition { at: self.at, millis })
    }
}

impl Place {
    /// The place that a first visit makes.
    pub fn first(visit: &Visit) -> Self {
        Self {
            reading: visit.reading(),
            furthest: visit.position.unwrap_or(0),
            audio: visit.audio_position(),
            completed_at: None,
            seen_at: visit.at,
            hidden_at: None,
        }
    }

    /// The place that it is with what one more visit says.
    #[must_use]
    pub fn merged(self, visit: &Visit) -> Self {
        Self {
            reading: self.reading.max(visit.reading()),
            furthest: self.furthest.max(visit.position.unwrap_or(0)),
            audio: self.audio.max(visit.audio_position()),
            seen_at: self.seen_at.max(visit.at),
            ..self
        }
    }

    /// The place with a completion, which may not be the first one.
    #[must_use]
    pub fn completed(self, at: Timestamp) -> Self {
        let first = self.completed_at.map_or(at, |known| known.min(at));
        Self { completed_at: Some(first), ..self }
    }

    /// The place with its entry hidden.
    #[must_use]
    pub fn hidden(self, at: Timestamp) -> Self {
        Self { hidden_at: self.hidden_at.max(Some(at)), ..self }
    }

    /// The place with its entry shown again, however often it was hidden.
    #[must_use]
    pub fn shown(self) -> Self {
        Self { hidden_at: None, ..self }
    }

    /// The section where the reader is, from 0.
    pub fn position(&self) -> u32 {
        self.reading.as_ref().map_or(0, |reading| reading.position)
    }

    /// Whether history shows it: it was not hidden since the reader was last with the book.
    pub fn is_shown(&self) -> bool {
        self.hidden_at.is_none_or(|hidden| hidden < self.seen_at)
    }
}

/// When something happened, by the server's clock: a request says when it was by its own clock (`at`) and when it was
/// sent by the same clock (`sent`). A request can't arrive before it was sent, and none takes longer than
/// [`SLOWEST_REQUEST`]: what contradicts that is a wrong clock and is put right. Within that nothing can be told from a
/// slow network, and the clock is believed. Never later than now, never longer ago than [`LATEST_ARRIVAL`]
/// (`reading-progress.device-moments`).
pub fn moment(at: Option<Timestamp>, sent: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let Some(at) = at else { return now };
    let at = sent.map_or(at, |sent| {
        let way = now.millis().saturating_sub(sent.millis());
        let slow = if (0..=SLOWEST_REQUEST).contains(&way) { 0 } else { way };
        Timestamp::from_millis(at.min(sent).millis().saturating_add(slow))
    });
    at.min(now).max(now.plus(-LATEST_ARRIVAL))
}

#[cfg(test)]
mod tests {
    use super::{Device, LATEST_ARRIVAL, Place, SLOWEST_REQUEST, Visit, moment};
    use kernel::{DAY, MINUTE, SECOND, Timestamp};
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    #[test]
    fn the_limits_are_thirty_days_and_ten_minutes() {
        assert_eq!((LATEST_ARRIVAL, SLOWEST_REQUEST), (30 * 24 * 60 * 60 * 1000, 10 * 60 * 1000));
        assert_eq!((super::LONGEST_AUDIO, super::LAST_PARAGRAPH), (86_400_000, 9_999));
    }

    #[test]
    fn a_device_has_a_short_plain_name() {
        for name in ["a", "V1StGXR8_Z5jdHi6B-myT", &"x".repeat(64)] {
            assert_eq!(Device::parse(name).expect("a name").as_str(), name);
        }
        for name in ["", "ä", "a b", "a\0", "<script>", &"x".repeat(65)] {
            assert_eq!(Device::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_clock_that_can_be_right_is_believed_however_slow_the_network() {
        let at = NOW.plus(-5 * MINUTE);
        for way in [0, SECOND, MINUTE, SLOWEST_REQUEST] {
            assert_eq!(moment(Some(at), Some(at), at.plus(way)), at);
        }
        assert_eq!(moment(Some(at), None, NOW), at);
    }

    #[test]
    fn a_wrong_clock_is_put_right() {
        for wrong in [-400 * DAY, -DAY, -SLOWEST_REQUEST - 1, 1, MINUTE, 3 * DAY] {
            let (at, sent) = (NOW.plus(wrong - 2 * MINUTE), NOW.plus(wrong));
            assert_eq!(moment(Some(at), Some(sent), NOW), NOW.plus(-2 * MINUTE), "{wrong}");
        }
        assert_eq!(moment(None, Some(NOW.plus(-DAY)), NOW), NOW, "nothing was said of when");
        assert_eq!(moment(Some(NOW.plus(DAY)), None, NOW), NOW, "nobody reads tomorrow");
        assert_eq!(moment(Some(NOW.plus(MINUTE)), Some(NOW), NOW), NOW, "nor after saying so");
    }

    fn some_visit() -> impl Strategy<Value = (Visit, bool)> {
        let device = prop_oneof![Just(None), "[ab]".prop_map(|name| Device::parse(&name))];
        let place = proptest::option::of((0..5_u32, proptest::option::of(0..4_u32)));
        let visit = (0..6_i64, place, proptest::option::of(0..9_u64), device, any::<bool>());
        visit.prop_map(|(at, place, audio, device, completes)| {
            let (position, paragraph) = (place.map(|(section, _)| section), place.and_then(|(_, paragraph)| paragraph));
            (Visit { at: NOW.plus(at), position, paragraph, audio, device }, completes)
        })
    }

    fn place_of(visits: &[(Visit, bool)]) -> Place {
        let (first, rest) = visits.split_first().expect("one visit");
        let complete = |place: Place, (visit, completes): &(Visit, bool)| {
            if *completes { place.completed(visit.at) } else { place }
        };
        let begun = complete(Place::first(&first.0), first);
        rest.iter().fold(begun, |place, said| complete(place.merged(&said.0), said))
    }

    proptest! {
        /// Late, in any order, twice: all the same.
        #[test]
        fn any_order_and_any_repetition_ends_in_the_same_place(
            (said, arrived) in proptest::collection::vec(some_visit(), 1..8).prop_flat_map(|visits| {
                let twice: Vec<_> = visits.iter().chain(&visits).cloned().collect();
                (Just(visits), Just(twice).prop_shuffle())
            }),
        ) {
            prop_assert_eq!(place_of(&arrived), place_of(&said));
        }

        #[test]
        fn nothing_is_lost_and_nobody_is_moved_backwards(
            said in proptest::collection::vec(some_visit(), 1..8),
            late in some_visit(),
        ) {
            let before = place_of(&said);
            let after = before.clone().merged(&late.0);
            prop_assert_eq!(after.completed_at, before.completed_at);
            prop_assert!(after.furthest >= before.furthest);
            // Only what was later than all that is known can lead back.
            if before.reading.as_ref().is_some_and(|reading| late.0.at <= reading.at) {
                prop_assert!(after.position() >= before.position());
            }
            let completed = said.iter().filter(|(_, completes)| *completes).map(|(visit, _)| visit.at).min();
            prop_assert_eq!(before.completed_at, completed);
        }

        #[test]
        fn hiding_lasts_until_the_book_is_read_again(
            said in proptest::collection::vec(some_visit(), 1..8),
            hidden in 0..6_i64,
            place in any::<prop::sample::Index>(),
        ) {
            let (before, after) = said.split_at(place.index(said.len()).max(1));
            let hide = place_of(before).hidden(NOW.plus(hidden));
            prop_assert_eq!(hide.clone().shown(), place_of(before));
            let shown = after.iter().fold(hide, |place, (visit, _)| place.merged(visit));
            let read_later = said.iter().any(|(visit, _)| visit.at > NOW.plus(hidden));
            prop_assert_eq!(shown.is_shown(), read_later);
        }

        #[test]
        fn a_moment_is_within_the_last_thirty_days(
            at in any::<Option<i64>>(), sent in any::<Option<i64>>(), now in any::<i64>(),
        ) {
            let now = Timestamp::from_millis(now);
            let found = moment(at.map(Timestamp::from_millis), sent.map(Timestamp::from_millis), now);
            prop_assert!(found <= now && found >= now.plus(-LATEST_ARRIVAL));
        }
    }
}
