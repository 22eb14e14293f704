//! What every store of members' summaries does, with the rules of [`MemberSummaries`] over it: one suite for memory and Postgres.

use std::ops::Range;

use kernel::{Limit, MINUTE, SummaryId, Timestamp, UserId};

use crate::{
    AT_A_TIME, Engine, FailureCode, FinishedSummary, ImportedSummary, KeyIdea, MemberSummaries, MemberSummary,
    MemberSummaryError, MemberSummaryStore, NewSummary, SITE_QUEUE, SourceKind, SummaryFailure, SummaryLanguage,
    SummarySource, SummaryState, SummaryText, TITLE_MAX,
};

/// A store, and the members, which another domain owns.
pub trait World {
    /// Adds a member.
    fn add_member(&mut self) -> UserId;
    /// The store.
    fn store(&mut self) -> &mut dyn MemberSummaryStore;
}

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// All cases. The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    a_summary_is_made_and_its_bytes_are_forgotten,
    a_failure_is_kept_with_its_reason,
    a_repeated_request_is_the_same_summary,
    a_member_has_two_under_way_and_the_site_a_hundred,
    what_was_cancelled_is_gone_for_who_works_on_it,
    members_see_their_own_only,
    the_list_is_searched_and_told_page_by_page,
    titles_are_changed_by_their_member,
    an_imported_summary_is_added_once,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn text(name: &str) -> NewSummary {
    NewSummary {
        key: None,
        title: name.to_owned(),
        source: SummarySource { kind: SourceKind::Text, name: "Pasted text".to_owned(), url: None },
        document: Some(b"One thing. Another thing.".to_vec()),
    }
}

fn made(idea: &str) -> FinishedSummary {
    let ideas = vec![KeyIdea {
        title: "Idea".to_owned(),
        text: idea.to_owned(),
        is_supported: true,
        passages: vec![0..10, 11..25],
        quotations: vec![Range { start: 0, end: 3 }],
    }];
    FinishedSummary {
        title: None,
        engine: Engine::BuiltIn,
        fell_back: true,
        language: Some(SummaryLanguage { code: "en".to_owned(), name: "English".to_owned() }),
        text: SummaryText {
            text: "One thing. Another thing.".to_owned(),
            headings: vec![Range { start: 0, end: 3 }],
            ideas,
        },
    }
}

fn ask(world: &mut dyn World, member: UserId, name: &str) -> SummaryId {
    let (id, is_new) = world.store().ask_summary(member, &text(name), NOW).unwrap();
    assert!(is_new);
    id
}

fn finish(world: &mut dyn World, id: SummaryId, idea: &str) {
    world.store().finish_summary(id, &made(idea), NOW.plus(MINUTE)).unwrap();
}

fn one(world: &mut dyn World, member: UserId, id: SummaryId) -> MemberSummary {
    world.store().member_summary(member, id).unwrap().unwrap()
}

fn titles(world: &mut dyn World, member: UserId, search: &str) -> (Vec<String>, u64) {
    let (page, count) = world.store().search_summaries(member, search, None, Limit::clamped(100)).unwrap();
    (page.items.into_iter().map(|summary| summary.title).collect(), count)
}

fn a_summary_is_made_and_its_bytes_are_forgotten(world: &mut dyn World) {
    let ada = world.add_member();
    let id = ask(world, ada, "  On\nthings ");
    assert_eq!((one(world, ada, id).title.as_str(), one(world, ada, id).state), ("On things", SummaryState::Queued));
    let waiting = world.store().waiting_source(id).unwrap().unwrap();
    assert_eq!(waiting.document.as_deref(), Some(b"One thing. Another thing.".as_slice()));
    assert!(world.store().advance_member_summary(id, SummaryState::Reading).unwrap());
    assert_eq!(one(world, ada, id).state, SummaryState::Reading);
    assert_eq!(world.store().member_summary_text(ada, id).unwrap(), None);
    finish(world, id, "Three words here.");
    let summary = one(world, ada, id);
    assert_eq!(
        (summary.state, summary.engine, summary.fell_back, summary.words, summary.idea_count, summary.done_at),
        (SummaryState::Done, Some(Engine::BuiltIn), true, Some(3), Some(1), Some(NOW.plus(MINUTE)))
    );
    assert_eq!(summary.language.unwrap().name, "English");
    assert_eq!(world.store().member_summary_text(ada, id).unwrap(), Some(made("Three words here.").text));
    assert_eq!(world.store().waiting_source(id).unwrap(), None);
    assert!(!world.store().advance_member_summary(id, SummaryState::Reading).unwrap());
    // A summary is finished only once.
    finish(world, id, "Another.");
    assert_eq!(one(world, ada, id).words, Some(3));
    let named = FinishedSummary { title: Some("Walden ".to_owned()), ..made("One.") };
    let other = ask(world, ada, "a file");
    world.store().finish_summary(other, &named, NOW).unwrap();
    assert_eq!(one(world, ada, other).title, "Walden");
}

fn a_failure_is_kept_with_its_reason(world: &mut dyn World) {
    let ada = world.add_member();
    let id = ask(world, ada, "a file");
    let failure = SummaryFailure { code: FailureCode::Scanned, text: "Pictures only.".to_owned() };
    world.store().fail_summary(id, &failure, NOW).unwrap();
    let summary = one(world, ada, id);
    assert_eq!((summary.state, summary.failure, summary.done_at), (SummaryState::Failed, Some(failure), Some(NOW)));
    assert_eq!(world.store().waiting_source(id).unwrap(), None);
    finish(world, id, "Late.");
    assert_eq!(one(world, ada, id).state, SummaryState::Failed);
}

fn a_repeated_request_is_the_same_summary(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let keyed = NewSummary { key: Some("k1".to_owned()), ..text("keyed") };
    let (first, _) = world.store().ask_summary(ada, &keyed, NOW).unwrap();
    assert_eq!(world.store().ask_summary(ada, &keyed, NOW).unwrap(), (first, false));
    let (other, is_new) = world.store().ask_summary(bob, &keyed, NOW).unwrap();
    assert!(is_new && other != first);
}

fn a_member_has_two_under_way_and_the_site_a_hundred(world: &mut dyn World) {
    let ada = world.add_member();
    let ids: Vec<SummaryId> = (0..AT_A_TIME).map(|_| ask(world, ada, "one")).collect();
    let refused = world.store().ask_summary(ada, &text("more"), NOW);
    assert!(matches!(refused, Err(MemberSummaryError::TooManyAtOnce)));
    finish(world, ids[0], "Done.");
    ask(world, ada, "one more");
    for _ in 0..(SITE_QUEUE - AT_A_TIME) / AT_A_TIME {
        let member = world.add_member();
        ask(world, member, "a");
        ask(world, member, "b");
    }
    let last = world.add_member();
    let refused = world.store().ask_summary(last, &text("too many"), NOW);
    assert!(matches!(refused, Err(MemberSummaryError::QueueFull)));
}

fn what_was_cancelled_is_gone_for_who_works_on_it(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let id = ask(world, ada, "one");
    assert!(matches!(world.store().cancel_summary(bob, id), Err(MemberSummaryError::UnknownSummary)));
    world.store().cancel_summary(ada, id).unwrap();
    assert_eq!(world.store().member_summary(ada, id).unwrap(), None);
    assert!(!world.store().advance_member_summary(id, SummaryState::Reading).unwrap());
    finish(world, id, "Late.");
    assert_eq!(titles(world, ada, ""), (vec![], 0));
    let other = ask(world, ada, "two");
    finish(world, other, "Done.");
    assert!(matches!(world.store().cancel_summary(ada, other), Err(MemberSummaryError::Finished)));
    assert!(world.store().delete_member_summary(ada, other).unwrap());
    assert!(!world.store().delete_member_summary(ada, other).unwrap());
}

fn members_see_their_own_only(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let id = ask(world, ada, "Ada's");
    finish(world, id, "Private.");
    assert_eq!(world.store().member_summary(bob, id).unwrap(), None);
    assert_eq!(world.store().member_summary_text(bob, id).unwrap(), None);
    assert!(world.store().summary_titles(bob, &[id]).unwrap().is_empty());
    assert_eq!(world.store().summary_titles(ada, &[id]).unwrap()[&id], "Ada's");
    assert!(!world.store().delete_member_summary(bob, id).unwrap());
    assert!(matches!(world.store().rename_summary(bob, id, "Bob's"), Err(MemberSummaryError::UnknownSummary)));
    assert_eq!(titles(world, bob, "").1, 0);
}

fn the_list_is_searched_and_told_page_by_page(world: &mut dyn World) {
    let ada = world.add_member();
    for (name, idea) in
        [("Walden", "Live simply."), ("50% of all", "Half of it_all."), ("On Walking", "Go west, simply.")]
    {
        let id = ask(world, ada, name);
        finish(world, id, idea);
    }
    assert_eq!(titles(world, ada, ""), (vec!["On Walking".into(), "50% of all".into(), "Walden".into()], 3));
    assert_eq!(titles(world, ada, "SIMPLY wal"), (vec!["On Walking".into(), "Walden".into()], 2));
    assert_eq!(titles(world, ada, "simply west"), (vec!["On Walking".into()], 1));
    assert_eq!(titles(world, ada, "50%").0, ["50% of all"]);
    assert_eq!(titles(world, ada, "it_").0, ["50% of all"]);
    assert_eq!(titles(world, ada, "\\").1, 0);
    let (first, count) = world.store().search_summaries(ada, "", None, Limit::clamped(2)).unwrap();
    assert_eq!((first.items.len(), count), (2, 3));
    let (rest, _) = world.store().search_summaries(ada, "", first.next, Limit::clamped(2)).unwrap();
    assert_eq!((rest.items[0].title.as_str(), rest.items.len(), rest.next), ("Walden", 1, None));
}

fn titles_are_changed_by_their_member(world: &mut dyn World) {
    let ada = world.add_member();
    let id = ask(world, ada, "one");
    world.store().rename_summary(ada, id, " On life ").unwrap();
    assert_eq!(one(world, ada, id).title, "On life");
    for bad in [" ", &"x".repeat(TITLE_MAX + 1)] {
        assert!(matches!(world.store().rename_summary(ada, id, bad), Err(MemberSummaryError::InvalidTitle)));
    }
}

/// It is known by its source and the moment of its request, also when it was made here and has another title now.
fn an_imported_summary_is_added_once(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let FinishedSummary { engine, fell_back, language, text: finished, .. } = made("One thing.");
    let imported = |title: &str, at| ImportedSummary {
        title: title.to_owned(),
        source: text("").source,
        engine,
        fell_back,
        language: language.clone(),
        text: finished.clone(),
        created_at: at,
        done_at: NOW.plus(MINUTE),
    };
    let here = ask(world, ada, "Here");
    world.store().finish_summary(here, &made("One thing."), NOW).unwrap();
    let earlier = NOW.plus(-MINUTE);
    let all = [imported("Elsewhere", earlier), imported("There", NOW), imported("Again", earlier)];
    let mut import = |member| {
        let mut known = world.store().known_summaries(member).unwrap();
        all.each_ref().map(|summary| world.store().import_summary(member, &mut known, summary).unwrap())
    };
    let ids = import(ada);
    assert_eq!((ids[1], ids[0]), (here, ids[2]));
    assert_eq!(import(ada), ids);
    assert!(import(bob).iter().all(|id| !ids.contains(id)));
    let added = world.store().member_summary(ada, ids[0]).unwrap().unwrap();
    let moments = (added.created_at, added.done_at);
    let expected = (earlier, Some(NOW.plus(MINUTE)));
    assert_eq!((added.title.as_str(), added.state, moments), ("Elsewhere", SummaryState::Done, expected));
    assert_eq!(world.store().member_summary_text(ada, ids[0]).unwrap(), Some(finished.clone()));
    assert_eq!(world.store().search_summaries(ada, "", None, Limit::clamped(9)).unwrap().1, 2);
}
