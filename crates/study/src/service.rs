//! The operations on highlights, review cards and commitments.

use std::collections::BTreeSet;

use kernel::{AnswerId, BookId, CommitmentId, Day, HighlightId, ListId, ReviewCardId, StoreError, Timestamp, UserId};

use crate::{
    CardAnswer, CardState, Commitment, CommitmentState, FoundIdea, Highlight, HighlightPlace, HighlightSource,
    HighlightState, ListSlug, ListState, ReadingList, RecordedAnswers, ReviewCard, Schedule, Sharing, StoredCard,
    StoredCommitment, StoredHighlight, StoredList, StudyStore,
};

/// A member whose records are locked until the transaction ends. Each change of a record holds it, so versions rise in the order of
/// commits, and a device that reads the changes after a version misses none.
#[derive(Debug)]
pub struct LockedMember {
    member: UserId,
    version: u64,
}

/// The operations on highlights, review cards and commitments, over any store. Everything happens in the store's transaction.
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
        let kept = &known.highlight.state;
        let mut state = kept.clone().merged(report);
        // The place belongs to the words that are kept.
        if !kept.anchor.exact.is_empty() {
            (state.part, state.anchor) = (kept.part, kept.anchor.clone());
        }
        if state == known.highlight.state {
            return Ok(known);
        }
        put_next(self, member, Highlight { state, ..known.highlight }, known.place)
    }

    /// Gives a highlight without a source the one that was found since (`identity.kept-entries`).
    fn attach_highlight(
        &mut self,
        member: &mut LockedMember,
        known: StoredHighlight,
        source: HighlightSource,
        place: HighlightPlace,
    ) -> Result<StoredHighlight, StoreError> {
        put_next(self, member, Highlight { source: Some(source), ..known.highlight }, place)
    }

    /// Removes the words, the note and the tags of a deleted highlight, of which nothing is shown (`study.deleted-highlights`).
    fn empty_highlight(&mut self, member: &mut LockedMember, known: StoredHighlight) -> Result<(), StoreError> {
        let state = known.highlight.state.emptied();
        put_next(self, member, Highlight { state, ..known.highlight }, HighlightPlace::Gone).map(|_| ())
    }

    /// Stores where a highlight of a book is now.
    fn move_highlight(
        &mut self,
        member: &mut LockedMember,
        id: HighlightId,
        place: &HighlightPlace,
    ) -> Result<(), StoreError> {
        member.version += 1;
        self.put_highlight_place(member.member, id, place, member.version)
    }

    /// One of the member's highlights, deleted ones included. No other transaction changes it meanwhile.
    fn locked_highlight(
        &mut self,
        member: &LockedMember,
        id: HighlightId,
    ) -> Result<Option<StoredHighlight>, StoreError> {
        self.find_highlight(member.member, id)
    }

    /// One of the member's commitments, deleted ones included. No other transaction changes it meanwhile.
    fn locked_commitment(
        &mut self,
        member: &LockedMember,
        id: CommitmentId,
    ) -> Result<Option<StoredCommitment>, StoreError> {
        self.find_commitment(member.member, id)
    }

    /// Adds a commitment that the member does not have yet, made on `first_day`.
    fn add_commitment(
        &mut self,
        member: &mut LockedMember,
        commitment: Commitment,
        first_day: Day,
    ) -> Result<StoredCommitment, StoreError> {
        put_next_commitment(self, member, commitment, first_day)
    }

    /// Stores what came of a report about a commitment that the member has (`study.commitment-merge`). A report that said nothing
    /// new changes nothing. `first_day` is the day on which it was made, as it is known now.
    fn change_commitment(
        &mut self,
        member: &mut LockedMember,
        known: StoredCommitment,
        state: CommitmentState,
        first_day: Day,
    ) -> Result<StoredCommitment, StoreError> {
        if state == known.commitment.state {
            return Ok(known);
        }
        let is_earlier = state.created_at < known.commitment.state.created_at;
        let first_day = if is_earlier { first_day } else { known.first_day };
        put_next_commitment(self, member, Commitment { state, ..known.commitment }, first_day)
    }

    /// Gives a commitment without a book the one that was found since (`identity.kept-entries`).
    fn attach_commitment(
        &mut self,
        member: &mut LockedMember,
        known: StoredCommitment,
        book: BookId,
    ) -> Result<StoredCommitment, StoreError> {
        put_next_commitment(self, member, Commitment { book: Some(book), ..known.commitment }, known.first_day)
    }

    /// One of the member's lists, deleted ones included. No other transaction changes it meanwhile.
    fn locked_list(&mut self, member: &LockedMember, id: ListId) -> Result<Option<StoredList>, StoreError> {
        self.find_list(member.member, id)
    }

    /// Adds a list that the member does not have yet. It is private.
    fn add_list(&mut self, member: &mut LockedMember, id: ListId, state: ListState) -> Result<StoredList, StoreError> {
        let (sharing, slug, shared_at) = (Sharing::Private, None, None);
        let list = ReadingList { id, state, sharing, slug, shared_at, is_taken_down: false, team_list: None };
        put_next_list(self, member, list)
    }

    /// Stores what came of a report about a list that the member has (`study.list-merge`). A report that said nothing new changes nothing;
    /// one that deletes the list ends all sharing (`study.list-sharing`).
    fn change_list(
        &mut self,
        member: &mut LockedMember,
        known: StoredList,
        state: ListState,
    ) -> Result<StoredList, StoreError> {
        let state = state.pruned();
        if state == known.list.state {
            return Ok(known);
        }
        // A deletion that a later change has overtaken meanwhile has ended what was shared before it.
        let is_deleted = state.deleted_at > known.list.state.deleted_at && state.deleted_at > known.list.shared_at;
        let list = ReadingList { state, ..known.list };
        if list.state.is_shown() && !is_deleted {
            return put_next_list(self, member, list);
        }
        if let Some(id) = list.team_list {
            self.delete_team_list(id)?;
        }
        self.remove_followers(member.member, list.id)?;
        put_next_list(self, member, ReadingList { team_list: None, ..made_private(list) })
    }

    /// Shares a list under a slug, or makes it private: that ends what others follow (`study.list-sharing`).
    fn share_list(
        &mut self,
        member: &mut LockedMember,
        known: StoredList,
        shared: Option<(Sharing, ListSlug)>,
        now: Timestamp,
    ) -> Result<StoredList, StoreError> {
        let Some((sharing, slug)) = shared else {
            self.remove_followers(member.member, known.list.id)?;
            return put_next_list(self, member, made_private(known.list));
        };
        let list = ReadingList { sharing, slug: Some(slug), shared_at: Some(now), ..known.list };
        put_next_list(self, member, list)
    }

    /// Gives a list to the owner's team, or takes it from there (`study.team-lists`).
    fn give_list(
        &mut self,
        member: &mut LockedMember,
        known: StoredList,
        is_for_team: bool,
    ) -> Result<StoredList, StoreError> {
        let team_list = match (known.list.team_list, is_for_team) {
            (None, true) => Some(self.insert_team_list(member.member, known.list.id)?),
            (Some(id), false) => {
                self.delete_team_list(id)?;
                None
            }
            _ => return Ok(known),
        };
        put_next_list(self, member, ReadingList { team_list, ..known.list })
    }

    /// Takes a list down, which makes it private, or allows again that it is shared (`study.taken-down-lists`).
    fn take_down_list(
        &mut self,
        member: &mut LockedMember,
        known: StoredList,
        is_taken_down: bool,
    ) -> Result<StoredList, StoreError> {
        if known.list.is_taken_down == is_taken_down {
            return Ok(known);
        }
        let list = ReadingList { is_taken_down, ..known.list };
        if !is_taken_down {
            return put_next_list(self, member, list);
        }
        self.remove_followers(member.member, list.id)?;
        put_next_list(self, member, made_private(list))
    }

    /// Adds a review card that the member does not have yet. It is due on its first day.
    fn add_card(
        &mut self,
        member: &mut LockedMember,
        card: ReviewCard,
        idea: Option<FoundIdea>,
        first_day: Day,
    ) -> Result<StoredCard, StoreError> {
        let schedule = Schedule::new(first_day);
        put_next_card(self, member, StoredCard { card, idea, first_day, schedule, version: 0 })
    }

    /// Stores what came of a report about a card that the member has ([`StoredCard::merged`]). A report that said nothing new
    /// changes nothing. `first_day` is the day on which it was added, as it is known now.
    fn change_card(
        &mut self,
        member: &mut LockedMember,
        known: StoredCard,
        state: CardState,
        first_day: Day,
    ) -> Result<StoredCard, StoreError> {
        if state == known.card.state {
            return Ok(known);
        }
        let is_earlier = state.created_at < known.card.state.created_at;
        let changed = StoredCard { card: ReviewCard { state, ..known.card }, ..known };
        if !is_earlier {
            return put_next_card(self, member, changed);
        }
        let answers = self.card_answers(member.member, &[changed.card.id])?;
        put_next_card(self, member, StoredCard { first_day, ..changed }.replayed(&answers))
    }

    /// Gives a card without a source the one that was found since (`identity.kept-entries`).
    fn attach_card(
        &mut self,
        member: &mut LockedMember,
        known: StoredCard,
        source: HighlightSource,
    ) -> Result<StoredCard, StoreError> {
        let card = ReviewCard { source: Some(source), ..known.card };
        put_next_card(self, member, StoredCard { card, ..known })
    }

    /// Stores a card as it is, as a change: what it asks for has gone, or is back.
    fn renew_card(&mut self, member: &mut LockedMember, card: StoredCard) -> Result<StoredCard, StoreError> {
        put_next_card(self, member, card)
    }

    /// Stores what the card of an idea asks for now.
    fn move_idea(
        &mut self,
        member: &mut LockedMember,
        id: ReviewCardId,
        found: Option<&FoundIdea>,
    ) -> Result<(), StoreError> {
        member.version += 1;
        self.put_found_idea(member.member, id, found, member.version)
    }

    /// Those of these review cards that the member has, by id. No other transaction changes them meanwhile.
    fn locked_cards(&mut self, member: &LockedMember, ids: &[ReviewCardId]) -> Result<Vec<StoredCard>, StoreError> {
        self.review_cards(member.member, ids)
    }

    /// Adds answers to those that the cards have; the schedules follow from all of them (`study.answer-merge`). One that is there
    /// already changes nothing.
    fn record_answers(
        &mut self,
        member: &mut LockedMember,
        answers: &[CardAnswer],
    ) -> Result<RecordedAnswers, StoreError> {
        let named: BTreeSet<ReviewCardId> = answers.iter().map(|answer| answer.card).collect();
        let ids: Vec<ReviewCardId> = named.iter().copied().collect();
        let mut cards = self.locked_cards(member, &ids)?;
        let known: BTreeSet<ReviewCardId> = cards.iter().map(|card| card.card.id).collect();
        let of_known: Vec<CardAnswer> = answers.iter().filter(|answer| known.contains(&answer.card)).cloned().collect();
        let new: BTreeSet<AnswerId> = self.insert_card_answers(member.member, &of_known)?.into_iter().collect();
        let answered: BTreeSet<ReviewCardId> =
            of_known.iter().filter(|answer| new.contains(&answer.id)).map(|answer| answer.card).collect();
        let ids: Vec<ReviewCardId> = answered.iter().copied().collect();
        let all = if ids.is_empty() { Vec::new() } else { self.card_answers(member.member, &ids)? };
        for card in cards.iter_mut().filter(|card| answered.contains(&card.card.id)) {
            let replayed = card.clone().replayed(&all);
            if replayed.schedule != card.schedule {
                member.version += 1;
                *card = StoredCard { version: member.version, ..replayed };
                self.put_card_schedule(member.member, card.card.id, &card.schedule, card.version)?;
            }
        }
        Ok(RecordedAnswers { cards, unknown: named.difference(&known).copied().collect() })
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

/// Stores a commitment under the next version.
fn put_next_commitment(
    store: &mut (impl StudyStore + ?Sized),
    member: &mut LockedMember,
    commitment: Commitment,
    first_day: Day,
) -> Result<StoredCommitment, StoreError> {
    member.version += 1;
    let stored = StoredCommitment { commitment, first_day, version: member.version };
    store.put_commitment(member.member, &stored)?;
    Ok(stored)
}

/// The list without its slug. Of one that was taken down it stays known since when it was shared: operators see it in this order.
fn made_private(list: ReadingList) -> ReadingList {
    let shared_at = list.shared_at.filter(|_| list.is_taken_down);
    ReadingList { sharing: Sharing::Private, slug: None, shared_at, ..list }
}

/// Stores a list under the next version, and returns it as it is stored: without books that are not there.
fn put_next_list(
    store: &mut (impl StudyStore + ?Sized),
    member: &mut LockedMember,
    list: ReadingList,
) -> Result<StoredList, StoreError> {
    member.version += 1;
    let id = list.id;
    store.put_list(member.member, &StoredList { list, version: member.version })?;
    store.find_list(member.member, id)?.ok_or_else(|| StoreError::new("the list was stored"))
}

/// Stores a card under the next version.
fn put_next_card(
    store: &mut (impl StudyStore + ?Sized),
    member: &mut LockedMember,
    card: StoredCard,
) -> Result<StoredCard, StoreError> {
    member.version += 1;
    let stored = StoredCard { version: member.version, ..card };
    store.put_review_card(member.member, &stored)?;
    Ok(stored)
}
