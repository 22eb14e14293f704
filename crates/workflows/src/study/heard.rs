//! The sentence of a recording that a member has just heard, as an anchor (`study.heard-sentence`).

use catalogue::{BookTexts, PassageRange, Recording, passage_ranges};
use study::{Anchor, StudyError, TimedPassage, anchor_at, heard_sentence};

/// The anchor of the sentence that was spoken shortly before this moment of the recording, in milliseconds. `html` is the
/// book's body.
///
/// # Errors
/// [`StudyError::NoSentenceTimes`] when the recording has no times of its passages, or no sentence in them.
pub(super) fn heard_anchor(
    html: &str,
    texts: &BookTexts,
    recording: &Recording,
    at_ms: u64,
) -> Result<Anchor, StudyError> {
    let passages = timed_passages(html, recording);
    let last = passages.last().ok_or(StudyError::NoSentenceTimes)?;
    let end_ms = recording.duration_ms.unwrap_or(last.at_ms);
    let texts: Vec<&str> = texts.sections.iter().map(String::as_str).collect();
    let (section, range) = heard_sentence(&texts, &passages, end_ms, at_ms).ok_or(StudyError::NoSentenceTimes)?;
    let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    anchor_at(&texts, size(section), size(range.start)..size(range.end)).ok_or(StudyError::NoSentenceTimes)
}

/// The passages of the text with the times at which the recording speaks them; both are in the order of the text.
fn timed_passages(html: &str, recording: &Recording) -> Vec<TimedPassage> {
    let mut ranges = passage_ranges(html).into_iter();
    let timed = recording.marks.iter().filter_map(|mark| {
        let is_here =
            |one: &PassageRange| one.passage.section == mark.section && one.passage.paragraph == mark.paragraph;
        let PassageRange { passage, range } = ranges.find(is_here)?;
        let number = |count: usize| u32::try_from(count).ok();
        Some(TimedPassage {
            at_ms: mark.at_ms,
            section: number(passage.section)?,
            range: number(range.start)?..number(range.end)?,
        })
    });
    timed.collect()
}
