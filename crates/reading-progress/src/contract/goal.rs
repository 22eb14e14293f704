//! The daily goal, the reading time and the year.

use std::slice;

use kernel::{BookId, DAY, Day, SECOND, TimeZone, UserId, Year};

use super::{NOW, World, complete, device, permutations};
use crate::{BookFacts, DEVICES_A_DAY, DayOfReading, Goal, GoalSettings, GoalUnit, ProgressError};

/// The day of [`NOW`] in UTC.
fn today() -> Day {
    TimeZone::UTC.day_of(NOW)
}

fn stored(world: &mut impl World, reader: UserId, from: Day, to: Day) -> Vec<DayOfReading> {
    world.ok(|store| store.days_of_reading(reader, from, to)).expect("the reader is there").days
}

fn report(world: &mut impl World, reader: UserId, name: &str, days: &[(Day, u32)]) -> DayOfReading {
    let state = world.ok(|store| store.report_reading_time(reader, &device(name), days, NOW));
    *state.days.last().expect("today")
}

/// The settings are kept as they were chosen last, of each reader apart.
pub fn a_goal_is_kept_as_chosen(world: &mut impl World) {
    let (reader, other) = (world.add_reader("Asia/Tokyo"), world.add_reader("UTC"));
    let state = world.ok(|store| store.goal_state(reader, NOW));
    assert_eq!((state.settings, state.today), (GoalSettings::default(), today()));
    let goals = [Goal::new(GoalUnit::Minutes, 180).ok(), Goal::new(GoalUnit::Summaries, 1).ok(), None];
    for (goal, counts_time) in goals.into_iter().zip([true, false, false]) {
        let settings = GoalSettings::new(goal, counts_time).expect("they go together");
        world.ok(|store| store.save_goal_settings(reader, settings));
        assert_eq!(world.ok(|store| store.goal_state(reader, NOW)).settings, settings);
    }
    assert_eq!(world.ok(|store| store.goal_state(other, NOW)).settings, GoalSettings::default());
    let nobody = world.transaction(|store| store.goal_state(UserId::from_store(4711), NOW));
    assert!(matches!(nobody, Err(ProgressError::UnknownReader)), "{nobody:?}");
}

/// Each device's greatest number of a day counts, in any order of arrival and however often it arrives.
pub fn reading_time_of_devices_adds_up(world: &mut impl World) {
    let reports = [("phone", 60), ("phone", 300), ("laptop", 90), ("phone", 120), ("laptop", 90)];
    for order in permutations(reports.len()) {
        let reader = world.add_reader("UTC");
        for at in order {
            let (name, seconds) = reports[at];
            report(world, reader, name, &[(today(), seconds), (today().yesterday(), seconds / 2)]);
        }
        let days = [DayOfReading::new(today().yesterday(), 195, 0), DayOfReading::new(today(), 390, 0)];
        assert_eq!(stored(world, reader, today().plus(-9), today().plus(9)), days);
    }
}

/// A day has 24 hours however many devices there are, and a limit of devices.
pub fn a_day_of_reading_has_an_end(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    for number in 0..=DEVICES_A_DAY {
        report(world, reader, &format!("device-{number}"), &[(today(), 10)]);
    }
    assert_eq!(report(world, reader, "one-more", &[(today(), 10)]).seconds, 10 * DEVICES_A_DAY);
    assert_eq!(
        report(world, reader, "device-0", &[(today(), 20)]).seconds,
        10 * DEVICES_A_DAY + 10,
        "one that counts goes on"
    );
    for number in 0..3 {
        report(world, reader, &format!("device-{number}"), &[(today(), 80_000)]);
    }
    assert_eq!(report(world, reader, "device-0", &[]).minutes(), 24 * 60);
}

/// Without the switch nothing is counted; what was counted before stays.
pub fn reading_time_is_counted_while_the_reader_wants_it(world: &mut impl World) {
    let reader = world.add_reader("UTC");
    report(world, reader, "phone", &[(today(), 60)]);
    let off = GoalSettings::new(None, false).expect("settings");
    world.ok(|store| store.save_goal_settings(reader, off));
    assert_eq!(report(world, reader, "phone", &[(today(), 600)]).seconds, 60);
    world.ok(|store| store.save_goal_settings(reader, GoalSettings::default()));
    assert_eq!(report(world, reader, "phone", &[(today(), 600)]).seconds, 600);
}

/// A day has its time and its completed summaries; days with neither are left out, as are those beyond the range.
pub fn days_have_time_and_completed_summaries(world: &mut impl World) {
    let reader = world.paid_reader();
    let (first, second) = (world.book(), world.book());
    complete(world, reader, &first, NOW);
    complete(world, reader, &second, NOW.plus(SECOND));
    complete(world, reader, &second, NOW.plus(2 * SECOND));
    complete(world, reader, &second, NOW.plus(DAY));
    report(world, reader, "phone", &[(today(), 61), (today().plus(-3), 5)]);
    let (day, later) = (DayOfReading::new(today(), 61, 2), DayOfReading::new(today().plus(1), 0, 1));
    let before = DayOfReading::new(today().plus(-3), 5, 0);
    assert_eq!(stored(world, reader, today().plus(-3), today().plus(1)), [before, day, later]);
    assert_eq!(stored(world, reader, today().plus(-2), today()), [day]);
    let state = world.ok(|store| store.goal_state(reader, NOW));
    assert_eq!((state.days[3], state.days[6]), (before, day));
}

fn completed(world: &mut impl World, reader: UserId, year: Year) -> Vec<BookId> {
    let year = world.ok(|store| store.year_of_reading(reader, year, &[], NOW));
    year.completed.into_iter().map(|(book, _)| book).collect()
}

/// A year has the first completions of its days, in the reader's time zone and in their order, of books that the history shows.
pub fn a_year_has_its_first_completions(world: &mut impl World) {
    let (reader, tokyo) = (world.paid_reader(), world.add_reader("Asia/Tokyo"));
    let books: Vec<BookFacts> = (0..5).map(|_| BookFacts { free: true, ..world.book() }).collect();
    let year = today().year();
    // An hour before midnight in UTC: it is the next year in Tokyo already.
    let eve = TimeZone::UTC.moment(year.first_day(), 0).plus(-DAY / 24);
    for reader in [reader, tokyo] {
        complete(world, reader, &books[0], eve);
        complete(world, reader, &books[2], NOW.plus(-SECOND));
        complete(world, reader, &books[1], NOW.plus(-2 * SECOND));
        complete(world, reader, &books[1], NOW);
        complete(world, reader, &books[3], NOW);
        complete(world, reader, &books[4], NOW.plus(SECOND));
        world.ok(|store| store.hide_history(reader, books[3].id, NOW.plus(SECOND)));
    }
    world.unpublish(books[4].id);
    let before = Year::new(i64::from(year.number()) - 1);
    assert_eq!(completed(world, reader, year), [books[1].id, books[2].id]);
    assert_eq!(completed(world, reader, before), [books[0].id]);
    assert_eq!(completed(world, tokyo, year), [books[0].id, books[1].id, books[2].id]);
    assert_eq!(world.ok(|store| store.years_of_reading(reader)), [before, year]);
    assert_eq!(world.ok(|store| store.years_of_reading(tokyo)), [year]);
    let other = world.add_reader("UTC");
    report(world, other, "phone", &[(today(), 61)]);
    assert_eq!(world.ok(|store| store.years_of_reading(other)), slice::from_ref(&year));
    assert_eq!(world.ok(|store| store.year_of_reading(other, year, &[], NOW)).minutes, Some(1));
}
