//! Commitments: what a device reports is merged, or checked and added.

use std::collections::BTreeSet;

use catalogue::{BookName, BookRef, CatalogueLists};
use identity::RateLimitBucket;
use kernel::{BookId, CommitmentId, Limit, StoreError, UserId};
use study::{Commitment, CommitmentQueries, CommitmentState, StoredCommitment, Study};

use crate::{
    error::ViewError,
    rate_limits::count_attempt,
    study::{
        highlights::{HighlightError, readable_book},
        settings::time_zone,
    },
    tx::Tx,
};

/// A commitment, as its member sees it.
#[derive(Debug)]
pub struct ShownCommitment {
    pub stored: StoredCommitment,
    /// `None`: the book was deleted.
    pub book: Option<BookName>,
}

/// Merges what a device reports of a commitment that the member has (`study.commitment-merge`), or adds it, if the member may read
/// the book's text, or could when the commitment was made (`study.kept-commitments`). Of a commitment that is there the book is not
/// needed: it may have been deleted.
pub fn put_commitment(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: CommitmentId,
    book: Option<&BookRef>,
    report: CommitmentState,
) -> Result<ShownCommitment, HighlightError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let zone = time_zone(tx, member)?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ViewError::SignedOut)?;
    let stored = if let Some(known) = tx.pg.locked_commitment(&locked, id)? {
        let state = known.commitment.state.clone().merged(report);
        let first_day = zone.day_of(state.created_at);
        tx.pg.change_commitment(&mut locked, known, state, first_day)?
    } else {
        report.check()?;
        let card = readable_book(tx, member, book.ok_or(HighlightError::NoSource)?, report.created_at)?.card;
        let first_day = zone.day_of(report.created_at);
        let commitment = Commitment {
            id,
            book: Some(card.id),
            book_title: card.title,
            book_author: card.author.name,
            state: report,
        };
        tx.pg.add_commitment(&mut locked, commitment, first_day)?
    };
    let mut shown = shown_commitments(tx, vec![stored])?;
    shown.pop().ok_or_else(|| StoreError::new("the commitment was stored").into())
}

/// The member's commitments that changed after a version, deleted ones included, by version; and from where to go on, `None` when
/// these were all.
pub fn commitment_changes<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: u64,
    limit: Limit,
) -> Result<(Vec<ShownCommitment>, Option<u64>), StoreError> {
    let mut stored = tx.pg.commitments_after(member, after, limit)?;
    let has_more = stored.len() > limit.get();
    stored.truncate(limit.get());
    let next = stored.last().map(|last| last.version).filter(|_| has_more);
    Ok((shown_commitments(tx, stored)?, next))
}

/// Commitments with the present names of their books, in the same order.
pub(super) fn shown_commitments<A>(
    tx: &mut Tx<'_, '_, A>,
    stored: Vec<StoredCommitment>,
) -> Result<Vec<ShownCommitment>, StoreError> {
    if stored.is_empty() {
        return Ok(Vec::new());
    }
    let books: BTreeSet<BookId> = stored.iter().filter_map(|stored| stored.commitment.book).collect();
    let names = tx.pg.book_names(&books.into_iter().collect::<Vec<_>>())?;
    let shown = stored.into_iter().map(|stored| {
        let book = stored.commitment.book.and_then(|book| names.get(&book).cloned());
        ShownCommitment { stored, book }
    });
    Ok(shown.collect())
}
