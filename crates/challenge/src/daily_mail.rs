//! The daily mail of a plan: when it is due, as a pure function of the stored state and the time.

use kernel::{Day, TimeZone, Timestamp};

use crate::{ChallengeError, PlanDay};

/// An hour of the day, from 0 to 23.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailHour(u8);

impl MailHour {
    /// Validates an hour. [`ChallengeError::InvalidHour`] when it is not from 0 to 23.
    pub fn new(hour: i64) -> Result<Self, ChallengeError> {
        match u8::try_from(hour) {
            Ok(hour @ 0..=23) => Ok(Self(hour)),
            _ => Err(ChallengeError::InvalidHour),
        }
    }

    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The stored state of a member's daily mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyMail {
    /// The hour in the member's time zone; `None`: mails are switched off.
    pub hour: Option<MailHour>,
    /// When the member requested mails.
    pub requested_at: Timestamp,
    /// The day of the member's calendar on which the last mail was sent, for any plan.
    pub last_sent_on: Option<Day>,
    /// When the worker checks it next; `None`: no mail follows.
    pub due_at: Option<Timestamp>,
}

/// The days of a saved plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanSpan {
    /// When the plan was saved. That day of the member's calendar is the plan's first day.
    pub saved_at: Timestamp,
    /// The number of days.
    pub days: usize,
}

/// When a member's next daily mail is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextMail {
    /// The mail of a day of the plan is due now.
    Due {
        /// The day of the plan, from 1.
        number: usize,
        /// The day of the member's calendar.
        on: Day,
    },
    /// The next mail is due at a later moment.
    At(Timestamp),
    /// No mail follows.
    Over,
}

/// Decides which mail is due. The mail of a plan's day is due from the requested hour until the end of that day in the
/// member's calendar; a mail that is missed by then is not sent later. A day whose hour had passed when mails were
/// requested gets none.
pub fn next_mail(mail: &DailyMail, plan: PlanSpan, zone: &TimeZone, now: Timestamp) -> NextMail {
    let Some(hour) = mail.hour else { return NextMail::Over };
    let (today, first) = (zone.day_of(now), zone.day_of(plan.saved_at));
    for (number, on) in (1..=plan.days).zip((0..).map(|later| first.plus(later))) {
        let moment = zone.moment(on, hour.get());
        let is_missed = on < today || moment < mail.requested_at;
        if is_missed || mail.last_sent_on.is_some_and(|sent| on <= sent) {
            continue;
        }
        return if moment > now { NextMail::At(moment) } else { NextMail::Due { number, on } };
    }
    NextMail::Over
}

impl NextMail {
    /// When the worker checks the mails next.
    pub(crate) const fn due_at(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Due { .. } => Some(now),
            Self::At(moment) => Some(moment),
            Self::Over => None,
        }
    }
}

/// A daily mail that is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueMail {
    /// The day of the plan, with its book.
    pub day: PlanDay,
    /// The number of days of the plan.
    pub days: usize,
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, Day, HOUR, MINUTE, TimeZone, Timestamp};
    use proptest::prelude::*;

    use super::{DailyMail, MailHour, NextMail, PlanSpan, next_mail};
    use crate::PLAN_DAYS;

    /// Zones with and without daylight saving time, with half hours, and with changes that skip midnight or move by
    /// half an hour.
    const ZONES: &[&str] = &[
        "UTC",
        "Europe/Vienna",
        "America/New_York",
        "America/Santiago",
        "Africa/Cairo",
        "Asia/Beirut",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
    ];

    fn wanted(hour: u8, requested_at: Timestamp) -> DailyMail {
        let hour = Some(MailHour::new(i64::from(hour)).unwrap());
        DailyMail { hour, requested_at, last_sent_on: None, due_at: None }
    }

    /// Parses a moment such as `2026-11-23 07:30`, in UTC.
    fn at(text: &str) -> Timestamp {
        let (day, time) = text.split_once(' ').unwrap();
        let (hour, minute) = time.split_once(':').unwrap();
        let start = TimeZone::UTC.moment(day.parse().unwrap(), hour.parse().unwrap());
        start.plus(minute.parse::<i64>().unwrap() * MINUTE)
    }

    #[test]
    fn an_hour_is_one_of_the_day() {
        assert!([0, 7, 23].iter().all(|hour| i64::from(MailHour::new(*hour).unwrap().get()) == *hour));
        for wrong in [-1, 24, 256, i64::MAX, i64::MIN] {
            assert_eq!(MailHour::new(wrong).unwrap_err().to_string(), "Choose an hour from 0 to 23.");
        }
    }

    #[test]
    fn a_mail_is_due_from_its_hour_to_the_end_of_its_day() {
        let (zone, plan) = (TimeZone::named("Europe/Vienna"), PlanSpan { saved_at: at("2026-10-24 05:00"), days: 2 });
        let mut mail = wanted(8, at("2026-10-24 05:10"));
        let on = |day: &str| day.parse::<Day>().unwrap();
        let next = |mail: &DailyMail, text: &str| next_mail(mail, plan, &zone, at(text));
        // Daylight saving time ends in the night after the first day.
        assert_eq!(next(&mail, "2026-10-24 05:59"), NextMail::At(at("2026-10-24 06:00")));
        assert_eq!(next(&mail, "2026-10-24 06:00"), NextMail::Due { number: 1, on: on("2026-10-24") });
        assert_eq!(next(&mail, "2026-10-24 21:59"), NextMail::Due { number: 1, on: on("2026-10-24") });
        assert_eq!(next(&mail, "2026-10-24 22:00"), NextMail::At(at("2026-10-25 07:00")));
        mail.last_sent_on = Some(on("2026-10-24"));
        assert_eq!(next(&mail, "2026-10-24 06:00"), NextMail::At(at("2026-10-25 07:00")));
        assert_eq!(next(&mail, "2026-10-25 07:00"), NextMail::Due { number: 2, on: on("2026-10-25") });
        assert_eq!(next(&mail, "2026-10-25 23:00"), NextMail::Over, "the plan has two days");
        mail.last_sent_on = Some(on("2026-10-25"));
        assert_eq!(next(&mail, "2026-10-25 07:00"), NextMail::Over);
        assert_eq!(next(&DailyMail { hour: None, ..mail }, "2026-10-24 06:00"), NextMail::Over);
        let late = wanted(8, at("2026-10-24 06:30"));
        assert_eq!(next(&late, "2026-10-24 06:31"), NextMail::At(at("2026-10-25 07:00")), "asked for after the hour");
    }

    /// Checks at these moments, in order; returns the mails that are sent: when, and for which day of the plan.
    fn send_all(
        mail: &mut DailyMail,
        plan: PlanSpan,
        zone: &TimeZone,
        moments: impl Iterator<Item = Timestamp>,
    ) -> Vec<(Timestamp, usize)> {
        let mut sent = Vec::new();
        for now in moments {
            if let NextMail::Due { number, on } = next_mail(mail, plan, zone, now) {
                mail.last_sent_on = Some(on);
                sent.push((now, number));
            }
        }
        sent
    }

    proptest! {
        /// The worker is down for up to two days at a time, and the member moves once.
        #[test]
        fn whatever_happens_a_day_has_one_mail_at_most_and_the_tenth_is_the_last(
            zones in prop::array::uniform2(prop::sample::select(ZONES)),
            saved in 1_700_000_000..1_900_000_000_i64,
            asked_after in 0..2 * DAY,
            hour in 0..24_u8,
            steps in prop::collection::vec(1..2 * DAY, 1..60),
        ) {
            let zones = zones.map(TimeZone::named);
            let plan = PlanSpan { saved_at: Timestamp::from_millis(saved * 1_000), days: PLAN_DAYS };
            let asked = plan.saved_at.plus(asked_after);
            let mut mail = wanted(hour, asked);
            let mut now = asked;
            let moments: Vec<Timestamp> = steps.iter().map(|step| { now = now.plus(*step); now }).collect();
            let (before, after) = moments.split_at(moments.len() / 2);
            let mut days = Vec::new();
            for (zone, moments) in zones.iter().zip([before, after]) {
                for (at, number) in send_all(&mut mail, plan, zone, moments.iter().copied()) {
                    let (first, today) = (zone.day_of(plan.saved_at), zone.day_of(at));
                    prop_assert!((1..=PLAN_DAYS).contains(&number));
                    prop_assert_eq!(first.plus(i32::try_from(number).unwrap() - 1), today, "on its own day");
                    prop_assert!(zone.moment(today, hour) <= at, "not before its hour");
                    days.push(today);
                }
            }
            prop_assert!(days.windows(2).all(|two| two[0] < two[1]), "each on a later day of the calendar");
            let end = zones.iter().map(|zone| zone.moment(zone.day_of(plan.saved_at).plus(11), 0)).max().unwrap();
            for zone in &zones {
                prop_assert_eq!(next_mail(&mail, plan, zone, end), NextMail::Over);
            }
        }

        /// The worker checks at exactly the moment that its last check named.
        #[test]
        fn each_day_whose_hour_comes_has_its_mail_at_the_hour(
            zone in prop::sample::select(ZONES),
            saved in 1_700_000_000..1_900_000_000_i64,
            asked_after in 0..12 * DAY,
            hour in 0..24_u8,
        ) {
            let zone = TimeZone::named(zone);
            let plan = PlanSpan { saved_at: Timestamp::from_millis(saved * 1_000), days: PLAN_DAYS };
            let asked = plan.saved_at.plus(asked_after);
            let (mut mail, mut now, mut sent) = (wanted(hour, asked), asked, Vec::new());
            loop {
                match next_mail(&mail, plan, &zone, now) {
                    NextMail::Due { on, .. } => {
                        mail.last_sent_on = Some(on);
                        sent.push(now);
                    }
                    NextMail::At(moment) => {
                        prop_assert!(moment > now && moment.since(now) <= DAY + 2 * HOUR, "no day is passed over");
                        now = moment;
                    }
                    NextMail::Over => break,
                }
            }
            let first = zone.day_of(plan.saved_at);
            let expected: Vec<Timestamp> =
                (0..10).map(|later| zone.moment(first.plus(later), hour)).filter(|moment| *moment >= asked).collect();
            prop_assert_eq!(sent, expected);
        }

        /// Two nodes may check one after the other.
        #[test]
        fn a_second_look_at_the_same_moment_sends_nothing(
            saved in 1_700_000_000..1_900_000_000_i64, later in 0..11 * DAY, hour in 0..24_u8,
        ) {
            let zone = TimeZone::named("Europe/Vienna");
            let plan = PlanSpan { saved_at: Timestamp::from_millis(saved * 1_000), days: PLAN_DAYS };
            let (mut mail, now) = (wanted(hour, plan.saved_at), plan.saved_at.plus(later));
            prop_assert!(send_all(&mut mail, plan, &zone, [now, now, now].into_iter()).len() <= 1);
        }
    }
}
