//! What identity needs from storage.

use kernel::{Email, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Account, Device, DeviceDescription, FoundSecret, NewSession, PasswordHash, Profile, Purpose, Role, SecretHash,
    Session, Suspension, User, hash_of_text,
};

/// A person who signs up.
#[derive(Clone, Copy, Debug)]
pub struct NewUser<'a> {
    /// The address.
    pub email: &'a Email,
    pub first_name: &'a str,
    pub last_name: &'a str,
    /// An IANA time zone.
    pub timezone: &'a str,
    /// The password's hash; none for a person who comes by a provider.
    pub password_hash: Option<&'a PasswordHash>,
    /// The present moment.
    pub created_at: Timestamp,
    /// The present moment, when the address is known to be theirs.
    pub email_confirmed_at: Option<Timestamp>,
}

/// A single-use secret as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct NewSecret<'a> {
    /// What it is found by.
    pub hash: &'a SecretHash,
    /// What it is good for.
    pub purpose: Purpose,
    /// For whom.
    pub user: Option<UserId>,
    /// What the next step needs to know.
    pub data: Option<&'a str>,
    /// Of the digits that may be typed instead.
    pub code_hash: Option<&'a SecretHash>,
    /// Of what only the browser has that began.
    pub binding: Option<&'a SecretHash>,
    /// The present moment.
    pub created_at: Timestamp,
    /// Until when it is good.
    pub expires_at: Timestamp,
}

/// Where a refresh token was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshPlace {
    pub session: Session,
    /// When it was replaced by its successor.
    pub replaced_at: Option<Timestamp>,
}

/// A pair of keys as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootKey {
    /// Its number, which tokens carry.
    pub id: u32,
    /// The public half.
    pub public_key: Vec<u8>,
    /// The private half, sealed.
    pub sealed_private_key: Vec<u8>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a successor became current.
    pub retired_at: Option<Timestamp>,
}

/// Reads, callable by everyone who holds a connection.
pub trait IdentityQueries {
    /// The person with this id.
    fn user(&mut self, user: UserId) -> Result<Option<User>, StoreError>;

    /// The person with this address, and their password's hash.
    fn account(&mut self, email: &Email) -> Result<Option<Account>, StoreError>;

    /// Why and since when a person is suspended; `None`: they are not.
    fn suspension_of(&mut self, user: UserId) -> Result<Option<Suspension>, StoreError>;

    /// A person's sessions that are kept, also those that have ended, the last seen first.
    fn sessions_of(&mut self, user: UserId) -> Result<Vec<Device>, StoreError>;

    /// The session with this id.
    fn session_by_id(&mut self, session: SessionId) -> Result<Option<Session>, StoreError>;

    /// The secret with this hash and purpose, good or not any more.
    fn single_use_secret(&mut self, purpose: Purpose, hash: &SecretHash) -> Result<Option<FoundSecret>, StoreError>;

    /// All root keys.
    fn root_keys(&mut self) -> Result<Vec<RootKey>, StoreError>;

    /// The newest of a person's secrets for a purpose, good or not any more.
    fn newest_single_use_secret_of_user(
        &mut self,
        user: UserId,
        purpose: Purpose,
    ) -> Result<Option<FoundSecret>, StoreError>;

    /// The devices on which a person is signed in, the last seen first.
    fn devices_of(&mut self, user: UserId, now: Timestamp) -> Result<Vec<Device>, StoreError> {
        let mut devices = self.sessions_of(user)?;
        devices.retain(|device| device.session.is_live(now));
        Ok(devices)
    }

    /// The session, while it is live.
    fn live_session(&mut self, session: SessionId, now: Timestamp) -> Result<Option<Session>, StoreError> {
        Ok(self.session_by_id(session)?.filter(|session| session.is_live(now)))
    }

    /// What is known of a secret that is good still. It stays so.
    fn look_up_secret(
        &mut self,
        purpose: Purpose,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<FoundSecret>, StoreError> {
        Ok(self.single_use_secret(purpose, &hash_of_text(token))?.filter(|found| now < found.expires_at))
    }

    /// The address to which a person wants to move and that they have not confirmed yet.
    fn pending_email(&mut self, user: UserId, now: Timestamp) -> Result<Option<Email>, StoreError> {
        let found = self.newest_single_use_secret_of_user(user, Purpose::ChangeEmail)?;
        let data = found.filter(|found| now < found.expires_at).and_then(|found| found.data);
        data.as_deref().map(Email::parse).transpose().map_err(StoreError::new)
    }
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait IdentityCommands: IdentityQueries {
    /// Replaces a password's hash.
    fn update_password_hash(&mut self, user: UserId, hash: &PasswordHash) -> Result<(), StoreError>;

    /// Marks an address as confirmed that was not, and tells every node; gives whether this call did. Of several callers at
    /// the same moment one is told yes, and the others wait for it. Locks the person.
    fn confirm_user_email(&mut self, user: UserId, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores in which session a password was chosen; `None` when in none.
    fn update_password_session(&mut self, user: UserId, session: Option<SessionId>) -> Result<(), StoreError>;

    /// Makes the marks of all devices worthless on which a person has signed in.
    fn forget_known_devices(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Ends a session, if it has not been ended, and tells every node.
    fn end_session(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// Deletes a person's secrets for a purpose.
    fn withdraw_secrets(&mut self, user: UserId, purpose: Purpose) -> Result<(), StoreError>;

    /// Deletes limits whose arrival is past; gives their number.
    fn sweep_rate_limits(&mut self, moment: Timestamp) -> Result<u64, StoreError>;
}

/// The storage of identity, on one transaction.
///
/// Methods that lock hold what they lock until the transaction ends, so that what follows is decided by one caller at
/// a time.
pub trait IdentityStore: IdentityCommands {
    /// Stores a person; `None`, and nothing stored, when the address is taken, also when another transaction takes it
    /// at the same moment.
    fn insert_user(&mut self, user: NewUser<'_>) -> Result<Option<User>, StoreError>;

    /// Locks a person and gives them as they are from then on; `None` when there is no such person.
    fn lock_user(&mut self, user: UserId) -> Result<Option<User>, StoreError>;

    /// Deletes a person with everything that refers to them, and tells every node.
    fn delete_user(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Takes a password away, and tells every node.
    fn remove_password_hash(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Replaces what a person says of themselves, and tells every node.
    fn update_user_profile(&mut self, user: UserId, profile: &Profile) -> Result<(), StoreError>;

    /// Replaces an address by one that is confirmed, and tells every node; `false`, and nothing changed, when a person
    /// else has it, also when another transaction takes it at the same moment.
    fn update_user_email(&mut self, user: UserId, email: &Email, now: Timestamp) -> Result<bool, StoreError>;

    /// Suspends a person, or ends the suspension.
    fn update_suspension(&mut self, user: UserId, suspension: Option<&Suspension>) -> Result<(), StoreError>;

    /// Marks the address of a person as not confirmed, and tells every node.
    fn unconfirm_user_email(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Locks the admins who are not suspended, in the order of their numbers, and gives them.
    fn lock_admins(&mut self) -> Result<Vec<UserId>, StoreError>;

    /// Replaces a role.
    fn update_user_role(&mut self, user: UserId, role: Role) -> Result<(), StoreError>;

    /// Stores a session that begins now, with its first secret.
    fn insert_session(
        &mut self,
        new: NewSession<'_>,
        secret: &SecretHash,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Session, StoreError>;

    /// Locks the session that has or had this secret, and tells both as they are from then on.
    fn lock_session_of_secret(&mut self, secret: &SecretHash) -> Result<Option<RefreshPlace>, StoreError>;

    /// Puts a successor in the place of a secret and the session's end off, and stores what the device tells of itself.
    fn rotate_refresh_token(
        &mut self,
        session: SessionId,
        old: &SecretHash,
        new: &SecretHash,
        seen: DeviceDescription<'_>,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Ends all sessions of a person that have not been ended, but for the one to keep, and tells every node
    /// (`identity.session-revocation`).
    fn revoke_sessions_of_user(
        &mut self,
        user: UserId,
        kept: Option<SessionId>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes sessions whose end was before the moment, with their secrets; gives their number.
    fn delete_sessions_expired_before(&mut self, moment: Timestamp) -> Result<u64, StoreError>;

    /// Deletes secrets that were replaced before the moment.
    fn delete_secrets_replaced_before(&mut self, moment: Timestamp) -> Result<(), StoreError>;

    /// Stores a single-use secret.
    fn insert_single_use_secret(&mut self, new: NewSecret<'_>) -> Result<(), StoreError>;

    /// Takes the secret with this hash and purpose away; of several callers at the same moment one gets it.
    fn take_single_use_secret(
        &mut self,
        purpose: Purpose,
        hash: &SecretHash,
    ) -> Result<Option<FoundSecret>, StoreError>;

    /// Counts a try of a code against the newest secret with these data that has one, and locks it; gives its hash,
    /// that of its code, the tries with this one, and its end.
    fn count_code_try(
        &mut self,
        purpose: Purpose,
        data: &str,
    ) -> Result<Option<(SecretHash, SecretHash, u32, Timestamp)>, StoreError>;

    /// Deletes secrets whose end was before the moment.
    fn delete_single_use_secrets_expired_before(&mut self, moment: Timestamp) -> Result<(), StoreError>;

    /// Lets one transaction at a time, of all nodes, make keys.
    fn lock_keys(&mut self) -> Result<(), StoreError>;

    /// Retires the current root key, if there is one, puts this one in its place, and tells every node.
    fn replace_root_key(
        &mut self,
        public_key: &[u8],
        sealed_private_key: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes root keys that were retired before the moment.
    fn delete_root_keys_retired_before(&mut self, moment: Timestamp) -> Result<(), StoreError>;

    /// Stores the server's key for a purpose that has none.
    fn insert_server_key(&mut self, purpose: &str, sealed: &[u8], now: Timestamp) -> Result<(), StoreError>;

    /// Locks the arrivals of the limits with these keys, in their order; a limit that is new arrives `now`.
    fn lock_rate_limits(&mut self, keys: &[String], now: Timestamp) -> Result<Vec<Timestamp>, StoreError>;

    /// Stores the arrivals of locked limits.
    fn update_rate_limits(&mut self, arrivals: &[(String, Timestamp)]) -> Result<(), StoreError>;

    /// Deletes limits of one subject, whatever was tried.
    fn delete_rate_limits_of(&mut self, subject: &str) -> Result<(), StoreError>;

    /// The server's key for a purpose, sealed.
    fn server_key(&mut self, purpose: &str) -> Result<Option<Vec<u8>>, StoreError>;
}
