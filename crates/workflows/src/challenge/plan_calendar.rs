//! A member's ten-day challenge as a calendar file (RFC 5545): one all-day event for each book.

use catalogue::{BookCard, CatalogueLists};
use challenge::{ChallengeQueries, PlanDay};
use identity::IdentityQueries;
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use kernel::{BookId, StoreError, Timestamp, UserId};

use crate::{calendar::moment, tx::Tx};

/// The longest line in octets, without the line break (RFC 5545, 3.1).
const LINE_MAX: usize = 75;

/// The calendar file of a member's saved plan; `None` without one. The first day is the day on which the plan was saved, in the
/// member's time zone. The file is deterministic, with stable event ids: importing it twice creates no duplicates.
pub fn plan_calendar<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Option<String>, StoreError> {
    let (Some((plan, days)), Some(user)) = (tx.pg.plan_of(member)?, tx.pg.user(member)?) else { return Ok(None) };
    let cards = tx.pg.book_cards(&days.iter().map(|day| day.book).collect::<Vec<BookId>>())?;
    let with_card = |day: &PlanDay| cards.iter().find(|card| card.id == day.book).map(|card| (day.number, card));
    let zone = TimeZone::get(&user.timezone).unwrap_or(TimeZone::UTC);
    let calendar = PlanCalendar {
        member,
        site_name: &tx.settings.site_name,
        public_url: &tx.settings.public_url,
        saved_at: plan.saved_at,
        first: moment(plan.saved_at).to_zoned(zone).date(),
    };
    let days: Vec<(usize, &BookCard)> = days.iter().filter_map(with_card).collect();
    Ok(Some(calendar.write(days.iter().map(|(number, card)| CalendarDay {
        number: *number,
        subid: card.subid.as_str(),
        title: &card.title,
        author: &card.author.name,
    }))))
}

/// What all events of a file have in common.
struct PlanCalendar<'a> {
    member: UserId,
    site_name: &'a str,
    /// Without a trailing slash.
    public_url: &'a str,
    saved_at: Timestamp,
    first: Date,
}

/// A day of a plan, counted from 1, and its book.
struct CalendarDay<'a> {
    number: usize,
    subid: &'a str,
    title: &'a str,
    author: &'a str,
}

impl PlanCalendar<'_> {
    fn write<'d>(&self, days: impl Iterator<Item = CalendarDay<'d>>) -> String {
        let mut file = String::new();
        let site = escape(self.site_name);
        line(&mut file, "BEGIN:VCALENDAR");
        line(&mut file, "VERSION:2.0");
        line(&mut file, &format!("PRODID:-//{site}//Ten-day challenge//EN"));
        line(&mut file, &format!("X-WR-CALNAME:{site}: ten-day challenge"));
        for day in days {
            self.write_event(&mut file, &day);
        }
        line(&mut file, "END:VCALENDAR");
        file
    }

    fn write_event(&self, file: &mut String, day: &CalendarDay<'_>) {
        let host = self.public_url.rsplit("//").next().unwrap_or_default();
        let url = format!("{}/books/{}", self.public_url, day.subid);
        let at = |days_later: usize| {
            let date = self.first.saturating_add(i64::try_from(days_later).unwrap_or_default().days());
            date.strftime("%Y%m%d").to_string()
        };
        let name = escape(&format!("Day {}: {} by {}", day.number, day.title, day.author));
        line(file, "BEGIN:VEVENT");
        line(file, &format!("UID:ten-day-{}-{}-{}@{host}", self.member, self.saved_at.millis(), day.number));
        line(file, &format!("DTSTAMP:{}", moment(self.saved_at).strftime("%Y%m%dT%H%M%SZ")));
        line(file, &format!("DTSTART;VALUE=DATE:{}", at(day.number - 1)));
        // DTEND is exclusive: the day after the event.
        line(file, &format!("DTEND;VALUE=DATE:{}", at(day.number)));
        line(file, &format!("SUMMARY:{name}"));
        line(file, &format!("DESCRIPTION:{}", escape(&format!("The summary: {url}"))));
        line(file, &format!("URL:{url}"));
        // The event does not make the day busy.
        line(file, "TRANSP:TRANSPARENT");
        line(file, "END:VEVENT");
    }
}

/// Escapes a value of the type TEXT (RFC 5545, 3.3.11). Control characters are not allowed in it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Adds a content line, folded between characters: continuation lines begin with a space.
fn line(file: &mut String, text: &str) {
    let mut octets = 0;
    for c in text.chars() {
        if octets + c.len_utf8() > LINE_MAX {
            file.push_str("\r\n ");
            octets = 1;
        }
        file.push(c);
        octets += c.len_utf8();
    }
    file.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use kernel::{Timestamp, UserId};
    use proptest::prelude::*;

    use super::*;

    fn unfold(file: &str) -> Vec<String> {
        file.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn each_day_is_an_event_of_its_own_date_with_an_id_that_stays() {
        let calendar = PlanCalendar {
            member: UserId::from_store(7),
            site_name: "Pith",
            public_url: "https://pith.example",
            // 2026-12-30T22:30:00Z.
            saved_at: Timestamp::from_millis(1_798_669_800_000),
            first: date(2026, 12, 31),
        };
        let day = |number, title| CalendarDay { number, subid: "walden", title, author: "Thoreau" };
        let file = calendar.write([day(1, "Walden; or, Life\nin \\ the Woods"), day(2, "Walking")].into_iter());
        let expected = [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Pith//Ten-day challenge//EN",
            "X-WR-CALNAME:Pith: ten-day challenge",
            "BEGIN:VEVENT",
            "UID:ten-day-7-1798669800000-1@pith.example",
            "DTSTAMP:20261230T223000Z",
            "DTSTART;VALUE=DATE:20261231",
            "DTEND;VALUE=DATE:20270101",
            r"SUMMARY:Day 1: Walden\; or\, Life\nin \\ the Woods by Thoreau",
            "DESCRIPTION:The summary: https://pith.example/books/walden",
            "URL:https://pith.example/books/walden",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ];
        let lines = unfold(&file);
        assert_eq!(lines[..expected.len()], expected);
        assert_eq!(lines[expected.len() + 3], "DTSTART;VALUE=DATE:20270101");
        assert_eq!(lines.last().map(String::as_str), Some("END:VCALENDAR"));
    }

    proptest! {
        #[test]
        fn lines_are_folded_within_75_octets_and_lose_nothing(text in "\\PC{1,300}") {
            let mut file = String::new();
            line(&mut file, &text);
            prop_assert!(file.split_terminator("\r\n").all(|part| part.len() <= LINE_MAX), "{}", file);
            prop_assert_eq!(unfold(&file), [text]);
        }

        #[test]
        fn a_text_can_begin_no_line(text in any::<String>()) {
            prop_assert!(!escape(&text).contains(char::is_control));
        }
    }
}
