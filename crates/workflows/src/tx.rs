//! What a workflow works on: one transaction, with time, randomness, the seal and the settings.

use std::sync::Arc;

use identity::Seal;
use kernel::{Email, Env, StoreError, Timestamp};
use mail::Mail;
use postgres::{Db, Pg, Read, Write};

use crate::limits::RateLimits;

/// One transaction (in [`Transactions::read`] one connection) and what a workflow needs besides it. Everything that a workflow
/// changes is committed together or not at all.
pub struct Tx<'a, 'c, A = Write> {
    /// The queries of all domains, and with [`Write`] their services.
    pub pg: &'a mut Pg<'c, A>,
    /// Time and randomness.
    pub env: &'a dyn Env,
    /// Seals the payloads of jobs and other secrets at rest.
    pub seal: &'a Seal,
    /// What operators have set.
    pub settings: &'a Settings,
}

/// What a workflow works on that only reads.
pub type ReadTx<'a, 'c> = Tx<'a, 'c, Read>;

impl<A> std::fmt::Debug for Tx<'_, '_, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tx").finish_non_exhaustive()
    }
}

impl<A> Tx<'_, '_, A> {
    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.env.now()
    }
}

impl Tx<'_, '_> {
    /// Queues a mail as a job of this transaction.
    pub fn queue_mail(&mut self, to: &Email, mail: &Mail) -> Result<(), StoreError> {
        mail::queue(self.pg, self.seal, self.env, to, mail)
    }
}

/// The part of the configuration that workflows need.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The site's address, without a slash at the end.
    pub public_url: String,
    /// The product's name.
    pub site_name: String,
    /// The support mailbox.
    pub support_email: Email,
    /// Whether a role above member counts only in a session that was begun with a second factor or a passkey. True
    /// outside of the demo profile.
    pub roles_need_strong_session: bool,
    /// Whether recordings and films are made of texts: the machine has a speech program, and `SPEECH` allows it.
    pub makes_recordings: bool,
    /// The domains at which members' e-readers take mail (`delivery.e-reader-address`).
    pub kindle_domains: Vec<String>,
    /// The providers' price ids that stand for the monthly plan (`billing.legacy-plan-names`).
    pub monthly_price_ids: Vec<String>,
    /// The rate limits.
    pub limits: RateLimits,
}

impl Settings {
    /// The URL of a path of the site, for mails: made of the configured address, never of a request's.
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }
}

/// Runs workflows on the database. Cheap to clone.
#[derive(Clone)]
pub struct Transactions {
    db: Db,
    env: Arc<dyn Env>,
    seal: Seal,
    settings: Arc<Settings>,
}

impl std::fmt::Debug for Transactions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transactions").finish_non_exhaustive()
    }
}

impl Transactions {
    /// Runs workflows on `db` with these parts.
    pub fn new(db: Db, env: Arc<dyn Env>, seal: Seal, settings: Arc<Settings>) -> Self {
        Self { db, env, seal, settings }
    }

    /// What operators have set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Seals what leaves the server and comes back.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// [`Db::read`] with a [`ReadTx`].
    pub async fn read<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut ReadTx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        let parts = self.clone();
        self.db.read(move |pg| workflow(&mut parts.tx(pg))).await
    }

    /// [`Db::write`] with a [`Tx`].
    pub async fn write<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Tx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        let parts = self.clone();
        self.db.write(move |pg| workflow(&mut parts.tx(pg))).await
    }

    /// [`Db::write_statement`] with a [`Tx`].
    pub async fn write_statement<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut Tx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        let parts = self.clone();
        self.db.write_statement(move |pg| workflow(&mut parts.tx(pg))).await
    }

    /// [`Db::write_now`] with a [`Tx`], for a thread that may block.
    pub fn write_now<T, E>(&self, workflow: impl FnOnce(&mut Tx<'_, '_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.db.write_now(|pg| workflow(&mut self.tx(pg)))
    }

    /// A transaction that was begun elsewhere, for a workflow.
    pub fn tx<'a, 'c, A>(&'a self, pg: &'a mut Pg<'c, A>) -> Tx<'a, 'c, A> {
        Tx { pg, env: &*self.env, seal: &self.seal, settings: &self.settings }
    }
}
