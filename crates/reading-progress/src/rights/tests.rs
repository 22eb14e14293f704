//! Tests every combination of viewer, book, opening right, allowance and time against one table, and the invariants of
//! each.

use std::collections::HashMap;

use kernel::{BookId, DAY, HOUR, Month, Period, TimeZone, Timestamp};
use proptest::prelude::*;

use super::{Opening, Rights, may_use_e_reader, rights};
use crate::{
    Action, Allowance, AllowanceUse, BookFacts, DenialReason, FREE_SUMMARIES, FRIEND_SUMMARIES, FullTexts, Grant,
    MONTHLY_SUMMARIES, Member, OpeningRight, Viewer, free_summaries, history_condition,
};
use kernel::Access;

/// 2026-02-01T00:00:00Z: the first moment of a month.
const NOW: Timestamp = Timestamp::from_millis(1_769_904_000_000);

const PLAIN: BookFacts = BookFacts { id: BookId::from_store(1), free: false, coming_soon: false, sections: 5 };

/// What each viewer may do. `*` stands for anything; each combination fits exactly one row.
///
/// Book: `plain`, `free` (for anyone), `soon` (coming soon), `soon+free`, `empty` (without sections), `empty+free`.
/// Viewer: `visitor`, `member` (without a plan that runs), `paid`.
/// Opened: `kept` by a permanent right; `not` at all, or by a right that can end.
/// Left of the allowance: `many`, `1`, `0`.
///
/// Answers: `ok`; `takes` one summary of the allowance; takes the `last` one; or the reason for the denial.
const TABLE: &str = "
book        viewer   opened left  | read       listen     watch      visuals    download   infographic e-reader

plain       visitor  *      *     | sign-in    sign-in    sign-in    sign-in    sign-in    sign-in     sign-in
plain       member   kept   *     | ok         ok         upgrade    upgrade    ok         upgrade     upgrade
plain       member   not    many  | takes      open-first upgrade    upgrade    takes      upgrade     upgrade
plain       member   not    1     | last       open-first upgrade    upgrade    last       upgrade     upgrade
plain       member   not    0     | upgrade    upgrade    upgrade    upgrade    upgrade    upgrade     upgrade
plain       paid     *      *     | ok         ok         ok         ok         ok         ok          ok

free        visitor  *      *     | ok         ok         ok         ok         ok         sign-in     sign-in
free        member   *      *     | ok         ok         ok         ok         ok         upgrade     upgrade
free        paid     *      *     | ok         ok         ok         ok         ok         ok          ok

soon        visitor  *      *     | unwritten  unwritten  sign-in    sign-in    unwritten  unwritten   sign-in
soon        member   *      *     | unwritten  unwritten  upgrade    upgrade    unwritten  unwritten   upgrade
soon        paid     *      *     | unwritten  unwritten  unwritten  unwritten  unwritten  unwritten   unwritten

soon+free   visitor  *      *     | unwritten  unwritten  unwritten  unwritten  unwritten  unwritten   sign-in
soon+free   member   *      *     | unwritten  unwritten  unwritten  unwritten  unwritten  unwritten   upgrade
soon+free   paid     *      *     | unwritten  unwritten  unwritten  unwritten  unwritten  unwritten   unwritten

empty       visitor  *      *     | sign-in    sign-in    sign-in    sign-in    unwritten  sign-in     sign-in
empty       member   kept   *     | ok         ok         upgrade    upgrade    unwritten  upgrade     upgrade
empty       member   not    many  | takes      open-first upgrade    upgrade    unwritten  upgrade     upgrade
empty       member   not    1     | last       open-first upgrade    upgrade    unwritten  upgrade     upgrade
empty       member   not    0     | upgrade    upgrade    upgrade    upgrade    unwritten  upgrade     upgrade
empty       paid     *      *     | ok         ok         ok         ok         unwritten  ok          unwritten

empty+free  visitor  *      *     | ok         ok         ok         ok         unwritten  sign-in     sign-in
empty+free  member   *      *     | ok         ok         ok         ok         unwritten  upgrade     upgrade
empty+free  paid     *      *     | ok         ok         ok         ok         unwritten  ok          unwritten
";

const BOOKS: [(&str, BookFacts); 6] = [
    ("plain", PLAIN),
    ("free", BookFacts { free: true, ..PLAIN }),
    ("soon", BookFacts { coming_soon: true, ..PLAIN }),
    ("soon+free", BookFacts { coming_soon: true, free: true, ..PLAIN }),
    ("empty", BookFacts { sections: 0, ..PLAIN }),
    ("empty+free", BookFacts { sections: 0, free: true, ..PLAIN }),
];

const OPENED: [(&str, Option<OpeningRight>); 5] = [
    ("not", None),
    ("not", Some(OpeningRight::FreeBook)),
    ("not", Some(OpeningRight::Plan)),
    ("kept", Some(OpeningRight::Allowance)),
    ("kept", Some(OpeningRight::Monthly)),
];

fn plan(from: i64, to: Option<i64>) -> Grant {
    Grant::Plan(Period { starts_at: NOW.plus(from), ends_at: to.map(|to| NOW.plus(to)) })
}

/// Grants, and the kind of member that they make at `NOW`, with limits to the millisecond.
fn grants() -> Vec<(&'static str, Vec<Grant>)> {
    vec![
        ("member", vec![]),
        ("member", vec![plan(-DAY, Some(0))]),
        ("member", vec![plan(1, None)]),
        ("member", vec![plan(-DAY, Some(-1)), plan(DAY, Some(2 * DAY))]),
        ("paid", vec![plan(0, None)]),
        ("paid", vec![plan(0, Some(1))]),
        ("paid", vec![plan(-DAY, Some(1))]),
        ("paid", vec![plan(-DAY, Some(0)), plan(0, Some(DAY))]),
    ]
}

fn newcomer() -> AllowanceUse {
    AllowanceUse {
        invited_friend: false,
        time_zone: TimeZone::UTC,
        summaries: 0,
        last_summary_at: None,
        last_monthly_at: None,
    }
}

/// A member who used the last of the first summaries at that moment.
fn used_up(at: Timestamp) -> AllowanceUse {
    AllowanceUse { summaries: FREE_SUMMARIES, last_summary_at: Some(at), ..newcomer() }
}

/// Used allowances: what is left at `NOW`, the right by which the next summary is opened, and the use.
fn allowances() -> Vec<(&'static str, Option<OpeningRight>, AllowanceUse)> {
    use OpeningRight::{Allowance, Monthly};
    let (this_month, last_month) = (used_up(NOW), used_up(NOW.plus(-1)));
    let zone = |name, used: &AllowanceUse| AllowanceUse { time_zone: TimeZone::named(name), ..used.clone() };
    vec![
        ("many", Some(Allowance), newcomer()),
        ("many", Some(Allowance), AllowanceUse { summaries: 1, ..this_month.clone() }),
        ("many", Some(Allowance), AllowanceUse { summaries: 2, invited_friend: true, ..this_month.clone() }),
        ("1", Some(Allowance), AllowanceUse { summaries: 2, ..this_month.clone() }),
        ("1", Some(Allowance), AllowanceUse { invited_friend: true, ..this_month.clone() }),
        ("0", None, AllowanceUse { summaries: 4, invited_friend: true, ..this_month.clone() }),
        ("0", None, this_month.clone()),
        ("1", Some(Monthly), last_month.clone()),
        // In Tokyo it was February a millisecond ago too; in Lima it is still January.
        ("0", None, zone("Asia/Tokyo", &last_month)),
        ("0", None, zone("America/Lima", &last_month)),
        ("1", Some(Monthly), zone("Asia/Tokyo", &used_up(NOW.plus(-9 * HOUR - 1)))),
        ("0", None, AllowanceUse { last_monthly_at: Some(NOW), ..used_up(NOW.plus(-90 * DAY)) }),
        ("1", Some(Monthly), AllowanceUse { last_monthly_at: Some(NOW.plus(-1)), ..used_up(NOW.plus(-90 * DAY)) }),
        // An opening that is in the future, because the clock was set back, gives no summary.
        ("0", None, used_up(NOW.plus(40 * DAY))),
    ]
}

fn in_words(read: Result<Opening, DenialReason>) -> &'static str {
    match read {
        Ok(opening) if opening.is_last_free => "last",
        Ok(opening) if opening.takes_one() => "takes",
        Ok(_) => "ok",
        Err(DenialReason::NotWritten) => "unwritten",
        Err(DenialReason::SignInRequired) => "sign-in",
        Err(DenialReason::UpgradeRequired) => "upgrade",
        Err(DenialReason::NotOpened) => "open-first",
    }
}

fn answers(rights: &Rights) -> [&'static str; 7] {
    let plain =
        |right: Result<(), DenialReason>| in_words(right.map(|()| Opening { record: None, is_last_free: false }));
    [
        in_words(rights.read),
        plain(rights.listen),
        plain(rights.watch),
        plain(rights.see_visuals),
        in_words(rights.download),
        plain(rights.download_infographic),
        plain(rights.send_to_e_reader),
    ]
}

/// The answers of the table for a combination.
fn row(key: [&str; 4]) -> Vec<&'static str> {
    let rows = TABLE.lines().skip(2).filter_map(|line| line.split_once('|'));
    let fits =
        rows.filter(|(pattern, _)| pattern.split_whitespace().zip(key).all(|(one, other)| one == "*" || one == other));
    let found: Vec<Vec<&str>> = fits.map(|(_, answers)| answers.split_whitespace().collect()).collect();
    assert_eq!(found.len(), 1, "exactly one row for {key:?}");
    found.into_iter().next().unwrap_or_default()
}

#[test]
fn three_summaries_are_free_and_one_more_for_a_friend_and_one_in_each_later_month() {
    assert_eq!((FREE_SUMMARIES, FRIEND_SUMMARIES, MONTHLY_SUMMARIES), (3, 1, 1));
}

#[test]
fn every_combination_is_decided_as_the_table_says() {
    for (name, book) in BOOKS {
        assert_eq!(answers(&rights(Viewer::Visitor, book, NOW)).to_vec(), row([name, "visitor", "not", "many"]));
        for (kind, grants) in &grants() {
            for (opened_as, opened) in OPENED {
                for (left, next, used) in &allowances() {
                    let member = Member { grants, opened, allowance: used };
                    let rights = rights(Viewer::Member(member), book, NOW);
                    assert_eq!(answers(&rights).to_vec(), row([name, kind, opened_as, left]), "{book:?} {member:?}");
                    check_member(&rights, &member, book, *next);
                }
            }
        }
    }
}

/// Checks, for a combination, what is recorded, what is left, and that the derived rules agree.
fn check_member(rights: &Rights, member: &Member<'_>, book: BookFacts, next: Option<OpeningRight>) {
    if let Ok(opening) = rights.read {
        let first = |right| Some(right).filter(|_| member.opened.is_none());
        let recorded = if book.free {
            first(OpeningRight::FreeBook)
        } else if rights.has_plan {
            first(OpeningRight::Plan)
        } else {
            next.filter(|_| !member.opened.is_some_and(OpeningRight::is_permanent))
        };
        assert_eq!(opening.record, recorded, "{book:?} {member:?}");
    }
    let before = free_summaries(member.grants, member.allowance, NOW);
    let taken = u32::from(rights.read.is_ok_and(|opening| opening.takes_one()));
    assert_eq!(rights.allowance, before.map(|before| Allowance { left: before.left - taken, ..before }));
    assert_eq!(rights.allowance.is_none(), rights.has_plan);
    assert_eq!(rights.limit_reached(), rights.read == Err(DenialReason::UpgradeRequired));
    for action in Action::ALL {
        if let Err(refusal) = rights.check(action) {
            assert_eq!(refusal.action, action);
        }
    }
    assert_eq!(may_use_e_reader(member.grants, NOW).is_ok(), rights.has_plan);

    // A preview denies every action, uses no allowance, and keeps whether reading is possible.
    let preview = rights.of_preview();
    assert!(Action::ALL.into_iter().all(|action| preview.check(action).is_err()), "{book:?} {member:?}");
    assert_eq!((preview.allowance, preview.limit_reached()), (before, rights.limit_reached()));
    let unasked = rights.without_taking();
    assert_eq!(unasked, if taken > 0 { preview } else { *rights });

    // History needs the right to listen; search quotes from texts that may be read without the allowance.
    let may_write = history_condition(&book, NOW, NOW).map(|condition| condition.is_met_by(member));
    assert_eq!(may_write.unwrap_or(false), rights.listen.is_ok(), "{book:?} {member:?}");
    let kept = if member.opened.is_some_and(OpeningRight::is_permanent) { vec![book.id] } else { Vec::new() };
    let shown = FullTexts::of_member(member.grants, kept, NOW).shown(&book);
    assert_eq!(shown == Some(Access::Full), rights.listen.is_ok(), "{book:?} {member:?}");
    assert_eq!(shown.is_none(), book.coming_soon);
}

#[test]
fn a_search_quotes_to_visitors_from_free_books_only() {
    for (_, book) in BOOKS {
        let shown = FullTexts::of_visitor().shown(&book);
        assert_eq!(shown == Some(Access::Full), rights(Viewer::Visitor, book, NOW).listen.is_ok());
    }
}

fn sees(used: &AllowanceUse, opened: Option<OpeningRight>, now: Timestamp) -> Rights {
    rights(Viewer::Member(Member { grants: &[], opened, allowance: used }), PLAIN, now)
}

#[test]
fn the_allowance_is_three_summaries_then_the_paywall() {
    let mut used = newcomer();
    for taken in 0..3 {
        used.summaries = taken;
        used.last_summary_at = Some(NOW);
        let rights = sees(&used, None, NOW);
        let opening = Opening { record: Some(OpeningRight::Allowance), is_last_free: taken == 2 };
        assert_eq!((rights.read, rights.limit_reached()), (Ok(opening), false));
        assert_eq!(rights.allowance, Some(Allowance { left: 2 - taken, total: 3 }));
    }
    let rights = sees(&used_up(NOW), None, NOW);
    assert!(rights.limit_reached());
    assert_eq!(rights.allowance, Some(Allowance { left: 0, total: 3 }));
}

#[test]
fn an_invited_friend_gives_one_summary_more() {
    let rights = sees(&AllowanceUse { invited_friend: true, ..used_up(NOW) }, None, NOW);
    assert!(rights.read.is_ok_and(|opening| opening.is_last_free));
    assert_eq!(rights.allowance, Some(Allowance { left: 0, total: 4 }));
}

#[test]
fn what_the_plan_or_a_free_book_opened_lapses_into_the_allowance() {
    for right in [OpeningRight::Plan, OpeningRight::FreeBook] {
        assert!(sees(&used_up(NOW), Some(right), NOW).limit_reached());
        let opening = sees(&newcomer(), Some(right), NOW).read;
        assert_eq!(opening.map(|opening| opening.record), Ok(Some(OpeningRight::Allowance)));
    }
}

#[test]
fn one_summary_a_month_and_none_saved_up() {
    let mut used = used_up(NOW.plus(-1));
    let in_may = NOW.plus(100 * DAY);
    assert_eq!(sees(&used, None, in_may).allowance, Some(Allowance { left: 0, total: 1 }));
    used.last_monthly_at = Some(in_may);
    let again = sees(&used, None, in_may.plus(DAY));
    assert!(again.limit_reached());
    assert_eq!(again.allowance, Some(Allowance { left: 0, total: 1 }));
    let opening = sees(&used, None, in_may.plus(31 * DAY)).read;
    assert_eq!(opening.map(|opening| opening.record), Ok(Some(OpeningRight::Monthly)));
}

#[test]
fn months_turn_at_the_members_midnight() {
    let lima = AllowanceUse { time_zone: TimeZone::named("America/Lima"), ..used_up(NOW.plus(-15 * DAY)) };
    assert!(sees(&lima, None, NOW.plus(5 * HOUR - 1)).limit_reached());
    let opening = sees(&lima, None, NOW.plus(5 * HOUR)).read;
    assert_eq!(opening.map(|opening| opening.record), Ok(Some(OpeningRight::Monthly)));
}

#[test]
fn a_zone_that_changes_does_not_give_a_second_summary_in_a_month() {
    let used = AllowanceUse {
        time_zone: TimeZone::named("Pacific/Kiritimati"),
        // Opened as the summary of February in Tokyo, when it was January in UTC.
        last_monthly_at: Some(NOW.plus(-HOUR / 2)),
        ..used_up(NOW.plus(-20 * DAY))
    };
    assert!(sees(&used, None, NOW.plus(DAY)).limit_reached());
}

#[test]
fn rights_hold_until_the_next_edge_of_a_grant() {
    let used = newcomer();
    let until =
        |grants: &[Grant]| rights(Viewer::Member(Member { grants, opened: None, allowance: &used }), PLAIN, NOW).until;
    assert_eq!(until(&[]), None);
    assert_eq!(until(&[plan(0, None), plan(-DAY, Some(0))]), None);
    assert_eq!(until(&[plan(-DAY, Some(DAY)), plan(HOUR, None)]), Some(NOW.plus(HOUR)));
    assert_eq!(until(&[plan(-DAY, Some(1))]), Some(NOW.plus(1)));
    assert_eq!(rights(Viewer::Visitor, PLAIN, NOW).until, None);
}

#[test]
fn what_was_read_with_a_plan_can_be_reported_after_it() {
    let grants = [plan(-DAY, Some(0))];
    let used = used_up(NOW);
    let meets = |opened, visited_at| {
        let condition = history_condition(&PLAIN, visited_at, NOW).expect("a book with a text");
        condition.is_met_by(&Member { grants: &grants, opened, allowance: &used })
    };
    assert!(meets(Some(OpeningRight::Plan), NOW.plus(-1)));
    assert!(!meets(Some(OpeningRight::Plan), NOW));
    assert!(!meets(Some(OpeningRight::Plan), NOW.plus(-DAY - 1)));
    assert!(!meets(None, NOW.plus(-1)), "it was never opened");
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

fn any_member() -> impl Strategy<Value = (Vec<Grant>, Option<OpeningRight>, AllowanceUse)> {
    let period = (-50..50_i64, proptest::option::of(-50..50_i64)).prop_map(|(from, to)| plan(from, to));
    let opened = proptest::sample::select(OPENED.map(|(_, opened)| opened).to_vec());
    let moment = || proptest::option::of((-70..70_i64).prop_map(|days| NOW.plus(days * DAY)));
    let zone = proptest::sample::select(vec!["UTC", "Asia/Tokyo", "America/Lima", "Pacific/Kiritimati"]);
    let used = (any::<bool>(), zone, 0..6_u32, moment(), moment());
    let used = used.prop_map(|(invited_friend, zone, summaries, last_summary_at, last_monthly_at)| AllowanceUse {
        invited_friend,
        time_zone: TimeZone::named(zone),
        summaries,
        last_summary_at,
        last_monthly_at,
    });
    (proptest::collection::vec(period, 0..4), opened, used)
}

proptest! {
    #[test]
    fn whatever_happens_the_allowance_is_never_exceeded(
        steps in steps(),
        zone in prop_oneof![Just("UTC"), Just("Asia/Tokyo"), Just("America/Lima"), Just("Pacific/Kiritimati")],
    ) {
        let zone = TimeZone::named(zone);
        let mut now = NOW;
        let mut used = AllowanceUse { time_zone: zone.clone(), ..newcomer() };
        let mut grants: Vec<Grant> = Vec::new();
        let mut opened: HashMap<i64, OpeningRight> = HashMap::new();
        let mut taken: Vec<(OpeningRight, Month)> = Vec::new();
        for step in steps {
            match step {
                Step::Wait(millis) => now = now.plus(millis),
                Step::Pay(millis) => {
                    grants.push(Grant::Plan(Period { starts_at: now, ends_at: Some(now.plus(millis)) }));
                }
                Step::Invite => used.invited_friend = true,
                Step::Open(id) => {
                    let before = used.allowance(now).0.left;
                    let had = opened.get(&id).copied();
                    let seen = rights(Viewer::Member(Member { grants: &grants, opened: had, allowance: &used }), PLAIN, now);
                    let takes = seen.read.is_ok_and(|opening| opening.takes_one());
                    if let Ok(Opening { record: Some(right), .. }) = seen.read {
                        opened.insert(id, right);
                        if right.is_permanent() {
                            prop_assert!(!had.is_some_and(OpeningRight::is_permanent), "taken twice for one book");
                            taken.push((right, zone.month_of(now)));
                        }
                        match right {
                            OpeningRight::Allowance => {
                                used.summaries += 1;
                                used.last_summary_at = Some(now);
                            }
                            OpeningRight::Monthly => used.last_monthly_at = Some(now),
                            OpeningRight::FreeBook | OpeningRight::Plan => {}
                        }
                    }
                    let after = used.allowance(now).0.left;
                    prop_assert_eq!(after, before - u32::from(takes));
                    prop_assert_eq!(seen.read.is_ok_and(|opening| opening.is_last_free), takes && after == 0);
                    prop_assert!(!(seen.limit_reached() && before > 0));
                    if let Some(shown) = seen.allowance {
                        prop_assert_eq!(shown.left, after);
                        prop_assert!(shown.left <= shown.total);
                    }
                    if seen.read.is_ok() {
                        let member = Member { grants: &grants, opened: opened.get(&id).copied(), allowance: &used };
                        let again = rights(Viewer::Member(member), PLAIN, now);
                        prop_assert_eq!(again.read, Ok(Opening { record: None, is_last_free: false }));
                    }
                }
            }
            let first = taken.iter().filter(|(right, _)| *right == OpeningRight::Allowance).count();
            let most = if used.invited_friend { 4 } else { 3 };
            prop_assert!(first <= most);
            for (at, (right, month)) in taken.iter().enumerate() {
                if *right == OpeningRight::Monthly {
                    let earlier = &taken[..at];
                    prop_assert!(earlier.iter().filter(|(right, _)| *right == OpeningRight::Allowance).count() >= 3);
                    prop_assert!(earlier.iter().all(|(_, other)| other < month), "two in one month");
                }
            }
        }
    }

    #[test]
    fn a_plan_never_takes_a_right_away_and_signing_in_neither(
        (grants, opened, used) in any_member(),
        book in proptest::sample::select(BOOKS.map(|(_, book)| book).to_vec()),
    ) {
        let with = |grants: &[Grant]| rights(Viewer::Member(Member { grants, opened, allowance: &used }), book, NOW);
        let (visitor, member) = (rights(Viewer::Visitor, book, NOW), with(&grants));
        let mut more = grants.clone();
        more.push(plan(0, Some(1)));
        let paid = with(&more);
        prop_assert!(paid.has_plan);
        for action in Action::ALL {
            prop_assert!(visitor.check(action).is_err() || member.check(action).is_ok(), "{action:?} as a visitor");
            prop_assert!(member.check(action).is_err() || paid.check(action).is_ok(), "{action:?} without a plan");
        }
        // A plan uses no allowance.
        prop_assert!(!paid.read.is_ok_and(|opening| opening.takes_one()));
        // A download uses the allowance as opening does.
        prop_assert!(member.download == member.read || member.download == Err(DenialReason::NotWritten));
    }

    #[test]
    fn rights_change_with_the_grants_at_their_edges_only(
        (grants, opened, used) in any_member(),
        book in proptest::sample::select(BOOKS.map(|(_, book)| book).to_vec()),
        later in 1..60_i64,
    ) {
        let at = |now| rights(Viewer::Member(Member { grants: &grants, opened, allowance: &used }), book, now);
        let now = at(NOW);
        let later = NOW.plus(later);
        if now.until.is_none_or(|until| later < until) {
            prop_assert_eq!(at(later).has_plan, now.has_plan);
        }
    }
}

#[test]
fn the_owner_of_a_file_downloads_it_and_nothing_is_taken_unless_there_is_no_text() {
    let owned = Opening { record: None, is_last_free: false };
    for used in [newcomer(), used_up(NOW)] {
        let member = Member { grants: &[], opened: None, allowance: &used };
        let of = |book| rights(Viewer::Member(member), book, NOW).of_owner();
        assert_eq!(of(PLAIN).download, Ok(owned));
        assert_eq!(of(PLAIN).read, rights(Viewer::Member(member), PLAIN, NOW).read, "the file alone is owned");
        assert_eq!(of(BookFacts { sections: 0, ..PLAIN }).download, Err(DenialReason::NotWritten));
        assert_eq!(of(BookFacts { coming_soon: true, ..PLAIN }).download, Err(DenialReason::NotWritten));
    }
    assert_eq!(rights(Viewer::Visitor, PLAIN, NOW).of_owner().download, Err(DenialReason::SignInRequired));
}
