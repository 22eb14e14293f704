//! What every store of highlights and review cards does, with the rules of [`Study`] over it: one suite for memory and Postgres.

mod commitments;
mod completed_ideas;
mod lists;
mod notices;

use kernel::{
    AnswerId, BookId, CategoryId, Day, HighlightId, Limit, ReviewCardId, SECOND, SessionId, SummaryId, Timestamp,
    UserId,
};

use crate::{
    Anchor, Blank, BookHighlights, CardAnswer, CardContent, CardFacts, CardHighlight, CardKind, CardState, Digest,
    FoundIdea, Highlight, HighlightColor, HighlightPlace, HighlightSource, HighlightState, HighlightedRange, Note,
    Part, PlaceRange, PopularPassage, Rating, RecallAnswer, RecordedAnswers, Register, Reminder, ReviewCard, Schedule,
    StoredCard, StoredHighlight, Study, StudySettings, StudyStore, Tag, review_of_day,
};

/// A store, and the members, books and summaries, which other domains own.
pub trait World {
    /// Adds a member.
    fn add_member(&mut self) -> UserId;
    /// Adds a book.
    fn add_book(&mut self) -> BookId;
    /// Adds a summary that this member owns.
    fn add_summary(&mut self, member: UserId) -> SummaryId;
    /// Saves a book, such as with another text, at this moment.
    fn save_book(&mut self, book: BookId, at: Timestamp);
    /// Adds a category with this book.
    fn add_category(&mut self, book: BookId) -> CategoryId;
    /// Deletes a book.
    fn delete_book(&mut self, book: BookId);
    /// Deletes a summary.
    fn delete_summary(&mut self, summary: SummaryId);
    /// Adds a session of a member, which lives.
    fn add_session(&mut self, member: UserId) -> SessionId;
    /// Ends a session.
    fn end_session(&mut self, session: SessionId);
    /// The store.
    fn store(&mut self) -> &mut dyn StudyStore;
}

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in [CASES, commitments::CASES, completed_ideas::CASES, lists::CASES, notices::CASES].into_iter().flatten()
    {
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
    what_lost_its_source_gets_the_one_that_is_found,
    settings_are_the_defaults_until_they_are_stored,
    highlights_are_looked_for_once_in_each_text,
    a_place_that_moves_is_a_change,
    ranges_are_of_shown_highlights_of_those_who_are_counted,
    passages_are_counted_again_after_a_change,
    deleted_highlights_are_emptied_once,
    a_card_is_stored_with_all_its_parts,
    a_card_changes_only_by_what_is_new,
    an_answer_counts_once_whenever_it_comes,
    a_card_that_was_added_earlier_is_due_earlier,
    the_review_of_a_day_depends_on_cards_that_are_there,
    answers_are_recalled_by_category,
    an_idea_that_moves_is_a_change,
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
    // Made at a moment within the range, whatever the book.
    let made = state().created_at;
    let mut count = |member, from, to| world.store().count_highlights(member, from..to).unwrap();
    assert_eq!((count(ada, made, made.plus(1)), count(ada, made.plus(-9), made)), (2, 0));
    assert_eq!((count(ada, made.plus(1), made.plus(9)), count(bob, made, made.plus(1))), (0, 0));
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

/// As a change that other devices read.
fn what_lost_its_source_gets_the_one_that_is_found(world: &mut dyn World) {
    let (ada, book, again) = (world.add_member(), world.add_book(), world.add_book());
    add(world, ada, 1, HighlightSource::Book(book), state());
    add_card(world, ada, 2, Some(HighlightSource::Book(book)), CardState::new(CardKind::Own, NOW));
    world.delete_book(book);
    let source = HighlightSource::Book(again);
    let highlight = found(world, ada, 1);
    let store = world.store();
    let mut locked = store.lock_records(ada).unwrap().unwrap();
    let card = store.locked_cards(&locked, &[card_id(2)]).unwrap().pop().unwrap();
    assert_eq!((highlight.highlight.source, card.card.source), (None, None));
    let same = HighlightPlace::Same(RANGE);
    let attached = store.attach_highlight(&mut locked, highlight.clone(), source, same.clone()).unwrap();
    assert_eq!((attached.highlight.source, &attached.place), (Some(source), &same));
    let with_source = store.attach_card(&mut locked, card.clone(), source).unwrap();
    assert_eq!((with_source.card.source, &with_source.schedule), (Some(source), &card.schedule));
    assert!(attached.version > card.version.max(highlight.version) && with_source.version > attached.version);
    assert_eq!(store.locked_cards(&locked, &[card_id(2)]).unwrap(), [with_source]);
    assert_eq!(found(world, ada, 1), attached);
    assert_eq!(world.store().highlights_in_book(ada, again).unwrap().map(|highlights| highlights.count), Some(1));
}

fn settings_are_the_defaults_until_they_are_stored(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let settings = StudySettings {
        has_highlights: false,
        counts_in_popular: true,
        shows_popular: false,
        daily_max: 200,
        counts_for_streak: false,
        reminder: Reminder::Push,
        digest: Digest::Weekly,
        notice_hour: 23,
        asks_commitments: false,
    };
    for wanted in [settings, StudySettings::default(), settings] {
        assert!(world.store().put_study_settings(ada, wanted).unwrap());
        assert_eq!(world.store().study_settings(ada).unwrap(), wanted);
    }
    assert_eq!(world.store().study_settings(bob).unwrap(), StudySettings::default());
}

fn highlights_are_looked_for_once_in_each_text(world: &mut dyn World) {
    let (ada, book, other) = (world.add_member(), world.add_book(), world.add_book());
    assert!(world.store().books_to_check(9).unwrap().is_empty());
    for (number, book) in [(1, book), (2, book), (3, other)] {
        add(world, ada, number, HighlightSource::Book(book), state());
    }
    assert_eq!(world.store().books_to_check(9).unwrap(), [book, other]);
    assert_eq!(world.store().books_to_check(1).unwrap(), [book]);
    for (book, at) in [(book, later(1)), (other, later(2))] {
        world.save_book(book, at);
        world.store().record_checked_book(book, at).unwrap();
    }
    assert!(world.store().books_to_check(9).unwrap().is_empty());
    world.save_book(other, later(3));
    assert_eq!(world.store().books_to_check(9).unwrap(), [other]);
    // It was saved again while the text of before was looked through.
    world.store().record_checked_book(other, later(2)).unwrap();
    assert_eq!(world.store().books_to_check(9).unwrap(), [other]);
}

fn a_place_that_moves_is_a_change(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    for (member, number) in [(ada, 2), (bob, 1), (ada, 1)] {
        add(world, member, number, HighlightSource::Book(book), state());
    }
    let placed = world.store().placed_highlights(book, None, Limit::clamped(2)).unwrap();
    let keys: Vec<_> = placed.iter().map(|one| (one.member, one.id.get())).collect();
    assert_eq!(keys, [(ada, 1), (ada, 2)]);
    assert_eq!((&placed[0].anchor, &placed[0].place), (&state().anchor, &HighlightPlace::Same(RANGE)));
    let rest = world.store().placed_highlights(book, Some((ada, id(2))), Limit::clamped(2)).unwrap();
    assert_eq!(rest.iter().map(|one| one.member).collect::<Vec<_>>(), [bob]);

    let changed = HighlightPlace::Changed { range: RANGE, text: "a wiser man".to_owned() };
    for (version, place) in [(3, changed), (4, HighlightPlace::Gone), (5, HighlightPlace::Same(RANGE))] {
        let store = world.store();
        let mut locked = store.lock_records(ada).unwrap().unwrap();
        store.move_highlight(&mut locked, id(2), &place).unwrap();
        let moved = found(world, ada, 2);
        assert_eq!((moved.place, moved.version), (place, version));
        let in_book = world.store().highlights_in_book(ada, book).unwrap();
        assert_eq!(in_book, Some(BookHighlights { count: 2, version }));
    }
    assert_eq!(changes(world, ada, 2, 10).len(), 1);
}

fn ranges_are_of_shown_highlights_of_those_who_are_counted(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    let of_book = HighlightSource::Book(book);
    add(world, ada, 1, of_book, state());
    add(world, ada, 2, of_book, deleted(1));
    add(world, ada, 3, of_book, HighlightState { part: Part::Quote, ..state() });
    add(world, ada, 4, of_book, state());
    let store = world.store();
    let mut locked = store.lock_records(ada).unwrap().unwrap();
    store.move_highlight(&mut locked, id(4), &HighlightPlace::Gone).unwrap();
    add(world, bob, 1, of_book, state());
    let range = |member| HighlightedRange { member, section: RANGE.section, range: RANGE.start..RANGE.end };
    let mut ranges = world.store().highlighted_ranges(book).unwrap();
    ranges.sort_by_key(|range| range.member);
    assert_eq!(ranges, [range(ada), range(bob)]);
    let settings = StudySettings { counts_in_popular: false, ..StudySettings::default() };
    world.store().put_study_settings(bob, settings).unwrap();
    assert_eq!(world.store().highlighted_ranges(book).unwrap(), [range(ada)]);
}

fn passages_are_counted_again_after_a_change(world: &mut dyn World) {
    let (ada, book, other) = (world.add_member(), world.add_book(), world.add_book());
    add(world, ada, 1, HighlightSource::Book(book), state());
    add(world, ada, 2, HighlightSource::Book(other), state());
    assert_eq!(world.store().books_to_count(9).unwrap(), [book, other]);
    assert_eq!(world.store().books_to_count(1).unwrap(), [book]);
    let passage = |section, start| PopularPassage { section, range: start..start + 9, members: 12 };
    for passages in [vec![passage(2, 0), passage(0, 7), passage(0, 99)], vec![passage(1, 0)], vec![]] {
        world.store().record_counted_book(book).unwrap();
        world.store().put_popular_passages(book, &passages).unwrap();
        let mut sorted = passages;
        sorted.sort_by_key(|passage| (passage.section, passage.range.start));
        let mut stored = world.store().popular_passages_of(book).unwrap();
        stored.sort_by_key(|passage| (passage.section, passage.range.start));
        assert_eq!(stored, sorted);
    }
    assert_eq!(world.store().books_to_count(9).unwrap(), [other]);
    merge(world, ada, 1, colored(HighlightColor::Sky, 1));
    assert_eq!(world.store().books_to_count(9).unwrap(), [book, other]);
}

const TODAY: Day = Day::from_epoch(20_777);

fn card_id(number: i64) -> ReviewCardId {
    ReviewCardId::from_store(number)
}

fn own() -> CardState {
    let content = Register::new(CardContent::own("Why?", "Because\nof it."), NOW);
    CardState { content, ..CardState::new(CardKind::Own, NOW) }
}

fn idea() -> CardState {
    let [title, opening] = ["A hut", "He built it \u{1f989}"].map(str::to_owned);
    CardState::new(CardKind::Idea { section: 2, title, opening }, NOW)
}

fn found_idea() -> FoundIdea {
    FoundIdea { section: 3, title: "A hut".to_owned(), answer: "He built it.".to_owned() }
}

fn add_card(
    world: &mut dyn World,
    member: UserId,
    number: i64,
    source: Option<HighlightSource>,
    state: CardState,
) -> StoredCard {
    let [source_title, source_author] = ["Walden", "Henry David Thoreau"].map(str::to_owned);
    let found = matches!(state.kind, CardKind::Idea { .. }).then(found_idea);
    let card = ReviewCard { id: card_id(number), source, source_title, source_author, state };
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    assert_eq!(store.locked_cards(&locked, &[card.id]).unwrap(), []);
    store.add_card(&mut locked, card, found, TODAY).unwrap()
}

fn found_card(world: &mut dyn World, member: UserId, number: i64) -> StoredCard {
    world.store().review_cards(member, &[card_id(number)]).unwrap().pop().unwrap()
}

fn merge_card(world: &mut dyn World, member: UserId, number: i64, report: CardState, first_day: Day) -> StoredCard {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    let known = store.locked_cards(&locked, &[card_id(number)]).unwrap().pop().unwrap();
    let state = known.merged(report, None).unwrap();
    store.change_card(&mut locked, known, state, first_day).unwrap()
}

/// An answer that was given so many days after [`TODAY`].
fn answer(number: i64, card: i64, rating: Rating, days: i32) -> CardAnswer {
    let at = NOW.plus(i64::from(days) * 24 * 60 * 60 * SECOND + number);
    CardAnswer { id: AnswerId::from_store(number), card: card_id(card), rating, at, day: TODAY.plus(days) }
}

fn record(world: &mut dyn World, member: UserId, answers: &[CardAnswer]) -> RecordedAnswers {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    store.record_answers(&mut locked, answers).unwrap()
}

fn a_card_is_stored_with_all_its_parts(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    let summary = world.add_summary(ada);
    let source = Some(HighlightSource::Book(book));
    add(world, ada, 5, HighlightSource::Book(book), state());
    let blanks = vec![Blank { start: 2, end: 6 }, Blank { start: 7, end: 10 }];
    let hidden = CardState {
        content: Register::new(CardContent::hiding(blanks), later(3)),
        is_paused: Register::new(true, later(4)),
        deleted_at: Some(later(9)),
        ..CardState::new(CardKind::Highlight { highlight: id(5) }, NOW.plus(1))
    };
    let cards = [
        add_card(world, ada, 1, source, idea()),
        add_card(world, ada, 2, source, hidden),
        add_card(world, ada, 3, None, own()),
        add_card(world, ada, 4, Some(HighlightSource::Summary(summary)), own()),
    ];
    assert_eq!(cards.iter().map(|card| card.version).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_eq!(cards[0].schedule, Schedule::new(TODAY));
    let ids: Vec<ReviewCardId> = [4, 1, 3, 2, 9].map(card_id).to_vec();
    assert_eq!(world.store().review_cards(ada, &ids).unwrap(), cards);
    assert_eq!(world.store().review_cards(bob, &ids).unwrap(), []);
    assert_eq!(world.store().study_version(ada).unwrap(), 5);
    let after = |world: &mut dyn World, version, limit| {
        let cards = world.store().review_cards_after(ada, version, Limit::clamped(limit)).unwrap();
        cards.iter().map(|stored| stored.card.id.get()).collect::<Vec<_>>()
    };
    assert_eq!(after(world, 0, 2), [1, 2, 3], "one more than the limit");
    assert_eq!(after(world, 3, 9), [3, 4]);

    let words = state().anchor.exact;
    let there = CardHighlight { id: id(5), words: words.clone(), is_there: true };
    assert_eq!(world.store().card_highlights(ada, &[id(5), id(6)]).unwrap(), [there]);
    merge(world, ada, 5, deleted(1));
    let gone = CardHighlight { id: id(5), words, is_there: false };
    assert_eq!(world.store().card_highlights(ada, &[id(5)]).unwrap(), [gone]);

    world.delete_book(book);
    world.delete_summary(summary);
    for number in 1..=4 {
        assert_eq!(found_card(world, ada, number).card.source, None);
    }
}

fn a_card_changes_only_by_what_is_new(world: &mut dyn World) {
    let ada = world.add_member();
    let first = add_card(world, ada, 7, None, own());
    assert_eq!(merge_card(world, ada, 7, own(), TODAY), first);
    assert_eq!(merge_card(world, ada, 7, CardState::new(CardKind::Own, later(9)), TODAY), first);
    let paused = CardState { is_paused: Register::new(true, later(2)), ..CardState::new(CardKind::Own, NOW) };
    let second = merge_card(world, ada, 7, paused, TODAY);
    assert_eq!((second.version, second.card.state.is_paused.value), (2, true));
    assert_eq!(second.card.state.content, first.card.state.content);
    assert_eq!(found_card(world, ada, 7), second);
    let store = world.store();
    let mut locked = store.lock_records(ada).unwrap().unwrap();
    let renewed = store.renew_card(&mut locked, second.clone()).unwrap();
    assert_eq!(renewed, StoredCard { version: 3, ..second });
    assert_eq!(found_card(world, ada, 7), renewed);
}

fn an_answer_counts_once_whenever_it_comes(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    for member in [ada, bob] {
        add_card(world, member, 1, None, own());
        add_card(world, member, 2, None, own());
    }
    let all = [
        answer(1, 1, Rating::Again, 0),
        answer(2, 1, Rating::Good, 0),
        answer(3, 1, Rating::Good, 1),
        answer(4, 1, Rating::Hard, 4),
    ];
    let recorded = record(world, ada, &all);
    let expected = Schedule::replayed(TODAY, &all);
    assert_eq!(recorded.cards.iter().map(|card| card.schedule).collect::<Vec<_>>(), [expected]);
    assert_eq!((recorded.cards[0].version, recorded.unknown.len()), (3, 0));
    assert_eq!(found_card(world, ada, 1), recorded.cards[0]);
    // Again: nothing changes. With those of another card and of one that is not there.
    assert_eq!(record(world, ada, &all), recorded);
    let others = [all[0].clone(), answer(9, 2, Rating::Easy, 0), answer(10, 44, Rating::Good, 0)];
    let more = record(world, ada, &others);
    assert_eq!(more.cards.iter().map(|card| (card.card.id.get(), card.version)).collect::<Vec<_>>(), [(1, 3), (2, 4)]);
    assert_eq!(more.unknown, [card_id(44)]);
    assert_eq!(world.store().card_answers(ada, &[card_id(1)]).unwrap(), all);
    assert_eq!(world.store().card_answers(ada, &[card_id(44)]).unwrap(), []);
    let answers = [(0, 3), (1, 1), (4, 1)].map(|(days, count)| (TODAY.plus(days), count));
    assert_eq!(world.store().answer_days(ada).unwrap(), answers);
    assert_eq!(world.store().answer_days(bob).unwrap(), []);
    // The last one first, each in a call of its own.
    for answer in all.iter().rev() {
        record(world, bob, std::slice::from_ref(answer));
    }
    assert_eq!(found_card(world, bob, 1).schedule, expected);
}

fn a_card_that_was_added_earlier_is_due_earlier(world: &mut dyn World) {
    let ada = world.add_member();
    add_card(world, ada, 1, None, own());
    add_card(world, ada, 2, None, own());
    record(world, ada, &[answer(1, 2, Rating::Good, 0)]);
    let answered = found_card(world, ada, 2).schedule;
    let earlier = || CardState { created_at: NOW.plus(-1), ..own() };
    let yesterday = TODAY.yesterday();
    assert_eq!(merge_card(world, ada, 1, earlier(), yesterday).schedule, Schedule::new(yesterday));
    assert_eq!(merge_card(world, ada, 2, earlier(), yesterday).schedule, answered);
    assert_eq!(found_card(world, ada, 2).first_day, yesterday);
}

fn the_review_of_a_day_depends_on_cards_that_are_there(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    let source = HighlightSource::Book(book);
    add(world, ada, 5, source, state());
    add(world, ada, 6, source, deleted(1));
    let paused = CardState { is_paused: Register::new(true, later(1)), ..own() };
    let of = |highlight| CardState::new(CardKind::Highlight { highlight: id(highlight) }, NOW);
    let states = [own(), idea(), of(5), of(6), paused, CardState { deleted_at: Some(later(1)), ..own() }];
    for (number, state) in (1..).zip(states) {
        let source = matches!(state.kind, CardKind::Idea { .. }).then_some(source);
        add_card(world, ada, number, source, state);
    }
    record(world, ada, &[answer(2, 1, Rating::Again, 0), answer(1, 1, Rating::Again, 0)]);
    let mut facts = world.store().card_facts(ada, TODAY).unwrap();
    facts.sort_by_key(|card| card.id);
    let is_there = |card: &CardFacts| (card.id.get(), card.is_paused, card.is_askable);
    let expected = [(1, false, true), (2, false, true), (3, false, true), (4, false, false), (5, true, true)];
    assert_eq!(facts.iter().map(is_there).collect::<Vec<_>>(), expected);
    assert_eq!(facts[0].first_answer_today, Some(NOW.plus(1)));
    assert_eq!((facts[1].first_answer_today, facts[1].due, facts[1].created_at), (None, TODAY, NOW));
    let due = review_of_day(&facts, None, 20, TODAY).due;
    assert_eq!(due, [2, 3, 1].map(card_id));
    assert_eq!(
        world.store().card_facts(ada, TODAY.plus(1)).unwrap().iter().filter_map(|card| card.first_answer_today).count(),
        0
    );
    assert_eq!(world.store().card_facts(bob, TODAY).unwrap(), []);

    // Without the book neither its idea nor its highlight is asked.
    world.delete_book(book);
    let facts = world.store().card_facts(ada, TODAY).unwrap();
    let mut askable: Vec<i64> = facts.iter().filter(|card| card.is_askable).map(|card| card.id.get()).collect();
    askable.sort_unstable();
    assert_eq!(askable, [1, 5]);
}

fn answers_are_recalled_by_category(world: &mut dyn World) {
    let (ada, book, other) = (world.add_member(), world.add_book(), world.add_book());
    let (first, second) = (world.add_category(book), world.add_category(book));
    add_card(world, ada, 1, Some(HighlightSource::Book(book)), idea());
    // One from a book without a category, and one from none.
    add_card(world, ada, 2, Some(HighlightSource::Book(other)), own());
    add_card(world, ada, 3, None, own());
    let answers = [
        answer(2, 1, Rating::Hard, 5),
        answer(1, 1, Rating::Good, 0),
        answer(3, 2, Rating::Good, 5),
        answer(4, 3, Rating::Good, 5),
    ];
    record(world, ada, &answers);
    let recalled = |category, rating, days: i32, before: Option<i32>| RecallAnswer {
        category,
        rating,
        day: TODAY.plus(days),
        before: before.map(|days| TODAY.plus(days)),
    };
    let mut all = world.store().recall_answers(ada, TODAY).unwrap();
    all.sort_by_key(|answer| (answer.category, answer.day));
    let expected = |category| [recalled(category, Rating::Good, 0, None), recalled(category, Rating::Hard, 5, Some(0))];
    assert_eq!(all, [expected(first), expected(second)].concat());
    let mut later = world.store().recall_answers(ada, TODAY.plus(1)).unwrap();
    later.sort_by_key(|answer| answer.category);
    assert_eq!(later, [first, second].map(|category| recalled(category, Rating::Hard, 5, Some(0))));
}

fn an_idea_that_moves_is_a_change(world: &mut dyn World) {
    let (ada, bob, book, other) = (world.add_member(), world.add_member(), world.add_book(), world.add_book());
    let source = Some(HighlightSource::Book(book));
    for (member, number, state) in [(ada, 2, idea()), (bob, 1, idea()), (ada, 1, idea()), (ada, 3, own())] {
        add_card(world, member, number, source, state);
    }
    add_card(world, ada, 4, Some(HighlightSource::Book(other)), idea());
    assert_eq!(world.store().books_to_check(9).unwrap(), [book, other]);
    assert!(world.store().books_to_count(9).unwrap().is_empty(), "no passage was highlighted");
    let placed = world.store().placed_ideas(book, None, Limit::clamped(2)).unwrap();
    assert_eq!(placed.iter().map(|one| (one.member, one.id.get())).collect::<Vec<_>>(), [(ada, 1), (ada, 2)]);
    assert_eq!((&placed[0].kind, &placed[0].found), (&idea().kind, &Some(found_idea())));
    let rest = world.store().placed_ideas(book, Some((ada, card_id(2))), Limit::clamped(2)).unwrap();
    assert_eq!(rest.iter().map(|one| one.member).collect::<Vec<_>>(), [bob]);
    for (version, found) in [(5, None), (6, Some(FoundIdea { section: 0, ..found_idea() }))] {
        let store = world.store();
        let mut locked = store.lock_records(ada).unwrap().unwrap();
        store.move_idea(&mut locked, card_id(2), found.as_ref()).unwrap();
        let moved = found_card(world, ada, 2);
        assert_eq!((&moved.idea, moved.version), (&found, version));
        assert_eq!(moved.is_askable(None), found.is_some());
    }
}

fn deleted_highlights_are_emptied_once(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    let of_book = HighlightSource::Book(book);
    add(world, ada, 1, of_book, deleted(1));
    add(world, ada, 2, of_book, deleted(9));
    add(world, ada, 3, of_book, state());
    merge(world, ada, 3, deleted(1));
    // It was brought back.
    merge(world, ada, 3, colored(HighlightColor::Sky, 2));
    let to_empty = |world: &mut dyn World| world.store().highlights_to_empty(later(5), 9).unwrap();
    assert_eq!(to_empty(world), [(ada, id(1))]);
    let store = world.store();
    let mut locked = store.lock_records(ada).unwrap().unwrap();
    let known = store.locked_highlight(&locked, id(1)).unwrap().unwrap();
    store.empty_highlight(&mut locked, known).unwrap();
    let emptied = found(world, ada, 1);
    assert_eq!((emptied.highlight.state.anchor.exact.as_str(), emptied.place), ("", HighlightPlace::Gone));
    assert!(to_empty(world).is_empty());
    assert_eq!(changes(world, ada, emptied.version - 1, 9).len(), 1, "a change that other devices read");
}
