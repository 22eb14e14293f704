//! What every store of reading must do: one suite, run on memory and on Postgres.
//!
//! [`contract_tests!`](crate::contract_tests) generates one test per function of this file.

mod goal;

use std::sync::atomic::{AtomicU32, Ordering};

use kernel::{
    BookId, CategoryId, DAY, DateCursor, Day, HOUR, Limit, Period, SECOND, Slug, TimeZone, Timestamp, UserId,
};

use crate::{
    AudioPosition, BookFacts, Device, DueNotice, Goal, GoalSettings, GoalUnit, HistoryCondition, HistoryCounts,
    HistoryEntry, LONGEST_AUDIO, LibraryEntry, NoticeRequest, OpenedBook, OpeningRight, Place, PositionReport,
    ProgressError, ProgressStore, RatedBook, Rating, ReadBook, ReadTime, ReaderState, ReadingPosition, ReadingProgress,
    Records, SavedPosition, Shelf, ShelfCounts, Skill, Streaks, history_condition,
};

pub use goal::{
    a_day_of_reading_has_an_end, a_goal_is_kept_as_chosen, a_year_has_its_first_completions,
    days_have_time_and_completed_summaries, reading_time_is_counted_while_the_reader_wants_it,
    reading_time_of_devices_adds_up,
};

/// 2026-03-10T12:00:00Z, a Tuesday: when the tests begin.
pub const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

/// A store, and the people, books and categories around it, which other domains own.
pub trait World {
    /// Adds a reader.
    fn add_reader(&mut self, time_zone: &str) -> UserId;
    /// Records that an invitation to a friend of the reader was sent.
    fn invite_friend(&mut self, reader: UserId);
    /// Gives a reader a plan.
    fn add_plan(&mut self, reader: UserId, period: Period);
    /// Adds a category.
    fn add_category(&mut self) -> CategoryId;
    /// Adds a published book, neither free nor coming soon, without any section.
    fn add_book(&mut self, subid: &Slug, categories: &[CategoryId]) -> BookId;
    /// Changes the facts about a book.
    fn change_book(&mut self, facts: BookFacts);
    /// Unpublishes a book.
    fn unpublish(&mut self, book: BookId);
    /// The count and the star sum of a book's ratings.
    fn book_ratings(&mut self, book: BookId) -> (i64, i64);
    /// Runs the work in one transaction, which is rolled back when it fails.
    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut dyn ProgressStore) -> Result<T, ProgressError>,
    ) -> Result<T, ProgressError>;

    /// Runs work that must succeed.
    fn ok<T, E: Into<ProgressError>>(&mut self, work: impl FnOnce(&mut dyn ProgressStore) -> Result<T, E>) -> T {
        self.transaction(|store| work(store).map_err(Into::into)).expect("the work goes well")
    }

    /// A book without a category that is not free and has five sections.
    fn book(&mut self) -> BookFacts {
        self.book_of(&[])
    }

    /// A book of these categories that is not free and has five sections.
    fn book_of(&mut self, categories: &[CategoryId]) -> BookFacts {
        let id = self.add_book(&some_slug(), categories);
        let facts = BookFacts { id, free: false, coming_soon: false, sections: 5 };
        self.change_book(facts);
        facts
    }

    /// A reader with a plan that never ends.
    fn paid_reader(&mut self) -> UserId {
        let reader = self.add_reader("UTC");
        self.add_plan(reader, Period { starts_at: NOW, ends_at: None });
        reader
    }
}

/// Shortcuts for the tests. A report whose condition is not met is [`ProgressError::NotOpened`] here.
pub trait Shorthands: ReadingProgress {
    /// Opens a book by that right, whatever the state before.
    fn open_by(
        &mut self,
        reader: UserId,
        book: BookId,
        right: OpeningRight,
        now: Timestamp,
    ) -> Result<ReaderState, ProgressError> {
        Ok(self.open_book(reader, book, now, |_, _| Ok(((), Some(right))))?.1)
    }

    /// Saves what a device reports.
    fn report(
        &mut self,
        reader: UserId,
        book: &BookFacts,
        report: &PositionReport,
        now: Timestamp,
    ) -> Result<SavedPosition, ProgressError> {
        let condition = history_condition(book, report.at, now).map_err(|_| ProgressError::NotOpened)?;
        self.save_report(reader, book, report, &condition, &[], now)?.ok_or(ProgressError::NotOpened)
    }

    /// Saves where the reader is now.
    fn save_position(
        &mut self,
        reader: UserId,
        book: &BookFacts,
        position: i64,
        completed: bool,
        now: Timestamp,
    ) -> Result<SavedPosition, ProgressError> {
        self.report(reader, book, &PositionReport::here(position, completed, now), now)
    }

    /// Saves that the reader has started the book's video.
    fn start_video(&mut self, reader: UserId, book: &BookFacts, now: Timestamp) -> Result<HistoryEntry, ProgressError> {
        Ok(self.report(reader, book, &PositionReport::video_start(now), now)?.entry)
    }
}

impl<S: ReadingProgress + ?Sized> Shorthands for S {}

/// Generates one test per rule of the contract; the argument creates a new [`World`].
#[macro_export]
macro_rules! contract_tests {
    ($world:expr) => {
        $crate::contract_tests!(@each $world;
            a_book_is_known_by_number_and_by_name,
            a_newcomer_has_nothing,
            nobody_else_is_a_reader,
            an_opening_is_decided_with_the_state_before_it_and_recorded,
            an_opening_without_a_right_records_nothing,
            a_later_opening_right_replaces_the_one_before,
            allowance_use_counts_what_was_opened_by_the_allowance,
            opened_books_are_listed_by_right_latest_first,
            a_position_is_kept_within_the_sections,
            history_is_written_only_where_its_condition_is_met,
            completed_counts_at_the_last_section_only,
            a_completed_book_stays_completed,
            the_first_completion_gives_xp_once,
            streaks_follow_the_readers_days,
            skills_count_first_completions_by_category,
            a_video_start_keeps_the_position,
            late_reports_of_several_devices_end_in_one_place,
            a_paragraph_belongs_to_its_section,
            a_completion_that_comes_late_is_not_lost,
            a_report_that_comes_twice_counts_once,
            what_was_read_with_a_plan_can_be_reported_after_it,
            audio_alone_moves_nobody,
            a_hidden_entry_comes_back_when_it_is_read_again,
            a_hidden_entry_is_shown_again_where_it_stood,
            shelves_hold_what_was_begun_completed_or_neither,
            a_finished_book_is_in_the_library_whether_saved_or_not,
            the_last_opening_is_known,
            awards_have_the_moment_of_their_completion,
            history_is_newest_first_and_paged,
            pages_of_equal_times_lose_nothing,
            a_library_keeps_each_book_once,
            the_library_is_newest_first_and_paged,
            unpublished_books_stand_aside,
            a_rating_needs_an_opened_book,
            a_rating_can_be_changed,
            a_rating_can_be_taken_back,
            ratings_of_all_readers_add_up,
            choices_are_replaced_as_a_whole,
            refused_choices_leave_those_before,
            a_notice_is_requested_of_what_is_coming_soon_and_can_be_taken_back,
            a_notice_is_due_once_when_the_book_can_be_read,
            a_goal_is_kept_as_chosen,
            reading_time_of_devices_adds_up,
            a_day_of_reading_has_an_end,
            reading_time_is_counted_while_the_reader_wants_it,
            days_have_time_and_completed_summaries,
            a_year_has_its_first_completions,
            readers_do_not_see_each_other,
            an_imported_place_merges_and_gives_no_right,
            imported_days_raise_what_is_there,
            an_imported_completion_is_counted_with_its_day,
            an_imported_rating_counts_once_and_replaces_none,
            records_are_everything_of_one_reader,
            deleting_a_person_deletes_everything_of_theirs,
        );
    };
    (@each $world:expr; $($name:ident),+ $(,)?) => {$(
        #[test]
        fn $name() {
            $crate::contract::$name(&mut $world);
        }
    )+};
}

/// A slug that no other book of this process has.
fn some_slug() -> Slug {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::SeqCst);
    Slug::parse(&format!("book-{count}")).expect("a name that can stand in addresses")
}

fn open(world: &mut impl World, reader: UserId, book: &BookFacts, now: Timestamp) {
    let right = if book.free { OpeningRight::FreeBook } else { OpeningRight::Allowance };
    world.ok(|store| store.open_by(reader, book.id, right, now));
}

fn complete(world: &mut impl World, reader: UserId, book: &BookFacts, now: Timestamp) -> Option<u32> {
    let saved = world.ok(|store| store.save_position(reader, book, 4, true, now));
    assert!(saved.entry.completed);
    saved.progress.map(|progress| progress.xp)
}

/// Unpublished books have no facts.
pub fn a_book_is_known_by_number_and_by_name(world: &mut impl World) {
    let (subid, unknown) = (some_slug(), some_slug());
    let id = world.add_book(&subid, &[]);
    for (free, coming_soon, sections) in [(false, true, 0), (true, false, 3), (false, false, 12)] {
        let facts = BookFacts { id, free, coming_soon, sections };
        world.change_book(facts);
        assert_eq!(world.ok(|store| store.book_facts(id)), Some(facts));
        assert_eq!(world.ok(|store| store.book_facts_named(&subid)), Some(facts));
    }
    assert_eq!(world.ok(|store| store.book_facts_named(&unknown)), None);
    assert_eq!(world.ok(|store| store.book_facts(BookId::from_store(4711))), None);

    let other = world.book();
    let counts = world.ok(|store| store.section_counts(&[id, other.id]));
    assert_eq!((counts.len(), counts.get(&id), counts.get(&other.id)), (2, Some(&12), Some(&5)));
    assert!(world.ok(|store| store.section_counts(&[])).is_empty());

    world.unpublish(id);
    assert_eq!(world.ok(|store| store.book_facts(id)), None);
    assert_eq!(world.ok(|store| store.book_facts_named(&subid)), None);
}

/// A new reader has no records.
pub fn a_newcomer_has_nothing(world: &mut impl World) {
    let (reader, book) = (world.add_reader("Europe/Vienna"), world.book());
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!((state.opened, state.position(), state.completed()), (None, 0, false));
    assert!(!state.in_library && state.rating.is_none() && !state.allowance.invited_friend);
    assert_eq!(state.allowance.time_zone, TimeZone::named("Europe/Vienna"));
    assert_eq!((state.allowance.summaries, state.allowance.last_summary_at), (0, None));
    assert!(world.ok(|store| store.recommends_of(reader)).is_empty());
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!((progress.num_completed, progress.xp, progress.streaks), (0, 0, Streaks::default()));
    assert!(progress.skills.is_empty());
    assert!(world.ok(|store| store.history_of(reader, None, Limit::clamped(10))).items.is_empty());
    assert!(world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(10))).items.is_empty());
}

/// A deleted account has no state and can't do anything.
pub fn nobody_else_is_a_reader(world: &mut impl World) {
    let (nobody, book, category) = (UserId::from_store(4711), world.book(), world.add_category());
    let rating = Rating::new(Some(5), "").expect("five stars");
    for answer in [
        world.transaction(|store| store.reader_state(nobody, book.id).map(drop)),
        world.transaction(|store| store.open_by(nobody, book.id, OpeningRight::Plan, NOW).map(drop)),
        world.transaction(|store| store.recommends_of(nobody).map(drop)),
        world.transaction(|store| store.allowance_use_of(nobody).map(drop)),
        world.transaction(|store| store.save_position(nobody, &book, 4, true, NOW).map(drop)),
        world.transaction(|store| store.progress_of(nobody, NOW).map(drop)),
        world.transaction(|store| store.rate_book(nobody, book.id, &rating, NOW)),
        world.transaction(|store| store.set_recommends(nobody, &[category])),
    ] {
        assert!(matches!(answer, Err(ProgressError::UnknownReader)), "{answer:?}");
    }
    let moved = world.transaction(|store| store.save_position(nobody, &book, 1, false, NOW));
    assert!(matches!(moved, Err(ProgressError::NotOpened)), "{moved:?}");
}

/// Opening returns the decision's result and the state before the opening.
pub fn an_opening_is_decided_with_the_state_before_it_and_recorded(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    let once = |state: &ReaderState| if state.opened.is_none() { Some(OpeningRight::Allowance) } else { None };
    for (at, before) in [(NOW, None), (NOW.plus(HOUR), Some(OpeningRight::Allowance))] {
        let (decided, state) =
            world.ok(|store| store.open_book(reader, book.id, at, |_, state| Ok((state.opened, once(state)))));
        assert_eq!((decided, state.opened), (before, before));
    }
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!(state.opened, Some(OpeningRight::Allowance));
    assert_eq!((state.allowance.summaries, state.allowance.last_summary_at), (1, Some(NOW)));
}

/// A decision that fails records nothing either.
pub fn an_opening_without_a_right_records_nothing(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    world.ok(|store| store.open_book(reader, book.id, NOW, |_, _| Ok(((), None))));
    let failed = world
        .transaction(|store| store.open_book(reader, book.id, NOW, |_, _| Err::<((), _), _>(ProgressError::NotOpened)));
    assert!(matches!(failed, Err(ProgressError::NotOpened)), "{failed:?}");
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!((state.opened, state.allowance.summaries), (None, 0));
}

/// A book that was opened by a plan can be opened again by the allowance.
pub fn a_later_opening_right_replaces_the_one_before(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    for (at, right) in [(0, OpeningRight::FreeBook), (1, OpeningRight::Plan), (2, OpeningRight::Allowance)] {
        world.ok(|store| store.open_by(reader, book.id, right, NOW.plus(at)));
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).opened, Some(right));
    }
    let used = world.ok(|store| store.allowance_use_of(reader));
    assert_eq!((used.summaries, used.last_summary_at), (1, Some(NOW.plus(2))));
}

/// Openings by a plan or of a free book do not count. The invitation is read from the reader's account.
pub fn allowance_use_counts_what_was_opened_by_the_allowance(world: &mut impl World) {
    let reader = world.add_reader("America/Lima");
    for (at, right) in [
        (0, OpeningRight::Allowance),
        (2, OpeningRight::Allowance),
        (1, OpeningRight::Allowance),
        (5, OpeningRight::Monthly),
        (4, OpeningRight::Monthly),
        (6, OpeningRight::FreeBook),
        (7, OpeningRight::Plan),
    ] {
        let book = world.book();
        world.ok(|store| store.open_by(reader, book.id, right, NOW.plus(at)));
    }
    let used = world.ok(|store| store.allowance_use_of(reader));
    assert_eq!((used.summaries, used.last_summary_at, used.last_monthly_at), (3, Some(NOW.plus(2)), Some(NOW.plus(5))));
    assert_eq!((used.invited_friend, &used.time_zone), (false, &TimeZone::named("America/Lima")));
    world.invite_friend(reader);
    assert!(world.ok(|store| store.allowance_use_of(reader)).invited_friend);
    let book = world.book();
    assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).allowance.summaries, 3, "the same for each book");
}

/// Only books opened by the given rights, up to the limit.
pub fn opened_books_are_listed_by_right_latest_first(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let mut books = Vec::new();
    for (at, right) in [
        (0, OpeningRight::Allowance),
        (1, OpeningRight::Allowance),
        (2, OpeningRight::FreeBook),
        (3, OpeningRight::Plan),
        (4, OpeningRight::Monthly),
    ] {
        let book = world.book();
        world.ok(|store| store.open_by(reader, book.id, right, NOW.plus(at)));
        books.push(book.id);
    }
    let listed = |world: &mut _, rights: &[OpeningRight], limit| {
        World::ok(world, |store| store.books_opened_by(reader, rights, Limit::clamped(limit)))
    };
    let kept = [OpeningRight::Allowance, OpeningRight::Monthly];
    assert_eq!(listed(world, &kept, 9), [books[4], books[1], books[0]]);
    assert_eq!(listed(world, &kept, 2), [books[4], books[1]]);
    assert_eq!(listed(world, &[OpeningRight::Plan], 9), [books[3]]);
}

/// Positions outside of the sections are clamped.
pub fn a_position_is_kept_within_the_sections(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let given = [(2, 2), (4, 4), (5, 4), (i64::MAX, 4), (0, 0), (-3, 0), (i64::MIN, 0)];
    for (now, (given, kept)) in (0..).map(|seconds| NOW.plus(seconds * SECOND)).zip(given) {
        let saved = world.ok(|store| store.save_position(reader, &book, given, false, now));
        assert_eq!((saved.entry.position, saved.entry.completed, saved.entry.at), (kept, false, now));
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).position(), kept);
    }
    let empty = BookFacts { sections: 0, ..world.book() };
    let saved = world.ok(|store| store.save_position(reader, &empty, 3, true, NOW));
    assert_eq!((saved.entry.position, saved.entry.completed, saved.progress), (0, false, None));
}

/// Each part of the condition is sufficient; without any, nothing is written.
pub fn history_is_written_only_where_its_condition_is_met(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    let none = HistoryCondition {
        every_reader: false,
        opened_by: &[OpeningRight::Allowance],
        plan_at: NOW,
        plan_at_if_opened: NOW.plus(-1),
    };
    let writes = |world: &mut _, reader: UserId, condition: &HistoryCondition| {
        let saved = |completed| {
            move |store: &mut dyn ProgressStore| {
                store.save_report(reader, &book, &PositionReport::here(4, completed, NOW), condition, &[], NOW)
            }
        };
        let [moved, completed] = [false, true].map(|completed| World::ok(world, saved(completed)).is_some());
        assert_eq!(moved, completed);
        moved
    };
    assert!(!writes(world, reader, &none));
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!((state.place, world.ok(|store| store.progress_of(reader, NOW)).num_completed), (None, 0));
    assert!(writes(world, reader, &HistoryCondition { every_reader: true, ..none }));

    let opened = world.add_reader("UTC");
    world.ok(|store| store.open_by(opened, book.id, OpeningRight::Monthly, NOW));
    assert!(!writes(world, opened, &none), "by another right");
    world.ok(|store| store.open_by(opened, book.id, OpeningRight::Allowance, NOW));
    assert!(writes(world, opened, &none));

    // A plan runs from its start to the moment before its end.
    for (from, to, is_opened, written) in [
        (0, 1, false, true),
        (1, 2, false, false),
        (-DAY, 0, false, false),
        (-DAY, 0, true, true),
        (-DAY, -1, true, false),
        (-1, 0, true, true),
        (0, 1, true, true),
    ] {
        let paid = world.add_reader("UTC");
        world.add_plan(paid, Period { starts_at: NOW.plus(from), ends_at: Some(NOW.plus(to)) });
        if is_opened {
            world.ok(|store| store.open_by(paid, book.id, OpeningRight::Plan, NOW.plus(-HOUR)));
        }
        assert_eq!(writes(world, paid, &none), written, "from {from} to {to}, opened: {is_opened}");
    }
}

/// `completed` before the last section with text saves only the position.
pub fn completed_counts_at_the_last_section_only(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let early = world.ok(|store| store.save_position(reader, &book, 3, true, NOW));
    assert_eq!((early.entry.position, early.entry.completed, early.progress), (3, false, None));
    let there = world.ok(|store| store.save_position(reader, &book, 4, false, NOW));
    assert!(!there.entry.completed);
    assert_eq!(world.ok(|store| store.progress_of(reader, NOW)).num_completed, 0);
    // The section for the rating comes after the last one with text.
    let beyond = world.ok(|store| store.save_position(reader, &book, 5, true, NOW));
    assert_eq!((beyond.entry.position, beyond.entry.completed), (4, true));
    assert!(beyond.progress.is_some());
}

/// Reading again changes the position, not the completion.
pub fn a_completed_book_stays_completed(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    complete(world, reader, &book, NOW);
    let back = world.ok(|store| store.save_position(reader, &book, 0, false, NOW.plus(HOUR)));
    assert_eq!((back.entry.position, back.entry.completed), (0, true));
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!((state.position(), state.completed()), (0, true));
}

/// Ten XP for each summary, none for reading it again.
pub fn the_first_completion_gives_xp_once(world: &mut impl World) {
    let reader = world.paid_reader();
    let (book, other) = (world.book(), world.book());
    assert_eq!(complete(world, reader, &book, NOW), Some(10));
    assert_eq!(complete(world, reader, &book, NOW.plus(SECOND)), None);
    assert_eq!(complete(world, reader, &other, NOW.plus(SECOND)), Some(20));
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!((progress.num_completed, progress.xp, progress.level()), (2, 20, 0));
}

/// Days are those of the reader's time zone; reading again counts too.
pub fn streaks_follow_the_readers_days(world: &mut impl World) {
    let (tokyo, utc) = (world.add_reader("Asia/Tokyo"), world.add_reader("UTC"));
    let book = BookFacts { free: true, ..world.book() };
    // 14:59Z is one minute before midnight in Tokyo.
    let late = NOW.plus(2 * HOUR + 59 * 60 * SECOND);
    let after_midnight = late.plus(2 * 60 * SECOND);
    for reader in [tokyo, utc] {
        complete(world, reader, &book, late);
        complete(world, reader, &book, after_midnight);
    }
    let streaks = |world: &mut _, reader, now| {
        let streaks = World::ok(world, |store| store.progress_of(reader, now)).streaks;
        (streaks.current, streaks.best)
    };
    assert_eq!(streaks(world, tokyo, after_midnight), (2, 2));
    assert_eq!(streaks(world, utc, after_midnight), (1, 1));
    assert_eq!(streaks(world, utc, after_midnight.plus(DAY)), (1, 1));
    assert_eq!(streaks(world, utc, after_midnight.plus(3 * DAY)), (1, 1), "it pauses for two days");
    assert_eq!(streaks(world, utc, after_midnight.plus(4 * DAY)), (0, 1));
    complete(world, utc, &book, after_midnight.plus(DAY));
    assert_eq!(streaks(world, utc, after_midnight.plus(2 * DAY)), (2, 2));
    // Days before 1970 and far in the future are stored as they are.
    let days = world.ok(|store| {
        for day in [Day::from_epoch(-1), Day::from_epoch(200_000)] {
            store.count_reading_day(utc, book.id, day)?;
        }
        Ok::<_, ProgressError>(store.progress_facts_of(utc)?.expect("the reader is there").days)
    });
    assert_eq!((days.first(), days.last()), (Some(&(Day::from_epoch(-1), 1)), Some(&(Day::from_epoch(200_000), 1))));
}

/// A book counts once for each of its categories.
pub fn skills_count_first_completions_by_category(world: &mut impl World) {
    let reader = world.paid_reader();
    let (money, mind, other) = (world.add_category(), world.add_category(), world.add_category());
    let books = [world.book_of(&[money]), world.book_of(&[mind, money]), world.book()];
    for book in &books {
        complete(world, reader, book, NOW);
        complete(world, reader, book, NOW.plus(DAY));
    }
    let unread = world.book_of(&[other]);
    world.ok(|store| store.save_position(reader, &unread, 2, false, NOW));
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!(progress.skills, [Skill { category: money, count: 2 }, Skill { category: mind, count: 1 }]);
    assert_eq!(progress.num_completed, 3);
    let mut begun = world.ok(|store| store.begun_books(reader));
    begun.sort_unstable();
    let mut read: Vec<_> = books.iter().map(|book| (book.id, true)).chain([(unread.id, false)]).collect();
    read.sort_unstable();
    assert_eq!(begun, read);
    let someone = world.paid_reader();
    complete(world, someone, &books[2], NOW);
    let wanted = [books[0].id, books[2].id, unread.id];
    let mut completed = world.ok(|store| store.completed_among(&[reader, someone], &wanted));
    completed.sort_unstable();
    let mut expected = [(reader, books[0].id), (reader, books[2].id), (someone, books[2].id)];
    expected.sort_unstable();
    assert_eq!(completed, expected);
    assert_eq!(world.ok(|store| store.completed_among(&[someone], &wanted)), [(someone, books[2].id)]);
    world.ok(|store| store.hide_history(reader, books[0].id, NOW.plus(2 * DAY)));
    assert_eq!(world.ok(|store| store.completed_among(&[reader], &wanted)), [(reader, books[2].id)]);
}

/// A video start adds a history entry, or moves the existing one to the front.
pub fn a_video_start_keeps_the_position(world: &mut impl World) {
    let (reader, book, other) = (world.paid_reader(), world.book(), world.book());
    let fresh = world.ok(|store| store.start_video(reader, &other, NOW));
    assert_eq!((fresh.position, fresh.completed, fresh.at), (0, false, NOW));
    world.ok(|store| store.save_position(reader, &book, 3, false, NOW));
    let later = world.ok(|store| store.start_video(reader, &book, NOW.plus(HOUR)));
    assert_eq!((later.position, later.at), (3, NOW.plus(HOUR)));
}

fn device(name: &str) -> Device {
    Device::parse(name).expect("a name")
}

fn report(position: i64, at: Timestamp, name: &str) -> PositionReport {
    PositionReport { device: Some(device(name)), ..PositionReport::here(position, false, at) }
}

/// The store merges reports as [`Place::merged`] does, in every order.
pub fn late_reports_of_several_devices_end_in_one_place(world: &mut impl World) {
    let reader = world.paid_reader();
    let listening = PositionReport { position: None, audio: Some(61_500), ..report(0, NOW.plus(2 * SECOND), "phone") };
    let reports = [
        PositionReport { paragraph: Some(7), ..report(3, NOW.plus(SECOND), "phone") },
        PositionReport { paragraph: Some(9), ..report(1, NOW.plus(3 * SECOND), "laptop") },
        PositionReport { audio: Some(9_000), ..report(4, NOW.plus(2 * SECOND), "tablet") },
        report(2, NOW.plus(3 * SECOND), "phone"),
        PositionReport { paragraph: Some(4), ..report(2, NOW.plus(3 * SECOND), "phone") },
        listening,
    ];
    let reading =
        ReadingPosition { at: NOW.plus(3 * SECOND), position: 2, paragraph: Some(4), device: Some(device("phone")) };
    let place = Place {
        reading: Some(reading),
        furthest: 4,
        audio: Some(AudioPosition { at: NOW.plus(2 * SECOND), millis: 61_500 }),
        completed_at: None,
        seen_at: NOW.plus(3 * SECOND),
        hidden_at: None,
    };
    for order in permutations(reports.len()) {
        let book = world.book();
        let mut after = None;
        for at in &order {
            let report = &reports[*at];
            after = Some(world.ok(|store| store.report(reader, &book, report, NOW.plus(HOUR))).place);
        }
        assert_eq!(after.as_ref(), Some(&place), "{order:?}");
        assert_eq!(world.ok(|store| store.place_of(reader, book.id)), after);
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).place, after);
    }
}

/// A paragraph needs a section that exists, and is clamped.
pub fn a_paragraph_belongs_to_its_section(world: &mut impl World) {
    let reader = world.paid_reader();
    for (position, paragraph, kept) in [
        (2, Some(11), Some(11)),
        (2, None, None),
        (2, Some(-3), Some(0)),
        (2, Some(1_000_000), Some(9_999)),
        (99, Some(4), None),
    ] {
        let book = world.book();
        let report = PositionReport { paragraph, ..report(position, NOW, "phone") };
        let place = world.ok(|store| store.report(reader, &book, &report, NOW)).place;
        assert_eq!(place.reading.and_then(|reading| reading.paragraph), kept, "{position} {paragraph:?}");
    }
}

/// All permutations of so many items.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, next| {
        let grow = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..=order.len()).map(|at| [&order[..at], &[next], &order[at..]].concat()).collect()
        };
        orders.iter().flat_map(grow).collect()
    })
}

/// A late completion counts on its own day, and does not move a reader who has read on.
pub fn a_completion_that_comes_late_is_not_lost(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    world.ok(|store| store.report(reader, &book, &report(1, NOW, "phone"), NOW));
    let train = PositionReport { completed: true, ..report(4, NOW.plus(-DAY), "laptop") };
    let saved = world.ok(|store| store.report(reader, &book, &train, NOW.plus(HOUR)));
    assert_eq!((saved.entry.position, saved.entry.completed, saved.entry.at), (1, true, NOW));
    assert_eq!((saved.place.furthest, saved.place.completed_at), (4, Some(NOW.plus(-DAY))));
    let progress = saved.progress.expect("it was the first completion");
    assert_eq!((progress.xp, progress.streaks.current, progress.streaks.best), (10, 1, 1));
    let yesterday = TimeZone::UTC.day_of(NOW.plus(-DAY));
    assert_eq!(progress.calendar, [(yesterday, 1)]);

    // The first completion is the earliest one, not the one that arrived first.
    let earlier = PositionReport { completed: true, ..report(4, NOW.plus(-2 * DAY), "tablet") };
    let saved = world.ok(|store| store.report(reader, &book, &earlier, NOW.plus(HOUR)));
    assert_eq!((saved.progress, saved.place.completed_at), (None, Some(NOW.plus(-2 * DAY))));
    assert_eq!(world.ok(|store| store.place_of(reader, book.id)), Some(saved.place));
}

/// A device repeats a report when the response was lost.
pub fn a_report_that_comes_twice_counts_once(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let done = PositionReport { completed: true, ..report(4, NOW, "phone") };
    let first = world.ok(|store| store.report(reader, &book, &done, NOW));
    let once = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!(once.calendar, [(TimeZone::UTC.day_of(NOW), 1)]);
    let again = world.ok(|store| store.report(reader, &book, &done, NOW.plus(HOUR)));
    assert_eq!((again.place, again.progress), (first.place, None));
    assert_eq!(world.ok(|store| store.progress_of(reader, NOW)), once);
}

/// The right at the time of reading counts; later reading needs its own right.
pub fn what_was_read_with_a_plan_can_be_reported_after_it(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    world.add_plan(reader, Period { starts_at: NOW.plus(-DAY), ends_at: Some(NOW) });
    // A client may claim any moment, but without having opened the text it can't have read it.
    let unopened = report(2, NOW.plus(-1), "phone");
    let refused = world.transaction(|store| store.report(reader, &book, &unopened, NOW.plus(HOUR)));
    assert!(matches!(refused, Err(ProgressError::NotOpened)), "{refused:?}");
    world.ok(|store| store.open_by(reader, book.id, OpeningRight::Plan, NOW.plus(-HOUR)));
    let saved = world.ok(|store| store.report(reader, &book, &report(2, NOW.plus(-1), "phone"), NOW.plus(HOUR)));
    assert_eq!(saved.entry.position, 2);
    let late = world.transaction(|store| store.report(reader, &book, &report(3, NOW, "phone"), NOW.plus(HOUR)));
    assert!(matches!(late, Err(ProgressError::NotOpened)), "{late:?}");
}

/// Listening on one device does not move the reading position of another.
pub fn audio_alone_moves_nobody(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let listen =
        |millis, at| PositionReport { position: None, audio: Some(millis), ..PositionReport::here(0, false, at) };
    let fresh = world.ok(|store| store.report(reader, &book, &listen(1_000, NOW), NOW)).place;
    assert_eq!((fresh.reading.clone(), fresh.position(), fresh.seen_at), (None, 0, NOW));
    world.ok(|store| store.save_position(reader, &book, 3, false, NOW.plus(SECOND)));
    let given = [(90_000, 90_000), (-5, 0), (i64::MAX, LONGEST_AUDIO)];
    for (at, (given, kept)) in (1..).map(|hours| NOW.plus(hours * HOUR)).zip(given) {
        let place = world.ok(|store| store.report(reader, &book, &listen(given, at), NOW.plus(DAY))).place;
        let reading = place.reading.expect("the text was open");
        assert_eq!((reading.position, reading.at, place.seen_at), (3, NOW.plus(SECOND), at));
        assert_eq!(place.audio, Some(AudioPosition { at, millis: kept }));
    }
}

/// Position, completion and library entry stay; a report from before the hiding does not show the entry again.
pub fn a_hidden_entry_comes_back_when_it_is_read_again(world: &mut impl World) {
    let (reader, book, other) = (world.paid_reader(), world.book(), world.book());
    complete(world, reader, &book, NOW);
    world.ok(|store| store.save_position(reader, &other, 1, false, NOW));
    let shown = |world: &mut _| {
        let page = World::ok(world, |store| store.history_of(reader, None, Limit::clamped(9)));
        page.items.iter().map(|entry| entry.book).collect::<Vec<_>>()
    };
    let hide_at = NOW.plus(HOUR);
    for _ in 0..2 {
        world.ok(|store| store.hide_history(reader, book.id, hide_at));
    }
    assert_eq!(shown(world), [other.id]);
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!((state.position(), state.completed()), (4, true));
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!((progress.num_completed, progress.xp), (0, 10));

    world.ok(|store| store.report(reader, &book, &report(2, hide_at.plus(-1), "late"), hide_at.plus(SECOND)));
    assert_eq!(shown(world), [other.id]);
    world.ok(|store| store.save_position(reader, &book, 0, false, hide_at.plus(1)));
    assert_eq!(shown(world), [book.id, other.id]);
    assert_eq!(world.ok(|store| store.progress_of(reader, NOW)).num_completed, 1);
    // Hiding an entry that does not exist does nothing.
    let unread = world.book();
    world.ok(|store| store.hide_history(reader, unread.id, hide_at));
    assert_eq!(world.ok(|store| store.place_of(reader, unread.id)), None);
}

/// Showing an entry again changes nothing else, is idempotent, and the entry can be hidden again.
pub fn a_hidden_entry_is_shown_again_where_it_stood(world: &mut impl World) {
    let (reader, other) = (world.paid_reader(), world.paid_reader());
    let books: Vec<BookFacts> = (0..3).map(|_| world.book()).collect();
    for (at, book) in (0..).zip(&books) {
        world.ok(|store| store.save_position(reader, book, 2, false, NOW.plus(at)));
    }
    world.ok(|store| store.save_position(other, &books[1], 1, false, NOW));
    let shown = |world: &mut _, reader| {
        let page = World::ok(world, |store| store.history_of(reader, None, Limit::clamped(9)));
        page.items.iter().map(|entry| entry.book).collect::<Vec<_>>()
    };
    let before = world.ok(|store| store.place_of(reader, books[1].id));
    for later in [HOUR, DAY] {
        for who in [reader, other] {
            world.ok(|store| store.hide_history(who, books[1].id, NOW.plus(later)));
        }
        assert_eq!(shown(world, reader), [books[2].id, books[0].id]);
        for _ in 0..2 {
            world.ok(|store| store.show_history(reader, books[1].id));
        }
        assert_eq!(shown(world, reader), [books[2].id, books[1].id, books[0].id]);
        assert_eq!(world.ok(|store| store.place_of(reader, books[1].id)), before);
        assert_eq!(shown(world, other), []);
    }
    // Showing a book that was never read adds no entry.
    let unread = world.book();
    world.ok(|store| store.show_history(reader, unread.id));
    assert_eq!(world.ok(|store| store.place_of(reader, unread.id)), None);
}

/// A book of the library is on exactly one shelf besides the whole. Hidden from history, it counts as never read.
pub fn shelves_hold_what_was_begun_completed_or_neither(world: &mut impl World) {
    let reader = world.paid_reader();
    let books: Vec<BookFacts> = (0..5).map(|_| world.book()).collect();
    for (at, book) in (0..).zip(&books) {
        world.ok(|store| store.add_to_library(reader, book.id, NOW.plus(at)));
    }
    world.ok(|store| store.save_position(reader, &books[1], 2, false, NOW));
    world.ok(|store| store.hide_history(reader, books[1].id, NOW.plus(HOUR)));
    complete(world, reader, &books[2], NOW);
    world.ok(|store| store.save_position(reader, &books[2], 1, false, NOW.plus(HOUR)));
    let apart = world.book();
    world.ok(|store| store.save_position(reader, &apart, 1, false, NOW));
    world.unpublish(books[4].id);

    let shelf = |world: &mut _, shelf| {
        let page = World::ok(world, |store| store.library_of(reader, shelf, None, Limit::clamped(9)));
        page.items.iter().map(|kept| (kept.entry.book, kept.position, kept.completed)).collect::<Vec<_>>()
    };
    let (begun, done) = ((books[1].id, Some(2), false), (books[2].id, Some(1), true));
    let (first, fourth) = ((books[0].id, None, false), (books[3].id, None, false));
    let hidden = (books[1].id, None, false);
    assert_eq!(shelf(world, Shelf::All), [fourth, done, hidden, first]);
    assert_eq!(shelf(world, Shelf::Saved), [fourth, hidden, first]);
    assert_eq!(shelf(world, Shelf::Reading), []);
    world.ok(|store| store.show_history(reader, books[1].id));
    assert_eq!(shelf(world, Shelf::All), [fourth, done, begun, first]);
    assert_eq!(shelf(world, Shelf::Reading), [begun]);
    assert_eq!(shelf(world, Shelf::Finished), [done]);
    assert_eq!(shelf(world, Shelf::Saved), [fourth, first]);
    let counts = world.ok(|store| store.shelf_counts(reader));
    assert_eq!((counts, counts.all()), (ShelfCounts { reading: 1, finished: 1, saved: 2 }, 4));

    let page = world.ok(|store| store.library_of(reader, Shelf::Saved, None, Limit::clamped(1)));
    let rest = world.ok(|store| store.library_of(reader, Shelf::Saved, page.next, Limit::clamped(1)));
    assert_eq!((rest.items[0].entry.book, rest.next), (books[0].id, None));
}

/// A completed book is in the library without being saved, under the moment of its completion, until it is hidden.
pub fn a_finished_book_is_in_the_library_whether_saved_or_not(world: &mut impl World) {
    let (reader, other) = (world.paid_reader(), world.paid_reader());
    let (unsaved, saved) = (world.book(), world.book());
    world.ok(|store| store.add_to_library(reader, saved.id, NOW));
    complete(world, reader, &saved, NOW.plus(HOUR));
    complete(world, reader, &unsaved, NOW.plus(2 * HOUR));
    world.ok(|store| store.save_position(reader, &unsaved, 1, false, NOW.plus(3 * HOUR)));
    let finished = |world: &mut _| {
        let page = World::ok(world, |store| store.library_of(reader, Shelf::Finished, None, Limit::clamped(9)));
        page.items.iter().map(|kept| (kept.entry.book, kept.entry.at, kept.is_saved)).collect::<Vec<_>>()
    };
    let first = (unsaved.id, NOW.plus(2 * HOUR), false);
    assert_eq!(finished(world), [first, (saved.id, NOW, true)]);
    world.ok(|store| store.remove_from_library(reader, saved.id));
    assert_eq!(finished(world), [first, (saved.id, NOW.plus(HOUR), false)]);
    assert!(!world.ok(|store| store.reader_state(reader, saved.id)).in_library);
    world.ok(|store| store.hide_history(reader, unsaved.id, NOW.plus(DAY)));
    assert_eq!(finished(world).len(), 1);
    world.ok(|store| store.add_to_library(reader, unsaved.id, NOW.plus(DAY)));
    let counts = world.ok(|store| store.shelf_counts(reader));
    assert_eq!(counts, ShelfCounts { reading: 0, finished: 1, saved: 1 });
    assert_eq!(world.ok(|store| store.shelf_counts(other)), ShelfCounts::default());
}

/// Something that a reader does with a book.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Save,
    Unsave,
    Finish,
    Reopen,
    Hide,
    Show,
    /// An editor unpublishes the book.
    Unpublish,
}

/// All steps.
pub const STEPS: [Step; 7] =
    [Step::Save, Step::Unsave, Step::Finish, Step::Reopen, Step::Hide, Step::Show, Step::Unpublish];

/// After each of the steps, library, history and progress agree (`reading-progress.agreeing-counts`). A step has the index of
/// its book, from 0 to 2.
pub fn counts_agree_after(world: &mut impl World, steps: &[(usize, Step)]) {
    let reader = world.paid_reader();
    let books: Vec<BookFacts> = (0..3).map(|_| world.book()).collect();
    let mut unpublished = Vec::new();
    for (hour, (book, step)) in (1..).zip(steps) {
        let (book, at) = (&books[*book], NOW.plus(hour * HOUR));
        match step {
            Step::Save => world.ok(|store| store.add_to_library(reader, book.id, at)),
            Step::Unsave => world.ok(|store| store.remove_from_library(reader, book.id)),
            Step::Finish => _ = complete(world, reader, book, at),
            Step::Reopen => _ = world.ok(|store| store.save_position(reader, book, 1, false, at)),
            Step::Hide => world.ok(|store| store.hide_history(reader, book.id, at)),
            Step::Show => world.ok(|store| store.show_history(reader, book.id)),
            Step::Unpublish => {
                world.unpublish(book.id);
                unpublished.push(book.id);
            }
        }
        let shelf = |world: &mut _, shelf| -> Vec<BookId> {
            let page = World::ok(world, |store| store.library_of(reader, shelf, None, Limit::clamped(9)));
            let mut books: Vec<BookId> = page.items.iter().map(|kept| kept.entry.book).collect();
            books.sort_unstable();
            books
        };
        let [all, reading, finished, saved] =
            [Shelf::All, Shelf::Reading, Shelf::Finished, Shelf::Saved].map(|name| shelf(world, name));
        let counts = world.ok(|store| store.shelf_counts(reader));
        let number = |books: &[BookId]| books.len() as u64;
        assert_eq!(
            counts,
            ShelfCounts { reading: number(&reading), finished: number(&finished), saved: number(&saved) }
        );
        let mut parts = [&reading[..], &finished, &saved].concat();
        parts.sort_unstable();
        assert_eq!((counts.all(), all), (number(&parts), parts.clone()), "each book is on one shelf");

        let history = world.ok(|store| store.history_of(reader, None, Limit::clamped(9))).items;
        let mut completed: Vec<BookId> =
            history.iter().filter(|entry| entry.completed).map(|entry| entry.book).collect();
        completed.sort_unstable();
        assert_eq!(completed, finished);
        let history_counts = world.ok(|store| store.history_counts(reader));
        assert_eq!(
            history_counts,
            HistoryCounts { all: history.len() as u64, completed: counts.finished },
            "history after {step:?}"
        );
        let progress = world.ok(|store| store.progress_of(reader, at));
        assert_eq!(u64::from(progress.num_completed), counts.finished, "progress after {step:?}");

        for book in books.iter().filter(|book| !unpublished.contains(&book.id)) {
            let state = world.ok(|store| store.reader_state(reader, book.id));
            let is_shown = state.place.as_ref().is_some_and(Place::is_shown);
            assert_eq!(finished.contains(&book.id), is_shown && state.completed());
            assert_eq!(parts.contains(&book.id), state.in_library || finished.contains(&book.id));
        }
    }
}

/// Opening a summary and continuing one both count; another reader's do not.
pub fn the_last_opening_is_known(world: &mut impl World) {
    let (reader, other) = (world.paid_reader(), world.paid_reader());
    let last = |world: &mut _, reader| World::ok(world, |store| store.last_opened_at(reader));
    assert_eq!(last(world, reader), None);
    let (first, second) = (world.book(), world.book());
    world.ok(|store| store.save_position(reader, &first, 1, false, NOW));
    assert_eq!(last(world, reader), Some(NOW));
    world.ok(|store| store.record_open(reader, second.id, OpeningRight::Plan, NOW.plus(HOUR)));
    assert_eq!(last(world, reader), Some(NOW.plus(HOUR)));
    world.ok(|store| store.save_position(reader, &first, 2, false, NOW.plus(2 * HOUR)));
    assert_eq!((last(world, reader), last(world, other)), (Some(NOW.plus(2 * HOUR)), None));
}

/// The fifth completion brings the first award; an earlier completion that arrives late moves the award's moment.
pub fn awards_have_the_moment_of_their_completion(world: &mut impl World) {
    let reader = world.paid_reader();
    let moment = |world: &mut _| {
        let progress = World::ok(world, |store| store.progress_of(reader, NOW.plus(DAY)));
        let moments: Vec<_> = progress.awards().filter_map(|(award, at)| Some((award.name, at?))).collect();
        moments
    };
    for at in 1..=5 {
        assert_eq!(moment(world), []);
        let book = world.book();
        complete(world, reader, &book, NOW.plus(at * HOUR));
    }
    assert_eq!(moment(world), [("Starter", NOW.plus(5 * HOUR))]);
    let book = world.book();
    complete(world, reader, &book, NOW);
    assert_eq!(moment(world), [("Starter", NOW.plus(4 * HOUR))]);
}

/// Newest first; a book has one entry, which moves.
pub fn history_is_newest_first_and_paged(world: &mut impl World) {
    let reader = world.paid_reader();
    let books: Vec<BookFacts> = (0..5).map(|_| world.book()).collect();
    for (at, book) in (0..).zip(&books) {
        world.ok(|store| store.save_position(reader, book, at, false, NOW.plus(at * SECOND)));
    }
    world.ok(|store| store.save_position(reader, &books[0], 1, false, NOW.plus(HOUR)));
    let mut pages = Vec::new();
    let mut after: Option<DateCursor<BookId>> = None;
    loop {
        let page = world.ok(|store| store.history_of(reader, after, Limit::clamped(2)));
        pages.push(page.items.iter().map(|entry| entry.book).collect::<Vec<_>>());
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let id = |at: usize| books[at].id;
    assert_eq!(pages, [vec![id(0), id(4)], vec![id(3), id(2)], vec![id(1)]]);
    let first = world.ok(|store| store.history_of(reader, None, Limit::clamped(1))).items[0];
    assert_eq!((first.position, first.at), (1, NOW.plus(HOUR)));
}

/// Entries of the same millisecond are ordered by book.
pub fn pages_of_equal_times_lose_nothing(world: &mut impl World) {
    let reader = world.paid_reader();
    for _ in 0..5 {
        let book = world.book();
        world.ok(|store| store.save_position(reader, &book, 1, false, NOW));
        world.ok(|store| store.add_to_library(reader, book.id, NOW));
    }
    let mut seen = (Vec::new(), Vec::new());
    let (mut history, mut library) = (None, None);
    for _ in 0..5 {
        let page = world.ok(|store| store.history_of(reader, history, Limit::clamped(1)));
        seen.0.extend(page.items.iter().map(|entry| entry.book));
        history = page.next;
        let page = world.ok(|store| store.library_of(reader, Shelf::All, library, Limit::clamped(1)));
        seen.1.extend(page.items.iter().map(|kept| kept.entry.book));
        library = page.next;
    }
    assert!(history.is_none() && library.is_none());
    assert!(seen.0.len() == 5 && seen.0.is_sorted_by(|a, b| a > b), "{seen:?}");
    assert_eq!(seen.0, seen.1);
}

/// Adding a book twice and removing a missing one change nothing.
pub fn a_library_keeps_each_book_once(world: &mut impl World) {
    let (reader, book, other) = (world.add_reader("UTC"), world.book(), world.book());
    world.ok(|store| store.add_to_library(reader, book.id, NOW));
    world.ok(|store| store.add_to_library(reader, other.id, NOW.plus(SECOND)));
    world.ok(|store| store.add_to_library(reader, book.id, NOW.plus(HOUR)));
    let page = world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(9)));
    let kept: Vec<_> = page.items.iter().map(|kept| (kept.entry.book, kept.entry.at)).collect();
    assert_eq!(kept, [(other.id, NOW.plus(SECOND)), (book.id, NOW)]);
    assert!(world.ok(|store| store.reader_state(reader, book.id)).in_library);
    for _ in 0..2 {
        world.ok(|store| store.remove_from_library(reader, book.id));
        assert!(!world.ok(|store| store.reader_state(reader, book.id)).in_library);
    }
    assert_eq!(world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(9))).items.len(), 1);
}

/// Newest first, page by page.
pub fn the_library_is_newest_first_and_paged(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let books: Vec<BookId> = (0..3).map(|_| world.book().id).collect();
    for (at, book) in (0..).zip(&books) {
        world.ok(|store| store.add_to_library(reader, *book, NOW.plus(at)));
    }
    let page = world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(2)));
    assert_eq!(page.items.iter().map(|kept| kept.entry.book).collect::<Vec<_>>(), [books[2], books[1]]);
    assert_eq!(page.next, Some(DateCursor { at: NOW.plus(1), id: books[1] }));
    let page = world.ok(|store| store.library_of(reader, Shelf::All, page.next, Limit::clamped(2)));
    assert_eq!(page.items.iter().map(|kept| kept.entry.book).collect::<Vec<_>>(), [books[0]]);
    assert_eq!(page.next, None);
}

/// A page is full even if some books are not shown.
pub fn unpublished_books_stand_aside(world: &mut impl World) {
    let reader = world.paid_reader();
    let books: Vec<BookFacts> = (0..4).map(|_| world.book()).collect();
    for (at, book) in (0..).zip(&books) {
        world.ok(|store| store.add_to_library(reader, book.id, NOW.plus(at)));
        world.ok(|store| store.save_position(reader, book, 1, false, NOW.plus(at)));
    }
    world.unpublish(books[2].id);
    let shown = [books[3].id, books[1].id];
    let history = world.ok(|store| store.history_of(reader, None, Limit::clamped(2)));
    assert_eq!(history.items.iter().map(|entry| entry.book).collect::<Vec<_>>(), shown);
    let library = world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(2)));
    assert_eq!(library.items.iter().map(|kept| kept.entry.book).collect::<Vec<_>>(), shown);
}

/// A reader can rate only a summary that they have opened or completed.
pub fn a_rating_needs_an_opened_book(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    let rating = Rating::new(Some(4), "Clear.").expect("four stars");
    let refused = world.transaction(|store| store.rate_book(reader, book.id, &rating, NOW));
    assert!(matches!(refused, Err(ProgressError::NotOpened)), "{refused:?}");
    assert_eq!(world.book_ratings(book.id), (0, 0));
    open(world, reader, &book, NOW);
    world.ok(|store| store.rate_book(reader, book.id, &rating, NOW));

    // A free book can be read to its end without having been opened here.
    let free = BookFacts { free: true, ..world.book() };
    world.ok(|store| store.save_position(reader, &free, 1, false, NOW));
    let refused = world.transaction(|store| store.rate_book(reader, free.id, &rating, NOW));
    assert!(matches!(refused, Err(ProgressError::NotOpened)), "{refused:?}");
    complete(world, reader, &free, NOW);
    world.ok(|store| store.rate_book(reader, free.id, &rating, NOW));
}

/// One rating for a reader and a book.
pub fn a_rating_can_be_changed(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    open(world, reader, &book, NOW);
    for (stars, feedback) in [(5, "So good!"), (2, ""), (2, "“Ça va” 🙂")] {
        let rating = Rating::new(Some(stars), feedback).expect("a rating");
        world.ok(|store| store.rate_book(reader, book.id, &rating, NOW));
        assert_eq!(world.book_ratings(book.id), (1, stars));
        let found = world.ok(|store| store.find_rating(reader, book.id));
        assert_eq!(found.map(|rated| rated.rating), Some(rating.clone()));
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).rating, Some(rating));
    }
}

/// Withdrawing a rating reduces the book's count and sum once; another reader's rating stays.
pub fn a_rating_can_be_taken_back(world: &mut impl World) {
    let (reader, other, book) = (world.paid_reader(), world.paid_reader(), world.book());
    for (who, stars) in [(reader, 5), (other, 3)] {
        open(world, who, &book, NOW);
        let rating = Rating::new(Some(stars), "").expect("a rating");
        world.ok(|store| store.rate_book(who, book.id, &rating, NOW));
    }
    for _ in 0..2 {
        world.ok(|store| store.take_rating_back(reader, book.id));
        assert_eq!(world.book_ratings(book.id), (1, 3));
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).rating, None);
    }
    assert!(world.ok(|store| store.find_rating(other, book.id)).is_some());
}

/// A book's count and sum match all of its ratings.
pub fn ratings_of_all_readers_add_up(world: &mut impl World) {
    let (book, other) = (world.book(), world.book());
    for stars in [5, 3, 4] {
        let reader = world.paid_reader();
        open(world, reader, &book, NOW);
        let rating = Rating::new(Some(stars), "").expect("a rating");
        world.ok(|store| store.rate_book(reader, book.id, &rating, NOW));
    }
    assert_eq!(world.book_ratings(book.id), (3, 12));
    assert_eq!(world.book_ratings(other.id), (0, 0));
}

/// The latest choice replaces the earlier one; each category counts once.
pub fn choices_are_replaced_as_a_whole(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let (a, b, c) = (world.add_category(), world.add_category(), world.add_category());
    world.ok(|store| store.set_recommends(reader, &[c, a, c]));
    assert_eq!(world.ok(|store| store.recommends_of(reader)), [a, c]);
    world.ok(|store| store.set_recommends(reader, &[b]));
    assert_eq!(world.ok(|store| store.recommends_of(reader)), [b]);
}

/// An empty choice or an unknown category is refused, and the earlier choice stays.
pub fn refused_choices_leave_those_before(world: &mut impl World) {
    let (reader, a) = (world.add_reader("UTC"), world.add_category());
    world.ok(|store| store.set_recommends(reader, &[a]));
    let none = world.transaction(|store| store.set_recommends(reader, &[]));
    assert!(matches!(none, Err(ProgressError::NoCategory)), "{none:?}");
    let unknown = world.transaction(|store| store.set_recommends(reader, &[a, CategoryId::from_store(4711)]));
    assert!(matches!(unknown, Err(ProgressError::UnknownCategory)), "{unknown:?}");
    assert_eq!(world.ok(|store| store.recommends_of(reader)), [a]);
}

/// A book that is coming soon.
fn coming_book(world: &mut impl World) -> BookFacts {
    let book = BookFacts { coming_soon: true, ..world.book() };
    world.change_book(book);
    book
}

/// One request per book and reader; a readable book is refused.
pub fn a_notice_is_requested_of_what_is_coming_soon_and_can_be_taken_back(world: &mut impl World) {
    let (reader, other) = (world.add_reader("UTC"), world.add_reader("UTC"));
    let (here, soon, later) = (world.book(), coming_book(world), coming_book(world));
    let refused = world.transaction(|store| store.request_notice(reader, &here, NOW));
    assert!(matches!(refused, Err(ProgressError::AlreadyHere)), "{refused:?}");
    for (book, at) in [(soon, NOW), (later, NOW.plus(HOUR)), (soon, NOW.plus(DAY))] {
        world.ok(|store| store.request_notice(reader, &book, at));
    }
    world.ok(|store| store.request_notice(other, &soon, NOW));
    assert_eq!(world.ok(|store| store.requested_notices(reader)), [later.id, soon.id]);
    for _ in 0..2 {
        world.ok(|store| store.withdraw_notice(reader, soon.id));
        assert_eq!(world.ok(|store| store.requested_notices(reader)), [later.id]);
    }
    assert_eq!(world.ok(|store| store.requested_notices(other)), [soon.id]);
}

/// Taking a request removes it, so that its notice is sent once; oldest first.
pub fn a_notice_is_due_once_when_the_book_can_be_read(world: &mut impl World) {
    let (reader, other) = (world.add_reader("UTC"), world.add_reader("UTC"));
    let (soon, never) = (coming_book(world), coming_book(world));
    world.ok(|store| store.request_notice(reader, &soon, NOW.plus(HOUR)));
    world.ok(|store| store.request_notice(other, &soon, NOW));
    world.ok(|store| store.request_notice(reader, &never, NOW));
    assert_eq!(world.ok(|store| store.take_due_notices(Limit::clamped(9))), []);
    world.change_book(BookFacts { coming_soon: false, ..soon });
    let notice = |reader| DueNotice { reader, book: soon.id };
    let mut due = |limit| world.ok(|store| store.take_due_notices(Limit::clamped(limit)));
    assert_eq!(due(1), [notice(other)]);
    assert_eq!(due(9), [notice(reader)]);
    assert_eq!(due(9), []);
    assert_eq!(world.ok(|store| store.requested_notices(reader)), [never.id]);
    world.unpublish(never.id);
    world.change_book(BookFacts { coming_soon: false, ..never });
    assert_eq!(world.ok(|store| store.take_due_notices(Limit::clamped(9))), [], "it is not published");
}

/// One reader's actions do not affect another.
pub fn readers_do_not_see_each_other(world: &mut impl World) {
    let (busy, quiet, book) = (world.paid_reader(), world.add_reader("UTC"), world.book());
    let category = world.add_category();
    open(world, busy, &book, NOW);
    complete(world, busy, &book, NOW);
    let rating = Rating::new(Some(1), "").expect("one star");
    world.ok(|store| store.rate_book(busy, book.id, &rating, NOW));
    world.ok(|store| store.add_to_library(busy, book.id, NOW));
    world.ok(|store| store.set_recommends(busy, &[category]));

    let state = world.ok(|store| store.reader_state(quiet, book.id));
    assert_eq!((state.opened, state.position(), state.completed()), (None, 0, false));
    assert!(!state.in_library && state.rating.is_none());
    assert_eq!(state.allowance.summaries, 0);
    assert_eq!(world.ok(|store| store.progress_of(quiet, NOW)).num_completed, 0);
    assert!(world.ok(|store| store.recommends_of(quiet)).is_empty());
    assert!(world.ok(|store| store.history_of(quiet, None, Limit::clamped(9))).items.is_empty());
    assert!(world.ok(|store| store.library_of(quiet, Shelf::All, None, Limit::clamped(9))).items.is_empty());
    world.ok(|store| store.remove_from_library(quiet, book.id));
    assert!(world.ok(|store| store.reader_state(busy, book.id)).in_library);
}

/// Reads two books on two days, one of them to its end; returns the books and the chosen category.
fn busy_reader(world: &mut impl World, reader: UserId) -> (BookFacts, BookFacts, CategoryId) {
    let (first, second, category) = (world.book(), world.book(), world.add_category());
    let later = NOW.plus(DAY);
    open(world, reader, &first, NOW);
    open(world, reader, &second, later);
    complete(world, reader, &first, NOW);
    complete(world, reader, &first, later);
    world.ok(|store| store.save_position(reader, &second, 2, false, later));
    for (stars, at) in [(2, NOW), (4, later)] {
        let rating = Rating::new(Some(stars), "Clear.").expect("a rating");
        world.ok(|store| store.rate_book(reader, first.id, &rating, at));
    }
    world.ok(|store| store.add_to_library(reader, first.id, NOW));
    world.ok(|store| store.add_to_library(reader, second.id, later));
    world.ok(|store| store.set_recommends(reader, &[category]));
    world.ok(|store| store.insert_notice_request(reader, second.id, NOW));
    world.ok(|store| store.save_goal_settings(reader, goal()));
    world.ok(|store| store.report_reading_time(reader, &device("phone"), &[(TimeZone::UTC.day_of(NOW), 90)], NOW));
    (first, second, category)
}

fn goal() -> GoalSettings {
    GoalSettings::new(Goal::new(GoalUnit::Minutes, 20).ok(), true).expect("settings")
}

fn read(book: BookId, position: u32, completed_at: Option<Timestamp>, at: Timestamp) -> ReadBook {
    let reading = ReadingPosition { at, position, paragraph: None, device: None };
    let place =
        Place { reading: Some(reading), furthest: position, audio: None, completed_at, seen_at: at, hidden_at: None };
    ReadBook { book, place }
}

/// What an archive says is merged with what is here, in any order and any number of times; it opens nothing.
pub fn an_imported_place_merges_and_gives_no_right(world: &mut impl World) {
    let (reader, book) = (world.add_reader("Asia/Tokyo"), world.book());
    let at = |hours: i64| NOW.plus(hours * HOUR);
    let imported = Place {
        reading: Some(ReadingPosition { at: at(-48), position: 1, paragraph: Some(3), device: Some(device("old")) }),
        furthest: 4,
        audio: Some(AudioPosition { at: at(-40), millis: 90_000 }),
        completed_at: Some(at(-72)),
        seen_at: at(-40),
        hidden_at: Some(at(-20)),
    };
    for _ in 0..2 {
        world.ok(|store| store.import_place(reader, &book, &imported));
        assert_eq!(world.ok(|store| store.place_of(reader, book.id)), Some(imported.clone()));
    }
    let state = world.ok(|store| store.reader_state(reader, book.id));
    assert_eq!((state.opened, state.completed()), (None, true));
    assert_eq!(world.ok(|store| store.records_of(reader)).days, [], "days are imported by themselves");
    // One that is shown again here stays so.
    world.ok(|store| store.show_history(reader, book.id));
    world.ok(|store| store.import_place(reader, &book, &imported));
    assert!(world.ok(|store| store.place_of(reader, book.id)).is_some_and(|place| place.is_shown()));
    // What was read here since then stays.
    open(world, reader, &book, NOW);
    world.ok(|store| store.save_position(reader, &book, 2, false, NOW));
    world.ok(|store| store.import_place(reader, &book, &imported));
    let place = world.ok(|store| store.place_of(reader, book.id)).expect("a place");
    assert_eq!((place.position(), place.furthest, place.seen_at, place.is_shown()), (2, 4, NOW, true));
    assert_eq!((place.completed_at, place.audio), (imported.completed_at, imported.audio));
}

/// The greater number of each day counts; a completion that is counted twice is one.
pub fn imported_days_raise_what_is_there(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    open(world, reader, &book, NOW);
    complete(world, reader, &book, NOW);
    let today = TimeZone::UTC.day_of(NOW);
    let imported = [(today.plus(-1), 2), (today, 1)];
    for _ in 0..2 {
        world.ok(|store| store.import_reading_days(reader, &imported));
        assert_eq!(world.ok(|store| store.records_of(reader)).days, imported);
    }
    world.ok(|store| store.import_reading_days(reader, &[(today, 3)]));
    complete(world, reader, &book, NOW);
    assert_eq!(world.ok(|store| store.records_of(reader)).days, [(today.plus(-1), 2), (today, 3)]);
}

/// A completion of an imported place is counted by the imported days, and not again when it is repeated on that day.
pub fn an_imported_completion_is_counted_with_its_day(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let today = TimeZone::UTC.day_of(NOW);
    let place = Place { completed_at: Some(NOW), ..Place::first(&PositionReport::here(5, false, NOW).visit(&book)) };
    world.ok(|store| store.import_reading_days(reader, &[(today, 2)]));
    world.ok(|store| store.import_place(reader, &book, &place));
    open(world, reader, &book, NOW);
    complete(world, reader, &book, NOW);
    assert_eq!(world.ok(|store| store.records_of(reader)).days, [(today, 2)]);
}

/// A rating that was given here stays; an imported one counts for a book that was opened here.
pub fn an_imported_rating_counts_once_and_replaces_none(world: &mut impl World) {
    let (reader, book, closed) = (world.paid_reader(), world.book(), world.book());
    let rating = |stars| Rating::new(Some(stars), "Clear.").expect("a rating");
    let moments = (NOW.plus(-DAY), NOW.plus(-HOUR));
    open(world, reader, &book, NOW);
    for _ in 0..2 {
        for one in [&book, &closed] {
            world.ok(|store| store.import_rating(reader, one.id, &rating(2), moments));
        }
        assert_eq!((world.book_ratings(book.id), world.book_ratings(closed.id)), ((1, 2), (0, 0)));
    }
    let of = |book: &BookFacts, counts| RatedBook {
        book: book.id,
        rating: rating(2),
        created_at: moments.0,
        updated_at: moments.1,
        counts,
    };
    assert_eq!(world.ok(|store| store.records_of(reader)).ratings, [of(&closed, false), of(&book, true)]);
    world.ok(|store| store.rate_book(reader, book.id, &rating(5), NOW));
    world.ok(|store| store.import_rating(reader, book.id, &rating(2), moments));
    assert_eq!(world.ok(|store| store.reader_state(reader, book.id)).rating, Some(rating(5)));
    assert_eq!(world.book_ratings(book.id), (1, 5));
    // An imported completion is no reason to count; opening the book is.
    let place = Place { completed_at: Some(NOW), ..Place::first(&PositionReport::here(1, false, NOW).visit(&closed)) };
    world.ok(|store| store.import_place(reader, &closed, &place));
    world.ok(|store| store.rate_book(reader, closed.id, &rating(4), NOW));
    assert_eq!(world.book_ratings(closed.id), (0, 0));
    open(world, reader, &closed, NOW);
    world.ok(|store| store.rate_book(reader, closed.id, &rating(3), NOW));
    assert_eq!(world.book_ratings(closed.id), (1, 3));
    world.ok(|store| store.take_rating_back(reader, closed.id));
    assert_eq!(world.book_ratings(closed.id), (0, 0));
}

/// Records include books that are no longer published.
pub fn records_are_everything_of_one_reader(world: &mut impl World) {
    let (reader, other) = (world.add_reader("UTC"), world.add_reader("UTC"));
    let (first, second, category) = busy_reader(world, reader);
    world.unpublish(second.id);
    let later = NOW.plus(DAY);
    let today = TimeZone::UTC.day_of(NOW);
    let rating = Rating::new(Some(4), "Clear.").expect("a rating");
    let by = OpeningRight::Allowance;
    assert_eq!(
        world.ok(|store| store.records_of(reader)),
        Records {
            recommends: vec![category],
            opened: vec![OpenedBook { book: second.id, by, at: later }, OpenedBook { book: first.id, by, at: NOW }],
            history: vec![read(second.id, 2, None, later), read(first.id, 4, Some(NOW), later),],
            days: vec![(today, 1), (TimeZone::UTC.day_of(later), 1)],
            library: vec![LibraryEntry { book: second.id, at: later }, LibraryEntry { book: first.id, at: NOW }],
            ratings: vec![RatedBook { book: first.id, rating, created_at: NOW, updated_at: later, counts: true }],
            notices: vec![NoticeRequest { book: second.id, at: NOW }],
            goal: goal(),
            time: vec![ReadTime { day: today, device: device("phone"), seconds: 90 }],
        }
    );
    assert_eq!(world.ok(|store| store.records_of(other)), Records::default());
    let nobody = world.transaction(|store| store.records_of(UserId::from_store(4711)));
    assert!(matches!(nobody, Err(ProgressError::UnknownReader)), "{nobody:?}");
}

/// Ratings are deleted with their reader and no longer count for their books; other readers' records stay.
pub fn deleting_a_person_deletes_everything_of_theirs(world: &mut impl World) {
    let (reader, other) = (world.add_reader("UTC"), world.paid_reader());
    let (first, ..) = busy_reader(world, reader);
    open(world, other, &first, NOW);
    let rating = Rating::new(Some(5), "").expect("a rating");
    world.ok(|store| store.rate_book(other, first.id, &rating, NOW));
    assert_eq!(world.book_ratings(first.id), (2, 9));
    let before = world.ok(|store| store.records_of(other));

    world.ok(|store| store.forget_reader(reader));
    assert_eq!(world.ok(|store| store.records_of(reader)), Records::default());
    assert_eq!(world.book_ratings(first.id), (1, 5));
    assert_eq!(world.ok(|store| store.records_of(other)), before);
    world.ok(|store| store.forget_reader(reader));
    assert_eq!(world.book_ratings(first.id), (1, 5));
}
