//! The behavior of every audit log store: one suite for memory and Postgres.
#![allow(clippy::missing_panics_doc, reason = "a suite of tests")]

use std::net::{IpAddr, Ipv4Addr};

use kernel::{Limit, Timestamp, UserId};

use crate::{
    Actor, ActorName, AuditCommands, AuditEntry, AuditEvent, AuditFilter, EditCommands, EditConflict, Edits,
    FieldChange, NewAuditEntry, NewRevision, RowRef, RowVersion, Subject, SubjectKind,
};

const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);

/// An audit log store whose accounts tests can add and delete.
pub trait People: AuditCommands + EditCommands {
    /// Creates an account whose first and last name are both `name`.
    fn add_person(&mut self, name: &str) -> UserId;

    fn delete_person(&mut self, user: UserId);
}

/// Runs each case on an empty store.
pub fn run(on_empty: impl Fn(fn(&mut dyn People))) {
    for case in [
        an_entry_is_read_as_it_was_written,
        entries_are_paged_latest_first,
        a_filter_admits_what_it_names,
        a_deleted_account_takes_its_names_along_and_leaves_the_entries,
        a_row_that_was_never_edited_has_the_first_version,
        an_edit_based_on_another_version_is_refused,
        revisions_are_kept_latest_first_until_the_row_goes,
    ] {
        on_empty(case);
    }
}

fn person(user: UserId) -> Actor {
    Actor::Person { user, address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)), device: "Firefox on Linux".to_owned() }
}

fn insert(store: &mut dyn People, actor: &Actor, event: &AuditEvent, at: Timestamp) -> i64 {
    store.insert_audit_entry(NewAuditEntry { actor, event, at }).unwrap().get()
}

fn found(store: &mut dyn People, filter: &AuditFilter) -> Vec<AuditEntry> {
    store.audit_entries(filter, None, Limit::clamped(50)).unwrap().items
}

fn actions(store: &mut dyn People, filter: &AuditFilter) -> Vec<String> {
    found(store, filter).into_iter().map(|entry| entry.action).collect()
}

fn book(action: &'static str, id: i64, name: &str) -> AuditEvent {
    AuditEvent::new(action, Subject::named(SubjectKind::Book, id, name))
}

fn an_entry_is_read_as_it_was_written(store: &mut dyn People) {
    let editor = store.add_person("Ada");
    let change = FieldChange::between("title", Some("Waldn"), Some("Walden"));
    let event = book("book.update", 4, "Walden").with([change.clone(), None]);
    let id = insert(store, &person(editor), &event, NOW);
    insert(
        store,
        &Actor::Operator("rotate-keys"),
        &AuditEvent::new("keys.rotate", Subject::whole(SubjectKind::Keys)),
        NOW,
    );
    let entries = found(store, &AuditFilter::default());
    let ActorName::Person(user, Some(name)) = &entries[1].actor else { panic!("{:?}", entries[1].actor) };
    assert!(*user == editor && name.contains("Ada"), "{name}");
    assert_eq!(
        entries[1],
        AuditEntry {
            id: crate::AuditEntryId::from_store(id),
            at: NOW,
            actor: entries[1].actor.clone(),
            action: "book.update".to_owned(),
            subject: Subject::named(SubjectKind::Book, 4, "Walden"),
            changes: change.into_iter().collect(),
            address: Some("192.0.2.7".to_owned()),
            device: Some("Firefox on Linux".to_owned()),
        }
    );
    assert_eq!(entries[0].actor, ActorName::Operator("rotate-keys".to_owned()));
    assert_eq!((&entries[0].subject, &entries[0].address), (&Subject::whole(SubjectKind::Keys), &None));
}

fn entries_are_paged_latest_first(store: &mut dyn People) {
    for n in 0..5 {
        insert(store, &Actor::System("publish"), &book("book.publish", n + 1, "A book"), NOW);
    }
    let subjects = |entries: &[AuditEntry]| entries.iter().filter_map(|entry| entry.subject.id).collect::<Vec<_>>();
    let first = store.audit_entries(&AuditFilter::default(), None, Limit::clamped(2)).unwrap();
    assert_eq!(subjects(&first.items), [5, 4]);
    insert(store, &Actor::System("publish"), &book("book.publish", 6, "A book"), NOW);
    let rest = store.audit_entries(&AuditFilter::default(), first.next, Limit::clamped(3)).unwrap();
    assert_eq!((subjects(&rest.items), rest.next), (vec![3, 2, 1], None));
}

fn a_filter_admits_what_it_names(store: &mut dyn People) {
    let (ada, grace) = (store.add_person("Ada"), store.add_person("Grace"));
    insert(store, &person(ada), &book("book.update", 1, "Walden"), NOW);
    insert(store, &person(grace), &AuditEvent::new("user.role", Subject::user(ada)), NOW.plus(1));
    insert(
        store,
        &Actor::Operator("seed"),
        &AuditEvent::new("bookmark.add", Subject::whole(SubjectKind::Site)),
        NOW.plus(2),
    );
    let all = AuditFilter::default;
    assert_eq!(actions(store, &AuditFilter { actor: Some(ada), ..all() }), ["book.update"]);
    assert_eq!(actions(store, &AuditFilter { action: Some("book".to_owned()), ..all() }), ["book.update"]);
    assert_eq!(actions(store, &AuditFilter { action: Some("user.role".to_owned()), ..all() }), ["user.role"]);
    assert_eq!(actions(store, &AuditFilter { subject: Some(SubjectKind::User), ..all() }), ["user.role"]);
    let of_ada = AuditFilter { subject: Some(SubjectKind::User), subject_id: Some(ada.get()), ..all() };
    assert_eq!(actions(store, &of_ada), ["user.role"]);
    let later = AuditFilter { from: Some(NOW.plus(1)), to: Some(NOW.plus(2)), ..all() };
    assert_eq!(actions(store, &later), ["user.role"]);
    for (text, expected) in [
        ("WALD", vec!["book.update"]),
        ("grace", vec!["user.role"]),
        ("ada", vec!["user.role", "book.update"]),
        ("seed", vec!["bookmark.add"]),
        ("192.0.2.7", vec!["user.role", "book.update"]),
        ("a_d", vec![]),
        ("%", vec![]),
    ] {
        assert_eq!(actions(store, &AuditFilter { text: Some(text.to_owned()), ..all() }), expected, "{text}");
    }
}

fn a_deleted_account_takes_its_names_along_and_leaves_the_entries(store: &mut dyn People) {
    let (admin, member) = (store.add_person("Ada"), store.add_person("Grace"));
    let event = AuditEvent::new("user.update", Subject::user(member)).with([
        FieldChange::personal("firstName", Some("Grac"), Some("Grace")),
        FieldChange::between("planId", None, Some("yearly")),
    ]);
    insert(store, &person(admin), &event, NOW);
    let there = found(store, &AuditFilter::default());
    assert!(there[0].subject.name.as_deref().is_some_and(|name| name.contains("Grace")), "{there:?}");
    assert_eq!(there[0].changes, event.changes);
    store.delete_person(member);
    store.delete_person(admin);
    let left = found(store, &AuditFilter::default());
    assert_eq!((&left[0].subject, &left[0].actor), (&Subject::user(member), &ActorName::Person(admin, None)));
    let changes = &left[0].changes;
    let values =
        |field: &str| changes.iter().find(|change| change.field == field).map(|one| (one.from.clone(), one.to.clone()));
    assert_eq!(values("planId"), Some((None, Some("yearly".to_owned()))));
    assert_eq!(values("firstName"), Some((None, None)));
}

const ROW: RowRef = RowRef { kind: SubjectKind::Book, id: 4 };

fn a_row_that_was_never_edited_has_the_first_version(store: &mut dyn People) {
    assert_eq!(store.row_version(ROW).unwrap(), RowVersion::FIRST);
    assert_eq!(store.lock_row(ROW).unwrap(), RowVersion::FIRST);
    let editor = store.add_person("Ada");
    assert_eq!(store.advance_row(ROW, Some(editor), NOW).unwrap(), 2);
    let there = store.row_version(ROW).unwrap();
    assert_eq!((there.number, there.at), (2, Some(NOW)));
    assert!(there.by.is_some_and(|name| name.contains("Ada")));
    // Another kind of subject with the same id is another row.
    assert_eq!(store.row_version(RowRef { kind: SubjectKind::Goal, ..ROW }).unwrap(), RowVersion::FIRST);
    store.delete_person(editor);
    assert_eq!(store.row_version(ROW).unwrap(), RowVersion { number: 2, at: Some(NOW), by: None });
    let listed = store.row_versions(SubjectKind::Book, &[4, 5]).unwrap();
    assert_eq!(listed.into_iter().map(|(row, version)| (row, version.number)).collect::<Vec<_>>(), [(4, 2)]);
}

fn an_edit_based_on_another_version_is_refused(mut store: &mut dyn People) {
    let store = &mut store;
    assert_eq!(store.begin_edit(ROW, Some(1)).unwrap(), Ok(RowVersion::FIRST));
    store.advance_row(ROW, None, NOW).unwrap();
    assert_eq!(store.begin_edit(ROW, Some(1)).unwrap(), Err(EditConflict));
    assert_eq!(store.begin_edit(ROW, Some(2)).unwrap().map(|there| there.number), Ok(2));
    assert_eq!(store.begin_edit(ROW, None).unwrap().map(|there| there.number), Ok(2));
}

fn revisions_are_kept_latest_first_until_the_row_goes(store: &mut dyn People) {
    let editor = store.add_person("Ada");
    let other = RowRef { id: 5, ..ROW };
    for (row, version, content) in [(ROW, 1, "one"), (other, 1, "other"), (ROW, 2, "two")] {
        store.insert_revision(NewRevision { row, version, by: Some(editor), at: NOW, content }).unwrap();
    }
    let told = |store: &mut dyn People, row| {
        let found = store.revisions(row).unwrap();
        found.into_iter().map(|one| (one.version, one.content, one.by.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(told(store, ROW), [(2, "two".to_owned(), true), (1, "one".to_owned(), true)]);
    store.delete_person(editor);
    assert_eq!(told(store, ROW)[0], (2, "two".to_owned(), false));
    store.advance_row(ROW, None, NOW).unwrap();
    store.forget_row(ROW).unwrap();
    assert_eq!((told(store, ROW), store.row_version(ROW).unwrap()), (vec![], RowVersion::FIRST));
    assert_eq!(told(store, other).len(), 1);
}
