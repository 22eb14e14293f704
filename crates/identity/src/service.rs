//! The operations of identity.

use kernel::{DAY, Email, Env, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Account, Attempt, CODE_TRIES, DeviceDescription, FoundSecret, IdentityError, IdentityStore, Issue, IssuedSecret,
    KeyRing, NewSecret, NewSession, NewUser, PasswordHash, Profile, Purpose, REFRESH_GRACE, RateLimit, RefreshKey,
    RefreshPlace, RefreshToken, Registration, Role, SESSION_LIFETIME, Seal, SealError, Session, Suspension,
    TOKEN_KEY_GRACE, User, hash_of_text,
    refresh::session_end,
    single_use::{generate_code, generate_token, hash_of_code, is_code},
    token,
};

/// How long an expired session stays in the store, in milliseconds.
pub const SESSION_KEPT: i64 = 7 * DAY;

/// The purpose of the key that derives refresh tokens.
const REFRESH: &str = "refresh";
/// The purpose of the key that signs presigned media URLs.
const MEDIA: &str = "media";
/// The purpose of the key that names this server to push services.
const PUSH: &str = "push";
/// The purpose of the key from which the secrets of webhooks are derived.
const WEBHOOK: &str = "webhook";

/// A refreshed session.
#[derive(Clone, Debug)]
pub struct RefreshedSession {
    pub user: UserId,
    pub session: SessionId,
    /// Whether it was authenticated with more than a password or a mailed link.
    pub strong: bool,
    /// The device's new refresh token.
    pub secret: RefreshToken,
}

/// The operations of identity, over any [`IdentityStore`]. Everything happens in the store's transaction.
pub trait Identity: IdentityStore {
    /// Creates an account. `password_hash` is the hash of the registration's password.
    ///
    /// # Errors
    /// [`IdentityError::EmailTaken`] if an account with the address exists.
    fn register(
        &mut self,
        registration: &Registration,
        password_hash: &PasswordHash,
        now: Timestamp,
    ) -> Result<User, IdentityError> {
        let new = NewUser {
            email: &registration.email,
            first_name: &registration.first_name,
            last_name: &registration.last_name,
            timezone: &registration.timezone,
            password_hash: Some(password_hash),
            created_at: now,
            email_confirmed_at: None,
        };
        self.insert_user(new)?.ok_or(IdentityError::EmailTaken)
    }

    /// Creates an account that an admin adds for a person: without a password, and with an address that nobody has proved yet.
    ///
    /// # Errors
    /// [`IdentityError::EmailTaken`] if an account with the address exists.
    fn add_account(&mut self, email: &Email, profile: &Profile, now: Timestamp) -> Result<User, IdentityError> {
        let new = NewUser {
            email,
            first_name: &profile.first_name,
            last_name: &profile.last_name,
            timezone: profile.timezone.as_deref().unwrap_or("UTC"),
            password_hash: None,
            created_at: now,
            email_confirmed_at: None,
        };
        self.insert_user(new)?.ok_or(IdentityError::EmailTaken)
    }

    /// Changes a user's profile; `None` if the user no longer exists.
    fn change_profile(&mut self, user: UserId, profile: &Profile) -> Result<Option<User>, StoreError> {
        self.update_user_profile(user, profile)?;
        self.user(user)
    }

    /// Grants a role, and ends the user's sessions if it is a new one; `None` if nobody has the address.
    ///
    /// Granting a role above member vouches for the address, which then counts as confirmed. Otherwise a first proof of
    /// the mailbox would remove the second factor.
    fn grant_role(&mut self, email: &Email, role: Role, now: Timestamp) -> Result<Option<User>, StoreError> {
        let Some(Account { user, .. }) = self.account(email)? else { return Ok(None) };
        if user.role != role {
            self.update_user_role(user.id, role)?;
            self.revoke_access(user.id, None, now)?;
        }
        if role > Role::Member {
            self.confirm_user_email(user.id, now)?;
        }
        self.user(user.id)
    }

    /// Changes a user's role on behalf of an admin, and ends their sessions. See [`Identity::grant_role`].
    ///
    /// # Errors
    /// [`IdentityError::LastAdmin`] when no admin would be left, or the admin would change their own role.
    fn change_role(
        &mut self,
        actor: UserId,
        user: UserId,
        role: Role,
        now: Timestamp,
    ) -> Result<Option<User>, IdentityError> {
        if !may_lose_admin(self, actor, user)? {
            return Err(IdentityError::LastAdmin);
        }
        let Some(before) = self.lock_user(user)? else { return Ok(None) };
        Ok(self.grant_role(&before.email, role, now)?)
    }

    /// Suspends a user, and ends their sessions; `None` if there is no such user. A second call replaces the reason
    /// only.
    ///
    /// # Errors
    /// [`IdentityError::LastAdmin`] when no admin would be left, or the admin would suspend themselves.
    fn suspend_user(
        &mut self,
        actor: UserId,
        user: UserId,
        reason: &str,
        now: Timestamp,
    ) -> Result<Option<User>, IdentityError> {
        if !may_lose_admin(self, actor, user)? {
            return Err(IdentityError::LastAdmin);
        }
        let Some(user) = self.lock_user(user)? else { return Ok(None) };
        let since = self.suspension_of(user.id)?.map_or(now, |before| before.at);
        self.update_suspension(user.id, Some(&Suspension { at: since, reason: reason.to_owned() }))?;
        self.revoke_access(user.id, None, now)?;
        Ok(Some(user))
    }

    /// Ends a suspension; `None` if there is no such user.
    fn restore_user(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        let Some(user) = self.lock_user(user)? else { return Ok(None) };
        self.update_suspension(user.id, None)?;
        Ok(Some(user))
    }

    /// Ends what a user is signed in with: all sessions except `kept`, and all API tokens.
    fn revoke_access(&mut self, user: UserId, kept: Option<SessionId>, now: Timestamp) -> Result<(), StoreError> {
        self.delete_api_tokens_of(user)?;
        self.revoke_sessions_of_user(user, kept, now)
    }

    /// Ends a user's sessions on behalf of an admin: all, or the one with this id. Returns whether any was live.
    fn end_sessions_of(
        &mut self,
        user: UserId,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if session.is_none() {
            self.delete_api_tokens_of(user)?;
        }
        let live = self.sessions_of(user)?;
        let live = live.iter().map(|device| device.session).filter(|one| one.is_live(now));
        let ended: Vec<SessionId> =
            live.map(|one| one.id).filter(|id| session.is_none_or(|wanted| wanted == *id)).collect();
        for session in &ended {
            self.end_session(*session, now)?;
        }
        Ok(!ended.is_empty())
    }

    /// Replaces a user's address on behalf of an admin. It counts as not confirmed, and the user's sessions end. `None`
    /// if there is no such user.
    ///
    /// # Errors
    /// [`IdentityError::EmailTaken`] when an account has the address.
    fn replace_email(&mut self, user: UserId, email: &Email, now: Timestamp) -> Result<Option<User>, IdentityError> {
        if self.lock_user(user)?.is_none() {
            return Ok(None);
        }
        if !self.update_user_email(user, email, now)? {
            return Err(IdentityError::EmailTaken);
        }
        self.unconfirm_user_email(user)?;
        self.revoke_access(user, None, now)?;
        Ok(self.user(user)?)
    }

    /// Starts a session. Returns its id and the refresh token for the device.
    fn begin_session(&mut self, new: NewSession<'_>, env: &dyn Env) -> Result<(SessionId, RefreshToken), StoreError> {
        let (secret, now) = (RefreshToken::generate(env), env.now());
        let session = self.insert_session(new, &secret.hash(), now, now.plus(SESSION_LIFETIME))?;
        Ok((session.id, secret))
    }

    /// Refreshes a session by refresh token rotation (`identity.refresh-rotation`): replaces the token with its
    /// successor. A replaced token gets the same successor for [`REFRESH_GRACE`]. Later it ends the session: two
    /// devices have it, and one of them is not the owner's.
    ///
    /// `None` if the session has ended or the token is invalid. It is not an error, because the end of the session has
    /// to be committed.
    fn refresh_session(
        &mut self,
        secret: &RefreshToken,
        key: &RefreshKey,
        seen: DeviceDescription<'_>,
        now: Timestamp,
    ) -> Result<Option<RefreshedSession>, StoreError> {
        let hash = secret.hash();
        let Some(place) = self.lock_session_of_secret(&hash)? else { return Ok(None) };
        let session = place.session;
        if !session.is_live(now) {
            return Ok(None);
        }
        let successor = secret.successor(key);
        match place.replaced_at {
            None => {
                let expires_at = session_end(session.created_at, now);
                self.rotate_refresh_token(session.id, &hash, &successor.hash(), seen, now, expires_at)?;
            }
            Some(at) if now.since(at) <= REFRESH_GRACE => {}
            Some(_) => {
                self.end_session(session.id, now)?;
                return Ok(None);
            }
        }
        Ok(Some(RefreshedSession {
            user: session.user,
            session: session.id,
            strong: session.strong,
            secret: successor,
        }))
    }

    /// The live session of a refresh token that is current or was replaced within [`REFRESH_GRACE`]. Does not refresh
    /// it.
    fn session_held(&mut self, secret: &RefreshToken, now: Timestamp) -> Result<Option<Session>, StoreError> {
        let place = self.lock_session_of_secret(&secret.hash())?;
        let is_current = |place: &RefreshPlace| place.replaced_at.is_none_or(|at| now.since(at) <= REFRESH_GRACE);
        Ok(place.filter(is_current).map(|place| place.session).filter(|session| session.is_live(now)))
    }

    /// Ends the session of a refresh token, current or replaced.
    fn end_session_of_secret(&mut self, secret: &RefreshToken, now: Timestamp) -> Result<(), StoreError> {
        match self.lock_session_of_secret(&secret.hash())? {
            Some(place) => self.end_session(place.session.id, now),
            None => Ok(()),
        }
    }

    /// Deletes expired single-use secrets, and sessions that expired more than [`SESSION_KEPT`] ago; returns the number
    /// of sessions. A replaced refresh token is kept for [`SESSION_LIFETIME`], as long as its session could have lived
    /// on it.
    fn sweep_expired_sessions(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        self.delete_secrets_replaced_before(now.plus(-SESSION_LIFETIME))?;
        self.delete_single_use_secrets_expired_before(now)?;
        self.delete_sessions_expired_before(now.plus(-SESSION_KEPT))
    }

    /// Creates a single-use secret.
    fn issue_secret(&mut self, new: Issue<'_>, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        let Issue { purpose, user, data, binding } = new;
        if let Some(user) = user.filter(|_| purpose.replaces()) {
            self.withdraw_secrets(user, purpose)?;
        }
        let (token, now) = (generate_token(env), env.now());
        let hash = hash_of_text(&token);
        let code = purpose.has_code().then(|| generate_code(env));
        let code_hash = code.as_ref().map(|code| hash_of_code(code, &hash));
        self.insert_single_use_secret(NewSecret {
            hash: &hash,
            purpose,
            user,
            data,
            code_hash: code_hash.as_ref(),
            binding,
            created_at: now,
            expires_at: now.plus(purpose.lifetime()),
        })?;
        Ok(IssuedSecret { token, code })
    }

    /// Uses a secret up; `None` if it is invalid or expired. Of concurrent callers only one succeeds.
    fn redeem_secret(
        &mut self,
        purpose: Purpose,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<FoundSecret>, StoreError> {
        Ok(self.take_single_use_secret(purpose, &hash_of_text(token))?.filter(|found| now < found.expires_at))
    }

    /// Uses up the newest secret with this data by its six-digit code. After [`CODE_TRIES`] wrong codes it is invalid.
    /// `None` is not an error, because the counted attempt has to be committed.
    fn redeem_code(
        &mut self,
        purpose: Purpose,
        data: &str,
        code: &str,
        now: Timestamp,
    ) -> Result<Option<FoundSecret>, StoreError> {
        let Some((hash, code_hash, tries, expires_at)) = self.count_code_try(purpose, data)? else { return Ok(None) };
        let is_right = is_code(code, &hash, &code_hash) && tries <= CODE_TRIES && now < expires_at;
        if is_right || tries >= CODE_TRIES {
            return Ok(self.take_single_use_secret(purpose, &hash)?.filter(|_| is_right));
        }
        Ok(None)
    }

    /// The current key ring; `None` before the first key is created.
    fn key_ring(&mut self, seal: &Seal) -> Result<Option<KeyRing>, IdentityError> {
        Ok(KeyRing::open(&self.root_keys()?, seal)?)
    }

    /// The key ring; creates the first key if there is none. Nodes that start at the same moment agree on it.
    fn key_ring_or_first(&mut self, seal: &Seal, env: &dyn Env) -> Result<KeyRing, IdentityError> {
        self.lock_keys()?;
        match self.key_ring(seal)? {
            Some(ring) => Ok(ring),
            None => add_root_key(self, seal, env),
        }
    }

    /// Rotates the root key. The old one still verifies until its tokens have expired.
    fn rotate_root_key(&mut self, seal: &Seal, env: &dyn Env) -> Result<KeyRing, IdentityError> {
        self.lock_keys()?;
        // Opening the current key checks the operator's secret. Under another secret, no node could read the new key.
        self.key_ring(seal)?;
        self.delete_root_keys_retired_before(env.now().plus(-TOKEN_KEY_GRACE))?;
        add_root_key(self, seal, env)
    }

    /// The key that derives refresh tokens; created on first use and never changed.
    fn refresh_key(&mut self, seal: &Seal, env: &dyn Env) -> Result<RefreshKey, IdentityError> {
        key_for(self, REFRESH, seal, env).map(RefreshKey::new)
    }

    /// The key that signs presigned media URLs; created on first use and never changed.
    fn media_url_key(&mut self, seal: &Seal, env: &dyn Env) -> Result<[u8; 32], IdentityError> {
        key_for(self, MEDIA, seal, env)
    }

    /// The key that names this server to push services; created on first use and never changed.
    fn push_key(&mut self, seal: &Seal, env: &dyn Env) -> Result<[u8; 32], IdentityError> {
        key_for(self, PUSH, seal, env)
    }

    /// The key from which the secrets of members' webhooks are derived; created on first use and never changed.
    fn webhook_key(&mut self, seal: &Seal, env: &dyn Env) -> Result<[u8; 32], IdentityError> {
        key_for(self, WEBHOOK, seal, env)
    }

    /// Counts attempts against all limits of their buckets. If one limit refuses, none is counted.
    ///
    /// # Errors
    /// [`IdentityError::RateLimited`] if a limit is reached, with the longest wait.
    fn count_attempts(&mut self, attempts: &[Attempt<'_>], now: Timestamp) -> Result<(), IdentityError> {
        let (mut admitted, mut wait) = (Vec::new(), None);
        for (key, limit, arrival) in locked_limits(self, attempts, now)? {
            match limit.admit(arrival, now) {
                Ok(next) => admitted.push((key, next)),
                Err(after) => wait = wait.max(Some(after)),
            }
        }
        match wait {
            None => Ok(self.update_rate_limits(&admitted)?),
            Some(after) => Err(IdentityError::RateLimited(after)),
        }
    }

    /// Takes back attempts that were just admitted, because they turned out not to be guesses.
    fn release_attempts(&mut self, attempts: &[Attempt<'_>], now: Timestamp) -> Result<(), StoreError> {
        let limits = locked_limits(self, attempts, now)?;
        let released = limits.into_iter().map(|(key, limit, arrival)| (key, limit.release(arrival, now)));
        self.update_rate_limits(&released.collect::<Vec<_>>())
    }
}

impl<S: IdentityStore + ?Sized> Identity for S {}

/// Whether a user may lose the rights of an admin: not the acting admin, and not the last one.
fn may_lose_admin<S: IdentityStore + ?Sized>(store: &mut S, actor: UserId, user: UserId) -> Result<bool, StoreError> {
    let admins = store.lock_admins()?;
    Ok(actor != user && (!admins.contains(&user) || admins.len() > 1))
}

/// Locks the limits of attempts for this transaction; returns each with its stored key and arrival.
fn locked_limits<S: IdentityStore + ?Sized>(
    store: &mut S,
    attempts: &[Attempt<'_>],
    now: Timestamp,
) -> Result<Vec<(String, RateLimit, Timestamp)>, StoreError> {
    let key = |attempt: &Attempt<'_>, limit| format!("{} {limit} {}", attempt.bucket.as_str(), attempt.subject);
    let mut limits: Vec<_> = attempts
        .iter()
        .flat_map(|attempt| attempt.limits.iter().map(move |limit| (key(attempt, limit), limit)))
        .collect();
    // All transactions lock in the same order, which prevents deadlocks.
    limits.sort_by(|(a, _), (b, _)| a.cmp(b));
    let keys: Vec<String> = limits.iter().map(|(key, _)| key.clone()).collect();
    let arrivals = store.lock_rate_limits(&keys, now)?;
    Ok(limits.into_iter().zip(arrivals).map(|((key, limit), arrival)| (key, limit, arrival)).collect())
}

fn add_root_key<S: IdentityStore + ?Sized>(
    store: &mut S,
    seal: &Seal,
    env: &dyn Env,
) -> Result<KeyRing, IdentityError> {
    let (public_key, sealed_private_key) = KeyRing::generate(seal, env);
    store.replace_root_key(&public_key, &sealed_private_key, env.now())?;
    Ok(KeyRing::open(&store.root_keys()?, seal)?.ok_or(SealError::Damaged)?)
}

/// The server's key for a purpose; created if there is none.
fn key_for<S: IdentityStore + ?Sized>(
    store: &mut S,
    purpose: &str,
    seal: &Seal,
    env: &dyn Env,
) -> Result<[u8; 32], IdentityError> {
    // Two reads: a key that is there is found without the lock.
    let mut sealed = store.server_key(purpose)?;
    if sealed.is_none() {
        store.lock_keys()?;
        sealed = store.server_key(purpose)?;
    }
    if let Some(sealed) = sealed {
        return Ok(seal.open(&sealed, purpose.as_bytes())?.try_into().map_err(|_| SealError::Damaged)?);
    }
    let key = token::random_key(env);
    store.insert_server_key(purpose, &seal.close(&key, purpose.as_bytes(), env), env.now())?;
    Ok(key)
}
