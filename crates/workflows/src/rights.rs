//! Converts data of billing, reading and the catalogue to the input of the rules about rights.

use billing::Entitlement;
use catalogue::{Book, BookCard};
use kernel::Timestamp;
use reading_progress::{BookFacts, Grant, Member, ReaderState, Rights, Viewer, rights};

/// A member's grants.
pub fn grants_of(entitlements: &[Entitlement]) -> Vec<Grant> {
    entitlements.iter().map(|entitlement| Grant::Plan(entitlement.period())).collect()
}

/// The facts about a book that the rules need.
pub fn facts_of(book: &Book) -> BookFacts {
    let sections = u32::try_from(book.sections.len()).unwrap_or(u32::MAX);
    BookFacts { sections, ..facts_of_card(&book.card) }
}

/// The facts about a book in a list. Lists lack the number of sections, so only rights to the text may be derived from them.
pub const fn facts_of_card(card: &BookCard) -> BookFacts {
    BookFacts { id: card.id, free: card.free, coming_soon: card.coming_soon, sections: 0 }
}

/// What a member may do with a book.
pub fn rights_of_member(entitlements: &[Entitlement], state: &ReaderState, book: BookFacts, now: Timestamp) -> Rights {
    let grants = grants_of(entitlements);
    rights(Viewer::Member(Member { grants: &grants, opened: state.opened, allowance: &state.allowance }), book, now)
}
