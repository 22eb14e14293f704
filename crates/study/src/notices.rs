//! What is sent to a member at their hour: a reminder of due cards (`study.due-reminder`), and some of their highlights
//! (`study.highlight-digest`).

use kernel::{Day, HighlightId, TimeZone, Timestamp, UserId};

use crate::{Digest, Reminder, StudySettings, words::words};

words! {
    /// What is sent to a member at their hour.
    NoticeKind {
        Reminder = "reminder",
        Digest = "digest",
    }
}

/// The next notice of a kind to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// `None`: it is switched off.
    pub due_at: Option<Timestamp>,
    /// The day of the member's calendar on which the latest was due.
    pub last_on: Option<Day>,
    /// The highlight that was mailed last.
    pub last_highlight: Option<HighlightId>,
}

/// A member with a due notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DueNotice {
    pub member: UserId,
    pub kind: NoticeKind,
}

impl Digest {
    /// How many highlights a mail has at most.
    pub const fn highlights(self) -> usize {
        match self {
            Self::Off => 0,
            Self::Daily => 5,
            Self::Weekly => 10,
        }
    }
}

impl Notice {
    /// A notice that was never switched on.
    pub const fn new(kind: NoticeKind) -> Self {
        Self { kind, due_at: None, last_on: None, last_highlight: None }
    }

    /// The notice under these settings. What is due already stays due; a day has one at most.
    #[must_use]
    pub fn rescheduled(self, settings: &StudySettings, zone: &TimeZone, now: Timestamp) -> Self {
        let next = next_notice(settings, self.kind, zone, now, self.last_on);
        let is_due = self.due_at.is_some_and(|due_at| due_at <= now);
        Self { due_at: next.map(|next| if is_due { self.due_at.unwrap_or(next) } else { next }), ..self }
    }

    /// The notice after the one that was due.
    #[must_use]
    pub fn after_due(self, settings: &StudySettings, zone: &TimeZone, now: Timestamp) -> Self {
        let last_on = self.due_at.map(|due_at| zone.day_of(due_at));
        Self { due_at: next_notice(settings, self.kind, zone, now, last_on), last_on, ..self }
    }
}

/// When a notice is next due after this moment, on a later day than `last_on`; `None`: it is switched off.
pub fn next_notice(
    settings: &StudySettings,
    kind: NoticeKind,
    zone: &TimeZone,
    now: Timestamp,
    last_on: Option<Day>,
) -> Option<Timestamp> {
    let is_on: fn(Day) -> bool = match (kind, settings.reminder, settings.digest) {
        (NoticeKind::Reminder, Reminder::Off, _) | (NoticeKind::Digest, _, Digest::Off) => return None,
        (NoticeKind::Digest, _, Digest::Weekly) => is_monday,
        _ => |_| true,
    };
    let (today, hour) = (zone.day_of(now), u8::try_from(settings.notice_hour).unwrap_or_default());
    // A week has a Monday, whose hour may have passed today; and the last one may have been on it.
    let days =
        (0..=14).map(|later| today.plus(later)).filter(|day| is_on(*day) && last_on.is_none_or(|last| *day > last));
    days.map(|day| zone.moment(day, hour)).find(|moment| *moment > now)
}

fn is_monday(day: Day) -> bool {
    // January 1, 1970 was a Thursday.
    (day.since_epoch() + 3).rem_euclid(7) == 0
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, HOUR, TimeZone, Timestamp};
    use proptest::prelude::*;

    use super::{Notice, NoticeKind, is_monday, next_notice};
    use crate::{Digest, Reminder, StudySettings};

    /// Saturday, 2026-11-28, 07:30 UTC.
    const NOW: Timestamp = Timestamp::from_millis(1_795_851_000_000);

    fn settings(reminder: Reminder, digest: Digest, notice_hour: u32) -> StudySettings {
        StudySettings { reminder, digest, notice_hour, ..StudySettings::default() }
    }

    fn next(settings: &StudySettings, kind: NoticeKind, zone: &str, now: Timestamp) -> Option<String> {
        let zone = TimeZone::named(zone);
        let at = next_notice(settings, kind, &zone, now, None)?;
        Some(format!("{} {}", TimeZone::UTC.day_of(at), at.millis().rem_euclid(DAY) / HOUR))
    }

    #[test]
    fn a_notice_comes_at_its_hour_of_the_members_calendar() {
        let on = settings(Reminder::Mail, Digest::Daily, 8);
        for kind in [NoticeKind::Reminder, NoticeKind::Digest] {
            assert_eq!(next(&on, kind, "UTC", NOW).unwrap(), "2026-11-28 8");
            // There it is half past eight already.
            assert_eq!(next(&on, kind, "Europe/Vienna", NOW).unwrap(), "2026-11-29 7");
        }
        assert_eq!(next(&on, NoticeKind::Digest, "UTC", NOW.plus(HOUR / 2)).unwrap(), "2026-11-29 8");
    }

    #[test]
    fn a_weekly_digest_comes_on_monday() {
        let weekly = settings(Reminder::Push, Digest::Weekly, 8);
        assert_eq!(next(&weekly, NoticeKind::Digest, "UTC", NOW).unwrap(), "2026-11-30 8");
        assert_eq!(next(&weekly, NoticeKind::Digest, "UTC", NOW.plus(2 * DAY)).unwrap(), "2026-11-30 8");
        assert_eq!(next(&weekly, NoticeKind::Digest, "UTC", NOW.plus(2 * DAY + HOUR)).unwrap(), "2026-12-07 8");
        assert_eq!(next(&weekly, NoticeKind::Reminder, "UTC", NOW).unwrap(), "2026-11-28 8");
    }

    #[test]
    fn what_is_switched_off_never_comes() {
        assert_eq!(next(&StudySettings::default(), NoticeKind::Reminder, "UTC", NOW), None);
        assert_eq!(next(&StudySettings::default(), NoticeKind::Digest, "UTC", NOW), None);
        assert_eq!([Digest::Off, Digest::Daily, Digest::Weekly].map(Digest::highlights), [0, 5, 10]);
    }

    #[test]
    fn a_day_has_one_notice_and_what_is_due_stays_due() {
        let zone = TimeZone::UTC;
        let at = |notice: Notice| {
            notice.due_at.map(|at| format!("{} {}", zone.day_of(at), at.millis().rem_euclid(DAY) / HOUR))
        };
        let eight = settings(Reminder::Mail, Digest::Off, 8);
        let first = Notice::new(NoticeKind::Reminder).rescheduled(&eight, &zone, NOW);
        assert_eq!(at(first).unwrap(), "2026-11-28 8");
        let sent = first.after_due(&eight, &zone, NOW.plus(HOUR / 2));
        assert_eq!(at(sent).unwrap(), "2026-11-29 8");
        // Sent late, on the day after: that day has its own.
        assert_eq!(at(first.after_due(&eight, &zone, NOW.plus(23 * HOUR))).unwrap(), "2026-11-29 8");
        // Another hour of the same day is no second one.
        let nine = settings(Reminder::Mail, Digest::Off, 9);
        assert_eq!(at(sent.rescheduled(&nine, &zone, NOW.plus(HOUR / 2))).unwrap(), "2026-11-29 9");
        // One that is due and was not sent yet stays so, whatever else is changed.
        assert_eq!(first.rescheduled(&nine, &zone, NOW.plus(HOUR)), first);
        let off = settings(Reminder::Off, Digest::Daily, 9);
        assert_eq!(sent.rescheduled(&off, &zone, NOW), Notice { due_at: None, ..sent });
    }

    proptest! {
        #[test]
        fn a_notice_is_due_within_a_day_or_a_week_and_a_digest_of_the_week_on_a_monday(
            millis in 0..4_000_000_000_000_i64, hour in 0..24_u32, is_weekly in any::<bool>(),
            zone in prop::sample::select(vec!["UTC", "America/Santiago", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Kiritimati"]),
        ) {
            let digest = if is_weekly { Digest::Weekly } else { Digest::Daily };
            let (zone, now) = (TimeZone::named(zone), Timestamp::from_millis(millis));
            let settings = settings(Reminder::Mail, digest, hour);
            let at = next_notice(&settings, NoticeKind::Digest, &zone, now, None).expect("it is switched on");
            let longest = if is_weekly { 7 * DAY } else { DAY };
            // Clocks that are put back make a day longer.
            prop_assert!(at > now && at.since(now) <= longest + 2 * HOUR);
            prop_assert!(!is_weekly || is_monday(zone.day_of(at)));
            prop_assert_eq!(at, zone.moment(zone.day_of(at), u8::try_from(hour).unwrap()));
        }
    }
}
