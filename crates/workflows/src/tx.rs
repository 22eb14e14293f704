//! The context of a workflow: one transaction, with clock, randomness, seal and settings.

use std::sync::Arc;

use identity::Seal;
use kernel::{Email, Env, StoreError, Timestamp};
use mail::Mail;
use postgres::{CombinedSaves, Db, Pg, PositionSave, Read, Write};
use reading_progress::Place;

use crate::limits::RateLimits;

/// One transaction (in [`Transactions::read`] one connection) and the context of a workflow. All changes of a workflow are
/// committed together or not at all.
pub struct Tx<'a, 'c, A = Write> {
    /// The queries of all domains, and with [`Write`] their services.
    pub pg: &'a mut Pg<'c, A>,
    /// Clock and randomness.
    pub env: &'a dyn Env,
    /// Encrypts the payloads of jobs and other secrets at rest.
    pub seal: &'a Seal,
    /// The operator's settings.
    pub settings: &'a Settings,
}

/// The context of a workflow that only reads.
pub type ReadTx<'a, 'c> = Tx<'a, 'c, Read>;

impl<A> std::fmt::Debug for Tx<'_, '_, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tx").finish_non_exhaustive()
    }
}

impl<A> Tx<'_, '_, A> {
    pub fn now(&self) -> Timestamp {
        self.env.now()
    }
}

impl Tx<'_, '_> {
    /// Queues a mail as a job in this transaction.
    pub fn queue_mail(&mut self, to: &Email, mail: &Mail) -> Result<(), StoreError> {
        mail::queue(self.pg, self.seal, self.env, to, mail)
    }
}

/// The part of the configuration that workflows need.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The site's URL, without a trailing slash.
    pub public_url: String,
    /// The product's name.
    pub site_name: String,
    /// The mailbox that receives messages to support.
    pub support_email: Email,
    /// Whether a role above member counts only in a session that was started with a second factor or a passkey. True outside the
    /// demo profile.
    pub roles_need_strong_session: bool,
    /// Whether recordings and films are made from texts: a speech program is installed, and `SPEECH` allows it.
    pub makes_recordings: bool,
    /// The domains of members' e-reader addresses (`delivery.e-reader-address`).
    pub kindle_domains: Vec<String>,
    /// The providers' price ids that stand for the monthly plan (`billing.legacy-plan-names`).
    pub monthly_price_ids: Vec<String>,
    pub limits: RateLimits,
}

impl Settings {
    /// The URL of a path of the site, for mails: built from the configured URL, never from a request's.
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }
}

/// Runs workflows on the database. Cheap to clone.
#[derive(Clone)]
pub struct Transactions {
    db: Db,
    saves: Arc<CombinedSaves>,
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
    pub fn new(db: Db, env: Arc<dyn Env>, seal: Seal, settings: Arc<Settings>) -> Self {
        Self { saves: Arc::new(CombinedSaves::new(db.clone())), db, env, seal, settings }
    }

    /// The operator's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Encrypts what leaves the server and comes back.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Runs a workflow as [`Db::read`] does, with a [`ReadTx`].
    pub async fn read<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut ReadTx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        let parts = self.clone();
        self.db.read(move |pg| workflow(&mut parts.tx(pg))).await
    }

    /// Runs a workflow as [`Db::read_from_replica`] does, with a [`ReadTx`].
    pub async fn read_from_replica<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut ReadTx<'_, '_>) -> Result<T, E> + Send + Sync + 'static,
    {
        let parts = self.clone();
        self.db.read_from_replica(move |pg| workflow(&mut parts.tx(pg))).await
    }

    /// Runs a workflow as [`Db::write`] does, with a [`Tx`].
    pub async fn write<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Tx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        let parts = self.clone();
        self.db.write(move |pg| workflow(&mut parts.tx(pg))).await
    }

    /// Saves a position as [`CombinedSaves::save`] does.
    pub async fn save_position(&self, save: PositionSave) -> Result<Option<Place>, StoreError> {
        self.saves.save(save).await
    }

    /// The time by the server's clock.
    pub fn now(&self) -> Timestamp {
        self.env.now()
    }

    /// Runs a workflow as [`Db::write_now`] does, with a [`Tx`]: blocks the thread.
    pub fn write_now<T, E>(&self, workflow: impl FnOnce(&mut Tx<'_, '_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.db.write_now(|pg| workflow(&mut self.tx(pg)))
    }

    /// The context of a workflow in a transaction that was started elsewhere.
    pub fn tx<'a, 'c, A>(&'a self, pg: &'a mut Pg<'c, A>) -> Tx<'a, 'c, A> {
        Tx { pg, env: &*self.env, seal: &self.seal, settings: &self.settings }
    }
}
