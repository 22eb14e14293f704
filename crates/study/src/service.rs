//! The operations on highlights.

use kernel::{HighlightId, StoreError, UserId};

use crate::{Highlight, HighlightPlace, HighlightState, StoredHighlight, StudyStore};

/// A member whose records are locked until the transaction ends. Whoever changes a record holds it, so versions rise in the order of
/// commits, and a device that reads the changes after a version misses none.
#[derive(Debug)]
pub struct LockedMember {
    member: UserId,
    version: u64,
}

/// The operations on highlights, over any store. Everything happens in the store's transaction.
pub trait Study: StudyStore {
    /// Locks the member's records. `None` when there is no such member.
    fn lock_records(&mut self, member: UserId) -> Result<Option<LockedMember>, StoreError> {
        Ok(self.lock_study_member(member)?.map(|version| LockedMember { member, version }))
    }

    /// Adds a highlight that the member does not have yet.
    fn add_highlight(
        &mut self,
        member: &mut LockedMember,
        highlight: Highlight,
        place: HighlightPlace,
    ) -> Result<StoredHighlight, StoreError> {
        put_next(self, member, highlight, place)
    }

    /// Merges what a device reports into a highlight that the member has. A report that says nothing new changes nothing.
    fn merge_highlight(
        &mut self,
        member: &mut LockedMember,
        known: StoredHighlight,
        report: HighlightState,
    ) -> Result<StoredHighlight, StoreError> {
        let state = known.highlight.state.clone().merged(report);
        if state == known.highlight.state {
            return Ok(known);
        }
        put_next(self, member, Highlight { state, ..known.highlight }, known.place)
    }

    /// One of the member's highlights, deleted ones included, which nobody else changes meanwhile.
    fn locked_highlight(
        &mut self,
        member: &LockedMember,
        id: HighlightId,
    ) -> Result<Option<StoredHighlight>, StoreError> {
        self.find_highlight(member.member, id)
    }
}

impl<S: StudyStore + ?Sized> Study for S {}

/// Stores a highlight under the next version.
fn put_next(
    store: &mut (impl StudyStore + ?Sized),
    member: &mut LockedMember,
    highlight: Highlight,
    place: HighlightPlace,
) -> Result<StoredHighlight, StoreError> {
    member.version += 1;
    let stored = StoredHighlight { highlight, place, version: member.version };
    store.put_highlight(member.member, &stored)?;
    Ok(stored)
}
