//! Reading days and time; and what the member has chosen, which is taken over where nothing was chosen here.

use std::collections::BTreeMap;

use catalogue::CatalogueQueries;
use kernel::{CategoryId, Day, Device};
use reading_progress::{Goal, GoalCommands, GoalQueries, GoalSettings, GoalUnit, ProgressQueries, ReadingProgress};
use serde::Deserialize;
use study::{StudyQueries, StudySettings};

use super::entry::{CalendarDay, EntryError, Importing, Lenient};
use crate::study::{highlights::HighlightError, settings::save_settings};

/// The most summaries that count as completed on a day.
const MAX_COMPLETIONS: u32 = 1_000;
/// The seconds of a day.
const DAY_SECONDS: u32 = 24 * 60 * 60;

impl From<HighlightError> for EntryError {
    fn from(error: HighlightError) -> Self {
        match error {
            HighlightError::Store(error) => Self::Store(error),
            _ => Self::Unreadable,
        }
    }
}

#[derive(Debug, Deserialize)]
struct CompletedOnDay {
    day: CalendarDay,
    completions: u32,
}

#[derive(Debug, Deserialize)]
struct TimeEntry {
    day: CalendarDay,
    device: String,
    seconds: u32,
}

#[derive(Debug, Deserialize)]
struct GoalFields {
    unit: String,
    amount: u32,
}

/// Days, reading time and goal. What follows from them, such as XP and streaks, is computed here.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProgressFile {
    #[serde(default)]
    days: Vec<Lenient<CompletedOnDay>>,
    #[serde(default)]
    reading_time: Vec<Lenient<TimeEntry>>,
    #[serde(default)]
    goal: Option<GoalFields>,
    #[serde(default = "yes")]
    counts_time: bool,
}

const fn yes() -> bool {
    true
}

impl ProgressFile {
    /// Imports the days, and returns their number.
    pub(super) fn import_days(&self, importing: &mut Importing<'_, '_, '_>) -> Result<usize, EntryError> {
        let tomorrow = importing.zone.day_of(importing.now).plus(1);
        let is_day = |day: Day| (Day::from_epoch(0)..=tomorrow).contains(&day);
        let mut completed: BTreeMap<Day, u32> = BTreeMap::new();
        for CompletedOnDay { day: CalendarDay(day), completions } in self.days.iter().filter_map(Lenient::read) {
            if is_day(*day) && *completions > 0 {
                completed.insert(*day, (*completions).min(MAX_COMPLETIONS));
            }
        }
        let mut time: BTreeMap<Device, BTreeMap<Day, u32>> = BTreeMap::new();
        for TimeEntry { day: CalendarDay(day), device, seconds } in self.reading_time.iter().filter_map(Lenient::read) {
            if let Some(device) = Device::parse(device).filter(|_| is_day(*day) && *seconds > 0) {
                time.entry(device).or_default().insert(*day, (*seconds).min(DAY_SECONDS));
            }
        }
        let (pg, now) = (&mut *importing.tx.pg, importing.now);
        if !pg.goal_state(importing.member, now)?.settings.counts_time() {
            time.clear();
        }
        pg.import_reading_days(
            importing.member,
            &completed.iter().map(|(day, count)| (*day, *count)).collect::<Vec<_>>(),
        )?;
        for (device, days) in &time {
            let days: Vec<(Day, u32)> = days.iter().map(|(day, seconds)| (*day, *seconds)).collect();
            pg.merge_reading_time(importing.member, device, &days)?;
        }
        let mut days: Vec<Day> =
            completed.into_keys().chain(time.into_values().flat_map(BTreeMap::into_keys)).collect();
        days.sort_unstable();
        days.dedup();
        Ok(days.len())
    }

    /// Takes the goal over; whether there was something to take over.
    pub(super) fn import_goal(&self, importing: &mut Importing<'_, '_, '_>) -> Result<bool, EntryError> {
        let goal = self.goal.as_ref().map(|goal| {
            let unit = match goal.unit.as_str() {
                "minutes" => GoalUnit::Minutes,
                "summaries" => GoalUnit::Summaries,
                _ => return Err(EntryError::Unreadable),
            };
            Ok(Goal::new(unit, goal.amount)?)
        });
        let chosen = GoalSettings::new(goal.transpose()?, self.counts_time)?;
        let (pg, now) = (&mut importing.tx.pg, importing.now);
        if chosen == GoalSettings::default() {
            return Ok(false);
        }
        if pg.goal_state(importing.member, now)?.settings == GoalSettings::default() {
            pg.choose_goal(importing.member, chosen)?;
        }
        Ok(true)
    }
}

/// A chosen category.
#[derive(Debug, Deserialize)]
pub(super) struct ChoiceEntry {
    name: String,
}

/// Chooses the categories with these names that are here.
pub(super) fn import_choices(
    importing: &mut Importing<'_, '_, '_>,
    choices: &[ChoiceEntry],
) -> Result<bool, EntryError> {
    let pg = &mut *importing.tx.pg;
    let is_chosen = |name: &str| choices.iter().any(|choice| choice.name.to_lowercase() == name.to_lowercase());
    let chosen: Vec<CategoryId> = pg
        .categories()?
        .into_iter()
        .filter(|category| is_chosen(&category.draft.name))
        .map(|category| category.id)
        .collect();
    if chosen.is_empty() {
        return Ok(false);
    }
    if pg.recommends_of(importing.member)?.is_empty() {
        pg.set_recommends(importing.member, &chosen)?;
    }
    Ok(true)
}

/// What the member had switched on or off. The webhook and the browsers that show reminders belong to the site where they were
/// added.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SettingsFile {
    has_highlights: bool,
    counts_in_popular: bool,
    shows_popular: bool,
    daily_max: u32,
    counts_for_streak: bool,
    reminder: String,
    digest: String,
    notice_hour: u32,
    #[serde(default = "yes")]
    asks_commitments: bool,
}

impl SettingsFile {
    /// Takes the settings over; whether there was something to take over.
    pub(super) fn import(&self, importing: &mut Importing<'_, '_, '_>) -> Result<bool, EntryError> {
        let chosen = StudySettings {
            has_highlights: self.has_highlights,
            counts_in_popular: self.counts_in_popular,
            shows_popular: self.shows_popular,
            daily_max: self.daily_max,
            counts_for_streak: self.counts_for_streak,
            reminder: self.reminder.parse().map_err(|_| EntryError::Unreadable)?,
            digest: self.digest.parse().map_err(|_| EntryError::Unreadable)?,
            notice_hour: self.notice_hour,
            asks_commitments: self.asks_commitments,
        };
        chosen.check()?;
        if chosen == StudySettings::default() {
            return Ok(false);
        }
        if importing.tx.pg.study_settings(importing.member)? == StudySettings::default() {
            save_settings(importing.tx, importing.member, |_| Ok(chosen))?;
        }
        Ok(true)
    }
}
