//! Changes that are recorded in the audit log, in the transaction that makes them (`admin.audit-log`).

use admin::{Actor, AuditCommands, AuditEvent, NewAuditEntry};
use kernel::StoreError;

use crate::tx::{Transactions, Tx};

/// What a workflow of the back office changes, for the audit log.
#[derive(Debug)]
pub struct AuditTrail {
    actor: Actor,
    events: Vec<AuditEvent>,
}

impl AuditTrail {
    /// Who acts.
    pub const fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Records a change. It is stored when the workflow has succeeded.
    pub fn record(&mut self, event: AuditEvent) {
        self.events.push(event);
    }

    /// Records a change of fields, unless none of them changed.
    pub fn record_changes(&mut self, event: AuditEvent) {
        if !event.changes.is_empty() {
            self.record(event);
        }
    }
}

/// Runs a workflow of an actor in a transaction that is open, and stores what it recorded.
pub fn run_as<T, E: From<StoreError>>(
    tx: &mut Tx<'_, '_>,
    actor: Actor,
    workflow: impl FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<T, E>,
) -> Result<T, E> {
    let mut trail = AuditTrail { actor, events: Vec::new() };
    let value = workflow(tx, &mut trail)?;
    for event in &trail.events {
        tx.pg.insert_audit_entry(NewAuditEntry { actor: &trail.actor, event, at: tx.env.now() })?;
    }
    Ok(value)
}

impl Transactions {
    /// [`Transactions::write`] of a workflow that an actor of the back office runs: what it records is stored in the same
    /// transaction.
    pub async fn write_as<T, E, F>(&self, actor: Actor, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<T, E> + Send + 'static,
    {
        self.write(move |tx| run_as(tx, actor, workflow)).await
    }

    /// [`Transactions::write_as`], for a thread that may block: commands of operators.
    pub fn write_now_as<T, E>(
        &self,
        actor: Actor,
        workflow: impl FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.write_now(|tx| run_as(tx, actor, workflow))
    }
}
