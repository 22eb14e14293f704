//! The storage interface of identity.

use kernel::{ApiTokenId, Day, Email, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Account, ApiToken, Device, DeviceDescription, FoundSecret, NewApiToken, NewSession, PasswordHash, Profile, Purpose,
    Role, SecretHash, Session, Suspension, User, hash_of_text,
};

/// A user to be created.
#[derive(Clone, Copy, Debug)]
pub struct NewUser<'a> {
    pub email: &'a Email,
    pub first_name: &'a str,
    pub last_name: &'a str,
    /// An IANA time zone.
    pub timezone: &'a str,
    /// `None` for a sign-up through a provider.
    pub password_hash: Option<&'a PasswordHash>,
    pub created_at: Timestamp,
    /// Set if the address is already proved, as by a provider.
    pub email_confirmed_at: Option<Timestamp>,
}

/// A single-use secret to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewSecret<'a> {
    pub hash: &'a SecretHash,
    pub purpose: Purpose,
    pub user: Option<UserId>,
    /// For the next step.
    pub data: Option<&'a str>,
    /// The hash of the six-digit code, if there is one.
    pub code_hash: Option<&'a SecretHash>,
    /// The hash of a value that only the starting browser holds, if the secret is bound to it.
    pub binding: Option<&'a SecretHash>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// The session of a refresh token, and whether the token is current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshPlace {
    pub session: Session,
    /// When the token was replaced by its successor; `None` while it is current.
    pub replaced_at: Option<Timestamp>,
}

/// A stored root key pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootKey {
    /// The key id in tokens.
    pub id: u32,
    pub public_key: Vec<u8>,
    pub sealed_private_key: Vec<u8>,
    pub created_at: Timestamp,
    /// When a successor became current; `None` for the current key.
    pub retired_at: Option<Timestamp>,
}

/// Reads, available on any database connection.
pub trait IdentityQueries {
    /// The user with this id.
    fn user(&mut self, user: UserId) -> Result<Option<User>, StoreError>;

    /// The user with this address, and their password hash.
    fn account(&mut self, email: &Email) -> Result<Option<Account>, StoreError>;

    /// A user's suspension; `None` if they are not suspended.
    fn suspension_of(&mut self, user: UserId) -> Result<Option<Suspension>, StoreError>;

    /// A user's stored sessions, also ended ones, last seen first.
    fn sessions_of(&mut self, user: UserId) -> Result<Vec<Device>, StoreError>;

    /// The session with this id, also if it has ended.
    fn session_by_id(&mut self, session: SessionId) -> Result<Option<Session>, StoreError>;

    /// The secret with this hash and purpose, also if it has expired.
    fn single_use_secret(&mut self, purpose: Purpose, hash: &SecretHash) -> Result<Option<FoundSecret>, StoreError>;

    /// The API tokens of a user, newest first.
    fn api_tokens_of(&mut self, user: UserId) -> Result<Vec<ApiToken>, StoreError>;

    /// The API token with this hash.
    fn api_token(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError>;

    /// The token whose sync key has this hash ([`crate::sync_key`]).
    fn api_token_of_sync_key(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError>;

    /// All root keys, the current one and the retired ones.
    fn root_keys(&mut self) -> Result<Vec<RootKey>, StoreError>;

    /// A user's newest secret for a purpose, also if it has expired.
    fn newest_single_use_secret_of_user(
        &mut self,
        user: UserId,
        purpose: Purpose,
    ) -> Result<Option<FoundSecret>, StoreError>;

    /// A user's live sessions, last seen first.
    fn devices_of(&mut self, user: UserId, now: Timestamp) -> Result<Vec<Device>, StoreError> {
        let mut devices = self.sessions_of(user)?;
        devices.retain(|device| device.session.is_live(now));
        Ok(devices)
    }

    /// The session with this id, if it is live.
    fn live_session(&mut self, session: SessionId, now: Timestamp) -> Result<Option<Session>, StoreError> {
        Ok(self.session_by_id(session)?.filter(|session| session.is_live(now)))
    }

    /// Finds a secret that has not expired, without using it up.
    fn look_up_secret(
        &mut self,
        purpose: Purpose,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<FoundSecret>, StoreError> {
        Ok(self.single_use_secret(purpose, &hash_of_text(token))?.filter(|found| now < found.expires_at))
    }

    /// The new address that a user requested and has not confirmed yet.
    fn pending_email(&mut self, user: UserId, now: Timestamp) -> Result<Option<Email>, StoreError> {
        let found = self.newest_single_use_secret_of_user(user, Purpose::ChangeEmail)?;
        let data = found.filter(|found| now < found.expires_at).and_then(|found| found.data);
        data.as_deref().map(Email::parse).transpose().map_err(StoreError::new)
    }
}

/// Writes that no rule restricts, available in any transaction.
pub trait IdentityCommands: IdentityQueries {
    /// Sets or replaces a user's password hash.
    fn update_password_hash(&mut self, user: UserId, hash: &PasswordHash) -> Result<(), StoreError>;

    /// Marks a user's address as confirmed, unless it is already, and notifies every node. Returns whether this call
    /// did it: of concurrent callers only one gets `true`, and the others wait for it. Locks the user.
    fn confirm_user_email(&mut self, user: UserId, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores the session in which the password was chosen; `None` if it was chosen outside of one.
    fn update_password_session(&mut self, user: UserId, session: Option<SessionId>) -> Result<(), StoreError>;

    /// Invalidates the marks of all devices on which a user has signed in.
    fn forget_known_devices(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Ends a session, unless it has been ended, and notifies every node.
    fn end_session(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// Deletes an API token of a user; `false` if there is no such token.
    fn delete_api_token(&mut self, user: UserId, token: ApiTokenId) -> Result<bool, StoreError>;

    /// Records that a token was used on a day; the latest day stays.
    fn record_api_token_use(&mut self, token: ApiTokenId, day: Day) -> Result<(), StoreError>;

    /// Deletes all API tokens of a user.
    fn delete_api_tokens_of(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Deletes a user's single-use secrets for a purpose.
    fn withdraw_secrets(&mut self, user: UserId, purpose: Purpose) -> Result<(), StoreError>;

    /// Deletes rate limits whose arrival is before this time: they count no attempt any more. Returns how many.
    fn sweep_rate_limits(&mut self, moment: Timestamp) -> Result<u64, StoreError>;
}

/// Storage of identity, within one transaction.
///
/// Locks are held until the transaction ends, so that one caller at a time decides on what is locked.
pub trait IdentityStore: IdentityCommands {
    /// Creates a user. Returns `None` and stores nothing if the address is taken, also if a concurrent transaction
    /// takes it.
    fn insert_user(&mut self, user: NewUser<'_>) -> Result<Option<User>, StoreError>;

    /// Locks a user and returns the current row; `None` if there is no such user.
    fn lock_user(&mut self, user: UserId) -> Result<Option<User>, StoreError>;

    /// Deletes a user with everything that refers to them, and notifies every node.
    fn delete_user(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Removes a user's password, and notifies every node.
    fn remove_password_hash(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Replaces a user's profile, and notifies every node.
    fn update_user_profile(&mut self, user: UserId, profile: &Profile) -> Result<(), StoreError>;

    /// Replaces a user's address with a confirmed one, and notifies every node. Returns `false` and changes nothing if
    /// another user has it, also if a concurrent transaction takes it.
    fn update_user_email(&mut self, user: UserId, email: &Email, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores a suspension, or ends it (`None`), and notifies every node.
    fn update_suspension(&mut self, user: UserId, suspension: Option<&Suspension>) -> Result<(), StoreError>;

    /// Marks a user's address as not confirmed, and notifies every node.
    fn unconfirm_user_email(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Locks and returns the admins who are not suspended, in the order of their ids.
    fn lock_admins(&mut self) -> Result<Vec<UserId>, StoreError>;

    /// Replaces a user's role, and notifies every node.
    fn update_user_role(&mut self, user: UserId, role: Role) -> Result<(), StoreError>;

    /// Creates a session with its first refresh token.
    fn insert_session(
        &mut self,
        new: NewSession<'_>,
        secret: &SecretHash,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Session, StoreError>;

    /// Locks the session of a refresh token, current or replaced, and returns both. `None` for an unknown token.
    fn lock_session_of_secret(&mut self, secret: &SecretHash) -> Result<Option<RefreshPlace>, StoreError>;

    /// Replaces a session's refresh token with its successor, extends the session, and stores the device's description.
    fn rotate_refresh_token(
        &mut self,
        session: SessionId,
        old: &SecretHash,
        new: &SecretHash,
        seen: DeviceDescription<'_>,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Ends all sessions of a user except `kept`, and notifies every node (`identity.session-revocation`).
    fn revoke_sessions_of_user(
        &mut self,
        user: UserId,
        kept: Option<SessionId>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes sessions that expired before this time, with their refresh tokens. Returns how many.
    fn delete_sessions_expired_before(&mut self, moment: Timestamp) -> Result<u64, StoreError>;

    /// Deletes refresh tokens that were replaced before this time.
    fn delete_secrets_replaced_before(&mut self, moment: Timestamp) -> Result<(), StoreError>;

    /// Stores an API token.
    fn insert_api_token(&mut self, new: NewApiToken) -> Result<ApiToken, StoreError>;

    /// Stores a single-use secret.
    fn insert_single_use_secret(&mut self, new: NewSecret<'_>) -> Result<(), StoreError>;

    /// Deletes and returns the secret with this hash and purpose, also if it has expired. Of concurrent callers only
    /// one gets it.
    fn take_single_use_secret(
        &mut self,
        purpose: Purpose,
        hash: &SecretHash,
    ) -> Result<Option<FoundSecret>, StoreError>;

    /// Locks the newest secret with this data that has a code, and counts an attempt at its code. Returns the secret's
    /// hash, the code's hash, the number of attempts including this one, and the expiry.
    fn count_code_try(
        &mut self,
        purpose: Purpose,
        data: &str,
    ) -> Result<Option<(SecretHash, SecretHash, u32, Timestamp)>, StoreError>;

    /// Deletes single-use secrets that expired before this time.
    fn delete_single_use_secrets_expired_before(&mut self, moment: Timestamp) -> Result<(), StoreError>;

    /// Locks the creation of keys: one transaction at a time, of all nodes, creates them.
    fn lock_keys(&mut self) -> Result<(), StoreError>;

    /// Retires the current root key, if there is one, makes this one current, and notifies every node.
    fn replace_root_key(
        &mut self,
        public_key: &[u8],
        sealed_private_key: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes root keys that were retired before this time.
    fn delete_root_keys_retired_before(&mut self, moment: Timestamp) -> Result<(), StoreError>;

    /// Stores the sealed server key of a purpose that has none.
    fn insert_server_key(&mut self, purpose: &str, sealed: &[u8], now: Timestamp) -> Result<(), StoreError>;

    /// Locks the rate limits with these keys and returns their arrivals, in the same order. The arrival of a new limit
    /// is `now`.
    fn lock_rate_limits(&mut self, keys: &[String], now: Timestamp) -> Result<Vec<Timestamp>, StoreError>;

    /// Stores the arrivals of locked rate limits.
    fn update_rate_limits(&mut self, arrivals: &[(String, Timestamp)]) -> Result<(), StoreError>;

    /// Deletes the rate limits of a subject in all buckets.
    fn delete_rate_limits_of(&mut self, subject: &str) -> Result<(), StoreError>;

    /// The sealed server key of a purpose.
    fn server_key(&mut self, purpose: &str) -> Result<Option<Vec<u8>>, StoreError>;
}
