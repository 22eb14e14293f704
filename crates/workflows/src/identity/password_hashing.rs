//! Workflows that verify or hash a password. Hashing occupies a core for a while: it runs between two transactions, on blocking
//! threads, at most as many at a time as there are cores.

use std::{num::NonZero, sync::Arc, thread, time::Duration};

use identity::{
    Account, Claims, IdentityError, IdentityQueries, Password, PasswordHash, RateLimitBucket, RefreshKey, Registration,
    verify_password,
};
use kernel::{Email, Env, StoreError, UserId};
use tokio::sync::Semaphore;
use tracing::Span;

use crate::{
    client::ClientContext,
    identity::{
        passwords,
        sign_in::{self, SignInOutcome, StartedSession, VerifiedPassword},
    },
    rate_limits::{Admission, count_attempt},
    tx::Transactions,
};

/// How long a password waits for its turn before the request fails as busy.
const WAIT: Duration = Duration::from_secs(10);

/// The result of verifying a password.
enum PasswordCheck {
    Wrong,
    /// The password is right. `Some`: a new hash, because the stored one has outdated parameters.
    Right(Option<PasswordHash>),
}

/// Runs workflows with passwords.
#[derive(Clone)]
pub struct Passwords {
    pub(crate) transactions: Transactions,
    env: Arc<dyn Env>,
    turns: Arc<Semaphore>,
}

impl std::fmt::Debug for Passwords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passwords").field("turns", &self.turns).finish_non_exhaustive()
    }
}

impl Passwords {
    /// As many turns as there are cores: more concurrent hashes would only make all of them slower.
    pub fn new(transactions: Transactions, env: Arc<dyn Env>) -> Self {
        let cores = thread::available_parallelism().map_or(2, NonZero::get);
        Self { transactions, env, turns: Arc::new(Semaphore::new(cores)) }
    }

    /// The semaphore that limits concurrent hashes; each holds one permit.
    pub fn turns(&self) -> &Arc<Semaphore> {
        &self.turns
    }

    /// Creates an account and starts a session. An invalid form does not count against the network's rate limits, so that
    /// mistakes lock nobody out.
    pub async fn sign_up(
        &self,
        registration: Registration,
        client: ClientContext,
    ) -> Result<StartedSession, IdentityError> {
        let address = client.address;
        self.transactions.write(move |tx| sign_in::count_sign_up(tx, address, false)).await?;
        let hash = self.hash(registration.password.clone()).await?;
        self.transactions.write(move |tx| sign_in::sign_up(tx, &registration, &hash, &client)).await
    }

    /// Signs in by a password. Takes equally long whether the address has an account or not. `email` is `None` if the typed text
    /// is not an address.
    pub async fn log_in(
        &self,
        key: RefreshKey,
        client: ClientContext,
        email: Option<Email>,
        password: String,
    ) -> Result<SignInOutcome, IdentityError> {
        let (login_key, device) = (key.clone(), client.clone());
        let Admission { account, counted } =
            self.transactions.write(move |tx| sign_in::admit_login(tx, &login_key, &device, email.as_ref())).await?;
        let (user, hash) = account.map_or((None, None), |account| (Some(account.user.id), account.password_hash));
        let (PasswordCheck::Right(rehashed), Some(user)) = (self.verify(password, hash.clone()).await?, user) else {
            return Err(IdentityError::InvalidCredentials);
        };
        let verified = VerifiedPassword { user, hash, rehashed, counted };
        self.transactions.write(move |tx| sign_in::sign_in_by_password(tx, &key, &client, &verified)).await
    }

    /// Changes a member's password, given the current one, and ends all other sessions.
    pub async fn change(
        &self,
        claims: Claims,
        current: Option<String>,
        new: Password,
        client: ClientContext,
    ) -> Result<(), IdentityError> {
        let verified = self.check_current(claims.user, current).await?.password_hash;
        let hash = self.hash(new).await?;
        self.transactions
            .write(move |tx| passwords::change_password(tx, &claims, verified.as_ref(), &hash, &client))
            .await
    }

    /// Sets a new password by a mailed link. Only a valid code makes the server compute a hash.
    pub async fn reset(
        &self,
        (code, email): (String, Email),
        new: Password,
        client: ClientContext,
    ) -> Result<(), IdentityError> {
        let (address, link) = (client.address, (code.clone(), email.clone()));
        let is_valid =
            self.transactions.write(move |tx| passwords::is_reset_code_valid(tx, address, &link.0, &link.1)).await?;
        if !is_valid {
            return Err(IdentityError::LinkInvalid);
        }
        let hash = self.hash(new).await?;
        self.transactions.write(move |tx| passwords::reset_password(tx, &code, &email, &hash, &client)).await
    }

    /// Verifies a member's current password, within the account's rate limit; returns the account. A member who never had a
    /// password needs none, but a fresh session: see [`identity::Factors::allow_change_of_ways_in`]. Each attempt counts, even
    /// on a known device, which may be stolen.
    pub async fn check_current(&self, user: UserId, password: Option<String>) -> Result<Account, IdentityError> {
        let account = self.transactions.write::<_, IdentityError, _>(move |tx| {
            count_attempt(tx, RateLimitBucket::Password, &user.to_string())?;
            Ok(match tx.pg.user(user)? {
                Some(user) => tx.pg.account(&user.email)?,
                None => None,
            })
        });
        let account = account.await?.ok_or_else(|| StoreError::owner_gone("the account was deleted"))?;
        if let Some(hash) = account.password_hash.clone() {
            let checked = self.verify(password.unwrap_or_default(), Some(hash)).await?;
            if matches!(checked, PasswordCheck::Wrong) {
                return Err(IdentityError::CurrentPasswordWrong);
            }
        }
        Ok(account)
    }

    /// Whether the member has typed their password; a wrong one is an error. `false` if none was typed, or the account has none.
    pub async fn was_typed(&self, user: UserId, typed: Option<String>) -> Result<bool, IdentityError> {
        match typed {
            None => Ok(false),
            Some(typed) => Ok(self.check_current(user, Some(typed)).await?.password_hash.is_some()),
        }
    }

    pub(crate) async fn hash(&self, password: Password) -> Result<PasswordHash, IdentityError> {
        let env = Arc::clone(&self.env);
        self.in_turn(move || password.hash(&*env)).await
    }

    /// Verifies a password, equally long with or without a hash. A hash with outdated parameters is recomputed.
    async fn verify(&self, password: String, hash: Option<PasswordHash>) -> Result<PasswordCheck, IdentityError> {
        let env = Arc::clone(&self.env);
        self.in_turn(move || {
            if !verify_password(&password, hash.as_ref()) {
                return PasswordCheck::Wrong;
            }
            let is_old = hash.is_some_and(|hash| hash.is_old());
            PasswordCheck::Right(is_old.then(|| PasswordHash::of(&password, &*env)))
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, IdentityError> {
        let turn = tokio::time::timeout(WAIT, Arc::clone(&self.turns).acquire_owned());
        let turn = turn.await.map_err(|_| IdentityError::Busy)?.map_err(StoreError::new)?;
        let span = Span::current();
        let done = tokio::task::spawn_blocking(move || {
            let done = span.in_scope(work);
            drop(turn);
            done
        });
        Ok(done.await.map_err(StoreError::new)?)
    }
}
