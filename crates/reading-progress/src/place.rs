//! A reader's place in a book, merged from the reports of several devices, which arrive late and in any order.
//!
//! Each part of a [`Place`] keeps the greatest value reported (the first completion: the least). So the result depends
//! neither on the order of requests nor on duplicates.

use kernel::{Device, Timestamp};

/// The longest audio, in milliseconds: 24 hours.
pub const LONGEST_AUDIO: u64 = 24 * 60 * 60 * 1000;

/// The greatest paragraph index that is stored, from 0.
pub const LAST_PARAGRAPH: u32 = 9_999;

/// The reading position in the text. The order of the fields decides which position wins: the latest moment; at the
/// same moment the further section and paragraph, so that nobody is moved backwards; then the device, so that the
/// result is always the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadingPosition {
    /// When the reader was there.
    pub at: Timestamp,
    /// The index of the section, from 0.
    pub position: u32,
    /// The index of the paragraph at the top of the screen, from 0 in its section; `None`: the section's start.
    pub paragraph: Option<u32>,
    /// The browser that reported it.
    pub device: Option<Device>,
}

/// The playback position of the audio. The latest moment wins, and at the same moment the further position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AudioPosition {
    /// When the reader was there.
    pub at: Timestamp,
    /// Milliseconds from the start.
    pub millis: u64,
}

/// What one request reports about a reader's position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// When the reader read, heard or watched the book.
    pub at: Timestamp,
    /// The index of the section, from 0; `None`: the position does not change.
    pub position: Option<u32>,
    /// The index of the paragraph in that section, from 0; `None`: the section's start, or no section.
    pub paragraph: Option<u32>,
    /// The position of the audio, in milliseconds; `None`: it does not change.
    pub audio: Option<u64>,
    /// The browser that reports it.
    pub device: Option<Device>,
}

/// A reader's place in a book, merged from all visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The latest reading position; `None`: only the video or the audio was started.
    pub reading: Option<ReadingPosition>,
    /// The furthest section ever reached, from 0.
    pub furthest: u32,
    /// The latest position of the audio.
    pub audio: Option<AudioPosition>,
    /// When the summary was completed for the first time.
    pub completed_at: Option<Timestamp>,
    /// When the reader last read, heard or watched the book.
    pub seen_at: Timestamp,
    /// When the reader hid the history entry; `None`: not hidden.
    pub hidden_at: Option<Timestamp>,
}

impl Visit {
    /// The reading position that it reports.
    pub fn reading(&self) -> Option<ReadingPosition> {
        let (at, paragraph) = (self.at, self.paragraph);
        self.position.map(|position| ReadingPosition { at, position, paragraph, device: self.device.clone() })
    }

    /// The audio position that it reports.
    pub fn audio_position(&self) -> Option<AudioPosition> {
        self.audio.map(|millis| AudioPosition { at: self.at, millis })
    }
}

impl Place {
    /// The place after a first visit.
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

    /// The place merged with one more visit.
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

    /// Visits that make this place of nothing, or merge it into another, but for its completion and its hiding. Sections are
    /// clamped to `last`, the index of the last one.
    pub(crate) fn visits(&self, last: u32) -> Vec<Visit> {
        let seen = Visit { at: self.seen_at, position: None, paragraph: None, audio: None, device: None };
        let mut visits = vec![seen.clone()];
        if let Some(ReadingPosition { at, position, paragraph, device }) = self.reading.clone() {
            let paragraph = paragraph.filter(|_| position <= last).map(|paragraph| paragraph.min(LAST_PARAGRAPH));
            // Of no moment, so that it decides nothing but the furthest section.
            let at_first =
                Visit { at: Timestamp::from_millis(0), position: Some(self.furthest.min(last)), ..seen.clone() };
            visits.push(at_first);
            visits.push(Visit { at, position: Some(position.min(last)), paragraph, audio: None, device });
        }
        if let Some(AudioPosition { at, millis }) = self.audio {
            visits.push(Visit { at, audio: Some(millis.min(LONGEST_AUDIO)), ..seen });
        }
        visits
    }

    /// The place with a completion, which may not be the first one.
    #[must_use]
    pub fn completed(self, at: Timestamp) -> Self {
        let first = self.completed_at.map_or(at, |known| known.min(at));
        Self { completed_at: Some(first), ..self }
    }

    /// The place with its history entry hidden.
    #[must_use]
    pub fn hidden(self, at: Timestamp) -> Self {
        Self { hidden_at: self.hidden_at.max(Some(at)), ..self }
    }

    /// The place with its history entry shown again.
    #[must_use]
    pub fn shown(self) -> Self {
        Self { hidden_at: None, ..self }
    }

    /// The index of the section where the reader is, from 0; 0 if the text was never open.
    pub fn position(&self) -> u32 {
        self.reading.as_ref().map_or(0, |reading| reading.position)
    }

    /// Whether history shows it: the reader has not hidden it, or has visited the book since.
    pub fn is_shown(&self) -> bool {
        self.hidden_at.is_none_or(|hidden| hidden < self.seen_at)
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Visit};
    use kernel::{Device, Timestamp};
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    #[test]
    fn audio_has_24_hours_and_a_section_10000_paragraphs() {
        assert_eq!((super::LONGEST_AUDIO, super::LAST_PARAGRAPH), (86_400_000, 9_999));
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
        /// Delays, order and duplicates make no difference.
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
            // Only a later visit can move the position back.
            if before.reading.as_ref().is_some_and(|reading| late.0.at <= reading.at) {
                prop_assert!(after.position() >= before.position());
            }
            let completed = said.iter().filter(|(_, completes)| *completes).map(|(visit, _)| visit.at).min();
            prop_assert_eq!(before.completed_at, completed);
        }

        #[test]
        fn the_visits_of_a_place_make_it_again(said in proptest::collection::vec(some_visit(), 1..8)) {
            let place = place_of(&said);
            let visits: Vec<_> = place.visits(9).into_iter().map(|visit| (visit, false)).collect();
            prop_assert_eq!(place_of(&visits), Place { completed_at: None, ..place.clone() });
            // Sections that are not there become the last one.
            let fewer = place_of(&place.visits(2).into_iter().map(|visit| (visit, false)).collect::<Vec<_>>());
            prop_assert_eq!((fewer.position(), fewer.furthest), (place.position().min(2), place.furthest.min(2)));
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

    }
}
