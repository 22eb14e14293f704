//! Where a highlight is in the present text of its source (`study.anchor-states`).

use kernel::{HighlightId, UserId};

use crate::{Anchor, Found, Highlight, Likeness, Part, find};

/// A range of the present text, in characters of one section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceRange {
    /// The index of the section, from 0.
    pub section: u32,
    pub start: u32,
    pub end: u32,
}

/// Where a highlight is in the present text of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HighlightPlace {
    /// Its words are there.
    Same(PlaceRange),
    /// Its words were edited; `text` is what is there now.
    Changed { range: PlaceRange, text: String },
    /// Its passage is not in the text, or its source was deleted.
    Gone,
}

impl HighlightPlace {
    /// Finds an anchor in the sections of a text.
    pub fn of(anchor: &Anchor, texts: &[&str]) -> Self {
        Self::from_found(find(anchor, texts), texts)
    }

    /// Converts what was found of an anchor in these texts.
    pub fn from_found(found: Option<Found>, texts: &[&str]) -> Self {
        let Some(Found { section, start, end, likeness }) = found else { return Self::Gone };
        let range = PlaceRange { section, start, end };
        match likeness {
            Likeness::Same => Self::Same(range),
            Likeness::Changed => Self::Changed { range, text: words_at(range, texts) },
        }
    }

    /// The range, unless the passage is gone.
    pub const fn range(&self) -> Option<PlaceRange> {
        match self {
            Self::Same(range) | Self::Changed { range, .. } => Some(*range),
            Self::Gone => None,
        }
    }
}

fn words_at(PlaceRange { section, start, end }: PlaceRange, texts: &[&str]) -> String {
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let text = texts.get(number(section)).copied().unwrap_or_default();
    text.chars().take(number(end)).skip(number(start)).collect()
}

/// A highlight as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredHighlight {
    pub highlight: Highlight,
    /// Where it was found when its source's text was last looked through.
    pub place: HighlightPlace,
    /// Greater than that of all records of the member that were stored before.
    pub version: u64,
}

/// Where a highlight of some member is, and what it is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedHighlight {
    pub member: UserId,
    pub id: HighlightId,
    pub part: Part,
    pub anchor: Anchor,
    pub place: HighlightPlace,
}

/// A member's highlights in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookHighlights {
    /// The shown ones.
    pub count: u32,
    /// The latest version of one, deleted ones included: a device that knows it has them all.
    pub version: u64,
}

#[cfg(test)]
mod tests {
    use super::{HighlightPlace, PlaceRange};
    use crate::anchor_at;

    const TEXT: &str = "One morning in May he went out early, and the whole town slept under a thin grey mist.";

    #[test]
    fn the_place_says_what_edited_words_are_now() {
        let at = TEXT.find("he went").expect("the words");
        let anchor = anchor_at(&[TEXT], 0, at..at + "he went out early, and the whole town".len()).expect("an anchor");
        let range = |words: &str| PlaceRange {
            section: 0,
            start: u32::try_from(at).expect("a number"),
            end: u32::try_from(at + words.len()).expect("a number"),
        };
        let same = HighlightPlace::of(&anchor, &[TEXT]);
        assert_eq!(same, HighlightPlace::Same(range("he went out early, and the whole town")));
        let words = "he went out late, and the whole town";
        let edited = TEXT.replace("early", "late");
        let changed = HighlightPlace::of(&anchor, &[&edited]);
        assert_eq!(changed, HighlightPlace::Changed { range: range(words), text: words.to_owned() });
        let gone = HighlightPlace::of(&anchor, &["Another text."]);
        assert_eq!((gone.range(), gone), (None, HighlightPlace::Gone));
    }
}
