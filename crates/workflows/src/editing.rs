//! What edits of rows have in common: they are based on a version, and recorded in the audit log (`catalogue.edit-versions`).

use admin::{
    Actor, AuditEvent, EditCommands, EditConflict, EditQueries, Edits, FieldChange, NewRevision, Revision, RowRef,
    RowVersion, StaleOrder, Subject, SubjectKind,
};
use catalogue::{BookEditError, CatalogueError};
use challenge::ChallengeError;
use editorial::EditorialError;
use kernel::{Slug, StoreError, Timestamp, UserId};
use serde::{Serialize, de::DeserializeOwned};

use crate::{audit::AuditTrail, recording_files, tx::Tx};

/// Why an edit is refused.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// There is no such row; `0` is its kind for people, such as "book".
    #[error("There is no such {0}.")]
    Unknown(&'static str),
    /// A field of the form names a row that does not exist.
    #[error("There is no such {what}.")]
    UnknownIn {
        /// The field's name in the API.
        field: &'static str,
        /// The row's kind for people, such as "book".
        what: &'static str,
    },
    /// Another version was saved meanwhile.
    #[error(transparent)]
    Conflict(#[from] EditConflict),
    /// The slug is taken, or fixed because of purchases. `0` is the field.
    #[error("This address is taken or can no longer be changed.")]
    Taken(&'static str),
    /// Another author or tag has the name.
    #[error("There is already one with this name. Merge the two instead.")]
    NameTaken,
    /// Other rows depend on it; the text says which, and what to do instead.
    #[error("{0}")]
    InUse(String),
    /// An order does not name exactly the existing rows.
    #[error("Another editor added or deleted one in the meantime. Nothing was changed.")]
    OrderStale,
    /// A required field is missing.
    #[error("Please specify {label}.")]
    Missing {
        /// The field's name in the API.
        field: &'static str,
        label: &'static str,
    },
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Editorial(#[from] EditorialError),
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// A stored revision can't be parsed.
    #[error("a revision can't be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<StaleOrder> for EditError {
    fn from(_: StaleOrder) -> Self {
        Self::OrderStale
    }
}

impl From<BookEditError> for EditError {
    fn from(error: BookEditError) -> Self {
        match error {
            BookEditError::NoCategory => Self::Missing { field: "categories", label: "Categories" },
            BookEditError::UnknownCategory => Self::UnknownIn { field: "categories", what: "category" },
            BookEditError::UnknownGoal => Self::UnknownIn { field: "goals", what: "goal" },
            BookEditError::NoAuthor => Self::Missing { field: "author", label: "Author" },
            BookEditError::AuthorWithoutLetter => {
                CatalogueError::Invalid { field: "author", message: "This name has no letters.".to_owned() }.into()
            }
        }
    }
}

/// Locks a row for an edit that is based on the version `read`.
///
/// # Errors
/// [`EditError::Conflict`] if the row has another version.
pub(crate) fn begin(tx: &mut Tx<'_, '_>, row: RowRef, read: Option<i64>) -> Result<RowVersion, EditError> {
    Ok(tx.pg.begin_edit(row, read)??)
}

/// Stores the row's next version; returns its number.
pub(crate) fn advance(tx: &mut Tx<'_, '_>, trail: &AuditTrail, row: RowRef) -> Result<i64, StoreError> {
    let now = tx.now();
    tx.pg.advance_row(row, editor(trail), now)
}

/// The user who edits; `None` for operators.
pub(crate) fn editor(trail: &AuditTrail) -> Option<UserId> {
    Actor::user(trail.actor())
}

/// A row with its version.
#[derive(Clone, Debug)]
pub struct Versioned<T> {
    pub row: T,
    pub version: RowVersion,
}

/// A field's name, with its value before and after as texts.
pub(crate) type Field<'a> = (&'static str, Option<&'a str>, Option<&'a str>);

/// Adds their versions to rows.
pub(crate) fn versioned<A, T>(
    tx: &mut Tx<'_, '_, A>,
    kind: SubjectKind,
    rows: Vec<T>,
    id_of: impl Fn(&T) -> i64,
) -> Result<Vec<Versioned<T>>, StoreError> {
    let ids: Vec<i64> = rows.iter().map(&id_of).collect();
    let versions = tx.pg.row_versions(kind, &ids)?;
    let version_of = |row: &T| {
        let found = versions.iter().find(|(id, _)| *id == id_of(row));
        found.map_or(RowVersion::FIRST, |(_, version)| version.clone())
    };
    Ok(rows.into_iter().map(|row| (version_of(&row), row)).map(|(version, row)| Versioned { row, version }).collect())
}

/// Records a saved change of a row as its next version and in the audit log. Does nothing if no field changed.
pub(crate) fn changed(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, name): (RowRef, &str),
    action: &'static str,
    fields: &[Field<'_>],
) -> Result<(), StoreError> {
    let changes = fields.iter().map(|(field, from, to)| FieldChange::between(field, *from, *to));
    let event = AuditEvent::new(action, Subject::named(row.kind, row.id, name)).with(changes);
    if !event.changes.is_empty() {
        advance(tx, trail, row)?;
        trail.record(event);
    }
    Ok(())
}

/// Stores what a row says in one version.
pub(crate) fn store_revision<T: Serialize>(
    tx: &mut Tx<'_, '_>,
    trail: &AuditTrail,
    (row, version): (RowRef, i64),
    written: &T,
) -> Result<(), EditError> {
    let content = serde_json::to_string(written)?;
    let (by, at) = (editor(trail), tx.now());
    recording_files::keep_text_pictures(tx.pg, &content, at)?;
    Ok(tx.pg.insert_revision(NewRevision { row, version, by, at, content: &content })?)
}

/// Stores what a changed row says, and before its first change also what it said until then: the seed or an earlier version of
/// the product has saved that, at `added_at` if nobody has changed it since. `before` is the version before the change, and the
/// row has its next version already. Does nothing if the change is none.
pub(crate) fn keep_revision<T: Serialize + PartialEq>(
    tx: &mut Tx<'_, '_>,
    trail: &AuditTrail,
    (row, before, added_at): (RowRef, &RowVersion, Timestamp),
    (from, to): (&T, &T),
) -> Result<(), EditError> {
    if from == to {
        return Ok(());
    }
    if tx.pg.revisions(row)?.is_empty() {
        let content = serde_json::to_string(from)?;
        let at = before.at.unwrap_or(added_at);
        tx.pg.insert_revision(NewRevision { row, version: before.number, by: None, at, content: &content })?;
    }
    let version = tx.pg.row_version(row)?.number;
    store_revision(tx, trail, (row, version), to)
}

/// A stored revision of a row.
#[derive(Clone, Debug)]
pub struct RowRevision<T> {
    pub revision: Revision,
    /// The row's fields in this revision.
    pub written: T,
    /// The fields that differ from the previous revision.
    pub changed: Vec<String>,
}

/// The revisions of a row, latest first. `changes` names the fields that differ.
pub(crate) fn row_revisions<A, T: DeserializeOwned>(
    tx: &mut Tx<'_, '_, A>,
    row: RowRef,
    changes: impl Fn(&T, &T) -> Vec<String>,
) -> Result<Vec<RowRevision<T>>, EditError> {
    let mut found: Vec<RowRevision<T>> = Vec::new();
    for revision in tx.pg.revisions(row)? {
        let written: T = serde_json::from_str(&revision.content)?;
        if let Some(later) = found.last_mut() {
            later.changed = changes(&written, &later.written);
        }
        found.push(RowRevision { revision, written, changed: Vec::new() });
    }
    Ok(found)
}

/// Records in the audit log that a row was added.
pub(crate) fn created(trail: &mut AuditTrail, (row, name): (RowRef, &str), action: &'static str) {
    trail.record(AuditEvent::new(action, Subject::named(row.kind, row.id, name)));
}

pub(crate) const fn row_ref(kind: SubjectKind, id: i64) -> RowRef {
    RowRef { kind, id }
}

/// A free slug for a title.
pub(crate) fn free_slug(
    tx: &mut Tx<'_, '_>,
    title: &str,
    is_taken: impl Fn(&mut Tx<'_, '_>, &Slug) -> Result<bool, StoreError>,
) -> Result<Slug, EditError> {
    let base = Slug::of_name(title).ok_or(EditError::Missing { field: "title", label: "Title" })?;
    for slug in base.numbered() {
        if !is_taken(tx, &slug)? {
            return Ok(slug);
        }
    }
    Err(EditError::Taken("title"))
}

/// A position in an order, as its column stores it.
pub(crate) fn place_of(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX)
}

/// Records that rows of a kind were reordered. This creates no version, because a row's editing form does not contain the order.
pub(crate) fn reordered(
    trail: &mut AuditTrail,
    kind: SubjectKind,
    action: &'static str,
    (from, to): (&[String], &[String]),
) {
    let change = FieldChange::between("order", Some(&from.join(", ")), Some(&to.join(", ")));
    trail.record_changes(AuditEvent::new(action, Subject::whole(kind)).with([change]));
}

/// Deletes the versions of a deleted row, and records the deletion.
pub(crate) fn deleted(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, name): (RowRef, &str),
    action: &'static str,
) -> Result<(), EditError> {
    tx.pg.forget_row(row)?;
    trail.record(AuditEvent::new(action, Subject::named(row.kind, row.id, name)));
    Ok(())
}

pub(crate) fn in_use(text: &str) -> EditError {
    EditError::InUse(text.to_owned())
}

/// Queues the removal of a deleted row's pictures. It is delayed, because pages that show them may stay open for days.
pub(crate) fn remove_pictures(
    tx: &mut Tx<'_, '_>,
    pictures: impl IntoIterator<Item = Option<String>>,
) -> Result<(), StoreError> {
    let now = tx.now();
    pictures.into_iter().try_for_each(|key| recording_files::replaced_upload(tx.pg, key.as_deref(), None, now))
}

/// Records that an uploaded file replaced another one, and queues the removal of the old one.
pub(crate) fn uploaded(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, name): (RowRef, &str),
    action: &'static str,
    (field, before, after): (&'static str, Option<&str>, &str),
) -> Result<(), StoreError> {
    let change = FieldChange::between(field, before, Some(after));
    trail.record(AuditEvent::new(action, Subject::named(row.kind, row.id, name)).with([change]));
    let now = tx.now();
    recording_files::replaced_upload(tx.pg, before, Some(after), now)
}
