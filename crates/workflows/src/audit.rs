//! Records changes in the audit log, in the transaction that makes them (`admin.audit-log`).

use admin::{Actor, AuditCommands, AuditEvent, NewAuditEntry};
use kernel::StoreError;

use crate::tx::{Transactions, Tx};

/// The changes that a back-office workflow has recorded, and who made them.
#[derive(Debug)]
pub struct AuditTrail {
    actor: Actor,
    events: Vec<AuditEvent>,
}

impl AuditTrail {
    pub const fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Records a change. It is stored if the workflow succeeds.
    pub fn record(&mut self, event: AuditEvent) {
        self.events.push(event);
    }

    /// Records changed fields, unless none has changed.
    pub fn record_changes(&mut self, event: AuditEvent) {
        if !event.changes.is_empty() {
            self.record(event);
        }
    }
}

/// Runs an actor's workflow in an open transaction, and stores the changes that it recorded.
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
    /// Like [`Transactions::write`], for a back-office workflow of an actor: its recorded changes are stored in the same
    /// transaction.
    pub async fn write_as<T, E, F>(&self, actor: Actor, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<T, E> + Send + 'static,
    {
        self.write(move |tx| run_as(tx, actor, workflow)).await
    }

    /// Like [`Transactions::write_as`], but blocks the thread: for operators' commands.
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
