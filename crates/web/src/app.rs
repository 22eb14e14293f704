//! The dependencies of all handlers, and their wiring.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use billing::gateway::{GatewayProvider, WebhookRequest};
use cache::{
    BookFactsCache, CacheUse, CatalogueModel, KeyCache, Keys, ResponseCache, SearchCounter, TokenCache, ViewCounter,
};
use catalogue::{BookRef, CatalogueQueries};
use config::{
    Config, Profile, SiteConfig,
    build::{COMMIT, RELEASE},
};
use identity::{Claims, IdentityQueries, Seal, TokenError};
use kernel::{Env, StoreError};
use language_model::LanguageModel;
use mail::{MailTransport, Mailer};
use media::{Media, UrlSigner};
use narration::{Narrator, Synthesizer};
use openid::SignInProviders;
use operations::CertificateCheck;
use page_fetch::Poster;
use pages::web_app::WebApp;
use passkeys::Passkeys;
use payments::{Gateways, sandbox::SandboxClock};
use postgres::{Change, Db, Notification, PgRead, PoolMonitor};
use reading_progress::BookFacts;
use summaries::engine::SummaryModel;
use telemetry::{BuildInfo, Metrics};
use text_extraction::{Drawer, ProcessLimits};
use tokio::sync::Notify;
use workflows::{
    billing::payments::PaymentFlows,
    catalogue::book_lists::{CatalogueFrame, catalogue_frame},
    delivery::book_files::BookFiles,
    error::ViewError,
    identity::{password_hashing::Passwords, provider_sign_in::flow::ProviderFlows},
    reading_progress::reading,
    tx::{ReadTx, Settings, Transactions, Tx},
};

use crate::{
    http::{connections::Connections, error::ApiError},
    site_policy::SitePolicy,
};

/// The internal command of the child process that rasterizes an SVG under limits.
pub const DRAW: &str = "draw";

/// The shared state of a process: configuration, database, caches and services.
pub struct App {
    pub config: Config,
    /// The clock and the random number generator.
    pub env: Arc<dyn Env>,
    /// The database connections.
    pub db: Db,
    /// Runs workflows, each in one transaction.
    pub transactions: Transactions,
    /// Encrypts and decrypts the keys that are stored in the database.
    pub seal: Seal,
    /// The cache of verified access tokens.
    pub tokens: TokenCache,
    /// The cache of [`BookFacts`].
    pub facts: BookFactsCache,
    /// The cached read model that every page of the catalogue shows.
    pub catalogue_frame: CatalogueModel<CatalogueFrame>,
    /// The response cache.
    pub responses: ResponseCache,
    /// The object store.
    pub media: Arc<Media>,
    pub book_files: BookFiles,
    /// The configured sign-in providers.
    pub providers: SignInProviders,
    /// The built web app.
    pub web_app: &'static WebApp,
    /// The counters of `/metrics`.
    pub metrics: Arc<Metrics>,
    /// Views of books that are not flushed to the database yet.
    pub views: Arc<ViewCounter>,
    /// Searches without a result that are not flushed to the database yet.
    pub searches: SearchCounter,
    /// Sends mails.
    pub mailer: Arc<Mailer>,
    /// Posts to members' webhooks and to push services.
    pub poster: Poster,
    /// The speech programs; `None` when none is installed or enabled.
    pub synthesizer: Option<Arc<Synthesizer>>,
    /// Wakes the worker when jobs were queued.
    pub jobs_queued: Arc<Notify>,
    /// Wakes calls that wait for a summary, when one may have ended.
    pub summaries_ended: Notify,
    /// Verifies passkeys; `None` when the site can't have any.
    pub passkeys: Option<Arc<Passkeys>>,
    /// Runs workflows that hash passwords, at most one hash per core at a time.
    pub passwords: Passwords,
    /// Writes members' summaries; `None` when no model is configured.
    pub summary_model: Option<Arc<dyn SummaryModel>>,
    /// The configured payment providers.
    pub gateways: Gateways,
    /// Runs workflows that call payment providers.
    pub payments: PaymentFlows,
    /// The clock that an admin of a demo may advance; `None` outside the demo profile, and with real payments.
    pub sandbox_clock: Option<Arc<SandboxClock>>,
    /// Counts each client's connections.
    pub connections: Arc<Connections>,
    /// The security headers of pages that follow from the configuration.
    pub policy: SitePolicy,
    /// This process's id among all processes of the site.
    pub process_id: String,
    /// The clock of this machine, which no admin of a demo advances.
    pub machine_clock: Arc<dyn Env>,
    /// What the site's certificate was found to be; `None` before the first look, and where the site has none.
    pub certificate: Mutex<Option<CertificateCheck>>,
    /// Wakes what starts the process again, when the site was set up under another name.
    pub name_changed: Notify,
    keys: KeyCache,
    set_up: AtomicBool,
    ready: AtomicBool,
    draining: AtomicBool,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").finish_non_exhaustive()
    }
}

impl App {
    /// Wires up a process. Does not connect to the database yet.
    pub fn new(config: Config, env: Arc<dyn Env>) -> anyhow::Result<Arc<Self>> {
        // One TLS provider for all outgoing calls. Another `App` of the process may have installed it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let is_pretended = config.profile == Profile::Demo && config.payments.is_sandbox();
        let sandbox_clock = is_pretended.then(|| Arc::new(SandboxClock::new(Arc::clone(&env), &config.home)));
        let machine_clock = Arc::clone(&env);
        let env = sandbox_clock.clone().map_or(env, |clock| clock as Arc<dyn Env>);
        let mut node = [0; 8];
        env.fill_random(&mut node);
        let node = hex::encode(node);
        let schema = postgres::schema_version();
        let metrics = Arc::new(Metrics::new(BuildInfo { release: RELEASE, commit: COMMIT, schema: &schema })?);
        let db = Db::monitored(&config.database, &node, &(Arc::clone(&metrics) as Arc<dyn PoolMonitor>));
        let seal = Seal::new(config.secret.bytes())?;
        let seal = match &config.secret_also {
            Some(other) => seal.also_opening(other.bytes())?,
            None => seal,
        };
        let settings = Arc::new(Settings::from(&config));
        let site = mail::Site {
            name: config.site.name.clone(),
            url: config.public_url.clone(),
            support_email: config.site.support_email.clone(),
        };
        let transport = MailTransport::new(&config.mail, &config.home)?;
        let mailer = Arc::new(Mailer::new(seal.clone(), site, &config.mail, transport));
        let drawer = Drawer::new(config.program.clone(), vec![DRAW.into()], ProcessLimits::of_drawings());
        let media = Arc::new(Media::new(&config.media, &config.home, &env, (drawer, config.drawing_wait))?);
        let transactions = Transactions::new(db.clone(), Arc::clone(&env), seal.clone(), settings);
        let summary_model = match config.language_model.clone() {
            Some(model) => Some(Arc::new(LanguageModel::new(model)?) as Arc<dyn SummaryModel>),
            None => None,
        };
        let gateways = Gateways::new(&config.payments, &config.home, &config.secret, &env)?;
        let app = Arc::new(Self {
            payments: PaymentFlows::new(transactions.clone(), Arc::clone(&env), gateways.all().cloned()),
            gateways,
            sandbox_clock,
            summary_model,
            passwords: Passwords::new(transactions.clone(), Arc::clone(&env)),
            transactions,
            keys: KeyCache::new(db.clone(), Arc::clone(&env), seal.clone()),
            seal,
            tokens: TokenCache::default(),
            facts: BookFactsCache::new(config.cache),
            catalogue_frame: CatalogueModel::default(),
            responses: ResponseCache::new(config.cache),
            book_files: BookFiles {
                media: Arc::clone(&media),
                public_url: config.public_url.clone(),
                site_name: config.site.name.clone(),
            },
            media,
            providers: SignInProviders::new(&config.providers, &env)?,
            web_app: WebApp::shared(),
            metrics,
            views: Arc::default(),
            searches: SearchCounter::default(),
            mailer,
            poster: Poster::new(format!("Webhooks/1.0 (+{})", config.public_url), config.private_webhooks),
            synthesizer: Synthesizer::find(&config.speech).map(Arc::new),
            jobs_queued: Arc::new(Notify::new()),
            summaries_ended: Notify::new(),
            passkeys: Passkeys::for_site(&config.public_url, &config.site.name).map(Arc::new),
            connections: Connections::new(config.connections_per_client),
            policy: SitePolicy::new(&config.payments)?,
            process_id: node,
            machine_clock,
            certificate: Mutex::default(),
            name_changed: Notify::new(),
            set_up: AtomicBool::new(false),
            ready: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            config,
            env,
            db,
        });
        let listener = Arc::downgrade(&app);
        app.db.on_change(move |notification| {
            if let Some(app) = listener.upgrade() {
                app.handle_notification(notification);
            }
        });
        Ok(app)
    }

    /// Runs a read-only workflow on one connection.
    pub async fn read_tx<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut ReadTx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        self.transactions.read(workflow).await
    }

    /// Runs a workflow as [`Db::read_from_replica`] does: for lists, searches, statistics and exports.
    pub async fn read_tx_from_replica<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut ReadTx<'_, '_>) -> Result<T, E> + Send + Sync + 'static,
    {
        self.transactions.read_from_replica(workflow).await
    }

    /// Runs a workflow in one transaction.
    pub async fn write_tx<T, E, F>(&self, workflow: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Tx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        self.transactions.write(workflow).await
    }

    /// Invalidates the caches that a change affects.
    fn handle_notification(&self, notification: Notification) {
        match notification {
            Notification::Change(Change::Session(session)) => self.tokens.invalidate_session(session),
            Notification::Change(Change::User(user) | Change::Reader(user)) => self.responses.invalidate_reader(user),
            Notification::Change(Change::Book(book)) => {
                self.facts.invalidate_book(book);
                self.catalogue_frame.invalidate();
                self.responses.invalidate_book(book);
            }
            Notification::Change(Change::Catalogue) => {
                self.facts.invalidate_all();
                self.catalogue_frame.invalidate();
                self.responses.invalidate_catalogue();
            }
            Notification::Change(Change::Keys) => {
                self.keys.invalidate();
                self.tokens.invalidate_all();
            }
            Notification::Change(Change::Jobs) => self.jobs_queued.notify_one(),
            Notification::Change(Change::Summaries) => self.summaries_ended.notify_waiters(),
            // If nothing waits yet, what waits next is woken at once.
            Notification::Change(Change::SiteName) => self.name_changed.notify_one(),
            Notification::ListenerDown => self.responses.hold(),
            Notification::Missed => {
                self.keys.invalidate();
                self.tokens.invalidate_all();
                self.facts.invalidate_all();
                self.catalogue_frame.invalidate();
                self.responses.invalidate_all();
                self.summaries_ended.notify_waiters();
            }
        }
    }

    /// The signing keys. Cached for at most 20 seconds.
    pub async fn keys(&self) -> Result<Arc<Keys>, ApiError> {
        Ok(self.keys.keys().await?)
    }

    /// The signer of presigned media URLs.
    pub async fn signer(&self) -> Result<UrlSigner, ApiError> {
        Ok(self.keys.signer().await?)
    }

    /// Verifies an access token that is not cached: its signature, its expiry, and that its session is live.
    pub async fn verify_token(&self, token: &str) -> Result<Claims, ApiError> {
        let now = self.env.now();
        let claims = match self.keys().await?.ring.verify(token, now) {
            // Another process may have just created the key, or the token is forged.
            Err(TokenError::UnknownKey) => self.keys.keys_after_unknown_key().await?.ring.verify(token, now),
            verified => verified,
        };
        let mut claims = claims.map_err(|_| ApiError::unauthenticated())?;
        let version = self.tokens.version(claims.session);
        let session = claims.session;
        let live = self.db.read::<_, StoreError, _>(move |pg| pg.live_session(session, now)).await?;
        let Some(live) = live else { return Err(ApiError::unauthenticated()) };
        // A session that is no longer strong loses the role that its token still claims (`identity.strong-session`).
        claims.role = claims.role.in_session(live.strong, self.config.profile != Profile::Demo);
        self.tokens.put(token, claims, version);
        Ok(claims)
    }

    /// The facts about a published book that the rules of reading need. Cached.
    pub async fn book_facts(&self, book: BookRef) -> Result<BookFacts, ViewError> {
        if let Some(facts) = self.facts.get(&book) {
            return Ok(facts);
        }
        let before = self.facts.snapshot();
        let name = book.clone();
        let facts = self.read_tx(move |tx| reading::book_facts(tx, &name)).await?;
        self.facts.put(book, facts, before);
        Ok(facts)
    }

    /// Lets the sandbox run its due payments, then handles its webhooks as if they had arrived over HTTP.
    pub async fn take_sandbox_webhooks(&self) -> Result<(), ApiError> {
        let Some(sandbox) = self.gateways.sandbox() else { return Ok(()) };
        for webhook in sandbox.take_webhooks().map_err(ApiError::internal)? {
            let request = WebhookRequest { headers: &webhook.headers, body: &webhook.body };
            self.payments.receive_webhook(GatewayProvider::Sandbox, request, None).await?;
        }
        Ok(())
    }

    /// The sign-in flows with the configured providers.
    pub fn provider_flows(&self) -> ProviderFlows<'_> {
        ProviderFlows { transactions: &self.transactions, providers: &self.providers }
    }

    /// The read model that every page of the catalogue shows. Cached.
    pub async fn catalogue_frame(&self) -> Result<Arc<CatalogueFrame>, StoreError> {
        self.catalogue_frame.get_or_read(self.env.now(), async || self.read_tx(catalogue_frame).await).await
    }

    /// The dependencies of narration jobs.
    pub fn narrator(&self) -> Narrator {
        Narrator {
            db: self.db.clone(),
            media: Arc::clone(&self.media),
            env: Arc::clone(&self.env),
            synthesizer: self.synthesizer.clone(),
            home: self.config.home.clone(),
            site: self.config.site.name.clone(),
        }
    }

    /// The metrics of the process, in Prometheus' text format.
    pub fn metrics_text(&self) -> anyhow::Result<Vec<u8>> {
        for pool in self.db.pool_use() {
            self.metrics.set_pool(pool);
        }
        for CacheUse { name, hits, misses, entries } in
            [self.responses.usage(), self.tokens.usage(), self.facts.usage()]
        {
            self.metrics.set_cache(name, hits, misses, entries);
        }
        Ok(self.metrics.text()?)
    }

    /// The name that the site has by now: `SITE_NAME`, or what the setup page has stored, perhaps since this process read it.
    pub async fn current_site_name(&self) -> Result<String, StoreError> {
        let SiteConfig { name, is_name_set, .. } = &self.config.site;
        let ask = |pg: &mut PgRead<'_>| pg.stored_site_name();
        let stored = if *is_name_set { None } else { self.db.read(ask).await? };
        Ok(stored.unwrap_or_else(|| name.clone()))
    }

    /// Whether the site waits for its setup page (`admin.setup-page`). Once it does not, it never does again.
    pub async fn is_setup_open(&self) -> Result<bool, StoreError> {
        if self.config.profile == Profile::Demo || self.set_up.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let ask = |pg: &mut PgRead<'_>| pg.is_setup_open();
        let is_open = self.db.read(ask).await?;
        if !is_open {
            self.set_up.store(true, Ordering::Relaxed);
        }
        Ok(is_open)
    }

    /// Marks the process as draining: `/readyz` fails from now on, so that load balancers stop sending requests. Calls that wait for
    /// a summary are answered.
    pub fn start_draining(&self) {
        self.draining.store(true, Ordering::SeqCst);
        self.summaries_ended.notify_waiters();
    }

    /// Whether the process is draining.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// Whether the process can serve requests: it is not draining, the database is reachable and fully migrated, the keys can be
    /// decrypted, and in the demo profile the demo content exists (`site.readiness-check`).
    pub async fn is_ready(&self) -> Result<bool, ApiError> {
        if self.is_draining() {
            return Ok(false);
        }
        if self.ready.load(Ordering::SeqCst) {
            return Ok(self.db.is_up().await);
        }
        let url = self.config.database.session_url().to_owned();
        let migrated =
            tokio::task::spawn_blocking(move || postgres::is_migrated(&url)).await.map_err(ApiError::internal)??;
        let seeded = migrated
            && (self.config.profile != Profile::Demo
                || self.db.read::<_, StoreError, _>(|pg| pg.book_count()).await? > 0);
        let is_ready = seeded && self.are_keys_readable().await?;
        self.ready.store(is_ready, Ordering::SeqCst);
        Ok(is_ready)
    }

    /// Whether the keys in the database were encrypted with this process's secret. Creates the first keys.
    async fn are_keys_readable(&self) -> Result<bool, ApiError> {
        match self.keys.keys().await {
            Ok(_) => Ok(true),
            Err(identity::IdentityError::Seal(error)) => {
                tracing::error!(%error, "PITH_SECRET does not fit the database");
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Fails when the keys in the database were encrypted with another secret. Ignores a database that is unreachable or not
    /// migrated: `/readyz` reports that.
    pub async fn check_secret(&self) -> anyhow::Result<()> {
        match self.keys.keys().await {
            Err(identity::IdentityError::Seal(error)) => {
                anyhow::bail!("PITH_SECRET does not fit the database: {error}.")
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}
