//! What every store of reading must do: one suite, run on memory and on Postgres.
//!
//! [`contract_tests!`](crate::contract_tests) writes one test for each function of this file.

use std::sync::atomic::{AtomicU32, Ordering};

use kernel::{Access, BookId, CategoryId, DAY, DateCursor, HOUR, Limit, SECOND, Slug, Timestamp, UserId};

use crate::{
    Allowance, AudioSpot, BookFacts, Day, Device, Entitlement, GrantedBy, LONGEST_AUDIO, LibraryEntry, OpenedBook,
    Place, ProgressError, ProgressStore, RatedBook, Rating, ReadBook, ReadingProgress, Records, Report, Shelf,
    ShelfCounts, Skill, Spot, Streaks, TimeZone,
};

/// 2026-03-10T12:00:00Z, a Tuesday: when the tests begin.
pub const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

/// A store, and the people, books and categories around it, which other domains own.
pub trait World {
    /// Adds a reader.
    fn add_reader(&mut self, time_zone: &str) -> UserId;
    /// Notes that an invited friend of the reader has been sent an invitation.
    fn invite_friend(&mut self, reader: UserId);
    /// Adds a category.
    fn add_category(&mut self) -> CategoryId;
    /// Adds a published book, neither free nor coming soon, without any section.
    fn add_book(&mut self, subid: &Slug, categories: &[CategoryId]) -> BookId;
    /// Makes of a book what the facts say.
    fn change_book(&mut self, facts: BookFacts);
    /// Takes a book out of the catalogue.
    fn unpublish(&mut self, book: BookId);
    /// The number and the sum of a book's ratings.
    fn book_ratings(&mut self, book: BookId) -> (i64, i64);
    /// Runs the work in one transaction, taken back when it fails.
    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut dyn ProgressStore) -> Result<T, ProgressError>,
    ) -> Result<T, ProgressError>;

    /// Runs work that must go well.
    fn ok<T>(&mut self, work: impl FnOnce(&mut dyn ProgressStore) -> Result<T, ProgressError>) -> T {
        self.transaction(work).expect("the work goes well")
    }

    /// A book of no category that is not free and has five sections.
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

    /// A reader with a plan for life.
    fn paid_reader(&mut self) -> UserId {
        let reader = self.add_reader("UTC");
        self.ok(|store| store.grant_entitlement(reader, &plan("lifetime", NOW, None)));
        reader
    }
}

/// Writes one test for each rule of the contract; the argument makes a fresh [`World`].
#[macro_export]
macro_rules! contract_tests {
    ($world:expr) => {
        $crate::contract_tests!(@each $world;
            a_book_is_known_by_number_and_by_name,
            a_newcomer_has_nothing,
            nobody_else_is_a_reader,
            opening_takes_from_the_allowance_once_for_a_book,
            the_last_open_says_so_and_the_next_is_refused,
            an_invited_friend_gives_one_more,
            a_month_after_there_is_one_again,
            what_a_plan_opened_lapses_with_it,
            what_stays_open_is_listed_latest_first,
            a_free_book_is_opened_and_takes_nothing,
            the_best_entitlement_counts,
            a_position_is_kept_within_the_sections,
            history_needs_the_right_to_read,
            completed_counts_at_the_last_section_only,
            a_completed_book_stays_completed,
            the_first_completion_gives_xp_once,
            streaks_follow_the_readers_days,
            skills_count_first_completions_by_category,
            a_video_start_keeps_the_position,
            late_reports_of_several_devices_end_in_one_place,
            a_completion_that_comes_late_is_not_lost,
            a_report_that_comes_twice_counts_once,
            what_was_read_with_a_plan_may_be_said_after_it,
            audio_alone_moves_nobody,
            a_hidden_entry_comes_back_when_it_is_read_again,
            a_hidden_entry_is_shown_again_where_it_stood,
            shelves_hold_what_was_begun_completed_or_neither,
            awards_have_the_moment_of_their_completion,
            history_is_newest_first_and_paged,
            pages_of_equal_times_lose_nothing,
            a_library_keeps_each_book_once,
            the_library_is_newest_first_and_paged,
            unpublished_books_stand_aside,
            a_rating_needs_an_opened_book,
            a_rating_can_be_changed,
            ratings_of_all_readers_add_up,
            choices_are_replaced_as_a_whole,
            refused_choices_leave_those_before,
            readers_do_not_see_each_other,
            records_are_everything_of_one_reader,
            whoever_leaves_takes_everything_along,
        );
    };
    (@each $world:expr; $($name:ident),+ $(,)?) => {$(
        #[test]
        fn $name() {
            $crate::contract::$name(&mut $world);
        }
    )+};
}

/// A name that no other book of this process has.
fn some_slug() -> Slug {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::SeqCst);
    Slug::parse(&format!("book-{count}")).expect("a name that can stand in addresses")
}

fn plan(id: &str, starts_at: Timestamp, ends_at: Option<Timestamp>) -> Entitlement {
    Entitlement { plan_id: id.to_owned(), plan_name: id.to_uppercase(), starts_at, ends_at }
}

fn open(world: &mut impl World, reader: UserId, book: &BookFacts, now: Timestamp) -> Access {
    world.ok(|store| store.open_book(reader, book, now)).decision.access
}

fn complete(world: &mut impl World, reader: UserId, book: &BookFacts, now: Timestamp) -> Option<u32> {
    let saved = world.ok(|store| store.save_position(reader, book, 4, true, now));
    assert!(saved.entry.completed);
    saved.progress.map(|progress| progress.xp)
}

/// Of what is not published nothing is known.
pub fn a_book_is_known_by_number_and_by_name(world: &mut impl World) {
    let (subid, unknown) = (some_slug(), some_slug());
    let id = world.add_book(&subid, &[]);
    for (free, coming_soon, sections) in [(false, true, 0), (true, false, 3), (false, false, 12)] {
        let facts = BookFacts { id, free, coming_soon, sections };
        world.change_book(facts);
        assert_eq!(world.ok(|store| Ok(store.book_facts(id)?)), Some(facts));
        assert_eq!(world.ok(|store| Ok(store.book_facts_named(&subid)?)), Some(facts));
    }
    assert_eq!(world.ok(|store| Ok(store.book_facts_named(&unknown)?)), None);
    assert_eq!(world.ok(|store| Ok(store.book_facts(BookId::from_store(4711))?)), None);

    let other = world.book();
    let counts = world.ok(|store| Ok(store.section_counts(&[id, other.id])?));
    assert_eq!((counts.len(), counts.get(&id), counts.get(&other.id)), (2, Some(&12), Some(&5)));
    assert!(world.ok(|store| Ok(store.section_counts(&[])?)).is_empty());

    world.unpublish(id);
    assert_eq!(world.ok(|store| Ok(store.book_facts(id)?)), None);
    assert_eq!(world.ok(|store| Ok(store.book_facts_named(&subid)?)), None);
}

/// Nothing is there before anything was done.
pub fn a_newcomer_has_nothing(world: &mut impl World) {
    let (reader, book) = (world.add_reader("Europe/Vienna"), world.book());
    let state = world.ok(|store| store.reader_state(reader, book.id, NOW));
    assert_eq!((state.opened, state.position(), state.completed()), (None, 0, false));
    assert!(!state.in_library && !state.rated && !state.membership.invited_friend);
    assert_eq!(state.membership.time_zone, TimeZone::named("Europe/Vienna"));
    assert!(state.membership.entitlements.is_empty());
    let standing = world.ok(|store| store.standing_of(reader, NOW));
    assert!(standing.entitlement.is_none() && standing.recommends.is_empty());
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!((progress.num_completed, progress.xp, progress.streaks), (0, 0, Streaks::default()));
    assert!(progress.skills.is_empty() && !progress.is_paid);
    assert!(world.ok(|store| store.history_of(reader, None, Limit::clamped(10))).items.is_empty());
    assert!(world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(10))).items.is_empty());
}

/// An account that is gone has no state and can do nothing.
pub fn nobody_else_is_a_reader(world: &mut impl World) {
    let (nobody, book, category) = (UserId::from_store(4711), world.book(), world.add_category());
    let rating = Rating::new(Some(5), "").expect("five stars");
    for answer in [
        world.transaction(|store| store.reader_state(nobody, book.id, NOW).map(drop)),
        world.transaction(|store| store.open_book(nobody, &book, NOW).map(drop)),
        world.transaction(|store| store.standing_of(nobody, NOW).map(drop)),
        world.transaction(|store| store.free_summaries_of(nobody, NOW).map(drop)),
        world.transaction(|store| store.save_position(nobody, &book, 1, false, NOW).map(drop)),
        world.transaction(|store| store.save_position(nobody, &book, 4, true, NOW).map(drop)),
        world.transaction(|store| store.progress_of(nobody, NOW).map(drop)),
        world.transaction(|store| store.rate_book(nobody, book.id, &rating, NOW)),
        world.transaction(|store| store.set_recommends(nobody, &[category])),
    ] {
        assert!(matches!(answer, Err(ProgressError::UnknownReader)), "{answer:?}");
    }
}

/// Opening the same book again takes nothing.
pub fn opening_takes_from_the_allowance_once_for_a_book(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    let first = world.ok(|store| store.open_book(reader, &book, NOW));
    assert_eq!((first.decision.access, first.decision.record), (Access::Full, Some(GrantedBy::Allowance)));
    assert_eq!(first.decision.allowance.map(|allowance| allowance.left), Some(2));
    assert!(first.is_first());
    for _ in 0..3 {
        let again = world.ok(|store| store.open_book(reader, &book, NOW.plus(HOUR)));
        assert_eq!((again.decision.access, again.decision.record), (Access::Full, None));
        assert_eq!(again.decision.allowance.map(|allowance| allowance.left), Some(2));
        assert!(!again.is_first());
    }
    let state = world.ok(|store| store.reader_state(reader, book.id, NOW));
    assert_eq!(state.opened, Some(GrantedBy::Allowance));
    assert_eq!((state.membership.spent.summaries, state.membership.spent.last_summary_at), (1, Some(NOW)));
    let left = world.ok(|store| store.free_summaries_of(reader, NOW));
    assert_eq!(left, Some(Allowance { left: 2, total: 3 }));
    let paid = world.paid_reader();
    assert_eq!(world.ok(|store| store.free_summaries_of(paid, NOW)), None);
}

/// `lastFree` on the open that empties the allowance, `limitReached` on the next.
pub fn the_last_open_says_so_and_the_next_is_refused(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let books: Vec<BookFacts> = (0..4).map(|_| world.book()).collect();
    for (at, book) in books.iter().take(3).enumerate() {
        let decision = world.ok(|store| store.open_book(reader, book, NOW)).decision;
        assert_eq!((decision.access, decision.last_free), (Access::Full, at == 2));
    }
    let refused = world.ok(|store| store.open_book(reader, &books[3], NOW)).decision;
    assert_eq!((refused.access, refused.limit_reached, refused.record), (Access::Preview, true, None));
    let state = world.ok(|store| store.reader_state(reader, books[3].id, NOW));
    assert_eq!((state.opened, state.membership.spent.summaries), (None, 3));
    let third = world.ok(|store| store.open_book(reader, &books[2], NOW)).decision;
    assert_eq!((third.access, third.last_free), (Access::Full, false));
}

/// The invitation is read from the reader's account.
pub fn an_invited_friend_gives_one_more(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    world.invite_friend(reader);
    let seen: Vec<Access> = (0..5)
        .map(|_| {
            let book = world.book();
            open(world, reader, &book, NOW)
        })
        .collect();
    assert_eq!(seen, [Access::Full, Access::Full, Access::Full, Access::Full, Access::Preview]);
}

/// From the month after, one summary a month, by the reader's calendar.
pub fn a_month_after_there_is_one_again(world: &mut impl World) {
    let reader = world.add_reader("America/Lima");
    for _ in 0..3 {
        let book = world.book();
        open(world, reader, &book, NOW);
    }
    // 1 April begins in Lima at 05:00Z; NOW is 10 March, 12:00Z.
    let april = NOW.plus(21 * DAY + 17 * HOUR);
    let (book, other) = (world.book(), world.book());
    assert_eq!(open(world, reader, &book, april.plus(-1)), Access::Preview);
    let monthly = world.ok(|store| store.open_book(reader, &book, april)).decision;
    assert_eq!((monthly.access, monthly.record), (Access::Full, Some(GrantedBy::Monthly)));
    assert_eq!(open(world, reader, &other, april.plus(DAY)), Access::Preview);
    assert_eq!(open(world, reader, &book, april.plus(DAY)), Access::Full);
    assert_eq!(open(world, reader, &other, april.plus(30 * DAY)), Access::Full);
}

/// What was opened while paid is for the allowance to take again.
pub fn what_a_plan_opened_lapses_with_it(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    let end = NOW.plus(DAY);
    world.ok(|store| store.grant_entitlement(reader, &plan("yearly", NOW, Some(end))));
    let paid = world.ok(|store| store.open_book(reader, &book, NOW));
    assert_eq!((paid.decision.record, paid.decision.allowance), (Some(GrantedBy::Plan), None));
    let again = world.ok(|store| store.open_book(reader, &book, end.plus(-1)));
    assert_eq!((again.decision.access, again.decision.record), (Access::Full, None));
    let lapsed = world.ok(|store| store.open_book(reader, &book, end));
    assert_eq!(lapsed.decision.record, Some(GrantedBy::Allowance));
    assert!(!lapsed.is_first());
    let state = world.ok(|store| store.reader_state(reader, book.id, end));
    assert_eq!(state.opened, Some(GrantedBy::Allowance));
    assert!(state.membership.entitlements.is_empty());
    assert_eq!(state.membership.spent.last_summary_at, Some(end));
}

/// What a plan or a free book gave is not among it.
pub fn what_stays_open_is_listed_latest_first(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let books: Vec<BookFacts> = (0..3).map(|_| world.book()).collect();
    for (at, book) in (0..).zip(&books) {
        open(world, reader, book, NOW.plus(at));
    }
    let free = BookFacts { free: true, ..world.book() };
    open(world, reader, &free, NOW);
    let april = NOW.plus(30 * DAY);
    let monthly = world.book();
    open(world, reader, &monthly, april);
    world.ok(|store| store.grant_entitlement(reader, &plan("lifetime", april, None)));
    let by_plan = world.book();
    open(world, reader, &by_plan, april);
    let kept = |world: &mut _, limit| {
        World::ok(world, |store| Ok(store.books_opened_for_good(reader, Limit::clamped(limit))?))
    };
    assert_eq!(kept(world, 9), [monthly.id, books[2].id, books[1].id, books[0].id]);
    assert_eq!(kept(world, 2), [monthly.id, books[2].id]);
}

/// Free books are recorded, since rating needs it, and cost nothing.
pub fn a_free_book_is_opened_and_takes_nothing(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let book = BookFacts { free: true, ..world.book() };
    let decision = world.ok(|store| store.open_book(reader, &book, NOW)).decision;
    assert_eq!((decision.access, decision.record), (Access::Full, Some(GrantedBy::Free)));
    assert_eq!(decision.allowance.map(|allowance| allowance.left), Some(3));
    let state = world.ok(|store| store.reader_state(reader, book.id, NOW));
    assert_eq!((state.opened, state.membership.spent.summaries), (Some(GrantedBy::Free), 0));
}

/// Of those that run, the longest; those to come and those that are over don't count.
pub fn the_best_entitlement_counts(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let short = plan("monthly", NOW, Some(NOW.plus(30 * DAY)));
    let long = plan("yearly", NOW.plus(DAY), Some(NOW.plus(366 * DAY)));
    for entitlement in [&long, &short] {
        world.ok(|store| store.grant_entitlement(reader, entitlement));
    }
    for (at, best) in [
        (NOW.plus(-1), None),
        (NOW, Some(&short)),
        (NOW.plus(DAY), Some(&long)),
        (NOW.plus(31 * DAY), Some(&long)),
        (NOW.plus(366 * DAY), None),
    ] {
        assert_eq!(world.ok(|store| store.entitlement_of(reader, at)).as_ref(), best);
        assert_eq!(world.ok(|store| store.progress_of(reader, at)).is_paid, best.is_some());
    }
    let life = plan("lifetime", NOW, None);
    world.ok(|store| store.grant_entitlement(reader, &life));
    assert_eq!(world.ok(|store| store.entitlement_of(reader, NOW.plus(9999 * DAY))), Some(life));
}

/// Positions that no section has are brought to the nearest.
pub fn a_position_is_kept_within_the_sections(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let given = [(2, 2), (4, 4), (5, 4), (i64::MAX, 4), (0, 0), (-3, 0), (i64::MIN, 0)];
    for (now, (given, kept)) in (0..).map(|seconds| NOW.plus(seconds * SECOND)).zip(given) {
        let saved = world.ok(|store| store.save_position(reader, &book, given, false, now));
        assert_eq!((saved.entry.position, saved.entry.completed, saved.entry.at), (kept, false, now));
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id, now)).position(), kept);
    }
    let empty = BookFacts { sections: 0, ..world.book() };
    let saved = world.ok(|store| store.save_position(reader, &empty, 3, true, NOW));
    assert_eq!((saved.entry.position, saved.entry.completed, saved.progress), (0, false, None));
}

/// No history for what may not be read, and no reason is given for another.
pub fn history_needs_the_right_to_read(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    let save = |store: &mut dyn ProgressStore, book: &BookFacts, completed| {
        store.save_position(reader, book, 4, completed, NOW).map(drop)
    };
    for completed in [false, true] {
        let unopened = world.transaction(|store| save(store, &book, completed));
        assert!(matches!(unopened, Err(ProgressError::NotOpened)), "{unopened:?}");
    }
    let video = world.transaction(|store| store.start_video(reader, &book, NOW));
    assert!(matches!(video, Err(ProgressError::NotOpened)), "{video:?}");
    let soon = BookFacts { coming_soon: true, free: true, ..book };
    let early = world.transaction(|store| save(store, &soon, false));
    assert!(matches!(early, Err(ProgressError::ComingSoon)), "{early:?}");

    for _ in 0..3 {
        let other = world.book();
        open(world, reader, &other, NOW);
        world.ok(|store| save(store, &other, false));
    }
    let refused = world.transaction(|store| save(store, &book, true));
    assert!(matches!(refused, Err(ProgressError::UpgradeRequired)), "{refused:?}");
    assert!(!world.ok(|store| store.reader_state(reader, book.id, NOW)).completed());
    assert_eq!(world.ok(|store| store.progress_of(reader, NOW)).streaks, Streaks::default());

    // A free book needs no open, a plan that has lapsed gives no right.
    world.ok(|store| save(store, &BookFacts { free: true, ..book }, false));
    let lapsing = world.add_reader("UTC");
    world.ok(|store| store.grant_entitlement(lapsing, &plan("yearly", NOW.plus(-DAY), Some(NOW))));
    world.ok(|store| store.open_book(lapsing, &book, NOW.plus(-HOUR)));
    world.ok(|store| store.save_position(lapsing, &book, 1, false, NOW.plus(-1)));
    let lapsed = world.transaction(|store| store.save_position(lapsing, &book, 2, false, NOW));
    assert!(matches!(lapsed, Err(ProgressError::NotOpened)), "{lapsed:?}");
    assert_eq!(world.ok(|store| store.reader_state(lapsing, book.id, NOW)).position(), 1);
}

/// `completed` below the last section with text is a position only.
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

/// Reading again moves the position, not the completion.
pub fn a_completed_book_stays_completed(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    complete(world, reader, &book, NOW);
    let back = world.ok(|store| store.save_position(reader, &book, 0, false, NOW.plus(HOUR)));
    assert_eq!((back.entry.position, back.entry.completed), (0, true));
    let state = world.ok(|store| store.reader_state(reader, book.id, NOW));
    assert_eq!((state.position(), state.completed()), (0, true));
}

/// Ten for each summary, none for reading it again.
pub fn the_first_completion_gives_xp_once(world: &mut impl World) {
    let reader = world.paid_reader();
    let (book, other) = (world.book(), world.book());
    assert_eq!(complete(world, reader, &book, NOW), Some(10));
    assert_eq!(complete(world, reader, &book, NOW.plus(SECOND)), None);
    assert_eq!(complete(world, reader, &other, NOW.plus(SECOND)), Some(20));
    let progress = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!((progress.num_completed, progress.xp, progress.level()), (2, 20, 0));
    assert!(progress.is_paid);
}

/// A day counts where the reader lives; reading again counts too.
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
    let streaks = |world: &mut _, reader, now| World::ok(world, |store| store.progress_of(reader, now)).streaks;
    assert_eq!(streaks(world, tokyo, after_midnight), Streaks { current: 2, best: 2 });
    assert_eq!(streaks(world, utc, after_midnight), Streaks { current: 1, best: 1 });
    assert_eq!(streaks(world, utc, after_midnight.plus(DAY)), Streaks { current: 1, best: 1 });
    assert_eq!(streaks(world, utc, after_midnight.plus(2 * DAY)), Streaks { current: 0, best: 1 });
    complete(world, utc, &book, after_midnight.plus(DAY));
    assert_eq!(streaks(world, utc, after_midnight.plus(2 * DAY)), Streaks { current: 2, best: 2 });
    // Days before 1970 and far ahead are kept as they are.
    let days = world.ok(|store| {
        for day in [Day::from_epoch(-1), Day::from_epoch(200_000)] {
            store.count_reading_day(utc, book.id, day)?;
        }
        Ok(store.progress_facts_of(utc, NOW)?.expect("the reader is there").days)
    });
    assert_eq!((days.first(), days.last()), (Some(&(Day::from_epoch(-1), 1)), Some(&(Day::from_epoch(200_000), 1))));
}

/// A book counts for each of its categories, once.
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
    let mut completed = world.ok(|store| Ok(store.completed_books(reader)?));
    completed.sort_unstable();
    assert_eq!(completed, books.map(|book| book.id));
}

/// A video start is an entry of its own, or moves the one that is there to the front.
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

fn report(position: i64, at: Timestamp, name: &str) -> Report {
    Report { device: Some(device(name)), ..Report::here(position, false, at) }
}

/// What the store merges is what the rule merges, in each order in which the reports can come.
pub fn late_reports_of_several_devices_end_in_one_place(world: &mut impl World) {
    let reader = world.paid_reader();
    let listening = Report { position: None, audio: Some(61_500), ..report(0, NOW.plus(2 * SECOND), "phone") };
    let reports = [
        report(3, NOW.plus(SECOND), "phone"),
        report(1, NOW.plus(3 * SECOND), "laptop"),
        Report { audio: Some(9_000), ..report(4, NOW.plus(2 * SECOND), "tablet") },
        report(2, NOW.plus(3 * SECOND), "phone"),
        listening,
    ];
    let spot = Spot { at: NOW.plus(3 * SECOND), position: 2, device: Some(device("phone")) };
    let place = Place {
        spot: Some(spot),
        furthest: 4,
        audio: Some(AudioSpot { at: NOW.plus(2 * SECOND), millis: 61_500 }),
        completed_at: None,
        seen_at: NOW.plus(3 * SECOND),
        hidden_at: None,
    };
    for order in permutations(reports.len()) {
        let book = world.book();
        let mut after = None;
        for at in &order {
            let report = &reports[*at];
            after = Some(world.ok(|store| store.save_report(reader, &book, report, NOW.plus(HOUR))).place);
        }
        assert_eq!(after.as_ref(), Some(&place), "{order:?}");
        assert_eq!(world.ok(|store| store.place_of(reader, book.id)), after);
        assert_eq!(world.ok(|store| store.reader_state(reader, book.id, NOW)).place, after);
    }
}

/// All orders of so many things.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, next| {
        let grow = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..=order.len()).map(|at| [&order[..at], &[next], &order[at..]].concat()).collect()
        };
        orders.iter().flat_map(grow).collect()
    })
}

/// It counts on its own day, and moves nobody who has gone on.
pub fn a_completion_that_comes_late_is_not_lost(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    world.ok(|store| store.save_report(reader, &book, &report(1, NOW, "phone"), NOW));
    let train = Report { completed: true, ..report(4, NOW.plus(-DAY), "laptop") };
    let saved = world.ok(|store| store.save_report(reader, &book, &train, NOW.plus(HOUR)));
    assert_eq!((saved.entry.position, saved.entry.completed, saved.entry.at), (1, true, NOW));
    assert_eq!((saved.place.furthest, saved.place.completed_at), (4, Some(NOW.plus(-DAY))));
    let progress = saved.progress.expect("it was the first completion");
    assert_eq!((progress.xp, progress.streaks), (10, Streaks { current: 1, best: 1 }));
    let yesterday = TimeZone::UTC.day_of(NOW.plus(-DAY));
    assert_eq!(progress.calendar, [(yesterday, 1)]);

    // The first is the one that was first, whichever arrived first.
    let earlier = Report { completed: true, ..report(4, NOW.plus(-2 * DAY), "tablet") };
    let saved = world.ok(|store| store.save_report(reader, &book, &earlier, NOW.plus(HOUR)));
    assert_eq!((saved.progress, saved.place.completed_at), (None, Some(NOW.plus(-2 * DAY))));
    assert_eq!(world.ok(|store| store.place_of(reader, book.id)), Some(saved.place));
}

/// An answer that was lost makes a device say the same again.
pub fn a_report_that_comes_twice_counts_once(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let done = Report { completed: true, ..report(4, NOW, "phone") };
    let first = world.ok(|store| store.save_report(reader, &book, &done, NOW));
    let once = world.ok(|store| store.progress_of(reader, NOW));
    assert_eq!(once.calendar, [(TimeZone::UTC.day_of(NOW), 1)]);
    let again = world.ok(|store| store.save_report(reader, &book, &done, NOW.plus(HOUR)));
    assert_eq!((again.place, again.progress), (first.place, None));
    assert_eq!(world.ok(|store| store.progress_of(reader, NOW)), once);
}

/// The right to read at the time is what counts; what was read later needs a right of its own.
pub fn what_was_read_with_a_plan_may_be_said_after_it(world: &mut impl World) {
    let (reader, book) = (world.add_reader("UTC"), world.book());
    world.ok(|store| store.grant_entitlement(reader, &plan("monthly", NOW.plus(-DAY), Some(NOW))));
    // A client may say of any moment that it was there: without having opened the text it was not.
    let unopened = report(2, NOW.plus(-1), "phone");
    let refused = world.transaction(|store| store.save_report(reader, &book, &unopened, NOW.plus(HOUR)));
    assert!(matches!(refused, Err(ProgressError::NotOpened)), "{refused:?}");
    world.ok(|store| store.open_book(reader, &book, NOW.plus(-HOUR)));
    let saved = world.ok(|store| store.save_report(reader, &book, &report(2, NOW.plus(-1), "phone"), NOW.plus(HOUR)));
    assert_eq!(saved.entry.position, 2);
    let late = world.transaction(|store| store.save_report(reader, &book, &report(3, NOW, "phone"), NOW.plus(HOUR)));
    assert!(matches!(late, Err(ProgressError::NotOpened)), "{late:?}");
}

/// Listening on one device leaves the text of another where it is.
pub fn audio_alone_moves_nobody(world: &mut impl World) {
    let (reader, book) = (world.paid_reader(), world.book());
    let listen = |millis, at| Report { position: None, audio: Some(millis), ..Report::here(0, false, at) };
    let fresh = world.ok(|store| store.save_report(reader, &book, &listen(1_000, NOW), NOW)).place;
    assert_eq!((fresh.spot.clone(), fresh.position(), fresh.seen_at), (None, 0, NOW));
    world.ok(|store| store.save_position(reader, &book, 3, false, NOW.plus(SECOND)));
    let given = [(90_000, 90_000), (-5, 0), (i64::MAX, LONGEST_AUDIO)];
    for (at, (given, kept)) in (1..).map(|hours| NOW.plus(hours * HOUR)).zip(given) {
        let place = world.ok(|store| store.save_report(reader, &book, &listen(given, at), NOW.plus(DAY))).place;
        let spot = place.spot.expect("the text was open");
        assert_eq!((spot.position, spot.at, place.seen_at), (3, NOW.plus(SECOND), at));
        assert_eq!(place.audio, Some(AudioSpot { at, millis: kept }));
    }
}

/// Position, completion and library stay; a report from before the hiding does not bring it back.
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
    let state = world.ok(|store| store.reader_state(reader, book.id, NOW));
    assert_eq!((state.position(), state.completed()), (4, true));
    assert_eq!(world.ok(|store| store.progress_of(reader, NOW)).num_completed, 1);

    world.ok(|store| store.save_report(reader, &book, &report(2, hide_at.plus(-1), "late"), hide_at.plus(SECOND)));
    assert_eq!(shown(world), [other.id]);
    world.ok(|store| store.save_position(reader, &book, 0, false, hide_at.plus(1)));
    assert_eq!(shown(world), [book.id, other.id]);
    // What is not there can be hidden too: nothing happens.
    let unread = world.book();
    world.ok(|store| store.hide_history(reader, unread.id, hide_at));
    assert_eq!(world.ok(|store| store.place_of(reader, unread.id)), None);
}

/// Showing an entry again changes nothing of it but that, however often it is asked for; it can be hidden anew.
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
    // What was never read does not come by being shown.
    let unread = world.book();
    world.ok(|store| store.show_history(reader, unread.id));
    assert_eq!(world.ok(|store| store.place_of(reader, unread.id)), None);
}

/// A book of the library stands on one shelf besides the whole, also when history does not show it.
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
    assert_eq!(shelf(world, Shelf::All), [fourth, done, begun, first]);
    assert_eq!(shelf(world, Shelf::Reading), [begun]);
    assert_eq!(shelf(world, Shelf::Finished), [done]);
    assert_eq!(shelf(world, Shelf::Saved), [fourth, first]);
    let counts = world.ok(|store| store.shelf_counts(reader));
    assert_eq!((counts, counts.all()), (ShelfCounts { reading: 1, finished: 1, saved: 2 }, 4));

    let page = world.ok(|store| store.library_of(reader, Shelf::Saved, None, Limit::clamped(1)));
    let rest = world.ok(|store| store.library_of(reader, Shelf::Saved, page.next, Limit::clamped(1)));
    assert_eq!((rest.items[0].entry.book, rest.next), (books[0].id, None));
    world.ok(|store| store.remove_from_library(reader, books[2].id));
    assert_eq!(shelf(world, Shelf::Finished), []);
}

/// The fifth summary brings the first award, and keeps its moment when one from before it arrives.
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

/// Entries of one millisecond are told apart by their books.
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

/// Adding what is there and removing what is not changes nothing.
pub fn a_library_keeps_each_book_once(world: &mut impl World) {
    let (reader, book, other) = (world.add_reader("UTC"), world.book(), world.book());
    world.ok(|store| store.add_to_library(reader, book.id, NOW));
    world.ok(|store| store.add_to_library(reader, other.id, NOW.plus(SECOND)));
    world.ok(|store| store.add_to_library(reader, book.id, NOW.plus(HOUR)));
    let page = world.ok(|store| store.library_of(reader, Shelf::All, None, Limit::clamped(9)));
    let kept: Vec<_> = page.items.iter().map(|kept| (kept.entry.book, kept.entry.at)).collect();
    assert_eq!(kept, [(other.id, NOW.plus(SECOND)), (book.id, NOW)]);
    assert!(world.ok(|store| store.reader_state(reader, book.id, NOW)).in_library);
    for _ in 0..2 {
        world.ok(|store| store.remove_from_library(reader, book.id));
        assert!(!world.ok(|store| store.reader_state(reader, book.id, NOW)).in_library);
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

/// A page is as long as asked for although some books are not to be shown.
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

/// Who has neither opened nor completed a summary can't say what it is worth.
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
        assert_eq!(world.ok(|store| Ok(store.find_rating(reader, book.id)?)), Some(rating));
        assert!(world.ok(|store| store.reader_state(reader, book.id, NOW)).rated);
    }
}

/// A book's count and sum are those of all its ratings.
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

/// The latest choice counts, each category once.
pub fn choices_are_replaced_as_a_whole(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    let (a, b, c) = (world.add_category(), world.add_category(), world.add_category());
    world.ok(|store| store.set_recommends(reader, &[c, a, c]));
    assert_eq!(world.ok(|store| store.standing_of(reader, NOW)).recommends, [a, c]);
    world.ok(|store| store.set_recommends(reader, &[b]));
    assert_eq!(world.ok(|store| store.standing_of(reader, NOW)).recommends, [b]);
}

/// None, or one that is not there: what was chosen before stays.
pub fn refused_choices_leave_those_before(world: &mut impl World) {
    let (reader, a) = (world.add_reader("UTC"), world.add_category());
    world.ok(|store| store.set_recommends(reader, &[a]));
    let none = world.transaction(|store| store.set_recommends(reader, &[]));
    assert!(matches!(none, Err(ProgressError::NoCategory)), "{none:?}");
    let unknown = world.transaction(|store| store.set_recommends(reader, &[a, CategoryId::from_store(4711)]));
    assert!(matches!(unknown, Err(ProgressError::UnknownCategory)), "{unknown:?}");
    assert_eq!(world.ok(|store| store.standing_of(reader, NOW)).recommends, [a]);
}

/// What one reader does is nothing to another.
pub fn readers_do_not_see_each_other(world: &mut impl World) {
    let (busy, quiet, book) = (world.paid_reader(), world.add_reader("UTC"), world.book());
    let category = world.add_category();
    open(world, busy, &book, NOW);
    complete(world, busy, &book, NOW);
    let rating = Rating::new(Some(1), "").expect("one star");
    world.ok(|store| store.rate_book(busy, book.id, &rating, NOW));
    world.ok(|store| store.add_to_library(busy, book.id, NOW));
    world.ok(|store| store.set_recommends(busy, &[category]));

    let state = world.ok(|store| store.reader_state(quiet, book.id, NOW));
    assert_eq!((state.opened, state.position(), state.completed()), (None, 0, false));
    assert!(!state.in_library && !state.rated && !state.membership.is_paid(NOW));
    assert_eq!(state.membership.spent.summaries, 0);
    assert_eq!(world.ok(|store| store.progress_of(quiet, NOW)).num_completed, 0);
    assert!(world.ok(|store| store.standing_of(quiet, NOW)).recommends.is_empty());
    assert!(world.ok(|store| store.history_of(quiet, None, Limit::clamped(9))).items.is_empty());
    assert!(world.ok(|store| store.library_of(quiet, Shelf::All, None, Limit::clamped(9))).items.is_empty());
    world.ok(|store| store.remove_from_library(quiet, book.id));
    assert!(world.ok(|store| store.reader_state(busy, book.id, NOW)).in_library);
}

/// Reads two books, one of them to its end, on two days; gives the books and the category that was chosen.
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
    (first, second, category)
}

fn read(book: BookId, position: u32, completed_at: Option<Timestamp>, at: Timestamp) -> ReadBook {
    ReadBook { book, position, furthest: position, completed_at, audio: None, at, hidden_at: None }
}

/// Also of books that are not published any more, and of plans that are over.
pub fn records_are_everything_of_one_reader(world: &mut impl World) {
    let (reader, other) = (world.add_reader("UTC"), world.add_reader("UTC"));
    let over = plan("monthly", NOW.plus(-60 * DAY), Some(NOW.plus(-30 * DAY)));
    world.ok(|store| store.grant_entitlement(reader, &over));
    let (first, second, category) = busy_reader(world, reader);
    world.unpublish(second.id);
    let later = NOW.plus(DAY);
    let today = TimeZone::UTC.day_of(NOW);
    let rating = Rating::new(Some(4), "Clear.").expect("a rating");
    let by = GrantedBy::Allowance;
    assert_eq!(
        world.ok(|store| store.records_of(reader)),
        Records {
            entitlements: vec![over],
            recommends: vec![category],
            opened: vec![OpenedBook { book: second.id, by, at: later }, OpenedBook { book: first.id, by, at: NOW }],
            history: vec![read(second.id, 2, None, later), read(first.id, 4, Some(NOW), later),],
            days: vec![(today, 1), (TimeZone::UTC.day_of(later), 1)],
            library: vec![LibraryEntry { book: second.id, at: later }, LibraryEntry { book: first.id, at: NOW }],
            ratings: vec![RatedBook { book: first.id, rating, created_at: NOW, updated_at: later }],
        }
    );
    assert_eq!(world.ok(|store| store.records_of(other)), Records::default());
    let nobody = world.transaction(|store| store.records_of(UserId::from_store(4711)));
    assert!(matches!(nobody, Err(ProgressError::UnknownReader)), "{nobody:?}");
}

/// Ratings leave with their reader, and the books' sums follow; others keep what is theirs.
pub fn whoever_leaves_takes_everything_along(world: &mut impl World) {
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
