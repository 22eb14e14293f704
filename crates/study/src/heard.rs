//! The sentence of a recording that was just spoken (`study.heard-sentence`).

use std::ops::Range;

use crate::text::sentences;

/// How long a listener takes to press the button after a sentence, in milliseconds.
pub const REACTION: u64 = 2_000;
/// The silence between two passages of a recording, in milliseconds.
const PAUSE: u64 = 600;

/// A heading or a paragraph of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedPassage {
    /// When it begins, in milliseconds from the recording's start.
    pub at_ms: u64,
    /// The index of the section, from 0.
    pub section: u32,
    /// In characters of the section's text; empty: a heading, whose words are not in that text.
    pub range: Range<u32>,
}

/// The section, and the range in it, of the sentence that was spoken [`REACTION`] before `at_ms`. The passages are in the
/// order in which they are spoken, the last one until `end_ms`. Within a passage the time is shared among its characters.
/// While a heading is spoken, it is the last sentence before it, else the first after it. `None`: there is no sentence.
pub fn heard_sentence<T: AsRef<str>>(
    texts: &[T],
    passages: &[TimedPassage],
    end_ms: u64,
    at_ms: u64,
) -> Option<(u32, Range<u32>)> {
    let at_ms = at_ms.saturating_sub(REACTION);
    let spoken = passages.partition_point(|passage| passage.at_ms <= at_ms).max(1) - 1;
    let passage = passages.get(spoken)?;
    let next_ms = passages.get(spoken + 1).map_or(end_ms, |next| next.at_ms.saturating_sub(PAUSE));
    let length = next_ms.saturating_sub(passage.at_ms).max(1);
    let passed = at_ms.saturating_sub(passage.at_ms).min(length);
    let chars = u64::from(passage.range.end.saturating_sub(passage.range.start));
    // Both factors are far below 2^32: a day in milliseconds, a section in characters.
    let share = u32::try_from(passed.saturating_mul(chars) / length).unwrap_or(u32::MAX);
    let here = sentence_at(texts, passage, share);
    let before = || passages[..spoken].iter().rev().find_map(|passage| sentence_at(texts, passage, u32::MAX));
    let after = || passages[spoken + 1..].iter().find_map(|passage| sentence_at(texts, passage, 0));
    here.or_else(before).or_else(after)
}

/// The sentence of a passage that has the character at this index of the passage, or the last one that begins before it.
fn sentence_at<T: AsRef<str>>(texts: &[T], passage: &TimedPassage, index: u32) -> Option<(u32, Range<u32>)> {
    let text = texts.get(usize::try_from(passage.section).ok()?)?.as_ref();
    let Range { start, end } = passage.range;
    let inside = sentences(text).into_iter().filter_map(|sentence| {
        // A passage may begin or end within what the rules of sentences take for one.
        let sentence = u32::try_from(sentence.start).ok()?.max(start)..u32::try_from(sentence.end).ok()?.min(end);
        (!sentence.is_empty()).then_some(sentence)
    });
    let inside: Vec<Range<u32>> = inside.collect();
    let at = start.saturating_add(index);
    let found = inside.iter().rfind(|sentence| sentence.start <= at).or_else(|| inside.first())?;
    Some((passage.section, found.clone()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PAUSE, REACTION, TimedPassage, heard_sentence};

    const TEXTS: [&str; 3] = ["One is here. Two is here. Three!\nFour.", "", "Five. Six."];

    fn passage(at_ms: u64, section: u32, range: std::ops::Range<u32>) -> TimedPassage {
        TimedPassage { at_ms, section, range }
    }

    /// A heading, two paragraphs, a heading of a section without text, and a heading with one paragraph.
    fn recording() -> Vec<TimedPassage> {
        vec![
            passage(400, 0, 0..0),
            passage(2_000, 0, 0..32),
            passage(8_600, 0, 33..38),
            passage(10_600, 1, 0..0),
            passage(12_000, 2, 0..0),
            passage(14_000, 2, 0..10),
        ]
    }

    fn heard(at_ms: u64) -> Option<&'static str> {
        let (section, range) = heard_sentence(&TEXTS, &recording(), 16_000, at_ms)?;
        Some(&TEXTS[section as usize][range.start as usize..range.end as usize])
    }

    #[test]
    fn the_sentence_is_the_one_of_two_seconds_ago() {
        assert_eq!(REACTION, 2_000);
        for (at, expected) in [
            (0, "One is here."),
            (REACTION + 2_000, "One is here."),
            (REACTION + 4_300, "One is here."),
            (REACTION + 4_500, "Two is here."),
            (REACTION + 7_200, "Three!"),
            (REACTION + 8_500, "Three!"),
            (REACTION + 8_600, "Four."),
            (REACTION + 14_000, "Five."),
            (REACTION + 15_500, "Six."),
            (REACTION + 99_000, "Six."),
        ] {
            assert_eq!(heard(at), Some(expected), "{at}");
        }
    }

    #[test]
    fn during_a_heading_it_is_the_sentence_before_it_or_the_first_one() {
        assert_eq!(heard(REACTION + 500), Some("One is here."), "nothing comes before the first heading");
        assert_eq!(heard(REACTION + 10_700), Some("Four."));
        assert_eq!(heard(REACTION + 12_100), Some("Four."));
    }

    #[test]
    fn a_recording_without_times_or_without_text_has_none() {
        assert_eq!(heard_sentence(&TEXTS, &[], 16_000, 5_000), None);
        assert_eq!(heard_sentence(&["", ""], &recording(), 16_000, 5_000), None);
        assert_eq!(heard_sentence(&[] as &[&str], &recording(), 16_000, 5_000), None);
    }

    proptest! {
        /// Of any recording, also one whose times or ranges are wrong, a sentence within its text or none.
        #[test]
        fn a_sentence_is_within_its_section(
            given in proptest::collection::vec((0..20_000_u64, 0..4_u32, 0..45_u32, 0..45_u32), 0..8),
            end in 0..30_000_u64,
            at in any::<u64>(),
        ) {
            let mut passages: Vec<_> =
                given.iter().map(|(at, section, start, length)| passage(*at, *section, *start..start + length)).collect();
            passages.sort_by_key(|passage| passage.at_ms);
            if let Some((section, range)) = heard_sentence(&TEXTS, &passages, end, at) {
                prop_assert!(range.start < range.end && range.end as usize <= TEXTS[section as usize].chars().count());
            }
        }

        /// Later in the recording is never earlier in the text.
        #[test]
        fn sentences_follow_the_recording(at in 0..20_000_u64, later in 0..5_000_u64) {
            let place = |at| heard_sentence(&TEXTS, &recording(), 16_000, at).map(|(section, range)| (section, range.start));
            prop_assert!(place(at) <= place(at + later) && PAUSE < REACTION);
        }
    }
}
