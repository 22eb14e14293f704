//! Provider connections, in memory.

use kernel::{Email, SessionId, StoreError, UserId};

use super::Memory;
use crate::{
    FactorQueries, Provider, ProviderCommands, ProviderConnection, ProviderQueries, ProviderStore, SignInMethods,
};

impl ProviderQueries for Memory {
    fn providers_of(&mut self, user: UserId) -> Result<Vec<ProviderConnection>, StoreError> {
        let mut found: Vec<_> = self.provider_connections.iter().filter(|one| one.user == user).cloned().collect();
        found.sort_by_key(|connection| connection.provider);
        Ok(found)
    }
}

impl ProviderCommands for Memory {
    fn record_provider_session(
        &mut self,
        user: UserId,
        provider: Provider,
        session: SessionId,
    ) -> Result<(), StoreError> {
        for one in self.provider_connections.iter_mut().filter(|one| one.user == user && one.provider == provider) {
            one.session.get_or_insert(session);
        }
        Ok(())
    }

    fn disconnect_all_providers(&mut self, user: UserId) -> Result<(), StoreError> {
        self.provider_connections.retain(|one| one.user != user);
        Ok(())
    }
}

impl ProviderStore for Memory {
    fn provider_connection(
        &mut self,
        provider: Provider,
        subject: &str,
    ) -> Result<Option<ProviderConnection>, StoreError> {
        let mut all = self.provider_connections.iter();
        Ok(all.find(|one| one.provider == provider && one.subject == subject).cloned())
    }

    fn insert_provider_connection(&mut self, new: &ProviderConnection) -> Result<bool, StoreError> {
        let is_in_the_way = |one: &ProviderConnection| {
            one.provider == new.provider && (one.subject == new.subject || one.user == new.user)
        };
        if self.provider_connections.iter().any(is_in_the_way) {
            return Ok(false);
        }
        self.provider_connections.push(new.clone());
        Ok(true)
    }

    fn update_provider_email(
        &mut self,
        provider: Provider,
        subject: &str,
        email: Option<&Email>,
    ) -> Result<(), StoreError> {
        for one in &mut self.provider_connections {
            if one.provider == provider && one.subject == subject {
                one.email = email.cloned();
            }
        }
        Ok(())
    }

    fn delete_provider_connection(&mut self, user: UserId, provider: Provider) -> Result<(), StoreError> {
        self.provider_connections.retain(|one| one.user != user || one.provider != provider);
        Ok(())
    }

    fn lock_ways_in(&mut self, user: UserId) -> Result<SignInMethods, StoreError> {
        let providers = self.providers_of(user)?.len();
        Ok(SignInMethods {
            password: self.accounts.get(&user).is_some_and(|account| account.password_hash.is_some()),
            passkeys: self.protection(user)?.passkeys,
            providers: u32::try_from(providers).map_err(StoreError::new)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Memory, providers_contract as contract};

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
