//! The contract of every store of the inbox, with the rules of [`Support`] over it: one suite for memory and Postgres.

use kernel::{DAY, Email, Limit, MINUTE, MessageId, Timestamp, UserId};

use crate::{
    BODY_MAX_CHARS, Field, Message, MessageFilter, MessageKind, NewMessage, Support, SupportError, SupportStore,
};

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn SupportStore);

/// An admin's id. Postgres' suite has a user with it.
pub const ADMIN: UserId = UserId::from_store(7);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// All cases. The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    inserted_messages_are_found_with_all_their_fields,
    pages_hold_every_message_once_latest_first,
    the_filter_admits_by_kind_and_by_done,
    the_filter_keeps_questions_and_reasons_for_leaving_apart,
    the_filter_searches_names_addresses_and_texts_in_whatever_case,
    an_answer_is_kept_with_who_and_when_and_marks_the_message_as_done,
    an_equal_answer_sent_twice_is_one,
    a_blank_or_too_long_answer_and_one_without_an_address_changes_nothing,
    texts_are_counted_by_kind_within_a_range,
    marking_twice_keeps_the_first_time_and_unmarking_clears_it,
    marking_an_unknown_message_is_an_error,
    anonymising_a_sender_keeps_the_text_and_removes_name_and_address,
    a_sweep_deletes_messages_that_are_older_than_they_are_kept,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn insert(store: &mut dyn SupportStore, message: &NewMessage) -> MessageId {
    store.insert_message(message, NOW).unwrap()
}

fn contact(body: &str) -> NewMessage {
    NewMessage::contact("Ada", "ada@example.com", body).unwrap()
}

fn inbox(store: &mut dyn SupportStore, filter: &MessageFilter) -> Vec<Message> {
    let page = store.inbox(filter, None, Limit::clamped(100)).unwrap();
    assert_eq!(page.next, None);
    page.items
}

fn inserted_messages_are_found_with_all_their_fields(store: &mut dyn SupportStore) {
    assert!(inbox(store, &MessageFilter::default()).is_empty());
    assert_eq!(store.count_unread_messages().unwrap(), 0);
    let first = insert(store, &contact("Hello.\n\nIs anybody there?"));
    let second = insert(store, &NewMessage::leaving("No time.", "A friend.").unwrap());
    assert!(first < second);
    let found = inbox(store, &MessageFilter::default());
    assert_eq!(found.iter().map(|message| message.id).collect::<Vec<_>>(), [second, first]);
    let message = &found[1];
    assert_eq!((message.kind, message.name.as_deref()), (MessageKind::Contact, Some("Ada")));
    assert_eq!(message.email.as_ref().map(Email::as_str), Some("ada@example.com"));
    assert_eq!((message.body.as_str(), message.created_at), ("Hello.\n\nIs anybody there?", NOW));
    assert_eq!(message.done_at, None);
    let message = &found[0];
    assert_eq!((message.kind, &message.name, &message.email), (MessageKind::Leaving, &None, &None));
    assert_eq!(store.count_unread_messages().unwrap(), 1, "a reason for leaving is no question");
}

fn pages_hold_every_message_once_latest_first(store: &mut dyn SupportStore) {
    let ids: Vec<MessageId> = (0..5).map(|n| insert(store, &contact(&format!("Message {n}.")))).collect();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store.inbox(&MessageFilter::default(), after, Limit::clamped(2)).unwrap();
        assert!(page.items.len() <= 2);
        seen.extend(page.items.iter().map(|message| message.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, ids.into_iter().rev().collect::<Vec<_>>());
}

fn the_filter_admits_by_kind_and_by_done(store: &mut dyn SupportStore) {
    let contact = insert(store, &contact("Hello."));
    let suggestion = insert(store, &NewMessage::suggestion("", "", "Emma").unwrap());
    let feedback = insert(store, &NewMessage::feedback("Good.", "ada@example.com").unwrap());
    store.mark_message(suggestion, true, NOW).unwrap();
    let mut ids = |kind, done| {
        inbox(store, &MessageFilter { kind, done, ..MessageFilter::default() })
            .into_iter()
            .map(|message| message.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(None, None), [feedback, suggestion, contact]);
    assert_eq!(ids(None, Some(false)), [feedback, contact]);
    assert_eq!(ids(None, Some(true)), [suggestion]);
    assert_eq!(ids(Some(MessageKind::Feedback), None), [feedback]);
    assert_eq!(ids(Some(MessageKind::Suggest), Some(true)), [suggestion]);
    assert_eq!(ids(Some(MessageKind::Suggest), Some(false)), []);
    assert_eq!(ids(Some(MessageKind::Cancellation), None), []);
}

fn the_filter_keeps_questions_and_reasons_for_leaving_apart(store: &mut dyn SupportStore) {
    let ada = Email::parse("ada@example.com").unwrap();
    let question = insert(store, &contact("Hello."));
    let deletion = insert(store, &NewMessage::leaving("No time.", "A friend.").unwrap());
    let reason = crate::CancelReason::read(Some("other")).unwrap();
    let cancellation = insert(store, &NewMessage::cancellation(&ada, reason));
    let mut ids = |questions, kind| {
        let filter = MessageFilter { kind, questions, ..MessageFilter::default() };
        inbox(store, &filter).into_iter().map(|message| message.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(Some(true), None), [question]);
    assert_eq!(ids(Some(false), None), [cancellation, deletion]);
    assert_eq!(ids(Some(false), Some(MessageKind::Leaving)), [deletion]);
    assert_eq!(ids(Some(false), Some(MessageKind::Contact)), []);
    assert_eq!(store.count_unread_messages().unwrap(), 1);
}

fn the_filter_searches_names_addresses_and_texts_in_whatever_case(store: &mut dyn SupportStore) {
    let one = insert(store, &NewMessage::contact("Zoe", "zoe@example.com", "Hello.").unwrap());
    let other = insert(store, &NewMessage::suggestion("", "", "100% ZOE_Emma").unwrap());
    insert(store, &contact("Hello."));
    let mut ids = |text: &str| {
        let filter = MessageFilter { text: Some(text.to_owned()), ..MessageFilter::default() };
        inbox(store, &filter).into_iter().map(|message| message.id).collect::<Vec<_>>()
    };
    assert_eq!(ids("zoe"), [other, one]);
    assert_eq!(ids("ZOE@"), [one]);
    assert_eq!((ids("0% z"), ids("h%o")), (vec![other], vec![]));
}

fn an_answer_is_kept_with_who_and_when_and_marks_the_message_as_done(store: &mut dyn SupportStore) {
    let id = insert(store, &contact("Hello."));
    assert_eq!(store.answers_to_message(id).unwrap(), []);
    let (message, answer) = store.answer_message(id, "First\r\nline. ", ADMIN, NOW.plus(MINUTE)).unwrap();
    assert_eq!(message.done_at, Some(NOW.plus(MINUTE)));
    let answer = answer.unwrap();
    assert_eq!((answer.text.as_str(), answer.by, answer.at), ("First\nline.", Some(ADMIN), NOW.plus(MINUTE)));
    let (message, second) = store.answer_message(id, "More.", ADMIN, NOW.plus(2 * MINUTE)).unwrap();
    assert_eq!(message.done_at, Some(NOW.plus(MINUTE)), "the first answer's time stays");
    let second = second.unwrap();
    assert_eq!(store.answers_to_message(id).unwrap(), [answer, second.clone()]);
    let unanswered = insert(store, &contact("Hello again."));
    assert_eq!(store.last_answers(&[unanswered, id]).unwrap(), [(id, second)].into());
    assert_eq!(store.message(id).unwrap(), Some(message));
    assert_eq!(store.anonymise_messages_of(&Email::parse("ada@example.com").unwrap()).unwrap(), 2);
    assert_eq!(store.answers_to_message(id).unwrap(), []);
    // Answers are deleted with their message.
    let other = insert(store, &contact("Hello again."));
    store.answer_message(other, "Yes.", ADMIN, NOW).unwrap();
    assert_eq!(store.sweep_messages(1, NOW.plus(2 * DAY)).unwrap(), 3);
    assert_eq!((store.message(other).unwrap(), store.answers_to_message(other).unwrap()), (None, vec![]));
}

fn an_equal_answer_sent_twice_is_one(store: &mut dyn SupportStore) {
    let id = insert(store, &contact("Hello."));
    let (_, first) = store.answer_message(id, "Yes.", ADMIN, NOW).unwrap();
    let (message, again) = store.answer_message(id, " Yes.\n", ADMIN, NOW.plus(MINUTE)).unwrap();
    assert_eq!((message.done_at, again), (Some(NOW), None));
    assert_eq!(store.answers_to_message(id).unwrap(), [first.unwrap()]);
}

fn a_blank_or_too_long_answer_and_one_without_an_address_changes_nothing(store: &mut dyn SupportStore) {
    let (id, nameless) =
        (insert(store, &contact("Hello.")), insert(store, &NewMessage::leaving("No time.", "A friend.").unwrap()));
    let mut answer = |id, text: &str| store.answer_message(id, text, ADMIN, NOW).unwrap_err();
    assert_eq!(answer(id, " \n").to_string(), "Please specify Reply.");
    assert!(matches!(answer(id, &"x".repeat(BODY_MAX_CHARS + 1)), SupportError::TooLong(Field::Answer)));
    assert!(matches!(answer(MessageId::from_store(i64::MAX), "Yes."), SupportError::UnknownMessage));
    assert_eq!(store.message(id).unwrap().unwrap().done_at, None);
    // It is refused; the caller rolls back the transaction, and with it the mark.
    assert!(matches!(store.answer_message(nameless, "Yes.", ADMIN, NOW), Err(SupportError::NoAddress)));
    assert_eq!(store.answers_to_message(nameless).unwrap(), []);
}

fn texts_are_counted_by_kind_within_a_range(store: &mut dyn SupportStore) {
    let ada = Email::parse("ada@example.com").unwrap();
    let reason = |text| NewMessage::cancellation(&ada, crate::CancelReason::read(Some(text)).unwrap());
    for (text, at) in [("other", 0), ("not using", 1), ("other", 2), ("other", 3)] {
        store.insert_message(&reason(text), NOW.plus(at * MINUTE)).unwrap();
    }
    insert(store, &contact("other"));
    let mut counted = store.count_message_texts(MessageKind::Cancellation, NOW, NOW.plus(3 * MINUTE)).unwrap();
    counted.sort();
    assert_eq!(counted, [("not using".to_owned(), 1), ("other".to_owned(), 2)]);
    assert_eq!(store.count_message_texts(MessageKind::Leaving, NOW, NOW.plus(DAY)).unwrap(), []);
}

fn marking_twice_keeps_the_first_time_and_unmarking_clears_it(store: &mut dyn SupportStore) {
    let (id, other) = (insert(store, &contact("Hello.")), insert(store, &contact("Hello again.")));
    assert_eq!(store.mark_message(id, true, NOW.plus(MINUTE)).unwrap().done_at, Some(NOW.plus(MINUTE)));
    // Marking it again changes nothing.
    assert_eq!(store.mark_message(id, true, NOW.plus(2 * MINUTE)).unwrap().done_at, Some(NOW.plus(MINUTE)));
    assert_eq!(store.count_unread_messages().unwrap(), 1);
    let back = store.mark_message(id, false, NOW.plus(3 * MINUTE)).unwrap();
    assert_eq!((back.id, back.done_at, back.body.as_str()), (id, None, "Hello."));
    assert_eq!(store.mark_message(other, false, NOW).unwrap().done_at, None);
    assert_eq!(store.count_unread_messages().unwrap(), 2);
}

fn marking_an_unknown_message_is_an_error(store: &mut dyn SupportStore) {
    insert(store, &contact("Hello."));
    let unknown = MessageId::from_store(i64::MAX);
    assert!(matches!(store.mark_message(unknown, true, NOW), Err(SupportError::UnknownMessage)));
    assert_eq!(store.count_unread_messages().unwrap(), 1);
}

fn anonymising_a_sender_keeps_the_text_and_removes_name_and_address(store: &mut dyn SupportStore) {
    let id = insert(store, &NewMessage::contact("Ada", "ADA@example.com", "Hello.").unwrap());
    let other = insert(store, &NewMessage::contact("Grace", "grace@example.com", "Hello.").unwrap());
    assert_eq!(store.anonymise_messages_of(&Email::parse("ada@example.com").unwrap()).unwrap(), 1);
    let found = inbox(store, &MessageFilter::default());
    assert_eq!((found[1].id, &found[1].name, &found[1].email), (id, &None, &None));
    assert_eq!(found[1].body, "Hello.");
    assert_eq!((found[0].id, found[0].name.as_deref()), (other, Some("Grace")));
    assert_eq!(store.anonymise_messages_of(&Email::parse("ada@example.com").unwrap()).unwrap(), 0);
}

fn a_sweep_deletes_messages_that_are_older_than_they_are_kept(store: &mut dyn SupportStore) {
    let (old, done) = (insert(store, &contact("Hello.")), insert(store, &contact("Hello again.")));
    store.mark_message(done, true, NOW).unwrap();
    let late = store.insert_message(&contact("Still there?"), NOW.plus(MINUTE)).unwrap();
    assert_eq!(store.sweep_messages(30, NOW.plus(30 * DAY)).unwrap(), 0);
    assert_eq!(inbox(store, &MessageFilter::default()).len(), 3, "{old:?}");
    assert_eq!(store.sweep_messages(30, NOW.plus(30 * DAY + 1)).unwrap(), 2);
    let found = inbox(store, &MessageFilter::default());
    assert_eq!(found.iter().map(|message| message.id).collect::<Vec<_>>(), [late]);
}
