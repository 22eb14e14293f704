//! The contract of commitments.

use kernel::{BookId, CommitmentId, Limit, UserId};

use super::{Case, NOW, TODAY, World, add, later, state};
use crate::{
    Asking, Commitment, CommitmentState, CommitmentText, HighlightSource, Outcome, Register, StoredCommitment, Study,
};

pub(super) const CASES: &[Case] = &[
    a_commitment_is_stored_with_all_its_parts,
    a_commitment_changes_only_by_what_is_new,
    a_commitment_that_was_made_earlier_is_asked_about_earlier,
    every_change_of_a_commitment_comes_once_in_the_order_of_versions,
    a_commitment_outlives_its_book,
    a_commitment_gets_the_book_that_is_found,
];

fn id(number: i64) -> CommitmentId {
    CommitmentId::from_store(number)
}

fn wanted(text: &str, seconds: i64) -> CommitmentState {
    let text = Register::new(CommitmentText::new(text).unwrap(), later(seconds));
    CommitmentState { text, ..CommitmentState::new(NOW) }
}

fn commit(
    world: &mut dyn World,
    member: UserId,
    number: i64,
    book: BookId,
    state: CommitmentState,
) -> StoredCommitment {
    let [book_title, book_author] = ["Walden", "Henry David Thoreau"].map(str::to_owned);
    let commitment = Commitment { id: id(number), book: Some(book), book_title, book_author, state };
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    assert_eq!(store.locked_commitment(&locked, id(number)).unwrap(), None);
    store.add_commitment(&mut locked, commitment, TODAY).unwrap()
}

fn report(
    world: &mut dyn World,
    member: UserId,
    number: i64,
    report: CommitmentState,
    first_day: kernel::Day,
) -> StoredCommitment {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    let known = store.locked_commitment(&locked, id(number)).unwrap().unwrap();
    let state = known.commitment.state.clone().merged(report);
    store.change_commitment(&mut locked, known, state, first_day).unwrap()
}

fn found(world: &mut dyn World, member: UserId, number: i64) -> Option<StoredCommitment> {
    world.store().find_commitment(member, id(number)).unwrap()
}

/// The numbers of the commitments that changed after a version, at most one more than the limit.
fn after(world: &mut dyn World, member: UserId, version: u64, limit: usize) -> Vec<i64> {
    let changed = world.store().commitments_after(member, version, Limit::clamped(limit)).unwrap();
    changed.iter().map(|stored| stored.commitment.id.get()).collect()
}

fn a_commitment_is_stored_with_all_its_parts(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    let full = CommitmentState {
        outcome: Register::new(Outcome::Dropped, later(3)),
        answered: Some(Asking::AfterTwoWeeks),
        deleted_at: Some(later(9)),
        created_at: NOW.plus(1),
        ..wanted("Own less \u{1f989}.", 2)
    };
    let hers = commit(world, ada, 7, book, full);
    assert_eq!((hers.version, hers.first_day), (1, TODAY));
    assert_eq!(found(world, ada, 7), Some(hers));
    let his = commit(world, bob, 7, book, wanted("Walk.", 0));
    let bare = commit(world, ada, 8, book, wanted("Walk.", 0));
    assert_eq!((his.version, bare.version), (1, 2));
    assert_eq!(world.store().open_commitments(ada).unwrap(), std::slice::from_ref(&bare));
    assert_eq!(world.store().open_commitments(bob).unwrap(), std::slice::from_ref(&his));
    assert_eq!((found(world, bob, 7), found(world, ada, 8)), (Some(his), Some(bare)));
    assert_eq!(found(world, bob, 8), None);
    assert_eq!(world.store().study_version(ada).unwrap(), 2);
}

fn a_commitment_changes_only_by_what_is_new(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    let first = commit(world, ada, 7, book, wanted("Walk.", 1));
    assert_eq!(report(world, ada, 7, wanted("Walk.", 1), TODAY), first);
    // It was set before what is known.
    assert_eq!(report(world, ada, 7, wanted("Run.", 0), TODAY), first);
    let answered = CommitmentState { answered: Some(Asking::AfterThreeDays), ..CommitmentState::new(later(9)) };
    let second = report(world, ada, 7, answered.clone(), TODAY);
    assert_eq!((second.version, second.commitment.state.answered), (2, Some(Asking::AfterThreeDays)));
    assert_eq!(report(world, ada, 7, answered, TODAY), second);
    let done = CommitmentState { outcome: Register::new(Outcome::Done, later(5)), ..CommitmentState::new(later(9)) };
    let third = report(world, ada, 7, done, TODAY.plus(4));
    assert_eq!((third.version, third.commitment.state.outcome.value), (3, Outcome::Done));
    assert_eq!((&third.commitment.state.text, third.first_day), (&first.commitment.state.text, TODAY));
    assert_eq!(found(world, ada, 7), Some(third));
}

fn a_commitment_that_was_made_earlier_is_asked_about_earlier(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    commit(world, ada, 7, book, wanted("Walk.", 1));
    let earlier = CommitmentState { created_at: NOW.plus(-1), ..wanted("Walk.", 1) };
    let changed = report(world, ada, 7, earlier, TODAY.yesterday());
    assert_eq!((changed.first_day, changed.version), (TODAY.yesterday(), 2));
    assert_eq!(found(world, ada, 7), Some(changed));
}

fn every_change_of_a_commitment_comes_once_in_the_order_of_versions(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    for number in 1..=4 {
        commit(world, ada, number, book, wanted("Walk.", 1));
    }
    // Versions are those of all of a member's records.
    assert_eq!(add(world, ada, 1, HighlightSource::Book(book), state()).version, 5);
    let deleted = CommitmentState { deleted_at: Some(later(2)), ..CommitmentState::new(NOW) };
    assert_eq!(report(world, ada, 2, deleted, TODAY).version, 6);
    assert_eq!(after(world, ada, 0, 9), [1, 3, 4, 2]);
    assert_eq!(after(world, ada, 0, 2), [1, 3, 4], "one more than the limit");
    assert_eq!(after(world, ada, 4, 9), [2]);
    assert_eq!(after(world, ada, 6, 9), [0_i64; 0]);
    assert_eq!(after(world, bob, 0, 9), [0_i64; 0]);
}

fn a_commitment_outlives_its_book(world: &mut dyn World) {
    let (ada, book, other) = (world.add_member(), world.add_book(), world.add_book());
    commit(world, ada, 7, book, wanted("Walk.", 1));
    commit(world, ada, 8, other, wanted("Run.", 1));
    world.delete_book(book);
    let kept = found(world, ada, 7).unwrap().commitment;
    assert_eq!((kept.book, kept.book_title.as_str()), (None, "Walden"));
    assert_eq!(found(world, ada, 8).unwrap().commitment.book, Some(other));
    let books: Vec<_> = world.store().commitments_after(ada, 0, Limit::clamped(9)).unwrap();
    assert_eq!(books.iter().map(|stored| stored.commitment.book).collect::<Vec<_>>(), [None, Some(other)]);
    // It is changed as before.
    report(world, ada, 7, wanted("Walk daily.", 5), TODAY);
    assert_eq!(found(world, ada, 7).unwrap().commitment.state.text.value.as_str(), "Walk daily.");
}

fn a_commitment_gets_the_book_that_is_found(world: &mut dyn World) {
    let (ada, book, again) = (world.add_member(), world.add_book(), world.add_book());
    let made = commit(world, ada, 1, book, wanted("Walk.", 0));
    world.delete_book(book);
    let known = found(world, ada, 1).unwrap();
    assert_eq!(known.commitment.book, None);
    let store = world.store();
    let mut locked = store.lock_records(ada).unwrap().unwrap();
    let attached = store.attach_commitment(&mut locked, known, again).unwrap();
    assert_eq!((attached.commitment.book, attached.first_day), (Some(again), TODAY));
    assert_eq!(attached.commitment.state, made.commitment.state);
    assert!(attached.version > made.version);
    assert_eq!(found(world, ada, 1), Some(attached));
}
