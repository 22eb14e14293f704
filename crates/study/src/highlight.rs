//! Highlights: passages that members keep, with a color, a note and tags, merged from the reports of several devices
//! (`study.highlight-merge`).

use std::{
    cmp::Reverse,
    collections::{BTreeMap, btree_map::Entry},
};

use kernel::{BookId, DAY, HighlightId, SummaryId, Timestamp, many_lines, one_line};

use crate::{Anchor, CONTEXT_CHARS, Register, StudyError, words::words};

/// How long the words of a deleted highlight are kept, in milliseconds (`study.deleted-highlights`).
pub const DELETED_KEPT: i64 = 30 * DAY;
/// The longest passage, in characters.
pub const QUOTE_MAX_CHARS: usize = 2_000;
/// The longest note, in characters.
pub const NOTE_MAX_CHARS: usize = 5_000;
/// The longest tag, in characters.
pub const TAG_MAX_CHARS: usize = 40;
/// The most tags of a highlight.
pub const MAX_TAGS: usize = 20;

/// What a highlight or a review card is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HighlightSource {
    Book(BookId),
    /// A member's own summary.
    Summary(SummaryId),
}

words! {
    /// Which text of the source.
    Part {
        /// The full text of a book, or the key ideas of an own summary.
        Text = "text",
        /// A quote of a book.
        Quote = "quote",
        /// The source of an own summary.
        Source = "source",
    }
}

words! {
    /// The color of a highlight (`study.highlight-colors`).
    HighlightColor {
        Honey = "honey",
        Leaf = "leaf",
        Sky = "sky",
        Rose = "rose",
    }
}

/// A member's note on a highlight (`study.highlight-notes`); empty: none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note(String);

impl Note {
    /// Sanitizes a text of several lines and checks its length.
    pub fn new(text: &str) -> Result<Self, StudyError> {
        let note = many_lines(text);
        if note.chars().count() <= NOTE_MAX_CHARS { Ok(Self(note)) } else { Err(StudyError::NoteTooLong) }
    }

    /// A note from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A tag as its member wrote it (`study.highlight-notes`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag(String);

impl Tag {
    /// Sanitizes a single line, removes a leading `#`, and checks the length.
    pub fn new(text: &str) -> Result<Self, StudyError> {
        let line = one_line(text);
        let tag = line.trim_start_matches(['#', ' ']);
        let fits = (1..=TAG_MAX_CHARS).contains(&tag.chars().count());
        if fits { Ok(Self(tag.to_owned())) } else { Err(StudyError::InvalidTag) }
    }

    /// A tag from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// By what it is compared with others.
    pub fn key(&self) -> TagKey {
        TagKey(self.0.to_lowercase())
    }
}

/// A tag in lower case. Two tags with the same key are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagKey(String);

impl TagKey {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a highlight has a tag, and how the tag was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TagState {
    pub is_on: bool,
    pub tag: Tag,
}

/// What devices report of a highlight, in part or as a whole. Two states of one highlight merge to the same state in
/// any order, any number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightState {
    pub part: Part,
    /// Its words are empty once a deleted highlight was emptied.
    pub anchor: Anchor,
    pub created_at: Timestamp,
    pub color: Register<HighlightColor>,
    pub note: Register<Note>,
    /// Every tag that it has or once had.
    pub tags: BTreeMap<TagKey, Register<TagState>>,
    /// When it was deleted; a later change brings it back.
    pub deleted_at: Option<Timestamp>,
}

impl HighlightState {
    /// A state of which only the passage is known: the other parts lose against any that was set.
    pub const fn new(part: Part, anchor: Anchor, created_at: Timestamp) -> Self {
        Self {
            part,
            anchor,
            created_at,
            color: Register::unset(HighlightColor::Honey),
            note: Register::unset(Note(String::new())),
            tags: BTreeMap::new(),
            deleted_at: None,
        }
    }

    /// Adds what a report says of a tag. A report that names a tag twice says the greater.
    pub fn set_tag(&mut self, tag: Tag, is_on: bool, at: Timestamp) {
        merge_tag(&mut self.tags, tag.key(), Register::new(TagState { is_on, tag }, at));
    }

    /// The state with its moments corrected: that of the creation by one function, all others by the other. A register of
    /// long ago must stay one: made younger it would win against what another device has set since.
    #[must_use]
    pub fn with_moments(
        self,
        created_at: impl FnOnce(Timestamp) -> Timestamp,
        correct: impl Fn(Timestamp) -> Timestamp,
    ) -> Self {
        let tags = self.tags.into_iter().map(|(key, tag)| (key, tag.with_moment(&correct)));
        Self {
            created_at: created_at(self.created_at),
            color: self.color.with_moment(&correct),
            note: self.note.with_moment(&correct),
            tags: tags.collect(),
            deleted_at: self.deleted_at.map(&correct),
            ..self
        }
    }

    /// Checks a report (`study.highlight-sources`, `study.highlight-notes`).
    pub fn check(&self) -> Result<(), StudyError> {
        let Anchor { section, start, end, exact, prefix, suffix } = &self.anchor;
        if exact.trim().is_empty() {
            return Err(StudyError::NothingSelected);
        }
        if exact.chars().count() > QUOTE_MAX_CHARS {
            return Err(StudyError::PassageTooLong);
        }
        let is_number = |number: u32| i32::try_from(number).is_ok();
        let is_range = start < end && is_number(*end) && section.is_none_or(is_number);
        if !is_range || [prefix, suffix].iter().any(|side| side.chars().count() > CONTEXT_CHARS) {
            return Err(StudyError::InvalidPassage);
        }
        let tags = self.tags.values().filter(|tag| tag.value.is_on).count();
        if tags > MAX_TAGS { Err(StudyError::TooManyTags) } else { Ok(()) }
    }

    /// What two states of one highlight say together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        // Honest devices say the same of the passage. One without words was emptied, and tells nothing.
        let passage = |state: &Self| (state.anchor.exact.is_empty(), state.part, state.anchor.clone());
        let (_, part, anchor) = passage(&self).min(passage(&other));
        let mut tags = self.tags;
        for (key, tag) in other.tags {
            merge_tag(&mut tags, key, tag);
        }
        Self {
            part,
            anchor,
            created_at: self.created_at.min(other.created_at),
            color: self.color.merged(other.color),
            note: self.note.merged(other.note),
            tags,
            deleted_at: self.deleted_at.max(other.deleted_at),
        }
    }

    /// The latest moment of any part, the deletion excepted.
    pub fn edited_at(&self) -> Timestamp {
        let tags = self.tags.values().map(|tag| tag.at);
        [self.color.at, self.note.at].into_iter().chain(tags).fold(self.created_at, Timestamp::max)
    }

    /// Whether it was not deleted, or changed since (`study.deleted-highlights`).
    pub fn is_shown(&self) -> bool {
        self.deleted_at.is_none_or(|deleted| deleted < self.edited_at())
    }

    /// The tags that it has, by key: the [`MAX_TAGS`] set last, if several devices together have set more.
    pub fn shown_tags(&self) -> Vec<&Tag> {
        let mut on: Vec<_> = self.tags.iter().filter(|(_, tag)| tag.value.is_on).collect();
        on.sort_by_key(|(key, tag)| (Reverse(tag.at), *key));
        on.truncate(MAX_TAGS);
        on.sort_by_key(|(key, _)| *key);
        on.into_iter().map(|(_, tag)| &tag.value.tag).collect()
    }

    /// The state without its words, note and tags, as it is kept of a highlight that was deleted long ago.
    #[must_use]
    pub fn emptied(self) -> Self {
        let anchor = Anchor { exact: String::new(), prefix: String::new(), suffix: String::new(), ..self.anchor };
        let note = Register::new(Note::default(), self.note.at);
        Self { anchor, note, tags: BTreeMap::new(), ..self }
    }
}

fn merge_tag(tags: &mut BTreeMap<TagKey, Register<TagState>>, key: TagKey, tag: Register<TagState>) {
    match tags.entry(key) {
        Entry::Occupied(known) if *known.get() >= tag => {}
        Entry::Occupied(mut known) => *known.get_mut() = tag,
        Entry::Vacant(vacant) => {
            vacant.insert(tag);
        }
    }
}

/// A passage that a member kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub id: HighlightId,
    /// `None`: it was deleted (`study.source-removal`).
    pub source: Option<HighlightSource>,
    /// The title of the source when the highlight was stored first.
    pub source_title: String,
    pub source_author: String,
    /// What the devices have reported.
    pub state: HighlightState,
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, Timestamp};
    use proptest::prelude::*;

    use super::{
        CONTEXT_CHARS, HighlightColor, HighlightState, MAX_TAGS, NOTE_MAX_CHARS, Note, Part, QUOTE_MAX_CHARS,
        TAG_MAX_CHARS, Tag,
    };
    use crate::{Anchor, Register, StudyError, merge_properties::merge_properties};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn anchor(exact: &str) -> Anchor {
        let end = 3 + u32::try_from(exact.chars().count()).expect("a short text");
        let [exact, prefix, suffix] = [exact, "a: ", "."].map(str::to_owned);
        Anchor { section: Some(2), start: 3, end, exact, prefix, suffix }
    }

    fn state() -> HighlightState {
        HighlightState::new(Part::Text, anchor("a wise man"), NOW)
    }

    fn tag(text: &str) -> Tag {
        Tag::new(text).expect("a tag")
    }

    fn tags(state: &HighlightState) -> Vec<&str> {
        state.shown_tags().into_iter().map(Tag::as_str).collect()
    }

    #[test]
    fn words_of_colors_and_parts_are_read_back() {
        for color in HighlightColor::ALL {
            assert_eq!(color.as_str().parse(), Ok(*color));
        }
        for part in Part::ALL {
            assert_eq!(part.as_str().parse(), Ok(*part));
        }
        assert!("yellow".parse::<HighlightColor>().is_err());
    }

    #[test]
    fn a_note_and_a_tag_have_their_limits() {
        assert_eq!((NOTE_MAX_CHARS, TAG_MAX_CHARS, MAX_TAGS, QUOTE_MAX_CHARS), (5_000, 40, 20, 2_000));
        assert_eq!(Note::new(&"é".repeat(NOTE_MAX_CHARS)).expect("a note").as_str().chars().count(), NOTE_MAX_CHARS);
        assert_eq!(Note::new(&"é".repeat(NOTE_MAX_CHARS + 1)), Err(StudyError::NoteTooLong));
        assert_eq!(Note::new("\r\none\r\ntwo \0").expect("a note").as_str(), "one\ntwo");
        assert_eq!(tag(&"é".repeat(TAG_MAX_CHARS)).as_str().chars().count(), TAG_MAX_CHARS);
        for wrong in ["", " ", "#", "# #", &"é".repeat(TAG_MAX_CHARS + 1)] {
            assert_eq!(Tag::new(wrong), Err(StudyError::InvalidTag), "{wrong:?}");
        }
    }

    #[test]
    fn a_tag_is_one_line_without_its_hash_and_compared_without_case() {
        assert_eq!(tag(" #Deep\nWork ").as_str(), "Deep Work");
        assert_eq!(tag("## c#").as_str(), "c#");
        assert_eq!(tag("Café").key(), tag("CAFÉ").key());
        assert_ne!(tag("Café").key(), tag("Cafe").key());
    }

    #[test]
    fn a_passage_has_words_a_range_and_limits() {
        let check = |anchor| HighlightState::new(Part::Text, anchor, NOW).check();
        assert_eq!(check(anchor(&"é".repeat(QUOTE_MAX_CHARS))), Ok(()));
        assert_eq!(check(anchor(&"é".repeat(QUOTE_MAX_CHARS + 1))), Err(StudyError::PassageTooLong));
        for blank in ["", " \n\u{a0}"] {
            assert_eq!(check(anchor(blank)), Err(StudyError::NothingSelected), "{blank:?}");
        }
        let side = |chars| "é".repeat(chars);
        assert_eq!(check(Anchor { prefix: side(CONTEXT_CHARS), suffix: side(CONTEXT_CHARS), ..anchor("a") }), Ok(()));
        for wrong in [
            Anchor { end: 3, ..anchor("a") },
            Anchor { end: 2, ..anchor("a") },
            Anchor { end: 1 << 31, ..anchor("a") },
            Anchor { section: Some(1 << 31), ..anchor("a") },
            Anchor { prefix: side(CONTEXT_CHARS + 1), ..anchor("a") },
            Anchor { suffix: side(CONTEXT_CHARS + 1), ..anchor("a") },
        ] {
            assert_eq!(check(wrong.clone()), Err(StudyError::InvalidPassage), "{wrong:?}");
        }
    }

    #[test]
    fn a_report_has_20_tags_and_any_number_of_removed_ones() {
        let mut report = state();
        for number in 0..2 * MAX_TAGS {
            report.set_tag(tag(&format!("tag {number}")), number < MAX_TAGS, NOW);
        }
        assert_eq!(report.check(), Ok(()));
        report.set_tag(tag("one more"), true, NOW);
        assert_eq!(report.check(), Err(StudyError::TooManyTags));
    }

    #[test]
    fn of_too_many_tags_of_several_devices_the_latest_are_shown() {
        let mut merged = state();
        for number in 0..25 {
            let mut report = state();
            report.set_tag(tag(&format!("tag {number:02}")), true, NOW.plus(number));
            merged = merged.merged(report);
        }
        assert_eq!(tags(&merged).len(), MAX_TAGS);
        assert_eq!((tags(&merged)[0], tags(&merged)[MAX_TAGS - 1]), ("tag 05", "tag 24"));
    }

    #[test]
    fn a_deletion_counts_until_a_later_change() {
        let deleted = HighlightState { deleted_at: Some(NOW.plus(5)), ..state() };
        assert!(!deleted.is_shown());
        let color = |at| HighlightState { color: Register::new(HighlightColor::Sky, NOW.plus(at)), ..state() };
        assert!(!deleted.clone().merged(color(5)).is_shown());
        assert!(deleted.clone().merged(color(6)).is_shown());
        let mut tagged = deleted;
        tagged.set_tag(tag("habits"), false, NOW.plus(6));
        assert!(tagged.is_shown());
    }

    #[test]
    fn an_emptied_highlight_takes_its_words_back_from_a_later_report() {
        let full = state();
        let emptied = HighlightState { deleted_at: Some(NOW.plus(5)), ..full.clone() }.emptied();
        assert_eq!((emptied.anchor.exact.as_str(), emptied.anchor.prefix.as_str()), ("", ""));
        let again =
            HighlightState { note: Register::new(Note::new("x").expect("a note"), NOW.plus(9)), ..full.clone() };
        let merged = emptied.merged(again);
        assert!(merged.is_shown());
        assert_eq!(merged.anchor, full.anchor);
    }

    #[test]
    fn a_register_of_long_ago_is_not_made_younger() {
        let mut report = state();
        report.color = Register::new(HighlightColor::Rose, NOW.plus(-400 * DAY));
        report.set_tag(tag("habits"), true, NOW.plus(-400 * DAY));
        report.deleted_at = Some(NOW.plus(-300 * DAY));
        report.created_at = NOW.plus(-400 * DAY);
        let correct = |at| kernel::correct_moment(at, Some(NOW), NOW);
        let corrected = report.clone().with_moments(|at| kernel::moment(Some(at), Some(NOW), NOW), correct);
        assert_eq!(corrected.created_at, NOW.plus(-30 * DAY));
        assert_eq!(HighlightState { created_at: report.created_at, ..corrected }, report);
    }

    fn some_reports() -> impl Strategy<Value = Vec<HighlightState>> {
        let anchors = prop_oneof![5 => Just("a wise man"), 1 => Just("a man"), 1 => Just("")];
        let part = prop_oneof![6 => Just(Part::Text), 1 => Just(Part::Quote)];
        let color =
            (0..4_usize, 0..9_i64).prop_map(|(at, moment)| Register::new(HighlightColor::ALL[at], NOW.plus(moment)));
        let note = ("[ab]{0,2}", 0..9_i64)
            .prop_map(|(text, at)| Register::new(Note::new(&text).expect("a note"), NOW.plus(at)));
        let tags = proptest::collection::vec(("[xyXY]", any::<bool>(), 0..9_i64), 0..4);
        let deleted = proptest::option::of(0..9_i64);
        let report = (part, anchors, 0..3_i64, color, note, tags, deleted);
        let report = report.prop_map(|(part, exact, created, color, note, tags, deleted)| {
            let mut state = HighlightState::new(part, anchor(exact), NOW.plus(created));
            (state.color, state.note) = (color, note);
            state.deleted_at = deleted.map(|at| NOW.plus(at));
            for (text, is_on, at) in tags {
                state.set_tag(tag(&text), is_on, NOW.plus(at));
            }
            state
        });
        proptest::collection::vec(report, 1..=24)
    }

    merge_properties!(HighlightState);

    proptest! {
        #[test]
        fn the_latest_change_of_each_part_is_kept(said in some_reports()) {
            let all = merged(&said);
            prop_assert_eq!(Some(all.color), said.iter().map(|report| report.color).max());
            prop_assert_eq!(Some(&all.note), said.iter().map(|report| &report.note).max());
            prop_assert_eq!(Some(all.created_at), said.iter().map(|report| report.created_at).min());
            for (key, tag) in &all.tags {
                prop_assert_eq!(Some(tag), said.iter().filter_map(|report| report.tags.get(key)).max());
            }
            let edited = said.iter().map(HighlightState::edited_at).max();
            let deleted = said.iter().filter_map(|report| report.deleted_at).max();
            // The earliest creation can be earlier than the one that a report names.
            prop_assert!(Some(all.edited_at()) <= edited);
            prop_assert_eq!(all.is_shown(), deleted.is_none_or(|deleted| deleted < all.edited_at()));
        }
    }
}
