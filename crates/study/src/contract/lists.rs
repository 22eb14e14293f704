//! The contract of lists.

use kernel::{BookId, Limit, ListId, Slug, UserId};

use super::{Case, NOW, World, later};
use crate::{
    ListKey, ListName, ListNote, ListSearch, ListSlug, ListState, OwnedList, Rank, Register, Sharing, StoredList, Study,
};

pub(super) const CASES: &[Case] = &[
    a_list_is_stored_with_all_its_parts,
    a_list_changes_only_by_what_is_new,
    every_change_of_a_list_comes_once_in_the_order_of_versions,
    a_book_that_is_deleted_leaves_the_lists,
    a_shared_list_is_found_by_its_slug_and_followed,
    a_deleted_list_is_shared_with_nobody,
    a_deletion_that_was_overtaken_ends_what_was_shared_before,
    a_list_that_a_book_has_brought_back_outlives_it,
    slugs_with_a_number_are_those_of_one_name,
    a_list_is_given_to_a_team_once,
    agreements_end_with_the_list_of_the_team,
    lists_for_search_engines_have_books_and_are_public,
    an_operator_finds_public_lists_and_takes_them_down,
];

fn id(number: i64) -> ListId {
    ListId::from_store(number)
}

fn named(name: &str, books: &[(BookId, Option<&str>)], seconds: i64) -> ListState {
    let mut state = ListState::new(NOW);
    state.name = Register::new(ListName::new(name).unwrap(), later(seconds));
    for (book, rank) in books {
        state.set_book(*book, rank.map(|rank| Rank::parse(rank).unwrap()), later(seconds));
    }
    state
}

fn add(world: &mut dyn World, member: UserId, number: i64, state: ListState) -> StoredList {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    assert_eq!(store.locked_list(&locked, id(number)).unwrap(), None);
    store.add_list(&mut locked, id(number), state).unwrap()
}

fn report(world: &mut dyn World, member: UserId, number: i64, report: ListState) -> StoredList {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    let known = store.locked_list(&locked, id(number)).unwrap().unwrap();
    let state = known.list.state.clone().merged(report);
    store.change_list(&mut locked, known, state).unwrap()
}

fn share(world: &mut dyn World, member: UserId, number: i64, shared: Option<(Sharing, &str)>) -> StoredList {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    let known = store.locked_list(&locked, id(number)).unwrap().unwrap();
    let shared = shared.map(|(sharing, slug)| (sharing, ListSlug::from_text(slug.to_owned())));
    store.share_list(&mut locked, known, shared, later(number)).unwrap()
}

fn give(world: &mut dyn World, member: UserId, number: i64, is_for_team: bool) -> StoredList {
    let store = world.store();
    let mut locked = store.lock_records(member).unwrap().unwrap();
    let known = store.locked_list(&locked, id(number)).unwrap().unwrap();
    store.give_list(&mut locked, known, is_for_team).unwrap()
}

fn at(world: &mut dyn World, slug: &str) -> Option<OwnedList> {
    world.store().shared_list(&ListSlug::from_text(slug.to_owned())).unwrap()
}

fn owned(owner: UserId, stored: &StoredList) -> OwnedList {
    OwnedList { owner, stored: stored.clone() }
}

fn a_list_is_stored_with_all_its_parts(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let books = [world.add_book(), world.add_book(), world.add_book()];
    let mut full = named("Work \u{1f989}", &[(books[0], Some("a1")), (books[1], None), (books[2], Some("Zz"))], 2);
    full.note = Register::new(ListNote::new("For May.\n\nAnd June.").unwrap(), later(3));
    full.deleted_at = Some(later(1));
    full.created_at = NOW.plus(1);
    let hers = add(world, ada, 7, full.clone());
    full.changed_at = full.edited_at();
    assert_eq!((hers.version, &hers.list.state, hers.list.sharing), (1, &full, Sharing::Private));
    assert_eq!(hers.list.state.shown_books(), [books[2], books[0]]);
    assert_eq!(world.store().find_list(ada, id(7)).unwrap(), Some(hers));
    let his = add(world, bob, 7, named("Work", &[], 0));
    assert_eq!((his.version, his.list.state.books.len()), (1, 0));
    assert_eq!(world.store().find_list(bob, id(8)).unwrap(), None);
    add(world, ada, 8, ListState { deleted_at: Some(later(9)), ..named("Gone", &[], 0) });
    assert_eq!((world.store().count_lists(ada).unwrap(), world.store().count_lists(bob).unwrap()), (1, 1));
    assert_eq!(world.store().study_version(ada).unwrap(), 2);
}

fn a_list_changes_only_by_what_is_new(world: &mut dyn World) {
    let (ada, book, other) = (world.add_member(), world.add_book(), world.add_book());
    let first = add(world, ada, 7, named("Work", &[(book, Some("a0"))], 1));
    assert_eq!(report(world, ada, 7, named("Work", &[(book, Some("a0"))], 1)), first);
    // They were set before what is known.
    assert_eq!(report(world, ada, 7, named("Money", &[(book, None)], 0)), first);
    let mut more = ListState::new(later(9));
    more.set_book(other, Some(Rank::parse("a1").unwrap()), later(5));
    let second = report(world, ada, 7, more);
    assert_eq!((second.version, second.list.state.shown_books()), (2, vec![book, other]));
    let mut less = ListState::new(later(9));
    less.set_book(book, None, later(6));
    let third = report(world, ada, 7, less);
    assert_eq!((third.version, third.list.state.shown_books()), (3, vec![other]));
    assert_eq!(world.store().find_list(ada, id(7)).unwrap(), Some(third));
    assert_eq!(world.store().books_on_lists(ada).unwrap(), [other]);
}

fn every_change_of_a_list_comes_once_in_the_order_of_versions(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    for number in 1..=4 {
        add(world, ada, number, named("Work", &[(book, Some("a0"))], 1));
    }
    add(world, bob, 9, named("Work", &[], 1));
    report(world, ada, 2, named("Money", &[], 5));
    let mut after = |version, limit| -> Vec<i64> {
        let lists = world.store().lists_after(ada, version, Limit::clamped(limit)).unwrap();
        lists.iter().map(|stored| stored.list.id.get()).collect()
    };
    assert_eq!(after(0, 100), [1, 3, 4, 2]);
    assert_eq!((after(0, 2), after(3, 100), after(5, 100)), (vec![1, 3, 4], vec![4, 2], vec![]));
}

fn a_book_that_is_deleted_leaves_the_lists(world: &mut dyn World) {
    let (ada, book, other) = (world.add_member(), world.add_book(), world.add_book());
    add(world, ada, 7, named("Work", &[(book, Some("a0")), (other, Some("a1"))], 1));
    world.delete_book(book);
    let kept = world.store().find_list(ada, id(7)).unwrap().unwrap();
    assert_eq!(kept.list.state.shown_books(), [other]);
    // A report that still has it is stored without it.
    let said = report(world, ada, 7, named("Money", &[(book, Some("a2"))], 5));
    assert_eq!((said.list.state.shown_books(), said.list.state.books.len()), (vec![other], 1));
}

fn a_shared_list_is_found_by_its_slug_and_followed(world: &mut dyn World) {
    let (ada, bob, cem) = (world.add_member(), world.add_member(), world.add_member());
    let book = world.add_book();
    for number in [1, 2] {
        add(world, ada, number, named("Work", &[(book, Some("a0"))], 1));
    }
    let public = share(world, ada, 1, Some((Sharing::Public, "work")));
    let linked = share(world, ada, 2, Some((Sharing::Link, "ABCD")));
    assert_eq!((public.version, public.list.shared_at), (3, Some(later(1))));
    assert_eq!(at(world, "work"), Some(owned(ada, &public)));
    assert_eq!((at(world, "ABCD"), at(world, "abcd")), (Some(owned(ada, &linked)), None));
    for (member, number, seconds) in [(bob, 2, 1), (bob, 1, 2), (cem, 1, 3), (bob, 2, 4)] {
        world.store().follow_list(member, ada, id(number), later(seconds)).unwrap();
    }
    assert_eq!(world.store().followed_lists(bob).unwrap(), [owned(ada, &linked), owned(ada, &public)]);
    assert_eq!(world.store().list_followers(ada).unwrap(), [(id(1), 2), (id(2), 1)]);
    let mut follows = |number| world.store().is_following(cem, ada, id(number)).unwrap();
    assert_eq!((follows(1), follows(2)), (true, false));
    assert_eq!((world.store().count_followed(bob).unwrap(), world.store().count_followed(ada).unwrap()), (2, 0));
    let slugs = world.store().lock_slugs(&Slug::parse("work").unwrap()).unwrap();
    assert_eq!(slugs.iter().map(ListSlug::as_str).collect::<Vec<_>>(), ["work"]);
    world.store().unfollow_list(bob, ada, id(2)).unwrap();
    assert_eq!(world.store().followed_lists(bob).unwrap(), [owned(ada, &public)]);
    // Private, it is nobody's but the owner's.
    let private = share(world, ada, 1, None);
    assert_eq!((private.list.sharing, &private.list.slug), (Sharing::Private, &None));
    assert_eq!((at(world, "work"), world.store().followed_lists(bob).unwrap()), (None, vec![]));
    assert_eq!(world.store().list_followers(ada).unwrap(), []);
    // Another list may have the slug now.
    share(world, ada, 2, Some((Sharing::Public, "work")));
    assert_eq!(at(world, "work").unwrap().stored.list.id, id(2));
}

fn a_deleted_list_is_shared_with_nobody(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    add(world, ada, 1, named("Work", &[], 1));
    share(world, ada, 1, Some((Sharing::Public, "work")));
    let team = give(world, ada, 1, true).list.team_list.unwrap();
    world.store().follow_list(bob, ada, id(1), later(1)).unwrap();
    let deleted = report(world, ada, 1, ListState { deleted_at: Some(later(9)), ..ListState::new(NOW) });
    assert_eq!((deleted.list.sharing, deleted.list.team_list), (Sharing::Private, None));
    assert_eq!((at(world, "work"), world.store().team_list(team).unwrap()), (None, None));
    assert_eq!(world.store().list_followers(ada).unwrap(), []);
    // Brought back, it is private.
    let back = report(world, ada, 1, named("Work", &[], 10));
    assert_eq!((back.list.state.is_shown(), back.list.sharing), (true, Sharing::Private));
}

fn a_deletion_that_was_overtaken_ends_what_was_shared_before(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    add(world, ada, 4, named("Work", &[], 1));
    // Shared at 4, deleted at 3 or 9 and brought back at 10, in one report.
    for (deleted, is_shared) in [(3, true), (9, false)] {
        share(world, ada, 4, Some((Sharing::Public, "work")));
        world.store().follow_list(bob, ada, id(4), later(5)).unwrap();
        let merged = report(world, ada, 4, ListState { deleted_at: Some(later(deleted)), ..named("Back", &[], 10) });
        assert!(merged.list.state.is_shown());
        assert_eq!(
            (merged.list.slug.is_some(), world.store().count_followed(bob).unwrap() > 0),
            (is_shared, is_shared)
        );
    }
}

fn a_list_that_a_book_has_brought_back_outlives_it(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    add(world, ada, 7, ListState { deleted_at: Some(later(8)), ..named("Work", &[], 1) });
    let back = report(world, ada, 7, named("Work", &[(book, Some("a0"))], 9));
    assert!(back.list.state.is_shown());
    world.delete_book(book);
    let kept = world.store().find_list(ada, id(7)).unwrap().unwrap();
    assert_eq!((kept.list.state.is_shown(), kept.list.state.edited_at()), (true, later(9)));
    assert_eq!(world.store().count_lists(ada).unwrap(), 1);
}

fn slugs_with_a_number_are_those_of_one_name(world: &mut dyn World) {
    let ada = world.add_member();
    for (number, slug) in (1..).zip(["work", "work-2", "work-life", "works", "network"]) {
        add(world, ada, number, named("Work", &[], 1));
        share(world, ada, number, Some((Sharing::Public, slug)));
    }
    let slugs = world.store().lock_slugs(&Slug::parse("work").unwrap()).unwrap();
    assert_eq!(slugs.iter().map(ListSlug::as_str).collect::<Vec<_>>(), ["work", "work-2", "work-life"]);
}

fn a_list_is_given_to_a_team_once(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    for number in [1, 2] {
        add(world, ada, number, named("Work", &[], 1));
    }
    let second = give(world, ada, 2, true);
    assert_eq!((second.version, give(world, ada, 2, true)), (3, second.clone()));
    let first = give(world, ada, 1, true);
    let given = second.list.team_list.unwrap();
    assert_eq!(world.store().team_list(given).unwrap(), Some(owned(ada, &second)));
    assert_eq!(world.store().team_lists_of(&[ada, bob]).unwrap(), [owned(ada, &second), owned(ada, &first)]);
    assert_eq!(world.store().team_lists_of(&[bob]).unwrap(), []);
    let taken = give(world, ada, 2, false);
    assert_eq!((taken.list.team_list, world.store().team_list(given).unwrap()), (None, None));
    assert_eq!(give(world, ada, 2, false), taken);
}

fn agreements_end_with_the_list_of_the_team(world: &mut dyn World) {
    let (ada, bob, cem) = (world.add_member(), world.add_member(), world.add_member());
    add(world, ada, 1, named("Work", &[], 1));
    let given = give(world, ada, 1, true).list.team_list.unwrap();
    let store = world.store();
    for (member, seconds) in [(bob, 1), (cem, 2), (bob, 3)] {
        assert!(store.put_agreement(given, member, Some(later(seconds))).unwrap());
    }
    let mut agreed = store.agreed_members(given).unwrap();
    agreed.sort_unstable();
    // The moment is that of the last agreement.
    assert_eq!(agreed, [(bob, later(3)), (cem, later(2))]);
    assert_eq!(store.agreements_of(bob).unwrap(), [(given, later(3))]);
    assert!(store.put_agreement(given, cem, None).unwrap());
    assert_eq!(store.agreed_members(given).unwrap(), [(bob, later(3))]);
    give(world, ada, 1, false);
    let store = world.store();
    assert_eq!((store.agreements_of(bob).unwrap(), store.agreed_members(given).unwrap()), (vec![], vec![]));
    assert!(!store.put_agreement(given, bob, Some(later(5))).unwrap());
    assert_eq!(store.agreements_of(bob).unwrap(), []);
    // Given again, it is another: nobody has agreed to it.
    let again = give(world, ada, 1, true).list.team_list.unwrap();
    assert_ne!(again, given);
}

fn lists_for_search_engines_have_books_and_are_public(world: &mut dyn World) {
    let ada = world.add_member();
    let books = [world.add_book(), world.add_book(), world.add_book()];
    let [one, two, three] = books.map(|book| (book, Some("a0")));
    for (number, state) in [
        (1, named("Full", &[one, two, three], 1)),
        (2, named("By link", &[one, two, three], 1)),
        (3, named("Short", &[one, two, (books[2], None)], 1)),
        (4, named("Also full", &[one, two, three], 2)),
    ] {
        add(world, ada, number, state);
    }
    share(world, ada, 1, Some((Sharing::Public, "full")));
    share(world, ada, 2, Some((Sharing::Link, "LINK")));
    share(world, ada, 3, Some((Sharing::Public, "short")));
    share(world, ada, 4, Some((Sharing::Public, "also-full")));
    let mut public = |after: Option<&str>, limit| -> Vec<String> {
        let after = after.map(|after| ListSlug::from_text(after.to_owned()));
        let lists = world.store().public_lists(3, after.as_ref(), Limit::clamped(limit)).unwrap();
        lists.into_iter().map(|(slug, at)| format!("{} {}", slug.as_str(), at.millis() - NOW.millis())).collect()
    };
    assert_eq!(public(None, 9), ["also-full 2000", "full 1000"]);
    assert_eq!(
        (public(None, 1), public(Some("also-full"), 9)),
        (vec!["also-full 2000".to_owned()], vec!["full 1000".to_owned()])
    );
    assert_eq!(public(Some("full"), 9), Vec::<String>::new());
}

fn an_operator_finds_public_lists_and_takes_them_down(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    for (owner, number, name) in [(ada, 1, "Work 100%"), (ada, 2, "Money"), (ada, 3, "By link"), (bob, 4, "Work too")] {
        add(world, owner, number, named(name, &[], 1));
    }
    share(world, ada, 1, Some((Sharing::Public, "work")));
    share(world, ada, 2, Some((Sharing::Public, "money")));
    share(world, ada, 3, Some((Sharing::Link, "LINK")));
    share(world, bob, 4, Some((Sharing::Public, "work-2")));
    world.store().follow_list(bob, ada, id(1), later(1)).unwrap();
    let search = |text: &str| ListSearch { text: text.to_owned(), after: None };
    let found = |world: &mut dyn World, search: &ListSearch, limit| -> Vec<(i64, u32)> {
        let lists = world.store().search_lists(search, Limit::clamped(limit)).unwrap();
        lists.iter().map(|listed| (listed.owned.stored.list.id.get(), listed.followers)).collect()
    };
    // By when they were shared.
    assert_eq!(found(world, &search(""), 9), [(4, 0), (2, 0), (1, 1)]);
    assert_eq!(found(world, &search(""), 1), [(4, 0), (2, 0)]);
    assert_eq!(found(world, &search("WORK"), 9), [(4, 0), (1, 1)]);
    assert_eq!((found(world, &search("100%"), 9), found(world, &search("1_0"), 9)), (vec![(1, 1)], vec![]));
    assert_eq!((found(world, &search("LINK"), 9), found(world, &search("by link"), 9)), (vec![(3, 0)], vec![]));
    let first = world.store().search_lists(&search(""), Limit::clamped(1)).unwrap().remove(0);
    assert_eq!(first.cursor().id, ListKey { owner: bob, id: id(4) });
    let rest = ListSearch { after: Some(first.cursor()), ..search("") };
    assert_eq!(found(world, &rest, 9), [(2, 0), (1, 1)]);
    assert_eq!(world.store().count_listed(&rest).unwrap().count(), 3);

    let take_down = |world: &mut dyn World, is_taken_down| {
        let store = world.store();
        let mut locked = store.lock_records(ada).unwrap().unwrap();
        let known = store.locked_list(&locked, id(1)).unwrap().unwrap();
        store.take_down_list(&mut locked, known, is_taken_down).unwrap()
    };
    let down = take_down(world, true);
    assert_eq!((down.list.is_taken_down, down.list.sharing, &down.list.slug), (true, Sharing::Private, &None));
    assert_eq!((at(world, "work"), world.store().followed_lists(bob).unwrap()), (None, vec![]));
    assert_eq!(found(world, &search(""), 9), [(4, 0), (2, 0), (1, 0)]);
    // Deleted and brought back it stands where it stood.
    report(world, ada, 1, ListState { deleted_at: Some(later(20)), ..ListState::new(NOW) });
    assert_eq!(found(world, &search(""), 9), [(4, 0), (2, 0)]);
    report(world, ada, 1, named("Work again", &[], 30));
    assert_eq!(found(world, &search(""), 9), [(4, 0), (2, 0), (1, 0)]);
    let allowed = take_down(world, false);
    assert_eq!((allowed.list.is_taken_down, allowed.list.sharing), (false, Sharing::Private));
    assert_eq!(take_down(world, false), allowed);
    assert_eq!(found(world, &search(""), 9), [(4, 0), (2, 0)]);
}
