//! A year of reading history for a demo account, so that My Progress, library and history have something to show.

use anyhow::Context;
use catalogue::{BookCard, CatalogueLists, Filters, ListQuery, Sort};
use kernel::{DAY, Device, HOUR, Limit, TimeZone, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{
    Goal, GoalCommands, GoalSettings, GoalUnit, OpeningRight, PositionReport, ProgressCommands, ProgressQueries,
    ReadingProgress, history_condition,
};

/// Length of the year, in days.
const DAYS: i64 = 340;
/// Length of the current streak, in days.
const STREAK: i64 = 6;
/// How many of the newest books are started but not completed.
const BEGUN: usize = 3;
/// The daily goal, in minutes.
const GOAL: u32 = 15;
/// How many of the newest books are in the library.
const KEPT: usize = 9;

/// Records a year of reading: the books oldest first, often in some weeks, seldom in others, some books twice.
pub(super) fn read_for_a_year(pg: &mut Pg<'_>, reader: UserId, now: Timestamp) -> anyhow::Result<()> {
    let all =
        ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(Limit::MAX) };
    let books: Vec<BookCard> = pg.books(&all)?.items.into_iter().filter(|book| !book.coming_soon).collect();
    let Some((begun, finished)) = books.split_at_checked(BEGUN).filter(|(_, finished)| !finished.is_empty()) else {
        return Ok(());
    };
    let read_on: Vec<i64> = (0..DAYS).rev().filter(|ago| *ago < STREAK || is_reading_day(*ago)).collect();
    for (turn, ago) in read_on.iter().enumerate() {
        // Oldest first, then from the beginning again.
        let book = &finished[finished.len() - 1 - turn % finished.len()];
        read(pg, reader, book, true, now.plus(-ago * DAY - HOUR), now)?;
        if ago % 5 == 1 {
            let another = &finished[finished.len() - 1 - (turn + 2) % finished.len()];
            read(pg, reader, another, true, now.plus(-ago * DAY - 2 * HOUR), now)?;
        }
    }
    let time: Vec<_> =
        read_on.iter().map(|ago| (TimeZone::UTC.day_of(now.plus(-ago * DAY - HOUR)), seconds_read(*ago))).collect();
    let device = Device::parse("demo").context("a device has a name")?;
    pg.merge_reading_time(reader, &device, &time)?;
    pg.choose_goal(reader, GoalSettings::new(Some(Goal::new(GoalUnit::Minutes, GOAL)?), true)?)?;
    for (book, hours) in begun.iter().zip(1..) {
        read(pg, reader, book, false, now.plus(-hours * HOUR), now)?;
    }
    for (book, days) in books.iter().take(KEPT).zip(1..) {
        pg.add_to_library(reader, book.id, now.plus(-days * DAY))?;
    }
    crate::study::keep(pg, reader, finished, now)
}

/// How long the reader read on a day, in seconds: 9 to 27 minutes.
fn seconds_read(ago: i64) -> u32 {
    540 + u32::try_from(ago * 389 % 1_080).unwrap_or_default()
}

/// Whether the reader reads on the day that lies `ago` days back: two weeks of much reading alternate with two of little.
const fn is_reading_day(ago: i64) -> bool {
    let busy = (ago / 14) % 2 == 1;
    if busy { ago % 6 == 2 } else { (ago * 5) % 7 < 4 }
}

/// Records that the reader read a book to its end, or to its third section, at `at`, with the access of today's plan.
fn read(
    pg: &mut Pg<'_>,
    reader: UserId,
    book: &BookCard,
    completed: bool,
    at: Timestamp,
    now: Timestamp,
) -> anyhow::Result<()> {
    let Some(facts) = pg.book_facts(book.id)? else { return Ok(()) };
    pg.open_book(reader, facts.id, now, |_, _| Ok(((), Some(OpeningRight::Plan))))?;
    let position = if completed { i64::from(facts.sections) } else { 2 };
    let condition = history_condition(&facts, at, now)?;
    pg.save_report(reader, &facts, &PositionReport::here(position, completed, at), &condition, &[], now)?;
    Ok(())
}
