//! What every store of the back office does, with the rules of [`Admin`] over it: one suite for memory and Postgres.

use kernel::{Email, Limit, MINUTE, MessageId, Timestamp};

use crate::{Admin, AdminError, AdminStore, Filter, Kind, Message, Written};

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn AdminStore);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// A case that is not listed here is dead code, which the compiler tells.
const CASES: &[Case] = &[
    what_was_written_is_found,
    the_latest_comes_first_and_pages_lose_nothing,
    the_inbox_is_asked_by_kind_and_by_done,
    done_is_marked_and_taken_back,
    an_unknown_message_is_not_marked,
    who_is_forgotten_leaves_words_without_a_name,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn keep(store: &mut dyn AdminStore, written: &Written) -> MessageId {
    store.keep_message(written, NOW).unwrap()
}

fn contact(body: &str) -> Written {
    Written::contact("Ada", "ada@example.com", body).unwrap()
}

fn inbox(store: &mut dyn AdminStore, filter: Filter) -> Vec<Message> {
    let page = store.inbox(&filter, None, Limit::clamped(100)).unwrap();
    assert_eq!(page.next, None);
    page.items
}

fn what_was_written_is_found(store: &mut dyn AdminStore) {
    assert!(inbox(store, Filter::default()).is_empty());
    assert_eq!(store.unread_messages().unwrap(), 0);
    let first = keep(store, &contact("Hello.\n\nIs anybody there?"));
    let second = keep(store, &Written::leaving("No time.", "A friend.").unwrap());
    assert!(first < second);
    let found = inbox(store, Filter::default());
    assert_eq!(found.iter().map(|message| message.id).collect::<Vec<_>>(), [second, first]);
    let message = &found[1];
    assert_eq!((message.kind, message.name.as_deref()), (Kind::Contact, Some("Ada")));
    assert_eq!(message.email.as_ref().map(Email::as_str), Some("ada@example.com"));
    assert_eq!((message.body.as_str(), message.created_at), ("Hello.\n\nIs anybody there?", NOW));
    assert_eq!(message.done_at, None);
    let message = &found[0];
    assert_eq!((message.kind, &message.name, &message.email), (Kind::Leaving, &None, &None));
    assert_eq!(store.unread_messages().unwrap(), 2);
}

fn the_latest_comes_first_and_pages_lose_nothing(store: &mut dyn AdminStore) {
    let ids: Vec<MessageId> = (0..5).map(|n| keep(store, &contact(&format!("Message {n}.")))).collect();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store.inbox(&Filter::default(), after, Limit::clamped(2)).unwrap();
        assert!(page.items.len() <= 2);
        seen.extend(page.items.iter().map(|message| message.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, ids.into_iter().rev().collect::<Vec<_>>());
}

fn the_inbox_is_asked_by_kind_and_by_done(store: &mut dyn AdminStore) {
    let contact = keep(store, &contact("Hello."));
    let suggestion = keep(store, &Written::suggestion("", "", "Emma").unwrap());
    let feedback = keep(store, &Written::feedback("Good.", "ada@example.com").unwrap());
    store.mark_message(suggestion, true, NOW).unwrap();
    let mut ids =
        |kind, done| inbox(store, Filter { kind, done }).into_iter().map(|message| message.id).collect::<Vec<_>>();
    assert_eq!(ids(None, None), [feedback, suggestion, contact]);
    assert_eq!(ids(None, Some(false)), [feedback, contact]);
    assert_eq!(ids(None, Some(true)), [suggestion]);
    assert_eq!(ids(Some(Kind::Feedback), None), [feedback]);
    assert_eq!(ids(Some(Kind::Suggest), Some(true)), [suggestion]);
    assert_eq!(ids(Some(Kind::Suggest), Some(false)), []);
    assert_eq!(ids(Some(Kind::Cancellation), None), []);
}

fn done_is_marked_and_taken_back(store: &mut dyn AdminStore) {
    let (id, other) = (keep(store, &contact("Hello.")), keep(store, &contact("Hello again.")));
    assert_eq!(store.mark_message(id, true, NOW.plus(MINUTE)).unwrap().done_at, Some(NOW.plus(MINUTE)));
    // Marking it again changes nothing.
    assert_eq!(store.mark_message(id, true, NOW.plus(2 * MINUTE)).unwrap().done_at, Some(NOW.plus(MINUTE)));
    assert_eq!(store.unread_messages().unwrap(), 1);
    let back = store.mark_message(id, false, NOW.plus(3 * MINUTE)).unwrap();
    assert_eq!((back.id, back.done_at, back.body.as_str()), (id, None, "Hello."));
    assert_eq!(store.mark_message(other, false, NOW).unwrap().done_at, None);
    assert_eq!(store.unread_messages().unwrap(), 2);
}

fn an_unknown_message_is_not_marked(store: &mut dyn AdminStore) {
    keep(store, &contact("Hello."));
    let nobody = MessageId::from_store(i64::MAX);
    assert!(matches!(store.mark_message(nobody, true, NOW), Err(AdminError::UnknownMessage)));
    assert_eq!(store.unread_messages().unwrap(), 1);
}

fn who_is_forgotten_leaves_words_without_a_name(store: &mut dyn AdminStore) {
    let theirs = keep(store, &Written::contact("Ada", "ADA@example.com", "Hello.").unwrap());
    let other = keep(store, &Written::contact("Grace", "grace@example.com", "Hello.").unwrap());
    assert_eq!(store.forget_sender(&Email::parse("ada@example.com").unwrap()).unwrap(), 1);
    let found = inbox(store, Filter::default());
    assert_eq!((found[1].id, &found[1].name, &found[1].email), (theirs, &None, &None));
    assert_eq!(found[1].body, "Hello.");
    assert_eq!((found[0].id, found[0].name.as_deref()), (other, Some("Grace")));
    assert_eq!(store.forget_sender(&Email::parse("ada@example.com").unwrap()).unwrap(), 0);
}
