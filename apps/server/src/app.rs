//! What every handler may use: the wiring of a process.

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
};

use book_files::BookFiles;
use cache::{BookFactsCache, ResponseCache, TokenCache};
use catalogue::CatalogueStore;
use config::{Config, Profile};
use identity::{Claims, Identity, IdentityError, KeyRing, RefreshKey, Seal, TokenError};
use kernel::{Env, SECOND, StoreError};
use mail::{MailTransport, Mailer};
use media::{Media, UrlSigner};
use narration::{Narrator, Synthesizer};
use openid::SignInProviders;
use passkeys::Passkeys;
use postgres::{Change, Db, DbConfig, Notification};
use tokio::sync::{Notify, Semaphore};

use crate::{
    error::ApiError,
    flows::tx::{Settings, Transactions, Tx},
    metrics::Metrics,
    upkeep::Opens,
    web_app::WebApp,
};

/// The process's parts. Shared by all its threads.
pub struct App {
    /// What was set from outside.
    pub config: Config,
    /// Time and randomness.
    pub env: Arc<dyn Env>,
    /// The database.
    pub db: Db,
    /// Runs stories, each in one transaction.
    pub transactions: Transactions,
    /// Seals and opens keys.
    pub seal: Seal,
    /// Cached access tokens.
    pub tokens: TokenCache,
    /// Cached facts of books.
    pub facts: BookFactsCache,
    /// Cached responses.
    pub responses: ResponseCache,
    /// Covers, audio and other files.
    pub media: Media,
    /// The configured sign-in providers.
    pub providers: SignInProviders,
    /// The built web app.
    pub web_app: WebApp,
    /// Counters for operators.
    pub metrics: Metrics,
    /// Opens of books that are not yet in the database.
    pub opens: Opens,
    /// Sends mails.
    pub mailer: Mailer,
    /// The speech programs, where this machine has any.
    pub synthesizer: Option<Synthesizer>,
    /// Wakes the worker: there are jobs.
    pub jobs_queued: Notify,
    /// Checks passkeys, where the site can have any.
    pub passkeys: Option<Passkeys>,
    /// As wide as the cores: more password hashes at once would only make all of them slower.
    pub hashing: Arc<Semaphore>,
    keys: RwLock<Option<Arc<Keys>>>,
    keys_loaded: AtomicI64,
    /// How often the keys have been asked for because of a token with an unknown one, and who is doing so.
    asks_for_keys: AtomicU64,
    asking_for_keys: tokio::sync::Mutex<()>,
    ready: AtomicBool,
    draining: AtomicBool,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").finish_non_exhaustive()
    }
}

/// The keys of a process.
#[derive(Debug)]
pub struct Keys {
    /// Signs and verifies access tokens.
    pub ring: KeyRing,
    /// Derives the successors of refresh secrets.
    pub refresh: RefreshKey,
    /// Presigns the URLs of files that are not public.
    pub media_urls: UrlSigner,
}

/// How old the keys in memory may be. A key made by another process is used after this time at the latest, even
/// when nobody has announced it.
const KEYS_FRESH: i64 = 20 * SECOND;

impl App {
    /// Wires a process. Does not wait for the database.
    pub fn new(config: Config, env: Arc<dyn Env>) -> anyhow::Result<Arc<Self>> {
        // One TLS provider for whatever calls outside; another `App` of the process may have installed it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut node = [0; 8];
        env.fill_random(&mut node);
        let node = hex::encode(node);
        let db = Db::new(
            &DbConfig {
                url: config.database_url.clone(),
                read_connections: config.read_connections,
                write_connections: config.write_connections,
                wait: std::time::Duration::from_millis(1_500),
            },
            &node,
        );
        let seal = Seal::new(config.secret.bytes())?;
        let settings = Arc::new(Settings::from(&config));
        let site = mail::Site {
            name: config.site.name.clone(),
            url: config.public_url.clone(),
            support_email: config.site.support_email.clone(),
        };
        let transport = MailTransport::new(&config.mail, &config.home)?;
        let mailer = Mailer::new(seal.clone(), site, &config.mail, transport);
        let app = Arc::new(Self {
            transactions: Transactions::new(db.clone(), Arc::clone(&env), seal.clone(), settings),
            seal,
            tokens: TokenCache::new(config.cache),
            facts: BookFactsCache::new(config.cache),
            responses: ResponseCache::new(config.cache),
            media: Media::new(&config.media, &config.home, &env)?,
            providers: SignInProviders::new(&config.providers, &env)?,
            web_app: WebApp::load(),
            metrics: Metrics::new()?,
            opens: Opens::default(),
            mailer,
            synthesizer: Synthesizer::find(&config.speech),
            jobs_queued: Notify::new(),
            passkeys: Passkeys::for_site(&config.public_url, &config.site.name),
            hashing: Arc::new(Semaphore::new(std::thread::available_parallelism().map_or(2, std::num::NonZero::get))),
            keys: RwLock::new(None),
            keys_loaded: AtomicI64::new(i64::MIN),
            asks_for_keys: AtomicU64::new(0),
            asking_for_keys: tokio::sync::Mutex::default(),
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

    /// Runs a story that only reads, on one connection.
    pub async fn read_tx<T, E, F>(&self, story: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut Tx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        self.transactions.read(story).await
    }

    /// Runs a story in one transaction.
    pub async fn write_tx<T, E, F>(&self, story: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Tx<'_, '_>) -> Result<T, E> + Send + 'static,
    {
        self.transactions.write(story).await
    }

    /// Invalidates the caches that a change concerns.
    fn handle_notification(&self, notification: Notification) {
        match notification {
            Notification::Change(Change::Session(session)) => self.tokens.invalidate_session(session),
            Notification::Change(Change::User(user) | Change::Reader(user)) => self.responses.invalidate_reader(user),
            Notification::Change(Change::Book(book)) => {
                self.facts.invalidate_book(book);
                self.responses.invalidate_book(book);
            }
            Notification::Change(Change::Catalogue) => {
                self.facts.invalidate_all();
                self.responses.invalidate_catalogue();
            }
            Notification::Change(Change::Keys) => {
                self.keys_loaded.store(i64::MIN, Ordering::SeqCst);
                self.tokens.invalidate_all();
            }
            Notification::Change(Change::Jobs) => self.jobs_queued.notify_one(),
            Notification::ListenerDown => self.responses.hold(),
            Notification::Missed => {
                self.keys_loaded.store(i64::MIN, Ordering::SeqCst);
                self.tokens.invalidate_all();
                self.facts.invalidate_all();
                self.responses.invalidate_all();
            }
        }
    }

    /// The process's keys, at most [`KEYS_FRESH`] old.
    pub async fn keys(&self) -> Result<Arc<Keys>, ApiError> {
        let age = self.env.now().millis().saturating_sub(self.keys_loaded.load(Ordering::SeqCst));
        let held = self.keys.read().unwrap_or_else(PoisonError::into_inner).clone();
        match held {
            Some(keys) if age <= KEYS_FRESH => Ok(keys),
            _ => self.reload_keys().await,
        }
    }

    /// Loads the keys, and makes the first ones on a new database.
    pub async fn reload_keys(&self) -> Result<Arc<Keys>, ApiError> {
        let (seal, env) = (self.seal.clone(), Arc::clone(&self.env));
        // Marked as fresh before they are read: news that comes while they are being read takes the mark away again.
        self.keys_loaded.store(self.env.now().millis(), Ordering::SeqCst);
        let loaded = self
            .db
            .write::<_, IdentityError, _>(move |pg| {
                Ok(Keys {
                    ring: pg.key_ring_or_first(&seal, &*env)?,
                    refresh: pg.refresh_key(&seal, &*env)?,
                    media_urls: UrlSigner::new(pg.media_url_key(&seal, &*env)?),
                })
            })
            .await;
        if loaded.is_err() {
            self.keys_loaded.store(i64::MIN, Ordering::SeqCst);
        }
        let keys = Arc::new(loaded?);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&keys));
        Ok(keys)
    }

    /// The signer of presigned media URLs. Its key never changes: it is held in memory also while the database is away.
    pub async fn signer(&self) -> Result<UrlSigner, ApiError> {
        let held = self.keys.read().unwrap_or_else(PoisonError::into_inner).clone();
        let keys = match held {
            Some(keys) => keys,
            None => self.reload_keys().await?,
        };
        Ok(keys.media_urls.clone())
    }

    /// The keys as they are now, also those that another process has just made. However many ask at the same moment, one
    /// at a time asks the database, and those who came before it began are content with its answer: forged tokens can't
    /// make everybody wait for the keys.
    async fn keys_of_this_moment(&self) -> Result<Arc<Keys>, ApiError> {
        let before = self.asks_for_keys.load(Ordering::SeqCst);
        let _turn = self.asking_for_keys.lock().await;
        if self.asks_for_keys.load(Ordering::SeqCst) > before {
            return self.keys().await;
        }
        self.asks_for_keys.fetch_add(1, Ordering::SeqCst);
        self.reload_keys().await
    }

    /// Verifies an access token that is not in memory: its signature, its expiry, and that its session is live.
    pub async fn verify_token(&self, token: &str) -> Result<Claims, ApiError> {
        let now = self.env.now();
        let claims = match self.keys().await?.ring.verify(token, now) {
            // Another process may have made the key a moment ago; or somebody wrote a number into a text.
            Err(TokenError::UnknownKey) => self.keys_of_this_moment().await?.ring.verify(token, now),
            verified => verified,
        };
        let mut claims = claims.map_err(|_| ApiError::unauthenticated())?;
        let version = self.tokens.version(claims.session);
        let session = claims.session;
        let live = self.db.read::<_, StoreError, _>(move |pg| pg.live_session(session, now)).await?;
        let Some(live) = live else { return Err(ApiError::unauthenticated()) };
        // A session that is not strong any more has lost what its token still says.
        claims.role = claims.role.in_session(live.strong, self.config.profile != Profile::Demo);
        self.tokens.put(token, claims, version);
        Ok(claims)
    }

    /// The whole address of a path of the site, for mails: made of the configured address, never of a request's.
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.config.public_url)
    }

    /// Makes and keeps the files of books.
    pub fn book_files(&self) -> BookFiles<'_> {
        BookFiles { media: &self.media, public_url: &self.config.public_url, site_name: &self.config.site.name }
    }

    /// What making a recording needs of this process.
    pub fn narrator(&self) -> Narrator<'_> {
        Narrator {
            db: &self.db,
            media: &self.media,
            env: &*self.env,
            synthesizer: self.synthesizer.as_ref(),
            home: &self.config.home,
            site: &self.config.site.name,
        }
    }

    /// The process is about to end: no more requests are to be sent to it.
    pub fn start_draining(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    /// Whether the process is about to end.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// Whether the process can serve and goes on to: the database answers, with every migration, and in the demo
    /// profile with the demo content (`decisions.md §12`).
    pub async fn is_ready(&self) -> Result<bool, ApiError> {
        if self.is_draining() {
            return Ok(false);
        }
        if self.ready.load(Ordering::SeqCst) {
            return Ok(self.db.is_up().await);
        }
        let url = self.config.database_url.clone();
        let migrated =
            tokio::task::spawn_blocking(move || postgres::is_migrated(&url)).await.map_err(ApiError::internal)??;
        let seeded = migrated
            && (self.config.profile != Profile::Demo
                || self.db.read::<_, StoreError, _>(|pg| pg.count_books()).await? > 0);
        self.ready.store(seeded, Ordering::SeqCst);
        Ok(seeded)
    }
}
