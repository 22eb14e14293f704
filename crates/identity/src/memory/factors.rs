//! Second factors, in memory.

use std::collections::{BTreeMap, HashSet};

use kernel::{PasskeyId, SessionId, StoreError, Timestamp, UserId};

use super::Memory;
use crate::{
    FactorCommands, FactorQueries, FactorStore, IdentityStore, NewPasskey, Passkey, PasskeyName, Protection,
    RemovedMethods, SecretHash, StoredPasskey, StoredTotp,
};

#[derive(Debug, Default)]
pub(super) struct FactorMaps {
    totp: BTreeMap<UserId, StoredTotp>,
    recovery_codes: HashSet<(UserId, SecretHash)>,
    passkeys: BTreeMap<PasskeyId, StoredPasskey>,
    totp_sessions: BTreeMap<UserId, SessionId>,
    passkey_sessions: BTreeMap<PasskeyId, SessionId>,
}

fn count(number: usize) -> Result<u32, StoreError> {
    u32::try_from(number).map_err(StoreError::new)
}

impl FactorQueries for Memory {
    fn protection(&mut self, user: UserId) -> Result<Protection, StoreError> {
        let maps = &self.factors;
        Ok(Protection {
            totp: maps.totp.get(&user).is_some_and(|totp| totp.confirmed_at.is_some()),
            recovery_codes: count(maps.recovery_codes.iter().filter(|(whose, _)| *whose == user).count())?,
            passkeys: count(maps.passkeys.values().filter(|passkey| passkey.user == user).count())?,
        })
    }

    fn passkeys(&mut self, user: UserId) -> Result<Vec<StoredPasskey>, StoreError> {
        Ok(self.factors.passkeys.values().filter(|passkey| passkey.user == user).cloned().collect())
    }
}

impl FactorCommands for Memory {
    fn lock_passkey(&mut self, credential_id: &[u8]) -> Result<Option<StoredPasskey>, StoreError> {
        Ok(self.factors.passkeys.values().find(|passkey| passkey.credential_id == credential_id).cloned())
    }

    fn record_passkey_use(&mut self, passkey: PasskeyId, credential: &str, now: Timestamp) -> Result<(), StoreError> {
        if let Some(stored) = self.factors.passkeys.get_mut(&passkey) {
            credential.clone_into(&mut stored.credential);
            stored.passkey.last_used_at = Some(now);
        }
        Ok(())
    }
}

impl FactorStore for Memory {
    fn lock_factors(&mut self, _user: UserId) -> Result<(), StoreError> {
        Ok(())
    }

    fn lock_totp(&mut self, user: UserId) -> Result<Option<StoredTotp>, StoreError> {
        Ok(self.factors.totp.get(&user).cloned())
    }

    fn begin_totp_of_user(
        &mut self,
        user: UserId,
        session: SessionId,
        sealed_secret: &[u8],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if self.factors.totp.get(&user).is_some_and(|totp| totp.confirmed_at.is_some()) {
            return Ok(false);
        }
        let begun =
            StoredTotp { sealed_secret: sealed_secret.to_vec(), begun_at: now, confirmed_at: None, last_step: None };
        self.factors.totp.insert(user, begun);
        self.factors.totp_sessions.insert(user, session);
        Ok(true)
    }

    fn take_totp_step(&mut self, user: UserId, step: i64, now: Timestamp) -> Result<(), StoreError> {
        if let Some(totp) = self.factors.totp.get_mut(&user) {
            totp.last_step = Some(step);
            totp.confirmed_at.get_or_insert(now);
        }
        Ok(())
    }

    fn delete_totp(&mut self, user: UserId) -> Result<bool, StoreError> {
        Ok(self.factors.totp.remove(&user).is_some())
    }

    fn replace_recovery_codes(&mut self, user: UserId, codes: &[SecretHash]) -> Result<(), StoreError> {
        self.factors.recovery_codes.retain(|(whose, _)| *whose != user);
        self.factors.recovery_codes.extend(codes.iter().map(|code| (user, *code)));
        Ok(())
    }

    fn take_recovery_code(&mut self, user: UserId, code: &SecretHash) -> Result<bool, StoreError> {
        Ok(self.factors.recovery_codes.remove(&(user, *code)))
    }

    fn insert_passkey(
        &mut self,
        user: UserId,
        session: SessionId,
        new: NewPasskey<'_>,
        now: Timestamp,
    ) -> Result<Option<Passkey>, StoreError> {
        if self.lock_passkey(new.credential_id)?.is_some() {
            return Ok(None);
        }
        let id = PasskeyId::from_store(self.next_id());
        let passkey = Passkey { id, name: new.name.clone(), created_at: now, last_used_at: None };
        let stored = StoredPasskey {
            passkey: passkey.clone(),
            user,
            credential_id: new.credential_id.to_vec(),
            user_handle: new.user_handle.to_vec(),
            credential: new.credential.to_owned(),
        };
        self.factors.passkeys.insert(id, stored);
        self.factors.passkey_sessions.insert(id, session);
        Ok(Some(passkey))
    }

    fn update_passkey_name(
        &mut self,
        user: UserId,
        passkey: PasskeyId,
        name: &PasskeyName,
    ) -> Result<Option<Passkey>, StoreError> {
        let found = self.factors.passkeys.get_mut(&passkey).filter(|passkey| passkey.user == user);
        Ok(found.map(|stored| {
            stored.passkey.name = name.clone();
            stored.passkey.clone()
        }))
    }

    fn delete_passkey(&mut self, user: UserId, passkey: PasskeyId) -> Result<Option<Passkey>, StoreError> {
        let is_theirs = self.factors.passkeys.get(&passkey).is_some_and(|passkey| passkey.user == user);
        Ok(if is_theirs { self.factors.passkeys.remove(&passkey).map(|stored| stored.passkey) } else { None })
    }

    fn update_session_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        if let Some(device) = self.sessions.get_mut(&session) {
            device.session.proved_at = Some(now);
        }
        Ok(())
    }

    fn update_session_address_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        if let Some(device) = self.sessions.get_mut(&session) {
            device.session.address_proved_at = Some(now);
        }
        Ok(())
    }

    fn update_session_password_typed(&mut self, session: SessionId) -> Result<(), StoreError> {
        if let Some(device) = self.sessions.get_mut(&session) {
            device.session.password_typed = true;
        }
        Ok(())
    }

    fn update_session_strength(&mut self, session: SessionId, strong: bool) -> Result<(), StoreError> {
        if let Some(device) = self.sessions.get_mut(&session) {
            device.session.strong = strong;
        }
        Ok(())
    }

    fn weaken_sessions_of_user(&mut self, user: UserId) -> Result<(), StoreError> {
        for device in self.sessions.values_mut().filter(|device| device.session.user == user) {
            device.session.strong = false;
        }
        Ok(())
    }

    fn remove_sign_in_methods(&mut self, user: UserId, kept: Option<SessionId>) -> Result<RemovedMethods, StoreError> {
        let is_kept = |made_in: Option<SessionId>| made_in.is_some() && made_in == kept;
        let mut removed = RemovedMethods::default();
        if !is_kept(self.password_sessions.get(&user).copied().flatten()) {
            removed.password = self.accounts.get(&user).is_some_and(|account| account.password_hash.is_some());
            self.remove_password_hash(user)?;
        }
        if !is_kept(self.factors.totp_sessions.get(&user).copied()) {
            removed.totp = self.delete_totp(user)?;
            self.replace_recovery_codes(user, &[])?;
        }
        for id in self.passkeys(user)?.into_iter().map(|stored| stored.passkey.id) {
            if !is_kept(self.factors.passkey_sessions.get(&id).copied()) {
                self.delete_passkey(user, id)?;
                removed.passkeys += 1;
            }
        }
        let before = self.provider_connections.len();
        self.provider_connections.retain(|one| one.user != user || is_kept(one.session));
        removed.providers = count(before - self.provider_connections.len())?;
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::factors_contract;

    #[test]
    fn memory_keeps_the_contract_of_what_protects_accounts() {
        factors_contract::run(|case| case(&mut Memory::default()));
    }
}
