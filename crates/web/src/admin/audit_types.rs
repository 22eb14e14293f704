//! The audit log on the wire.

use admin::{AUDIT_PAGE, ActorName, AuditEntryId, AuditFilter, SubjectKind};
use kernel::{Limit, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::{
    error::ApiError,
    wire::page::{after, given, limit},
};

/// Which entries are wanted, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditParams {
    /// A part of the actor's or the subject's name, of the action, or of the IP address.
    q: Option<String>,
    /// Only changes by the person with this id.
    #[param(minimum = 1)]
    actor: Option<i64>,
    /// Only this action, such as `book.update`; or all on one kind of subject, such as `book`.
    action: Option<String>,
    /// Only changes of this kind of subject.
    subject: Option<String>,
    /// Only changes of the subject with this id.
    subject_id: Option<i64>,
    /// Only changes from this moment on, in milliseconds since the Unix epoch.
    from: Option<i64>,
    /// Only changes before this moment.
    to: Option<i64>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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

/// Who made a change.
#[derive(Debug, Serialize, ToSchema)]
struct AuditActor {
    /// A person in the back office, an operator by a command, or a scheduled job.
    #[schema(pattern = "^(person|operator|system)$")]
    kind: &'static str,
    /// The person's id.
    #[schema(required)]
    id: Option<i64>,
    /// The person's name, or the name of the command or job; null when the account was deleted.
    #[schema(required)]
    name: Option<String>,
}

/// What was changed.
#[derive(Debug, Serialize, ToSchema)]
struct AuditSubject {
    /// The kind of thing.
    kind: &'static str,
    /// Its id, where it has one.
    #[schema(required)]
    id: Option<i64>,
    /// Its name at that time; a person's name today.
    #[schema(required)]
    name: Option<String>,
}

/// A field before and after a change.
#[derive(Debug, Serialize, ToSchema)]
struct AuditChange {
    /// The field.
    field: String,
    /// The value before, shortened; null when it was empty.
    #[schema(required)]
    from: Option<String>,
    /// The value after.
    #[schema(required)]
    to: Option<String>,
}

/// An entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditLogEntry)]
pub(crate) struct Entry {
    /// Its id.
    id: i64,
    /// When the change was made, in milliseconds since the Unix epoch.
    at: i64,
    /// Who made it.
    actor: AuditActor,
    /// What was done, such as `book.update`.
    action: String,
    /// What was changed.
    subject: AuditSubject,
    /// The fields that changed.
    changes: Vec<AuditChange>,
    /// The IP address of the request.
    #[schema(required)]
    address: Option<String>,
    /// The device of the request.
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
    /// Latest first.
    pub(crate) entries: Vec<Entry>,
    /// The key of the next page; null on the last one.
    #[schema(required)]
    pub(crate) next: Option<String>,
}
