//! The contract of notices, the webhook and push messages.

use std::collections::BTreeSet;

use kernel::{Day, Limit, PushSubscriptionId, UserId};

use crate::{
    DueNotice, HighlightSource, Notice, NoticeKind, PushTarget, StoredHighlight, Webhook, WebhookAttempt, WebhookUrl,
};

use super::{Case, NOW, World, add, colored, deleted, later, state};
use crate::HighlightColor;

pub(super) const CASES: &[Case] = &[
    a_notice_is_due_from_its_moment_on_until_it_is_put_off,
    a_member_has_one_notice_of_each_kind,
    every_highlight_has_its_turn_in_a_round_of_digests,
    a_digest_has_what_is_shown,
    a_webhook_is_replaced_as_a_whole,
    an_attempt_is_recorded_of_the_webhook_that_was_posted_to,
    a_session_has_one_browser_and_a_browser_one_session,
    a_browser_shows_nothing_after_its_session,
];

fn notice(kind: NoticeKind, seconds: i64) -> Notice {
    Notice { due_at: Some(later(seconds)), ..Notice::new(kind) }
}

fn a_notice_is_due_from_its_moment_on_until_it_is_put_off(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let store = world.store();
    store.put_notice(ada, notice(NoticeKind::Reminder, 10)).unwrap();
    store.put_notice(ada, notice(NoticeKind::Digest, 20)).unwrap();
    store.put_notice(bob, notice(NoticeKind::Reminder, 15)).unwrap();
    let [hers, digest, his] = [(ada, NoticeKind::Reminder), (ada, NoticeKind::Digest), (bob, NoticeKind::Reminder)]
        .map(|(member, kind)| DueNotice { member, kind });
    let all = Limit::clamped(10);
    assert_eq!(store.notices_due(later(9), None, all).unwrap(), []);
    assert_eq!(store.notices_due(later(15), None, all).unwrap(), [hers, his]);
    let mut due = store.notices_due(later(20), None, all).unwrap();
    due.sort_unstable();
    assert_eq!(due, [hers, digest, his]);
    // Page by page each comes once.
    let (mut after, mut paged) = (None, Vec::new());
    while let Some(next) = store.notices_due(later(20), after, Limit::clamped(1)).unwrap().pop() {
        paged.push(next);
        after = Some(next);
    }
    paged.sort_unstable();
    assert_eq!(paged, [hers, digest, his]);
    assert_eq!(store.lock_due_notice(hers, later(9)).unwrap(), None);
    assert_eq!(store.lock_due_notice(hers, later(10)).unwrap(), Some(notice(NoticeKind::Reminder, 10)));
    store.put_notice(ada, notice(NoticeKind::Reminder, 100)).unwrap();
    assert_eq!(store.lock_due_notice(hers, later(20)).unwrap(), None);
}

fn a_member_has_one_notice_of_each_kind(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    let last = add(world, ada, 7, HighlightSource::Book(book), state()).highlight.id;
    let store = world.store();
    store.put_notice(ada, notice(NoticeKind::Digest, 1)).unwrap();
    let last_on = Some(Day::from_epoch(20_700));
    let second = Notice { last_highlight: Some(last), last_on, ..notice(NoticeKind::Digest, 2) };
    store.put_notice(ada, second).unwrap();
    store.put_notice(ada, notice(NoticeKind::Reminder, 3)).unwrap();
    assert_eq!(store.lock_notices(ada).unwrap(), [notice(NoticeKind::Reminder, 3), second]);
    // Switched off it keeps where the next one goes on.
    let off = Notice { due_at: None, ..second };
    store.put_notice(ada, off).unwrap();
    assert_eq!(store.lock_notices(ada).unwrap()[1], off);
    let due = DueNotice { member: ada, kind: NoticeKind::Digest };
    assert_eq!(store.lock_due_notice(due, later(9)).unwrap(), None);
    assert_eq!(store.notices_due(later(9), None, Limit::clamped(9)).unwrap().len(), 1);
}

fn every_highlight_has_its_turn_in_a_round_of_digests(world: &mut dyn World) {
    let (ada, bob, book) = (world.add_member(), world.add_member(), world.add_book());
    for number in 1..=7 {
        add(world, ada, number * 10, HighlightSource::Book(book), state());
    }
    add(world, bob, 45, HighlightSource::Book(book), state());
    let (mut last, mut mailed) = (None, Vec::new());
    for _ in 0..7 {
        let digest = world.store().digest_highlights(ada, last, 3).unwrap();
        assert_eq!(digest.iter().map(|one| one.highlight.id).collect::<BTreeSet<_>>().len(), 3);
        mailed.extend(numbers(&digest));
        last = digest.last().map(|one| one.highlight.id);
    }
    // Three rounds of seven.
    let round: Vec<i64> = (1..=7).map(|number| number * 10).collect();
    assert_eq!(mailed, [&round[..], &round, &round].concat());
    // Fewer than a digest has: each once.
    assert_eq!(numbers(&world.store().digest_highlights(bob, None, 3).unwrap()), [45]);
    let last = Some(super::id(45));
    assert_eq!(numbers(&world.store().digest_highlights(bob, last, 3).unwrap()), [45]);
}

fn numbers(stored: &[StoredHighlight]) -> Vec<i64> {
    stored.iter().map(|one| one.highlight.id.get()).collect()
}

fn a_digest_has_what_is_shown(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    for number in 1..=3 {
        add(world, ada, number, HighlightSource::Book(book), state());
    }
    super::merge(world, ada, 2, deleted(1));
    assert_eq!(numbers(&world.store().digest_highlights(ada, None, 5).unwrap()), [1, 3]);
    super::merge(world, ada, 2, colored(HighlightColor::Sky, 2));
    assert_eq!(numbers(&world.store().digest_highlights(ada, Some(super::id(1)), 5).unwrap()), [2, 3, 1]);
    world.delete_book(book);
    assert_eq!(world.store().digest_highlights(ada, None, 5).unwrap().len(), 3, "they outlive their book");
}

fn webhook(url: &str, salt: u8) -> Webhook {
    let url = WebhookUrl::parse(url, false).unwrap();
    Webhook { url, salt: vec![salt; 16], created_at: NOW, is_on: true, last: None }
}

fn a_webhook_is_replaced_as_a_whole(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let store = world.store();
    assert_eq!(store.webhook_of(ada).unwrap(), None);
    assert!(!store.delete_webhook(ada).unwrap());
    store.put_webhook(ada, &webhook("https://one.example/", 1)).unwrap();
    let failed = WebhookAttempt { at: later(1), status: Some(500), error: "It failed.".to_owned() };
    store.record_webhook_attempt(ada, &[1; 16], &failed, Some(false)).unwrap();
    store.put_webhook(ada, &webhook("https://two.example/", 2)).unwrap();
    assert_eq!(store.webhook_of(ada).unwrap(), Some(webhook("https://two.example/", 2)));
    assert_eq!(store.webhook_of(bob).unwrap(), None);
    assert!(store.delete_webhook(ada).unwrap());
    assert_eq!(store.webhook_of(ada).unwrap(), None);
}

fn an_attempt_is_recorded_of_the_webhook_that_was_posted_to(world: &mut dyn World) {
    let ada = world.add_member();
    let store = world.store();
    store.put_webhook(ada, &webhook("https://one.example/", 1)).unwrap();
    let failed = WebhookAttempt { at: later(1), status: None, error: "It failed.".to_owned() };
    store.record_webhook_attempt(ada, &[2; 16], &failed, Some(false)).unwrap();
    assert_eq!(store.webhook_of(ada).unwrap(), Some(webhook("https://one.example/", 1)));
    store.record_webhook_attempt(ada, &[1; 16], &failed, Some(false)).unwrap();
    let known = store.webhook_of(ada).unwrap().unwrap();
    assert_eq!((known.is_on, known.last), (false, Some(failed.clone())));
    // A delivery that was under way when it was switched off does not switch it on.
    store.record_webhook_attempt(ada, &[1; 16], &failed, None).unwrap();
    assert!(!store.webhook_of(ada).unwrap().unwrap().is_on);
    let well = WebhookAttempt { at: later(2), status: Some(204), error: String::new() };
    store.record_webhook_attempt(ada, &[1; 16], &well, Some(true)).unwrap();
    assert_eq!(
        store.webhook_of(ada).unwrap(),
        Some(Webhook { last: Some(well), ..webhook("https://one.example/", 1) })
    );
}

fn target(number: u8) -> PushTarget {
    PushTarget { endpoint: format!("https://push.example/{number}"), p256dh: vec![number; 65], auth: vec![number; 16] }
}

fn targets(world: &mut dyn World, member: UserId) -> Vec<PushTarget> {
    let found = world.store().push_subscriptions_of(member, NOW).unwrap();
    found.into_iter().map(|one| one.target).collect()
}

fn a_session_has_one_browser_and_a_browser_one_session(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let (laptop, phone, his) = (world.add_session(ada), world.add_session(ada), world.add_session(bob));
    for (session, number) in [(laptop, 1), (phone, 2), (laptop, 3)] {
        world.store().put_push_subscription(session, &target(number), NOW).unwrap();
    }
    let mut hers = targets(world, ada);
    hers.sort_by(|one, other| one.endpoint.cmp(&other.endpoint));
    assert_eq!(hers, [target(2), target(3)]);
    // Another member logs in on the phone.
    world.store().put_push_subscription(his, &target(2), NOW).unwrap();
    assert_eq!((targets(world, ada), targets(world, bob)), (vec![target(3)], vec![target(2)]));
    world.store().delete_push_subscription_of(phone).unwrap();
    world.store().delete_push_subscription_of(laptop).unwrap();
    assert_eq!((targets(world, ada), targets(world, bob)), (vec![], vec![target(2)]));
}

fn a_browser_shows_nothing_after_its_session(world: &mut dyn World) {
    let ada = world.add_member();
    let (laptop, phone) = (world.add_session(ada), world.add_session(ada));
    for (session, number) in [(laptop, 1), (phone, 2)] {
        world.store().put_push_subscription(session, &target(number), NOW).unwrap();
    }
    let store = world.store();
    let first = store.push_subscriptions_of(ada, NOW).unwrap().remove(0);
    assert_eq!(store.push_subscription(first.id, NOW).unwrap(), Some(first.clone()));
    assert_eq!(store.push_subscription(PushSubscriptionId::from_store(i64::MAX), NOW).unwrap(), None);
    world.end_session(first.session);
    let store = world.store();
    assert_eq!(store.push_subscription(first.id, NOW).unwrap(), None);
    let left = store.push_subscriptions_of(ada, NOW).unwrap();
    assert_eq!(left.len(), 1);
    store.delete_push_subscription(left[0].id).unwrap();
    assert_eq!(store.push_subscriptions_of(ada, NOW).unwrap(), []);
}
