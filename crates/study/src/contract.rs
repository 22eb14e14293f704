//! What every store of highlights does, with the rules of [`Study`] over it: one suite for memory and Postgres.

use kernel::{BookId, HighlightId, Limit, SECOND, SummaryId, Timestamp, UserId};

use crate::{
    Anchor, BookHighlights, Highlight, HighlightColor, HighlightPlace, HighlightSource, HighlightState, Note, Part,
    PlaceRange, Register, StoredHighlight, Study, StudySettings, StudyStore, Tag,
};

/// A store, and the members, books and summaries, which other domains own.
pub trait World {
    /// Adds a member.
    fn add_member(&mut self) -> UserId;
    /// Adds a book.
    fn add_book(&mut self) -> BookId;
    /// Adds a summary that this member owns.
    fn add_summary(&mut self, member: UserId) -> SummaryId;
    /// Deletes a book.
    fn delete_book(&mut self, book: BookId);
    /// Deletes a summary.
    fn delete_summary(&mut self, summary: SummaryId);
    /// The store.
    fn store(&mut self) -> &mut dyn StudyStore;
}

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// All cases. The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    a_highlight_is_stored_with_all_its_parts,
    a_report_that_says_nothing_new_changes_nothing,
    members_have_highlights_of_the_same_number,
    who_is_no_member_keeps_nothing,
    every_change_comes_once_in_the_order_of_versions,
    a_book_has_the_number_of_shown_highlights,
    a_highlight_outlives_its_source,
    settings_are_the_defaults_until_they_are_stored,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const RANGE: PlaceRange = PlaceRange { section: 1, start: 3, end: 14 };

fn later(seconds: i64) -> Timestamp {
    NOW.plus(seconds * SECOND)
}

fn id(number: i64) -> HighlightId {
    HighlightId::from_store(number)
}

fn state() -> HighlightState {
    let [exact, prefix, suffix] = ["a wise man \u{1f989}", "a: ", "."].map(str::to_owned);
    HighlightState::new(Part::Text, Anchor { section: Some(2), start: 3, end: 15, exact, prefix, suffix }, NOW)
}

/// A report that colors the highlight.
fn colored(color: HighlightColor, seconds: i64) -> HighlightState {
    HighlightState { color: Register::new(color, later(seconds)), ..state() }
}

/// A report that deletes the highlight.
fn deleted(seconds: i64) -> HighlightState {
    HighlightState { deleted_at: Some(later(seconds)), ..state() }
}

fn add(
    world: &mut dyn World,
    member: UserId,
    number: i64,
    source: HighlightSource,
    state: HighlightState,
) -> StoredHighlight {
    let [source_title, source_author] = ["Walden", "Henry David Thoreau"].map(str::to_owned);
    let highlight = Highlight { id: id(number), source: Some(source), source_title, source_author, state };
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    assert_eq!(store.locked_highlight(&locked, id(number)).unwrap(), None);
    store.add_highlight(&mut locked, highlight, HighlightPlace::Same(RANGE)).unwrap()
}

fn merge(world: &mut dyn World, member: UserId, number: i64, report: HighlightState) -> StoredHighlight {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    let known = store.locked_highlight(&locked, id(number)).unwrap().unwrap();
    store.merge_highlight(&mut locked, known, report).unwrap()
}

fn found(world: &mut dyn World, member: UserId, number: i64) -> StoredHighlight {
    world.store().find_highlight(member, id(number)).unwrap().unwrap()
}

/// All changes after a version, asked for in parts of this size.
fn changes(world: &mut dyn World, member: UserId, mut after: u64, size: usize) -> Vec<StoredHighlight> {
    let mut all = Vec::new();
    loop {
        let mut part = world.store().highlights_after(member, after, Limit::clamped(size)).unwrap();
        let has_more = part.len() > size;
        part.truncate(size);
        after = part.last().map_or(after, |stored| stored.version);
        all.extend(part);
        if !has_more {
            return all;
        }
    }
}

fn a_highlight_is_stored_with_all_its_parts(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    let mut full = HighlightState { note: Register::new(Note::new("So be it.").unwrap(), later(2)), ..deleted(4) };
    full.set_tag(Tag::new("Habits").unwrap(), true, later(3));
    full.set_tag(Tag::new("work").unwrap(), false, later(9));
    let added = add(world, ada, 7, HighlightSource::Book(book), full);
    assert_eq!(found(world, ada, 7), added);
    assert_eq!((added.version, world.store().study_version(ada).unwrap()), (1, 1));

    // A quote is in no section, a moment is kept to the millisecond, and a place can be gone or changed.
    let summary = world.add_summary(ada);
    let source = HighlightSource::Summary(summary);
    let bare = HighlightState { part: Part::Source, created_at: NOW.plus(1), ..state() };
    let bare = HighlightState { anchor: Anchor { section: None, ..bare.anchor }, ..bare };
    let highlight = Highlight {
        id: id(8),
        source: Some(source),
        source_title: "Mine".to_owned(),
        source_author: String::new(),
        state: bare,
    };
    let store = world.store();
    let mut locked = store.lock_records(ada).unwrap().unwrap();
    let changed = HighlightPlace::Changed { range: RANGE, text: "a wiser man".to_owned() };
    for (number, place) in [(8, changed), (9, HighlightPlace::Gone)] {
        let highlight = Highlight { id: id(number), ..highlight.clone() };
        let added = store.add_highlight(&mut locked, highlight, place).unwrap();
        assert_eq!(store.find_highlight(ada, id(number)).unwrap(), Some(added));
    }
    assert_eq!(store.study_version(ada).unwrap(), 3);
}

fn a_report_that_says_nothing_new_changes_nothing(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    let first = add(world, ada, 7, HighlightSource::Book(book), colored(HighlightColor::Sky, 1));
    assert_eq!(merge(world, ada, 7, colored(HighlightColor::Sky, 1)), first);
    // It was set before what is known.
    assert_eq!(merge(world, ada, 7, colored(HighlightColor::Rose, 0)), first);
    assert_eq!(world.store().study_version(ada).unwrap(), 1);
    let mut report = colored(HighlightColor::Leaf, 5);
    report.set_tag(Tag::new("work").unwrap(), true, later(5));
    let second = merge(world, ada, 7, report);
    assert_eq!((second.version, second.highlight.state.color.value), (2, HighlightColor::Leaf));
    let mut report = state();
    report.set_tag(Tag::new("WORK").unwrap(), false, later(6));
    let third = merge(world, ada, 7, report);
    assert!(third.highlight.state.shown_tags().is_empty());
    assert_eq!(found(world, ada, 7), third);
}

fn members_have_highlights_of_the_same_number(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    let hers = add(world, ada, 7, HighlightSource::Book(book), colored(HighlightColor::Sky, 1));
    let his = add(world, bob, 7, HighlightSource::Book(book), colored(HighlightColor::Rose, 1));
    assert_ne!(hers, his);
    assert_eq!((found(world, ada, 7), found(world, bob, 7)), (hers, his));
    assert_eq!(changes(world, ada, 0, 10).len(), 1);
}

fn who_is_no_member_keeps_nothing(world: &mut dyn World) {
    let nobody = UserId::from_store(i64::MAX);
    assert!(world.store().lock_records(nobody).unwrap().is_none());
    assert!(!world.store().put_study_settings(nobody, StudySettings::default()).unwrap());
    assert_eq!(world.store().study_version(nobody).unwrap(), 0);
}

fn every_change_comes_once_in_the_order_of_versions(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    for number in 1..=5 {
        add(world, ada, number, HighlightSource::Book(book), state());
    }
    merge(world, ada, 2, deleted(1));
    merge(world, ada, 4, colored(HighlightColor::Sky, 1));
    merge(world, ada, 2, colored(HighlightColor::Sky, 2));
    for size in 1..=6 {
        let numbers: Vec<i64> = changes(world, ada, 0, size).iter().map(|stored| stored.highlight.id.get()).collect();
        assert_eq!(numbers, [1, 3, 5, 4, 2], "in parts of {size}");
        assert_eq!(changes(world, ada, 5, size).len(), 2);
        assert!(changes(world, ada, 8, size).is_empty());
    }
}

fn a_book_has_the_number_of_shown_highlights(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let (walden, other) = (world.add_book(), world.add_book());
    for (number, book) in [(1, walden), (2, walden), (3, other)] {
        add(world, ada, number, HighlightSource::Book(book), state());
    }
    let mut in_book = |member, book| world.store().highlights_in_book(member, book).unwrap();
    assert_eq!(in_book(ada, walden), Some(BookHighlights { count: 2, version: 2 }));
    assert_eq!((in_book(bob, walden), in_book(ada, other)), (None, Some(BookHighlights { count: 1, version: 3 })));
    for (number, count) in [(1, 1), (2, 0)] {
        let merged = merge(world, ada, number, deleted(1));
        let now = world.store().highlights_in_book(ada, walden).unwrap();
        assert_eq!(now, Some(BookHighlights { count, version: merged.version }));
    }
    merge(world, ada, 1, colored(HighlightColor::Sky, 2));
    assert_eq!(world.store().highlights_in_book(ada, walden).unwrap(), Some(BookHighlights { count: 1, version: 6 }));
}

fn a_highlight_outlives_its_source(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    let summary = world.add_summary(ada);
    let sources = [HighlightSource::Book(book), HighlightSource::Summary(summary)];
    for (number, source) in (1..).zip(sources) {
        add(world, ada, number, source, state());
    }
    world.delete_book(book);
    world.delete_summary(summary);
    for number in [1, 2] {
        let kept = found(world, ada, number);
        assert_eq!((kept.highlight.source, &kept.place), (None, &HighlightPlace::Gone));
        assert_eq!(kept.highlight.source_title, "Walden");
        // It is changed as before.
        merge(world, ada, number, colored(HighlightColor::Rose, 1));
        assert_eq!(found(world, ada, number).highlight.state.color.value, HighlightColor::Rose);
    }
    assert_eq!(world.store().highlights_in_book(ada, book).unwrap(), None);
}

fn settings_are_the_defaults_until_they_are_stored(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let settings = StudySettings { has_highlights: false, counts_in_popular: true, shows_popular: false };
    for wanted in [settings, StudySettings::default(), settings] {
        assert!(world.store().put_study_settings(ada, wanted).unwrap());
        assert_eq!(world.store().study_settings(ada).unwrap(), wanted);
    }
    assert_eq!(world.store().study_settings(bob).unwrap(), StudySettings::default());
}
