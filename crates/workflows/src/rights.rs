//! What the rules of access need, filled from billing, reading and the catalogue.

use access::{Grant, Member, Refusal, Rights, Viewer};
use billing::Entitlement;
use catalogue::{Book, BookCard};
use kernel::Timestamp;
use reading_progress::ReaderState;

/// A member's grants.
pub fn grants_of(entitlements: &[Entitlement]) -> Vec<Grant> {
    entitlements.iter().map(|entitlement| Grant::Plan(entitlement.period())).collect()
}

/// What the rules need to know of a book of the catalogue.
pub fn facts_of(book: &Book) -> access::BookFacts {
    access::BookFacts {
        free: book.card.free,
        coming_soon: book.card.coming_soon,
        sections: u32::try_from(book.sections.len()).unwrap_or(u32::MAX),
    }
}

/// What the rules need to know of a book in a list. Its sections are not known there: only the rights to its text may be
/// asked for.
pub const fn facts_of_card(card: &BookCard) -> access::BookFacts {
    access::BookFacts { free: card.free, coming_soon: card.coming_soon, sections: 0 }
}

/// What the rules need to know of a book, from what reading knows of it.
pub const fn facts_of_reading(book: &reading_progress::BookFacts) -> access::BookFacts {
    access::BookFacts { free: book.free, coming_soon: book.coming_soon, sections: book.sections }
}

/// What a member may do with a book.
pub fn rights_of_member(
    entitlements: &[Entitlement],
    state: &ReaderState,
    book: access::BookFacts,
    now: Timestamp,
) -> Rights {
    let (grants, allowance) = (grants_of(entitlements), allowance_use(&state.allowance));
    let member = Member { grants: &grants, opened: state.opened.map(opening_right), allowance: &allowance };
    access::rights(Viewer::Member(member), book, now)
}

/// What a member has taken of the allowance.
pub fn allowance_use(used: &reading_progress::AllowanceUse) -> access::AllowanceUse {
    access::AllowanceUse {
        invited_friend: used.invited_friend,
        time_zone: used.time_zone.clone(),
        summaries: used.summaries,
        last_summary_at: used.last_summary_at,
        last_monthly_at: used.last_monthly_at,
    }
}

/// The condition for writing history of a visit at `visited_at`, as storage checks it.
pub fn history_condition(
    book: &reading_progress::BookFacts,
    visited_at: Timestamp,
    now: Timestamp,
) -> Result<reading_progress::HistoryCondition, Refusal> {
    let condition = access::history_condition(facts_of_reading(book), visited_at, now)?;
    Ok(reading_progress::HistoryCondition {
        every_reader: condition.every_member,
        opened_by: condition.opened_by.iter().copied().map(recorded_right).collect(),
        plan_at: condition.plan_at,
        plan_at_if_opened: condition.plan_at_if_opened,
    })
}

/// The rights that keep a book open for good, as reading records them.
pub fn permanent_rights() -> Vec<reading_progress::OpeningRight> {
    access::OpeningRight::PERMANENT.into_iter().map(recorded_right).collect()
}

/// A right as reading records it.
pub const fn recorded_right(right: access::OpeningRight) -> reading_progress::OpeningRight {
    match right {
        access::OpeningRight::FreeBook => reading_progress::OpeningRight::FreeBook,
        access::OpeningRight::Plan => reading_progress::OpeningRight::Plan,
        access::OpeningRight::Allowance => reading_progress::OpeningRight::Allowance,
        access::OpeningRight::Monthly => reading_progress::OpeningRight::Monthly,
    }
}

const fn opening_right(right: reading_progress::OpeningRight) -> access::OpeningRight {
    match right {
        reading_progress::OpeningRight::FreeBook => access::OpeningRight::FreeBook,
        reading_progress::OpeningRight::Plan => access::OpeningRight::Plan,
        reading_progress::OpeningRight::Allowance => access::OpeningRight::Allowance,
        reading_progress::OpeningRight::Monthly => access::OpeningRight::Monthly,
    }
}
