//! The audit log on the wire.

use admin::{AUDIT_PAGE, ActorName, AuditEntryId, AuditFilter, SubjectKind};
use kernel::{Limit, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::{
    error::ApiError,
    wire::page::{after, given, limit},
};

/// Query parameters of the audit log: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditParams {
    /// A part of the actor's or the subject's name, of the action or of the IP address.
    q: Option<String>,
    /// Filters by the id of the person who made the change.
    #[param(minimum = 1)]
    actor: Option<i64>,
    /// Filters by action, such as `book.update`, or by all actions on one kind of subject, such as `book`.
    action: Option<String>,
    /// Filters by kind of subject.
    subject: Option<String>,
    /// Filters by the id of the subject.
    subject_id: Option<i64>,
    /// The start of the range, inclusive, in milliseconds since the Unix epoch.
    from: Option<i64>,
    /// The end of the range, exclusive, in milliseconds since the Unix epoch.
    to: Option<i64>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl AuditParams {
    /// Parses and validates the parameters.
    pub(crate) fn read(self) -> Result<(AuditFilter, Option<AuditEntryId>, Limit), ApiError> {
        let subject = given(self.subject.as_deref()).map(str::parse::<SubjectKind>).transpose();
        let actor = self.actor.map(UserId::new).transpose();
        let filter = AuditFilter {
            text: given(self.q.as_deref()).map(str::to_owned),
            actor: actor.map_err(|error| ApiError::invalid("actor", error.to_string()))?,
            action: given(self.action.as_deref()).map(str::to_owned),
            subject: subject.map_err(|error| ApiError::invalid("subject", error.to_string()))?,
            subject_id: self.subject_id,
            from: self.from.map(Timestamp::from_millis),
            to: self.to.map(Timestamp::from_millis),
        };
        Ok((filter, after(self.after.as_deref())?, limit(self.limit, AUDIT_PAGE, Limit::MAX)?))
    }
}

/// The author of a change.
#[derive(Debug, Serialize, ToSchema)]
struct AuditActor {
    /// The kind of actor: a person in the back office, an operator's command or a scheduled job.
    #[schema(pattern = "^(person|operator|system)$")]
    kind: &'static str,
    /// The id of the person; null for other actors.
    #[schema(required)]
    id: Option<i64>,
    /// The name of the person, command or job; null if the person's account was deleted.
    #[schema(required)]
    name: Option<String>,
}

/// The subject of a change.
#[derive(Debug, Serialize, ToSchema)]
struct AuditSubject {
    /// The kind of subject, such as `book`.
    kind: &'static str,
    /// The id of the subject; null if it has none.
    #[schema(required)]
    id: Option<i64>,
    /// The name at the time of the change; for a person, the current name. Null if there is none.
    #[schema(required)]
    name: Option<String>,
}

/// A changed field.
#[derive(Debug, Serialize, ToSchema)]
struct AuditChange {
    /// The name of the field.
    field: String,
    /// The shortened value before the change; null if it was empty, or if it was personal and the account was deleted.
    #[schema(required)]
    from: Option<String>,
    /// The shortened value after the change; null if it is empty, or if it was personal and the account was deleted.
    #[schema(required)]
    to: Option<String>,
}

/// An entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditLogEntry)]
pub(crate) struct Entry {
    /// The id of the entry.
    id: i64,
    /// When the change was made, in milliseconds since the Unix epoch.
    at: i64,
    /// The author of the change.
    actor: AuditActor,
    /// The action, such as `book.update`.
    action: String,
    /// The subject of the change.
    subject: AuditSubject,
    /// The changed fields.
    changes: Vec<AuditChange>,
    /// The IP address of the request; null unless the actor is a person.
    #[schema(required)]
    address: Option<String>,
    /// The device of the request; null unless the actor is a person.
    #[schema(required)]
    device: Option<String>,
}

impl From<admin::AuditEntry> for Entry {
    fn from(entry: admin::AuditEntry) -> Self {
        let (kind, id, name) = match entry.actor {
            ActorName::Person(user, name) => ("person", Some(user.get()), name),
            ActorName::Operator(name) => ("operator", None, Some(name)),
            ActorName::System(name) => ("system", None, Some(name)),
        };
        let changes = entry.changes.into_iter();
        Self {
            id: entry.id.get(),
            at: entry.at.millis(),
            actor: AuditActor { kind, id, name },
            action: entry.action,
            subject: AuditSubject { kind: entry.subject.kind.as_str(), id: entry.subject.id, name: entry.subject.name },
            changes: changes.map(|one| AuditChange { field: one.field, from: one.from, to: one.to }).collect(),
            address: entry.address,
            device: entry.device,
        }
    }
}

/// A page of the audit log.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditResult {
    /// The entries, latest first.
    pub(crate) entries: Vec<Entry>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}
