//! The change feed: what a device has to read of the changes that others made (`study.change-feed`).

use kernel::{Limit, StoreError, UserId};
use study::{CommitmentQueries, ListQueries, StudyQueries};

use crate::{
    study::{
        cards::{ShownCard, shown_cards},
        commitments::{ShownCommitment, shown_commitments},
        highlights::shown_to,
        lists::{ShownList, shown_lists},
        shown::ShownHighlight,
    },
    tx::Tx,
};

/// The member's records that changed after a version.
#[derive(Debug)]
pub struct RecordChanges {
    /// By version, deleted ones included.
    pub highlights: Vec<ShownHighlight>,
    /// By version, deleted ones included.
    pub cards: Vec<ShownCard>,
    /// By version, deleted ones included.
    pub commitments: Vec<ShownCommitment>,
    /// By version, deleted ones included.
    pub lists: Vec<ShownList>,
    /// From where to go on; `None`: these were all.
    pub next: Option<u64>,
    /// The member's latest version before the records were read.
    pub version: u64,
}

/// The member's records that changed after a version: as many as the limit says, of all kinds together, those with the least
/// versions.
pub fn record_changes<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: u64,
    limit: Limit,
) -> Result<RecordChanges, StoreError> {
    // Before the records: one that changes meanwhile has a greater version, and comes with the next call.
    let version = tx.pg.study_version(member)?;
    let mut highlights = tx.pg.highlights_after(member, after, limit)?;
    let mut cards = tx.pg.review_cards_after(member, after, limit)?;
    let mut commitments = tx.pg.commitments_after(member, after, limit)?;
    let mut lists = tx.pg.lists_after(member, after, limit)?;
    let mut versions: Vec<u64> = highlights.iter().map(|highlight| highlight.version).collect();
    versions.extend(cards.iter().map(|card| card.version));
    versions.extend(commitments.iter().map(|commitment| commitment.version));
    versions.extend(lists.iter().map(|list| list.version));
    versions.sort_unstable();
    let next = (versions.len() > limit.get()).then(|| versions[limit.get() - 1]);
    if let Some(last) = next {
        highlights.retain(|highlight| highlight.version <= last);
        cards.retain(|card| card.version <= last);
        commitments.retain(|commitment| commitment.version <= last);
        lists.retain(|list| list.version <= last);
    }
    let cards = shown_cards(tx, member, cards)?;
    let commitments = shown_commitments(tx, commitments)?;
    let lists = shown_lists(tx, lists)?;
    Ok(RecordChanges { highlights: shown_to(tx, member, highlights)?, cards, commitments, lists, next, version })
}
