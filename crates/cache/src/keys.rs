//! Cached keys: for access tokens, refresh tokens and media URLs.

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicI64, AtomicU64, Ordering},
};

use identity::{Identity, IdentityError, KeyRing, RefreshKey, Seal};
use kernel::{Env, SECOND};
use media::UrlSigner;
use postgres::Db;

/// The maximum age of cached keys, in milliseconds. After it at the latest, a process uses a key that another process
/// made, even if it missed the notification.
const MAX_AGE: i64 = 20 * SECOND;

/// The keys of a process.
#[derive(Debug)]
pub struct Keys {
    /// Signs and verifies access tokens.
    pub ring: KeyRing,
    /// Derives the successors of refresh tokens.
    pub refresh: RefreshKey,
    /// Presigns the URLs of files that are not public.
    pub media_urls: UrlSigner,
}

/// Caches the keys and reloads them.
pub struct KeyCache {
    db: Db,
    env: Arc<dyn Env>,
    seal: Seal,
    held: RwLock<Option<Arc<Keys>>>,
    loaded_at: AtomicI64,
    /// The number of reloads for an unknown key; `reloading` lets one run at a time.
    forced_reloads: AtomicU64,
    reloading: tokio::sync::Mutex<()>,
}

impl std::fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyCache").finish_non_exhaustive()
    }
}

impl KeyCache {
    /// An empty cache. Does not wait for the database.
    pub fn new(db: Db, env: Arc<dyn Env>, seal: Seal) -> Self {
        Self {
            db,
            env,
            seal,
            held: RwLock::new(None),
            loaded_at: AtomicI64::new(i64::MIN),
            forced_reloads: AtomicU64::new(0),
            reloading: tokio::sync::Mutex::default(),
        }
    }

    /// The keys, at most 20 seconds old.
    pub async fn keys(&self) -> Result<Arc<Keys>, IdentityError> {
        let age = self.env.now().millis().saturating_sub(self.loaded_at.load(Ordering::SeqCst));
        match self.held() {
            Some(keys) if age <= MAX_AGE => Ok(keys),
            _ => self.reload().await,
        }
    }

    /// The signer of presigned media URLs. Its key never changes, so a cached one is used at any age, also while the
    /// database is unreachable.
    pub async fn signer(&self) -> Result<UrlSigner, IdentityError> {
        let keys = match self.held() {
            Some(keys) => keys,
            None => self.reload().await?,
        };
        Ok(keys.media_urls.clone())
    }

    /// The keys after a reload, for a token with an unknown key: another process may have just made it. One caller
    /// reloads at a time, and callers that waited for the reload share its result, so that forged tokens can't make
    /// every request wait.
    pub async fn keys_after_unknown_key(&self) -> Result<Arc<Keys>, IdentityError> {
        let before = self.forced_reloads.load(Ordering::SeqCst);
        let _turn = self.reloading.lock().await;
        if self.forced_reloads.load(Ordering::SeqCst) > before {
            return self.keys().await;
        }
        self.forced_reloads.fetch_add(1, Ordering::SeqCst);
        self.reload().await
    }

    /// Invalidates the keys: another process changed them, or its notification may have been missed.
    pub fn invalidate(&self) {
        self.loaded_at.store(i64::MIN, Ordering::SeqCst);
    }

    /// Loads the keys, and creates the first ones in a new database.
    pub async fn reload(&self) -> Result<Arc<Keys>, IdentityError> {
        let (seal, env) = (self.seal.clone(), Arc::clone(&self.env));
        // Set before the keys are read: an invalidation while they are being read takes effect.
        self.loaded_at.store(self.env.now().millis(), Ordering::SeqCst);
        let loaded = self.db.write::<_, IdentityError, _>(move |pg| {
            Ok(Keys {
                ring: pg.key_ring_or_first(&seal, &*env)?,
                refresh: pg.refresh_key(&seal, &*env)?,
                media_urls: UrlSigner::new(pg.media_url_key(&seal, &*env)?),
            })
        });
        let loaded = loaded.await.inspect_err(|_| self.invalidate())?;
        let keys = Arc::new(loaded);
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&keys));
        Ok(keys)
    }

    fn held(&self) -> Option<Arc<Keys>> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
