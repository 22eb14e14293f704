//! When backups are made, and which are kept.

use std::{
    collections::{BTreeSet, HashSet},
    str::FromStr,
};

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Utc};
use kernel::{DAY, MINUTE, Timestamp};

/// The form of the time in a file's name.
const NAME_FORMAT: &str = "pith-%Y-%m-%dT%H%M%SZ.backup";

/// A time of the day (UTC) at which a backup is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Milliseconds after midnight.
    after_midnight: i64,
}

/// The text is no time like `03:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTime;

impl FromStr for Schedule {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        let digits = |text: &str| {
            (text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| text.parse::<u8>().ok())
                .flatten()
        };
        let (hour, minute) = text.split_once(':').ok_or(NoTime)?;
        match (digits(hour), digits(minute)) {
            (Some(hour @ 0..24), Some(minute @ 0..60)) => {
                Ok(Self { after_midnight: (i64::from(hour) * 60 + i64::from(minute)) * MINUTE })
            }
            _ => Err(NoTime),
        }
    }
}

impl Schedule {
    /// Whether a backup is to be made: none was since that time of the day last came. The first one is made at once.
    pub fn is_due(self, last: Option<Timestamp>, now: Timestamp) -> bool {
        let days = (now.millis() - self.after_midnight).div_euclid(DAY);
        let latest = Timestamp::from_millis(days * DAY + self.after_midnight);
        last.is_none_or(|last| last < latest)
    }
}

/// How many backups are kept: the newest of each of the latest days, weeks and months that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    pub days: usize,
    /// From Monday on.
    pub weeks: usize,
    pub months: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self { days: 7, weeks: 4, months: 12 }
    }
}

/// The text is no triple like `7/4/12`, or would keep nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRetention;

impl FromStr for Retention {
    type Err = NoRetention;

    fn from_str(text: &str) -> Result<Self, NoRetention> {
        let numbers: Vec<u16> =
            text.split('/').map(|number| number.trim().parse()).collect::<Result<_, _>>().map_err(|_| NoRetention)?;
        match numbers[..] {
            [days, weeks, months] if days > 0 => {
                Ok(Self { days: days.into(), weeks: weeks.into(), months: months.into() })
            }
            _ => Err(NoRetention),
        }
    }
}

impl Retention {
    /// The backups that are no longer kept. The newest one always is.
    pub fn expired(self, made: &[Timestamp]) -> Vec<Timestamp> {
        let newest_first: BTreeSet<_> = made.iter().map(|at| std::cmp::Reverse(*at)).collect();
        let mut kept = HashSet::new();
        let mut keep = |most: usize, period_of: fn(NaiveDate) -> i64| {
            let mut periods = HashSet::new();
            for std::cmp::Reverse(at) in &newest_first {
                if periods.len() < most && periods.insert(period_of(date_of(*at))) {
                    kept.insert(*at);
                }
            }
        };
        keep(self.days, |day| i64::from(day.num_days_from_ce()));
        keep(self.weeks, |day| i64::from(day.num_days_from_ce() - 1).div_euclid(7));
        keep(self.months, |day| i64::from(day.year()) * 12 + i64::from(day.month0()));
        newest_first.into_iter().map(|at| at.0).filter(|at| !kept.contains(at)).collect()
    }
}

fn utc(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.millis()).unwrap_or_default()
}

fn date_of(at: Timestamp) -> NaiveDate {
    utc(at).date_naive()
}

/// The name of a backup that is made at this time, to the second.
pub(crate) fn name_of(at: Timestamp) -> String {
    utc(at).format(NAME_FORMAT).to_string()
}

/// When the backup of this name was made; `None` if a schedule has not made it.
pub(crate) fn made_at(name: &str) -> Option<Timestamp> {
    let at = NaiveDateTime::parse_from_str(name, NAME_FORMAT).ok()?;
    Some(Timestamp::from_millis(at.and_utc().timestamp_millis())).filter(|at| name_of(*at) == name)
}

#[cfg(test)]
mod tests {
    use kernel::HOUR;
    use proptest::prelude::*;

    use super::*;

    /// Saturday, 28 November 2026, 00:00 UTC.
    const MIDNIGHT: Timestamp = Timestamp::from_millis(1_795_824_000_000);

    #[test]
    fn a_schedule_is_a_time_of_the_day() {
        for text in ["", "3:30", "24:00", "03:60", "03-30", "0330", "+3:30", "03:30:00"] {
            assert_eq!(text.parse::<Schedule>(), Err(NoTime), "{text}");
        }
        let schedule: Schedule = "03:30".parse().unwrap();
        let half_past_three = MIDNIGHT.plus(3 * HOUR + 30 * MINUTE);
        assert!(schedule.is_due(None, MIDNIGHT), "the first one is made at once");
        for (last, now, is_due) in [
            (half_past_three.plus(-DAY), half_past_three.plus(-1), false),
            (half_past_three.plus(-DAY), half_past_three, true),
            (half_past_three.plus(-1), half_past_three, true),
            (half_past_three, half_past_three.plus(DAY - 1), false),
            (half_past_three.plus(-9 * DAY), MIDNIGHT, true),
        ] {
            assert_eq!(schedule.is_due(Some(last), now), is_due, "{last:?} at {now:?}");
        }
    }

    #[test]
    fn a_name_says_when_a_backup_was_made_and_no_other_file_is_taken_for_one() {
        let at = MIDNIGHT.plus(3 * HOUR + 30 * MINUTE + 7_000);
        assert_eq!(name_of(at), "pith-2026-11-28T033007Z.backup");
        assert_eq!(made_at("pith-2026-11-28T033007Z.backup"), Some(at));
        for name in
            ["pith.backup", "pith-2026-11-28T033007Z.backup.partial", "pith-2026-13-28T033007Z.backup", "notes.txt"]
        {
            assert_eq!(made_at(name), None, "{name}");
        }
    }

    #[test]
    fn a_year_of_backups_leaves_one_for_each_day_week_and_month_that_are_kept() {
        let nightly: Vec<_> = (0..400).map(|day| MIDNIGHT.plus(-day * DAY)).collect();
        let expired = Retention::default().expired(&nightly);
        let mut kept: Vec<_> =
            nightly.iter().filter(|at| !expired.contains(at)).map(|at| date_of(*at).to_string()).collect();
        kept.sort_unstable();
        assert_eq!(
            kept,
            [
                "2025-12-31",
                "2026-01-31",
                "2026-02-28",
                "2026-03-31",
                "2026-04-30",
                "2026-05-31",
                "2026-06-30",
                "2026-07-31",
                "2026-08-31",
                "2026-09-30",
                "2026-10-31",
                "2026-11-08",
                "2026-11-15",
                "2026-11-22",
                "2026-11-23",
                "2026-11-24",
                "2026-11-25",
                "2026-11-26",
                "2026-11-27",
                "2026-11-28",
            ]
        );
    }

    #[test]
    fn what_is_kept_is_three_numbers_and_never_nothing() {
        assert_eq!("7/4/12".parse(), Ok(Retention::default()));
        assert_eq!("1/0/0".parse(), Ok(Retention { days: 1, weeks: 0, months: 0 }));
        for text in ["", "7", "7/4", "7/4/12/1", "0/4/12", "a/b/c", "-1/4/12"] {
            assert_eq!(text.parse::<Retention>(), Err(NoRetention), "{text}");
        }
    }

    proptest! {
        /// As when a backup is made every day and the expired ones are deleted each time: nothing that a later day would keep is lost.
        #[test]
        fn deleting_daily_keeps_what_deleting_once_keeps(
            hours in proptest::collection::btree_set(0_i64..12_000, 1..120), days in 1..9_usize, weeks in 0..6_usize, months in 0..6_usize,
        ) {
            let retention = Retention { days, weeks, months };
            let made: Vec<_> = hours.into_iter().map(|hour| MIDNIGHT.plus(hour * HOUR)).collect();
            let mut stored: Vec<Timestamp> = Vec::new();
            for at in &made {
                stored.push(*at);
                let expired = retention.expired(&stored);
                prop_assert!(!expired.contains(at), "the newest is kept");
                stored.retain(|at| !expired.contains(at));
            }
            let at_once = retention.expired(&made);
            prop_assert_eq!(made.iter().filter(|at| !at_once.contains(at)).copied().collect::<Vec<_>>(), stored);
        }
    }
}
