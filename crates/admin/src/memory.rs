//! An in-memory store for tests.

use std::collections::BTreeMap;

use kernel::{Limit, Page, StoreError, Timestamp, UserId};

use crate::{
    Actor, ActorName, AuditCommands, AuditEntry, AuditEntryId, AuditFilter, AuditQueries, EditCommands, EditQueries,
    FieldChange, NewAuditEntry, NewRevision, Revision, RowRef, RowVersion, SubjectKind,
};

/// The in-memory audit log and edit versions, and the names of existing accounts.
#[derive(Debug, Default)]
pub struct Memory {
    entries: Vec<AuditEntry>,
    names: BTreeMap<UserId, String>,
    versions: Vec<(RowRef, i64, Option<Timestamp>, Option<UserId>)>,
    revisions: Vec<(RowRef, Revision, Option<UserId>)>,
    revisions_numbered: i64,
}

impl Memory {
    pub fn add_person(&mut self, name: &str) -> UserId {
        let id = UserId::from_store(self.names.keys().last().map_or(1, |last| last.get() + 1));
        self.names.insert(id, name.to_owned());
        id
    }

    pub fn delete_person(&mut self, user: UserId) {
        self.names.remove(&user);
    }

    /// The entry with the current names of accounts.
    fn shown(&self, entry: &AuditEntry) -> AuditEntry {
        let mut entry = entry.clone();
        if let ActorName::Person(user, name) = &mut entry.actor {
            *name = self.names.get(user).cloned();
        }
        if entry.subject.kind == SubjectKind::User {
            let user = entry.subject.id.map(UserId::from_store);
            entry.subject.name = user.and_then(|user| self.names.get(&user).cloned());
            if entry.subject.name.is_none() {
                for change in entry.changes.iter_mut().filter(|change| change.personal) {
                    *change = FieldChange { from: None, to: None, ..change.clone() };
                }
            }
        }
        entry
    }
}

fn admits(filter: &AuditFilter, entry: &AuditEntry) -> bool {
    let name = match &entry.actor {
        ActorName::Person(_, name) => name.as_deref(),
        ActorName::Operator(name) | ActorName::System(name) => Some(name.as_str()),
    };
    let texts = [name, entry.subject.name.as_deref(), Some(entry.action.as_str()), entry.address.as_deref()];
    let contains = |text: &String| {
        let text = text.to_lowercase();
        texts.iter().flatten().any(|one| one.to_lowercase().contains(&text))
    };
    let actor = match &entry.actor {
        ActorName::Person(user, _) => Some(*user),
        ActorName::Operator(_) | ActorName::System(_) => None,
    };
    filter.text.as_ref().is_none_or(contains)
        && (filter.actor.is_none() || filter.actor == actor)
        && filter.action.as_ref().is_none_or(|action| {
            *action == entry.action || entry.action.split('.').next().is_some_and(|kind| kind == action)
        })
        && filter.subject.is_none_or(|kind| kind == entry.subject.kind)
        && (filter.subject_id.is_none() || filter.subject_id == entry.subject.id)
        && filter.from.is_none_or(|from| entry.at >= from)
        && filter.to.is_none_or(|to| entry.at < to)
}

impl AuditQueries for Memory {
    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        after: Option<AuditEntryId>,
        limit: Limit,
    ) -> Result<Page<AuditEntry, AuditEntryId>, StoreError> {
        let entries = self.entries.iter().rev().map(|entry| self.shown(entry));
        let found = entries.filter(|entry| admits(filter, entry) && after.is_none_or(|after| entry.id < after));
        Ok(Page::from_surplus(found.take(limit.get() + 1).collect(), limit, |entry| entry.id))
    }
}

impl AuditCommands for Memory {
    fn insert_audit_entry(&mut self, entry: NewAuditEntry<'_>) -> Result<AuditEntryId, StoreError> {
        let id = AuditEntryId::from_store(i64::try_from(self.entries.len()).map_err(StoreError::new)? + 1);
        let (actor, address, device) = match entry.actor {
            Actor::Person { user, address, device } => {
                (ActorName::Person(*user, None), Some(address.to_string()), Some(device.clone()))
            }
            Actor::Operator(command) => (ActorName::Operator((*command).to_owned()), None, None),
            Actor::System(job) => (ActorName::System((*job).to_owned()), None, None),
        };
        self.entries.push(AuditEntry {
            id,
            at: entry.at,
            actor,
            action: entry.event.action.to_owned(),
            subject: entry.event.subject.clone(),
            changes: entry.event.changes.clone(),
            address,
            device,
        });
        Ok(id)
    }
}

impl EditQueries for Memory {
    fn row_versions(&mut self, kind: SubjectKind, rows: &[i64]) -> Result<Vec<(i64, RowVersion)>, StoreError> {
        let wanted = self.versions.iter().filter(|(row, ..)| row.kind == kind && rows.contains(&row.id));
        let name = |user: &Option<UserId>| user.and_then(|user| self.names.get(&user).cloned());
        Ok(wanted
            .map(|(row, number, at, by)| (row.id, RowVersion { number: *number, at: *at, by: name(by) }))
            .collect())
    }

    fn revisions(&mut self, row: RowRef) -> Result<Vec<Revision>, StoreError> {
        let wanted = self.revisions.iter().rev().filter(|(of, ..)| *of == row);
        let name = |user: &Option<UserId>| user.and_then(|user| self.names.get(&user).cloned());
        Ok(wanted.map(|(_, revision, by)| Revision { by: name(by), ..revision.clone() }).collect())
    }
}

impl EditCommands for Memory {
    fn lock_row(&mut self, row: RowRef) -> Result<RowVersion, StoreError> {
        self.row_version(row)
    }

    fn advance_row(&mut self, row: RowRef, by: Option<UserId>, now: Timestamp) -> Result<i64, StoreError> {
        let number = self.row_version(row)?.number + 1;
        self.versions.retain(|(of, ..)| *of != row);
        self.versions.push((row, number, Some(now), by));
        Ok(number)
    }

    fn insert_revision(&mut self, new: NewRevision<'_>) -> Result<(), StoreError> {
        self.revisions_numbered += 1;
        let (id, content) = (self.revisions_numbered, new.content.to_owned());
        let revision = Revision { id, version: new.version, at: new.at, by: None, content };
        self.revisions.push((new.row, revision, new.by));
        Ok(())
    }

    fn forget_row(&mut self, row: RowRef) -> Result<(), StoreError> {
        self.versions.retain(|(of, ..)| *of != row);
        self.revisions.retain(|(of, ..)| *of != row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract::{self, People};

    impl People for Memory {
        fn add_person(&mut self, name: &str) -> kernel::UserId {
            Self::add_person(self, name)
        }

        fn delete_person(&mut self, user: kernel::UserId) {
            Self::delete_person(self, user);
        }
    }

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
