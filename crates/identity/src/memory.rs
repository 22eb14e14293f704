//! An in-memory store, for tests.

mod factors;
mod providers;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use kernel::{ApiTokenId, Day, Email, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Account, ApiToken, Device, DeviceDescription, FoundSecret, IdentityCommands, IdentityQueries, IdentityStore,
    NewApiToken, NewSecret, NewSession, NewUser, PasswordHash, Profile, ProviderConnection, Purpose, RefreshPlace,
    Role, RootKey, SecretHash, Session, Suspension, User,
};

/// Everything that identity stores, in maps. It has one caller at a time, so its locks do nothing.
#[derive(Debug, Default)]
pub struct Memory {
    pub(crate) accounts: BTreeMap<UserId, Account>,
    provider_connections: Vec<ProviderConnection>,
    password_sessions: HashMap<UserId, Option<SessionId>>,
    sessions: BTreeMap<SessionId, Device>,
    secrets: HashMap<SecretHash, (SessionId, Option<Timestamp>)>,
    single_use: Vec<SingleUse>,
    root_keys: Vec<RootKey>,
    server_keys: HashMap<String, Vec<u8>>,
    /// With the hash of the token and of its sync key.
    api_tokens: Vec<(SecretHash, Option<SecretHash>, ApiToken)>,
    rate_limits: HashMap<String, Timestamp>,
    factors: factors::FactorMaps,
    suspensions: HashMap<UserId, Suspension>,
    ids: i64,
}

#[derive(Debug)]
struct SingleUse {
    hash: SecretHash,
    purpose: Purpose,
    code: Option<(SecretHash, u32)>,
    found: FoundSecret,
}

impl Memory {
    fn next_id(&mut self) -> i64 {
        self.ids += 1;
        self.ids
    }
}

impl IdentityQueries for Memory {
    fn user(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        Ok(self.accounts.get(&user).map(|account| account.user.clone()))
    }

    fn account(&mut self, email: &Email) -> Result<Option<Account>, StoreError> {
        Ok(self.accounts.values().find(|account| account.user.email == *email).cloned())
    }

    fn suspension_of(&mut self, user: UserId) -> Result<Option<Suspension>, StoreError> {
        Ok(self.suspensions.get(&user).cloned())
    }

    fn api_tokens_of(&mut self, user: UserId) -> Result<Vec<ApiToken>, StoreError> {
        let of_user = self.api_tokens.iter().rev().map(|(.., token)| token).filter(|token| token.user == user);
        Ok(of_user.cloned().collect())
    }

    fn api_token(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError> {
        Ok(self.api_tokens.iter().find(|(stored, ..)| stored == hash).map(|(.., token)| token.clone()))
    }

    fn api_token_of_sync_key(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError> {
        let mut all = self.api_tokens.iter();
        Ok(all.find(|(_, key, _)| key.as_ref() == Some(hash)).map(|(.., token)| token.clone()))
    }

    fn sessions_of(&mut self, user: UserId) -> Result<Vec<Device>, StoreError> {
        let theirs = self.sessions.values().filter(|device| device.session.user == user);
        let mut devices: Vec<Device> = theirs.cloned().collect();
        devices.sort_by_key(|device| Reverse((device.session.last_seen_at, device.session.id)));
        Ok(devices)
    }

    fn session_by_id(&mut self, session: SessionId) -> Result<Option<Session>, StoreError> {
        Ok(self.sessions.get(&session).map(|device| device.session))
    }

    fn single_use_secret(&mut self, purpose: Purpose, hash: &SecretHash) -> Result<Option<FoundSecret>, StoreError> {
        let found = self.single_use.iter().find(|secret| secret.purpose == purpose && secret.hash == *hash);
        Ok(found.map(|secret| secret.found.clone()))
    }

    fn root_keys(&mut self) -> Result<Vec<RootKey>, StoreError> {
        Ok(self.root_keys.clone())
    }

    fn newest_single_use_secret_of_user(
        &mut self,
        user: UserId,
        purpose: Purpose,
    ) -> Result<Option<FoundSecret>, StoreError> {
        let mut secrets = self.single_use.iter().rev();
        let newest = secrets.find(|secret| secret.purpose == purpose && secret.found.user == Some(user));
        Ok(newest.map(|secret| secret.found.clone()))
    }
}

impl IdentityCommands for Memory {
    fn update_password_hash(&mut self, user: UserId, hash: &PasswordHash) -> Result<(), StoreError> {
        if let Some(account) = self.accounts.get_mut(&user) {
            account.password_hash = Some(hash.clone());
            account.user.has_password = true;
        }
        Ok(())
    }

    fn confirm_user_email(&mut self, user: UserId, now: Timestamp) -> Result<bool, StoreError> {
        let unconfirmed = self.accounts.get_mut(&user).filter(|account| account.user.email_confirmed_at.is_none());
        Ok(unconfirmed.map(|account| account.user.email_confirmed_at = Some(now)).is_some())
    }

    fn update_password_session(&mut self, user: UserId, session: Option<SessionId>) -> Result<(), StoreError> {
        self.password_sessions.insert(user, session);
        Ok(())
    }

    fn forget_known_devices(&mut self, user: UserId) -> Result<(), StoreError> {
        if let Some(account) = self.accounts.get_mut(&user) {
            account.user.devices_version += 1;
        }
        Ok(())
    }

    fn end_session(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        if let Some(device) = self.sessions.get_mut(&session) {
            device.session.revoked_at.get_or_insert(now);
        }
        Ok(())
    }

    fn delete_api_token(&mut self, user: UserId, token: ApiTokenId) -> Result<bool, StoreError> {
        let before = self.api_tokens.len();
        self.api_tokens.retain(|(.., stored)| stored.user != user || stored.id != token);
        Ok(self.api_tokens.len() < before)
    }

    fn record_api_token_use(&mut self, token: ApiTokenId, day: Day) -> Result<(), StoreError> {
        if let Some((.., stored)) = self.api_tokens.iter_mut().find(|(.., stored)| stored.id == token) {
            stored.last_used_on = stored.last_used_on.max(Some(day));
        }
        Ok(())
    }

    fn delete_api_tokens_of(&mut self, user: UserId) -> Result<(), StoreError> {
        self.api_tokens.retain(|(.., stored)| stored.user != user);
        Ok(())
    }

    fn withdraw_secrets(&mut self, user: UserId, purpose: Purpose) -> Result<(), StoreError> {
        self.single_use.retain(|secret| secret.purpose != purpose || secret.found.user != Some(user));
        Ok(())
    }

    fn sweep_rate_limits(&mut self, moment: Timestamp) -> Result<u64, StoreError> {
        let before = self.rate_limits.len();
        self.rate_limits.retain(|_, arrival| *arrival >= moment);
        Ok((before - self.rate_limits.len()) as u64)
    }
}

impl IdentityStore for Memory {
    fn insert_user(&mut self, new: NewUser<'_>) -> Result<Option<User>, StoreError> {
        if self.account(new.email)?.is_some() {
            return Ok(None);
        }
        let user = User {
            id: UserId::from_store(self.next_id()),
            email: new.email.clone(),
            first_name: new.first_name.to_owned(),
            last_name: new.last_name.to_owned(),
            timezone: new.timezone.to_owned(),
            role: Role::Member,
            friend_email: None,
            created_at: new.created_at,
            email_confirmed_at: new.email_confirmed_at,
            has_password: new.password_hash.is_some(),
            devices_version: 0,
        };
        let account = Account { user: user.clone(), password_hash: new.password_hash.cloned() };
        self.accounts.insert(user.id, account);
        Ok(Some(user))
    }

    fn lock_user(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        self.user(user)
    }

    fn delete_user(&mut self, user: UserId) -> Result<(), StoreError> {
        self.accounts.remove(&user);
        self.sessions.retain(|_, device| device.session.user != user);
        let sessions = &self.sessions;
        self.secrets.retain(|_, (session, _)| sessions.contains_key(session));
        self.single_use.retain(|secret| secret.found.user != Some(user));
        Ok(())
    }

    fn update_user_profile(&mut self, user: UserId, profile: &Profile) -> Result<(), StoreError> {
        if let Some(account) = self.accounts.get_mut(&user) {
            account.user.first_name.clone_from(&profile.first_name);
            account.user.last_name.clone_from(&profile.last_name);
            if let Some(timezone) = &profile.timezone {
                account.user.timezone.clone_from(timezone);
            }
        }
        Ok(())
    }

    fn update_user_email(&mut self, user: UserId, email: &Email, now: Timestamp) -> Result<bool, StoreError> {
        if self.account(email)?.is_some_and(|other| other.user.id != user) {
            return Ok(false);
        }
        if let Some(account) = self.accounts.get_mut(&user) {
            account.user.email = email.clone();
            account.user.email_confirmed_at = Some(now);
        }
        Ok(true)
    }

    fn remove_password_hash(&mut self, user: UserId) -> Result<(), StoreError> {
        if let Some(account) = self.accounts.get_mut(&user) {
            account.password_hash = None;
            account.user.has_password = false;
        }
        Ok(())
    }

    fn update_suspension(&mut self, user: UserId, suspension: Option<&Suspension>) -> Result<(), StoreError> {
        match suspension {
            Some(suspension) => self.suspensions.insert(user, suspension.clone()),
            None => self.suspensions.remove(&user),
        };
        Ok(())
    }

    fn unconfirm_user_email(&mut self, user: UserId) -> Result<(), StoreError> {
        if let Some(account) = self.accounts.get_mut(&user) {
            account.user.email_confirmed_at = None;
        }
        Ok(())
    }

    fn lock_admins(&mut self) -> Result<Vec<UserId>, StoreError> {
        let admins = self.accounts.values().map(|account| &account.user).filter(|user| user.role == Role::Admin);
        Ok(admins.map(|user| user.id).filter(|user| !self.suspensions.contains_key(user)).collect())
    }

    fn update_user_role(&mut self, user: UserId, role: Role) -> Result<(), StoreError> {
        if let Some(account) = self.accounts.get_mut(&user) {
            account.user.role = role;
        }
        Ok(())
    }

    fn insert_session(
        &mut self,
        new: NewSession<'_>,
        secret: &SecretHash,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Session, StoreError> {
        let id = SessionId::from_store(self.next_id());
        let NewSession { user, device, place, strong } = new;
        let session = Session {
            id,
            user,
            created_at: now,
            last_seen_at: now,
            expires_at,
            revoked_at: None,
            strong,
            proved_at: None,
            address_proved_at: None,
            password_typed: false,
        };
        self.sessions.insert(id, Device { session, device: device.to_owned(), place: place.to_owned() });
        self.secrets.insert(*secret, (id, None));
        Ok(session)
    }

    fn lock_session_of_secret(&mut self, secret: &SecretHash) -> Result<Option<RefreshPlace>, StoreError> {
        let Some((id, replaced_at)) = self.secrets.get(secret).copied() else { return Ok(None) };
        Ok(self.session_by_id(id)?.map(|session| RefreshPlace { session, replaced_at }))
    }

    fn rotate_refresh_token(
        &mut self,
        session: SessionId,
        old: &SecretHash,
        new: &SecretHash,
        seen: DeviceDescription<'_>,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        if let Some((_, replaced_at)) = self.secrets.get_mut(old) {
            *replaced_at = Some(now);
        }
        self.secrets.insert(*new, (session, None));
        if let Some(found) = self.sessions.get_mut(&session) {
            let session = Session { last_seen_at: now, expires_at, ..found.session };
            *found = Device { session, device: seen.device.to_owned(), place: seen.place.to_owned() };
        }
        Ok(())
    }

    fn revoke_sessions_of_user(
        &mut self,
        user: UserId,
        kept: Option<SessionId>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let sessions = self.sessions.values_mut().map(|device| &mut device.session);
        for session in sessions.filter(|session| session.user == user && Some(session.id) != kept) {
            session.revoked_at.get_or_insert(now);
        }
        Ok(())
    }

    fn delete_sessions_expired_before(&mut self, moment: Timestamp) -> Result<u64, StoreError> {
        let before = self.sessions.len();
        self.sessions.retain(|_, device| device.session.expires_at >= moment);
        let sessions = &self.sessions;
        self.secrets.retain(|_, (session, _)| sessions.contains_key(session));
        Ok((before - self.sessions.len()) as u64)
    }

    fn delete_secrets_replaced_before(&mut self, moment: Timestamp) -> Result<(), StoreError> {
        self.secrets.retain(|_, (_, replaced_at)| replaced_at.is_none_or(|at| at >= moment));
        Ok(())
    }

    fn insert_api_token(&mut self, new: NewApiToken) -> Result<ApiToken, StoreError> {
        let NewApiToken { user, name, scopes, hash, sync_key_hash, created_at } = new;
        let id = ApiTokenId::from_store(self.next_id());
        let token = ApiToken { id, user, name, scopes, created_at, last_used_on: None };
        self.api_tokens.push((hash, sync_key_hash, token.clone()));
        Ok(token)
    }

    fn insert_single_use_secret(&mut self, new: NewSecret<'_>) -> Result<(), StoreError> {
        self.single_use.push(SingleUse {
            hash: *new.hash,
            purpose: new.purpose,
            code: new.code_hash.map(|hash| (*hash, 0)),
            found: FoundSecret {
                user: new.user,
                data: new.data.map(str::to_owned),
                binding: new.binding.copied(),
                expires_at: new.expires_at,
            },
        });
        Ok(())
    }

    fn take_single_use_secret(
        &mut self,
        purpose: Purpose,
        hash: &SecretHash,
    ) -> Result<Option<FoundSecret>, StoreError> {
        let place = self.single_use.iter().position(|secret| secret.purpose == purpose && secret.hash == *hash);
        Ok(place.map(|place| self.single_use.remove(place).found))
    }

    fn count_code_try(
        &mut self,
        purpose: Purpose,
        data: &str,
    ) -> Result<Option<(SecretHash, SecretHash, u32, Timestamp)>, StoreError> {
        let is_meant =
            |secret: &&mut SingleUse| secret.purpose == purpose && secret.found.data.as_deref() == Some(data);
        Ok(self.single_use.iter_mut().rfind(is_meant).and_then(|secret| {
            let (code, tries) = secret.code.as_mut()?;
            *tries += 1;
            Some((secret.hash, *code, *tries, secret.found.expires_at))
        }))
    }

    fn delete_single_use_secrets_expired_before(&mut self, moment: Timestamp) -> Result<(), StoreError> {
        self.single_use.retain(|secret| secret.found.expires_at >= moment);
        Ok(())
    }

    fn lock_keys(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn replace_root_key(
        &mut self,
        public_key: &[u8],
        sealed_private_key: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        for key in &mut self.root_keys {
            key.retired_at.get_or_insert(now);
        }
        let id = u32::try_from(self.next_id()).map_err(StoreError::new)?;
        self.root_keys.push(RootKey {
            id,
            public_key: public_key.to_vec(),
            sealed_private_key: sealed_private_key.to_vec(),
            created_at: now,
            retired_at: None,
        });
        Ok(())
    }

    fn delete_root_keys_retired_before(&mut self, moment: Timestamp) -> Result<(), StoreError> {
        self.root_keys.retain(|key| key.retired_at.is_none_or(|at| at >= moment));
        Ok(())
    }

    fn insert_server_key(&mut self, purpose: &str, sealed: &[u8], _now: Timestamp) -> Result<(), StoreError> {
        self.server_keys.insert(purpose.to_owned(), sealed.to_vec());
        Ok(())
    }

    fn lock_rate_limits(&mut self, keys: &[String], now: Timestamp) -> Result<Vec<Timestamp>, StoreError> {
        Ok(keys.iter().map(|key| *self.rate_limits.entry(key.clone()).or_insert(now)).collect())
    }

    fn update_rate_limits(&mut self, arrivals: &[(String, Timestamp)]) -> Result<(), StoreError> {
        self.rate_limits.extend(arrivals.iter().cloned());
        Ok(())
    }

    fn delete_rate_limits_of(&mut self, subject: &str) -> Result<(), StoreError> {
        let end = format!(" {subject}");
        self.rate_limits.retain(|key, _| !key.ends_with(&end));
        Ok(())
    }

    fn server_key(&mut self, purpose: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.server_keys.get(purpose).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
