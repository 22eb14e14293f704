//! The contract of completed ideas.

use kernel::BookId;

use super::{Case, NOW, World, later};
use crate::CompletedIdea;

pub(super) const CASES: &[Case] = &[the_latest_completion_of_an_idea_counts, ideas_go_with_their_book];

fn idea(book: BookId, idea: &str, seconds: i64) -> CompletedIdea {
    CompletedIdea { book, idea: idea.to_owned(), at: later(seconds) }
}

fn the_latest_completion_of_an_idea_counts(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let [walden, prince] = [world.add_book(), world.add_book()];
    let store = world.store();
    store.record_completed_ideas(ada, &[]).unwrap();
    store.record_completed_ideas(ada, &[idea(walden, "Own less", 20), idea(prince, "Fear", 10)]).unwrap();
    // Late, and twice in one report.
    store.record_completed_ideas(ada, &[idea(walden, "Own less", 5), idea(walden, "Own less", 15)]).unwrap();
    store.record_completed_ideas(ada, &[idea(walden, "Walk", 30), idea(walden, "Walk", 40)]).unwrap();
    store.record_completed_ideas(bob, &[idea(walden, "Own less", 50)]).unwrap();
    let all = [idea(walden, "Own less", 20), idea(walden, "Walk", 40), idea(prince, "Fear", 10)];
    assert_eq!(store.completed_ideas(ada, NOW).unwrap(), all);
    assert_eq!(store.completed_ideas(ada, later(20)).unwrap(), all[..2]);
    assert_eq!(store.completed_ideas(bob, later(51)).unwrap(), []);
}

fn ideas_go_with_their_book(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    world.store().record_completed_ideas(ada, &[idea(book, "Own less", 1)]).unwrap();
    world.delete_book(book);
    assert_eq!(world.store().completed_ideas(ada, NOW).unwrap(), []);
    // One that is reported late.
    world.store().record_completed_ideas(ada, &[idea(book, "Own less", 2)]).unwrap();
    assert_eq!(world.store().completed_ideas(ada, NOW).unwrap(), []);
}
