//! The audit log in Postgres.

use admin::{
    Actor, ActorName, AuditCommands, AuditEntry, AuditEntryId, AuditFilter, AuditQueries, FieldChange, NewAuditEntry,
    Subject, SubjectKind,
};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, RunQueryDsl, insert_into,
    sql_types::{BigInt, Nullable, Text, Timestamptz},
};
use kernel::{Limit, Page, StoreError, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value, containing},
    schema::{audit_entries, audit_personal_changes},
    time::{from_db, to_db},
};

/// A changed field as it is stored. The values of a personal field are in a table of their own.
#[derive(Serialize, Deserialize)]
struct StoredChange {
    field: String,
    from: Option<String>,
    to: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    personal: bool,
}

impl From<&FieldChange> for StoredChange {
    fn from(change: &FieldChange) -> Self {
        let FieldChange { field, from, to, personal } = change.clone();
        Self { field, from, to, personal }
    }
}

impl From<StoredChange> for FieldChange {
    fn from(StoredChange { field, from, to, personal }: StoredChange) -> Self {
        Self { field, from, to, personal }
    }
}

type EntryTypes = (
    (BigInt, Timestamptz, Text, Nullable<BigInt>, Nullable<Text>, Nullable<Text>),
    (Text, Text, Nullable<BigInt>, Nullable<Text>, Text, Nullable<Text>),
    (Nullable<Text>, Nullable<Text>),
);
type EntryRow = (
    (i64, DateTime<Utc>, String, Option<i64>, Option<String>, Option<String>),
    (String, String, Option<i64>, Option<String>, String, Option<String>),
    (Option<String>, Option<String>),
);

fn entry(row: EntryRow) -> Result<AuditEntry, StoreError> {
    let (id, at, actor_kind, actor_id, actor_name, person_name) = row.0;
    let (action, subject_kind, subject_id, subject_name, changes, personal) = row.1;
    let (address, device) = row.2;
    let actor = match (actor_kind.as_str(), actor_id, actor_name) {
        ("person", Some(user), None) => ActorName::Person(UserId::from_store(user), person_name),
        ("operator", None, Some(name)) => ActorName::Operator(name),
        ("system", None, Some(name)) => ActorName::System(name),
        _ => return Err(StoreError::new("an entry of the audit log has no actor")),
    };
    let mut changes: Vec<StoredChange> = serde_json::from_str(&changes).map_err(StoreError::new)?;
    let personal: Vec<StoredChange> =
        personal.map_or(Ok(Vec::new()), |text| serde_json::from_str(&text)).map_err(StoreError::new)?;
    for change in changes.iter_mut().filter(|change| change.personal) {
        if let Some(values) = personal.iter().find(|one| one.field == change.field) {
            (change.from, change.to) = (values.from.clone(), values.to.clone());
        }
    }
    Ok(AuditEntry {
        id: AuditEntryId::from_store(id),
        at: from_db(at),
        actor,
        action,
        subject: Subject {
            kind: subject_kind.parse::<SubjectKind>().map_err(StoreError::new)?,
            id: subject_id,
            name: subject_name,
        },
        changes: changes.into_iter().map(FieldChange::from).collect(),
        address,
        device,
    })
}

/// The people of a searched text: those whose name or address contains it, or too many to name each.
enum FoundUsers {
    These(Vec<i64>),
    /// The order of the log finds a page of their entries sooner than an index.
    Many,
}

impl FoundUsers {
    /// More are not named.
    const MOST: u16 = 2_000;

    fn of<A>(pg: &mut Pg<'_, A>, text: &str) -> Result<Self, StoreError> {
        // No index finds fewer than three characters.
        if text.chars().count() < 3 {
            return Ok(Self::Many);
        }
        let mut select: BuiltStatement<BigInt> = BuiltStatement::new(
            "SELECT id FROM users WHERE lower(first_name || ' ' || last_name || ' ' || email) LIKE lower(",
        );
        select.value(containing(text)).sql(") AND (lower(first_name || ' ' || last_name) LIKE lower(");
        select.value(containing(text)).sql(") OR lower(email) LIKE lower(").value(containing(text)).sql("))");
        select.limit(i64::from(Self::MOST) + 1).plan_each_time();
        let found: Vec<i64> = pg.run(|conn| select.load(conn))?;
        Ok(if found.len() > usize::from(Self::MOST) { Self::Many } else { Self::These(found) })
    }
}

/// Keeps the entries that contain a text: in what they say themselves, or in the name or address of the actor or the subject.
fn restrict_to_text(select: &mut BuiltStatement<EntryTypes>, text: &str, users: &FoundUsers) {
    // How many entries have it decides between an index and the order of the log.
    select.plan_each_time();
    select.sql(
        " AND (lower(coalesce(e.actor_name, '') || E'\\n' || e.action || E'\\n' || coalesce(e.subject_name, '') || E'\\n'
            || coalesce(e.address, '')) LIKE lower(",
    );
    select.value(containing(text)).sql(")");
    match users {
        FoundUsers::These(users) => {
            select.sql(" OR e.actor_id = ANY(").value(Value::Ints(users.clone()));
            select.sql(") OR e.subject_kind = 'user' AND e.subject_id = ANY(").value(Value::Ints(users.clone()));
            select.sql("))");
        }
        FoundUsers::Many => {
            select.sql(
                " OR strpos(lower(concat_ws(E'\\n', a.first_name || ' ' || a.last_name, a.email,
                    s.first_name || ' ' || s.last_name, s.email)), lower(",
            );
            select.value(Value::Text(text.to_owned())).sql(")) > 0)");
        }
    }
}

impl<A> AuditQueries for Pg<'_, A> {
    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        after: Option<AuditEntryId>,
        limit: Limit,
    ) -> Result<Page<AuditEntry, AuditEntryId>, StoreError> {
        let mut select: BuiltStatement<EntryTypes> = BuiltStatement::new(
            "SELECT e.id, e.at, e.actor_kind, e.actor_id, e.actor_name, a.first_name || ' ' || a.last_name,
                e.action, e.subject_kind, e.subject_id, coalesce(e.subject_name, s.first_name || ' ' || s.last_name),
                e.changes::text, p.changes::text, e.address, e.device
            FROM audit_entries e
            LEFT JOIN users a ON a.id = e.actor_id
            LEFT JOIN users s ON s.id = e.subject_id AND e.subject_kind = 'user'
            LEFT JOIN audit_personal_changes p ON p.entry_id = e.id
            WHERE true",
        );
        if let Some(after) = after {
            select.sql(" AND e.id < ").value(Value::Int(after.get()));
        }
        if let Some(actor) = filter.actor {
            select.sql(" AND e.actor_id = ").value(Value::Int(actor.get()));
        }
        if let Some(action) = &filter.action {
            if action.contains('.') {
                select.sql(" AND e.action = ").value(Value::Text(action.clone()));
            } else {
                select.sql(" AND split_part(e.action, '.', 1) = ").value(Value::Text(action.clone()));
            }
        }
        if let Some(kind) = filter.subject {
            select.sql(" AND e.subject_kind = ").value(Value::Text(kind.as_str().to_owned()));
        }
        if let Some(subject) = filter.subject_id {
            select.sql(" AND e.subject_id = ").value(Value::Int(subject));
        }
        if let Some(from) = filter.from {
            select.sql(" AND e.at >= ").value(Value::Time(to_db(from)));
        }
        if let Some(to) = filter.to {
            select.sql(" AND e.at < ").value(Value::Time(to_db(to)));
        }
        if let Some(text) = &filter.text {
            restrict_to_text(&mut select, text, &FoundUsers::of(self, text)?);
        }
        select.sql(" ORDER BY e.id DESC").limit(limit.with_surplus());
        let rows: Vec<EntryRow> = self.run(|conn| select.load(conn))?;
        let found = rows.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        Ok(Page::from_surplus(found, limit, |entry| entry.id))
    }
}

impl AuditCommands for Pg<'_> {
    fn insert_audit_entry(&mut self, new: NewAuditEntry<'_>) -> Result<AuditEntryId, StoreError> {
        let (kind, user, name, address, device) = match new.actor {
            Actor::Person { user, address, device } => {
                ("person", Some(user.get()), None, Some(address.to_string()), Some(device.as_str()))
            }
            Actor::Operator(command) => ("operator", None, Some(*command), None, None),
            Actor::System(job) => ("system", None, Some(*job), None, None),
        };
        let subject = &new.event.subject;
        let is_apart = |change: &&FieldChange| change.personal && subject.kind == SubjectKind::User;
        let personal: Vec<StoredChange> = new.event.changes.iter().filter(is_apart).map(Into::into).collect();
        let stored: Vec<StoredChange> = new
            .event
            .changes
            .iter()
            .map(|change| {
                let stored = StoredChange::from(change);
                if is_apart(&change) { StoredChange { from: None, to: None, ..stored } } else { stored }
            })
            .collect();
        let row = (
            audit_entries::at.eq(to_db(new.at)),
            (
                audit_entries::actor_kind.eq(kind),
                audit_entries::actor_id.eq(user),
                audit_entries::actor_name.eq(name),
                audit_entries::address.eq(address),
                audit_entries::device.eq(device),
            ),
            audit_entries::action.eq(new.event.action),
            (
                audit_entries::subject_kind.eq(subject.kind.as_str()),
                audit_entries::subject_id.eq(subject.id),
                audit_entries::subject_name.eq(subject.name.as_deref()),
            ),
            audit_entries::changes.eq(serde_json::to_value(&stored).map_err(StoreError::new)?),
        );
        let id: i64 = self
            .run(|conn| insert_into(audit_entries::table).values(row).returning(audit_entries::id).get_result(conn))?;
        if let (Some(owner), false) = (subject.id, personal.is_empty()) {
            let row = (
                audit_personal_changes::entry_id.eq(id),
                audit_personal_changes::user_id.eq(owner),
                audit_personal_changes::changes.eq(serde_json::to_value(&personal).map_err(StoreError::new)?),
            );
            self.run(|conn| insert_into(audit_personal_changes::table).values(row).execute(conn))?;
        }
        Ok(AuditEntryId::from_store(id))
    }
}
