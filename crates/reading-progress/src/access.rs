//! Who sees what: one pure function of viewer, book, allowance and time (`decisions.md` 22, 23).

use kernel::{Access, BookId, Timestamp};

use crate::{Entitlement, TimeZone};

/// The summaries that every reader may open without a plan (`member.md §9`).
pub const FREE_SUMMARIES: u32 = 3;
/// The summaries more once an invited friend has been sent an invitation (`member.md §9`): one in total.
pub const FRIEND_SUMMARIES: u32 = 1;
/// The summaries of a calendar month, once those are used up (`decisions.md` 23).
pub const MONTHLY_SUMMARIES: u32 = 1;

/// What the rules need to know of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookFacts {
    /// The book.
    pub id: BookId,
    /// Everybody may read it.
    pub free: bool,
    /// It has no text yet.
    pub coming_soon: bool,
    /// How many sections with text it has. The empty one for the rating does not count.
    pub sections: u32,
}

/// The right by which a full text was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrantedBy {
    /// The book was free.
    Free,
    /// The reader was paid: it lapses with the plan.
    Plan,
    /// It was one of the first free summaries: it stays.
    Allowance,
    /// It was the free summary of a month: it stays.
    Monthly,
}

impl GrantedBy {
    /// Whether the right stays with the reader for good, whatever becomes of book and plan.
    pub const fn stays(self) -> bool {
        matches!(self, Self::Allowance | Self::Monthly)
    }
}

/// What a reader has taken of the allowance so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many of the first summaries.
    pub summaries: u32,
    /// When the last of the first summaries was opened.
    pub last_summary_at: Option<Timestamp>,
    /// When the last summary of a month was opened.
    pub last_monthly_at: Option<Timestamp>,
}

/// What decides over a reader's access to any book.
#[derive(Clone, Debug, PartialEq)]
pub struct Membership {
    /// The entitlements that are not over: those that run and those to come.
    pub entitlements: Vec<Entitlement>,
    /// A friend has been sent an invitation.
    pub invited_friend: bool,
    /// The zone of the reader's calendar.
    pub time_zone: TimeZone,
    /// What was taken of the allowance.
    pub spent: Spent,
}

impl Membership {
    /// Whether the reader is paid at that moment.
    pub fn is_paid(&self, now: Timestamp) -> bool {
        Entitlement::best(&self.entitlements, now).is_some()
    }

    /// The free summaries of the reader at that moment; `None` with a plan, which needs none.
    pub fn free_summaries(&self, now: Timestamp) -> Option<Allowance> {
        if self.is_paid(now) { None } else { Some(self.allowance(now).0) }
    }

    /// What is left of the allowance at that moment, and by which right the next summary would be opened.
    fn allowance(&self, now: Timestamp) -> (Allowance, GrantedBy) {
        let total = FREE_SUMMARIES + if self.invited_friend { FRIEND_SUMMARIES } else { 0 };
        let left = total.saturating_sub(self.spent.summaries);
        if left > 0 {
            return (Allowance { left, total }, GrantedBy::Allowance);
        }
        // A month's summary is there when nothing was taken in this month: neither the last of the first ones, since
        // the months count from the next one, nor this month's. (Also right when the reader's zone has changed.)
        let last = self.spent.last_summary_at.max(self.spent.last_monthly_at);
        let month = |at| self.time_zone.month_of(at);
        if last.is_some_and(|last| month(now) > month(last)) {
            (Allowance { left: MONTHLY_SUMMARIES, total: MONTHLY_SUMMARIES }, GrantedBy::Monthly)
        } else if self.spent.last_monthly_at > self.spent.last_summary_at {
            (Allowance { left: 0, total: MONTHLY_SUMMARIES }, GrantedBy::Monthly)
        } else {
            (Allowance { left: 0, total }, GrantedBy::Allowance)
        }
    }
}

/// Who looks at a book.
#[derive(Clone, Copy, Debug)]
pub enum Viewer<'a> {
    /// Somebody who is not signed in.
    Visitor,
    /// A reader, and the right by which they have opened this book before.
    Reader(&'a Membership, Option<GrantedBy>),
}

/// The free summaries of a reader without a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// How many are left.
    pub left: u32,
    /// Out of how many: the first ones together, or one in the months after those.
    pub total: u32,
}

/// What a viewer gets to see of a book, and what must be written down for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The full text or the preview.
    pub access: Access,
    /// What is to be recorded before the full text is handed out.
    pub record: Option<GrantedBy>,
    /// This open takes the last one that there is (`lastFree`).
    pub last_free: bool,
    /// The allowance had none left for this book (`limitReached`).
    pub limit_reached: bool,
    /// What is left afterwards. `None` for visitors and paid readers.
    pub allowance: Option<Allowance>,
}

impl Decision {
    /// Whether the full text may be read without taking anything from the allowance: then its reader may write
    /// history for it.
    pub fn may_read_already(&self) -> bool {
        self.access == Access::Full && !self.record.is_some_and(GrantedBy::stays)
    }
}

/// Decides what the viewer gets to see of the book at that moment.
pub fn decide(viewer: Viewer<'_>, book: &BookFacts, now: Timestamp) -> Decision {
    let preview =
        Decision { access: Access::Preview, record: None, last_free: false, limit_reached: false, allowance: None };
    let full = Decision { access: Access::Full, ..preview };

    let Viewer::Reader(membership, opened) = viewer else {
        return if book.free && !book.coming_soon { full } else { preview };
    };
    let paid = membership.is_paid(now);
    let (allowance, next) = membership.allowance(now);
    let shown = if paid { None } else { Some(allowance) };
    let preview = Decision { allowance: shown, ..preview };
    let full = Decision { allowance: shown, ..full };
    let record_first = |by| if opened.is_none() { Some(by) } else { None };

    if book.coming_soon {
        preview
    } else if book.free {
        Decision { record: record_first(GrantedBy::Free), ..full }
    } else if paid {
        Decision { record: record_first(GrantedBy::Plan), ..full }
    } else if opened.is_some_and(GrantedBy::stays) {
        full
    } else if allowance.left > 0 {
        let left = allowance.left - 1;
        Decision { record: Some(next), last_free: left == 0, allowance: Some(Allowance { left, ..allowance }), ..full }
    } else {
        Decision { limit_reached: true, ..preview }
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowance, BookFacts, Decision, FREE_SUMMARIES, GrantedBy, Membership, Spent, Viewer, decide};
    use crate::{Entitlement, Month, TimeZone};
    use kernel::{Access, BookId, DAY, HOUR, Timestamp};
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// 2026-01-15T12:00:00Z.
    const MID_JANUARY: Timestamp = Timestamp::from_millis(1_768_478_400_000);
    /// 2026-01-31T23:30:00Z.
    const LAST_HOUR_OF_JANUARY: Timestamp = Timestamp::from_millis(1_769_902_200_000);

    const BOOK: BookFacts = BookFacts { id: BookId::from_store(1), free: false, coming_soon: false, sections: 5 };

    fn newcomer() -> Membership {
        Membership {
            entitlements: Vec::new(),
            invited_friend: false,
            time_zone: TimeZone::UTC,
            spent: Spent::default(),
        }
    }

    fn paid_until(end: Timestamp) -> Entitlement {
        Entitlement {
            plan_id: "yearly".to_owned(),
            plan_name: "Yearly".to_owned(),
            starts_at: Timestamp::from_millis(0),
            ends_at: Some(end),
        }
    }

    /// One that has used up the first summaries at that moment.
    fn used_up(at: Timestamp) -> Membership {
        let spent = Spent { summaries: FREE_SUMMARIES, last_summary_at: Some(at), last_monthly_at: None };
        Membership { spent, ..newcomer() }
    }

    fn sees(membership: &Membership, opened: Option<GrantedBy>, now: Timestamp) -> Decision {
        decide(Viewer::Reader(membership, opened), &BOOK, now)
    }

    #[test]
    fn visitors_read_free_books_only() {
        let free = BookFacts { free: true, ..BOOK };
        assert_eq!(decide(Viewer::Visitor, &free, MID_JANUARY).access, Access::Full);
        let decision = decide(Viewer::Visitor, &BOOK, MID_JANUARY);
        assert_eq!((decision.access, decision.record, decision.limit_reached), (Access::Preview, None, false));
    }

    #[test]
    fn a_book_that_is_coming_soon_has_no_text_for_anybody() {
        let mut paid = newcomer();
        paid.entitlements.push(paid_until(MID_JANUARY.plus(DAY)));
        for free in [false, true] {
            let soon = BookFacts { free, coming_soon: true, ..BOOK };
            for viewer in
                [Viewer::Visitor, Viewer::Reader(&newcomer(), None), Viewer::Reader(&paid, Some(GrantedBy::Allowance))]
            {
                let decision = decide(viewer, &soon, MID_JANUARY);
                assert_eq!((decision.access, decision.record), (Access::Preview, None));
                assert!(!decision.limit_reached && !decision.may_read_already());
            }
        }
    }

    #[test]
    fn a_free_book_takes_nothing() {
        let free = BookFacts { free: true, ..BOOK };
        for membership in [newcomer(), used_up(MID_JANUARY)] {
            let decision = decide(Viewer::Reader(&membership, None), &free, MID_JANUARY);
            assert_eq!((decision.access, decision.record), (Access::Full, Some(GrantedBy::Free)));
            assert_eq!(decision.allowance.map(|a| a.left), Some(membership.allowance(MID_JANUARY).0.left));
            assert!(!decision.last_free && decision.may_read_already());
        }
    }

    #[test]
    fn three_summaries_then_the_paywall() {
        let mut reader = newcomer();
        for taken in 0..3 {
            reader.spent.summaries = taken;
            reader.spent.last_summary_at = Some(MID_JANUARY);
            let decision = sees(&reader, None, MID_JANUARY);
            assert_eq!((decision.access, decision.record), (Access::Full, Some(GrantedBy::Allowance)));
            assert_eq!(decision.allowance, Some(Allowance { left: 2 - taken, total: 3 }));
            assert_eq!((decision.last_free, decision.limit_reached), (taken == 2, false));
            assert!(!decision.may_read_already(), "nothing is written for a book that was not opened");
        }
        let decision = sees(&used_up(MID_JANUARY), None, MID_JANUARY);
        assert_eq!((decision.access, decision.record), (Access::Preview, None));
        assert!(decision.limit_reached && !decision.last_free);
        assert_eq!(decision.allowance, Some(Allowance { left: 0, total: 3 }));
    }

    #[test]
    fn an_invited_friend_gives_one_more() {
        let reader = Membership { invited_friend: true, ..used_up(MID_JANUARY) };
        let decision = sees(&reader, None, MID_JANUARY);
        assert_eq!((decision.access, decision.last_free), (Access::Full, true));
        assert_eq!(decision.allowance, Some(Allowance { left: 0, total: 4 }));
    }

    #[test]
    fn what_was_taken_stays_open_and_what_the_plan_opened_lapses() {
        let reader = used_up(MID_JANUARY);
        for by in [GrantedBy::Allowance, GrantedBy::Monthly] {
            let decision = sees(&reader, Some(by), MID_JANUARY);
            assert_eq!((decision.access, decision.record), (Access::Full, None));
            assert!(!decision.last_free && !decision.limit_reached);
        }
        for by in [GrantedBy::Plan, GrantedBy::Free] {
            assert_eq!(sees(&reader, Some(by), MID_JANUARY).access, Access::Preview);
            assert_eq!(sees(&newcomer(), Some(by), MID_JANUARY).record, Some(GrantedBy::Allowance));
        }
    }

    #[test]
    fn a_plan_opens_everything_up_to_its_last_moment() {
        let mut reader = used_up(MID_JANUARY);
        let end = MID_JANUARY.plus(DAY);
        reader.entitlements.push(paid_until(end));
        let decision = sees(&reader, None, end.plus(-1));
        assert_eq!((decision.access, decision.record, decision.allowance), (Access::Full, Some(GrantedBy::Plan), None));
        assert_eq!(sees(&reader, Some(GrantedBy::Plan), end.plus(-1)).record, None);
        assert!(sees(&reader, Some(GrantedBy::Plan), end).limit_reached);
    }

    #[test]
    fn months_turn_at_the_readers_midnight() {
        let half_an_hour = HOUR / 2;
        let utc = used_up(MID_JANUARY);
        assert!(sees(&utc, None, LAST_HOUR_OF_JANUARY).limit_reached);
        let first = sees(&utc, None, LAST_HOUR_OF_JANUARY.plus(half_an_hour));
        assert_eq!((first.access, first.record, first.last_free), (Access::Full, Some(GrantedBy::Monthly), true));
        assert_eq!(first.allowance, Some(Allowance { left: 0, total: 1 }));

        let tokyo = Membership { time_zone: TimeZone::named("Asia/Tokyo"), ..utc.clone() };
        assert_eq!(sees(&tokyo, None, LAST_HOUR_OF_JANUARY).record, Some(GrantedBy::Monthly));
        let lima = Membership { time_zone: TimeZone::named("America/Lima"), ..utc };
        assert!(sees(&lima, None, LAST_HOUR_OF_JANUARY.plus(5 * HOUR + half_an_hour - 1)).limit_reached);
        assert_eq!(
            sees(&lima, None, LAST_HOUR_OF_JANUARY.plus(5 * HOUR + half_an_hour)).record,
            Some(GrantedBy::Monthly)
        );
    }

    #[test]
    fn one_summary_a_month_and_none_saved_up() {
        let mut reader = used_up(MID_JANUARY);
        let in_may = MID_JANUARY.plus(120 * DAY);
        assert_eq!(sees(&reader, None, in_may).allowance, Some(Allowance { left: 0, total: 1 }));
        reader.spent.last_monthly_at = Some(in_may);
        let again = sees(&reader, None, in_may.plus(DAY));
        assert!(again.limit_reached);
        assert_eq!(again.allowance, Some(Allowance { left: 0, total: 1 }));
        assert_eq!(sees(&reader, None, in_may.plus(31 * DAY)).record, Some(GrantedBy::Monthly));
    }

    #[test]
    fn a_zone_that_changes_does_not_give_a_second_summary_in_a_month() {
        let mut reader = Membership { time_zone: TimeZone::named("Asia/Tokyo"), ..used_up(MID_JANUARY) };
        // The first of February in Tokyo, still January in UTC.
        reader.spent.last_monthly_at = Some(LAST_HOUR_OF_JANUARY);
        reader.time_zone = TimeZone::named("Pacific/Kiritimati");
        assert!(sees(&reader, None, LAST_HOUR_OF_JANUARY.plus(DAY)).limit_reached);
    }

    #[test]
    fn a_clock_that_is_behind_gives_nothing() {
        let reader = used_up(LAST_HOUR_OF_JANUARY.plus(HOUR));
        assert!(sees(&reader, None, LAST_HOUR_OF_JANUARY).limit_reached);
    }

    #[derive(Clone, Debug)]
    enum Step {
        Open(i64),
        Wait(i64),
        Pay(i64),
        Invite,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            8 => (1..14_i64).prop_map(Step::Open),
            4 => (1..20 * DAY).prop_map(Step::Wait),
            1 => (1..40 * DAY).prop_map(Step::Pay),
            1 => Just(Step::Invite),
        ];
        proptest::collection::vec(step, 1..120)
    }

    proptest! {
        #[test]
        fn whatever_happens_the_allowance_is_never_exceeded(
            steps in steps(),
            zone in prop_oneof![Just("UTC"), Just("Asia/Tokyo"), Just("America/Lima"), Just("Pacific/Kiritimati")],
        ) {
            let zone = TimeZone::named(zone);
            let mut now = MID_JANUARY;
            let mut reader = Membership { time_zone: zone.clone(), ..newcomer() };
            let mut opened: HashMap<i64, GrantedBy> = HashMap::new();
            let mut taken: Vec<(GrantedBy, Month)> = Vec::new();
            for step in steps {
                match step {
                    Step::Wait(millis) => now = now.plus(millis),
                    Step::Pay(millis) => reader.entitlements.push(paid_until(now.plus(millis))),
                    Step::Invite => reader.invited_friend = true,
                    Step::Open(id) => {
                        let before = reader.allowance(now).0.left;
                        let had = opened.get(&id).copied();
                        let decision = sees(&reader, had, now);
                        let takes = decision.record.is_some_and(GrantedBy::stays);
                        if let Some(by) = decision.record {
                            prop_assert_eq!(decision.access, Access::Full);
                            opened.insert(id, by);
                            if by.stays() {
                                prop_assert!(!had.is_some_and(GrantedBy::stays), "taken twice for one book");
                                taken.push((by, zone.month_of(now)));
                            }
                            match by {
                                GrantedBy::Allowance => {
                                    reader.spent.summaries += 1;
                                    reader.spent.last_summary_at = Some(now);
                                }
                                GrantedBy::Monthly => reader.spent.last_monthly_at = Some(now),
                                GrantedBy::Free | GrantedBy::Plan => {}
                            }
                        }
                        let after = reader.allowance(now).0.left;
                        prop_assert_eq!(after, before - u32::from(takes));
                        prop_assert_eq!(decision.last_free, takes && after == 0);
                        prop_assert!(!(decision.limit_reached && (before > 0 || decision.access == Access::Full)));
                        if let Some(shown) = decision.allowance {
                            prop_assert_eq!(shown.left, after);
                            prop_assert!(shown.left <= shown.total);
                        }
                        if decision.access == Access::Full {
                            let again = sees(&reader, opened.get(&id).copied(), now);
                            prop_assert_eq!((again.access, again.record, again.last_free), (Access::Full, None, false));
                        }
                    }
                }
                let first = taken.iter().filter(|(by, _)| *by == GrantedBy::Allowance).count();
                let most = if reader.invited_friend { 4 } else { 3 };
                prop_assert!(first <= most);
                for (at, (by, month)) in taken.iter().enumerate() {
                    if *by == GrantedBy::Monthly {
                        let earlier = &taken[..at];
                        prop_assert!(earlier.iter().filter(|(by, _)| *by == GrantedBy::Allowance).count() >= 3);
                        prop_assert!(earlier.iter().all(|(_, other)| other < month), "two in one month");
                    }
                }
            }
        }
    }
}
