//! The storage interface of provider connections.

use kernel::{Email, SessionId, StoreError, UserId};

use super::{Provider, ProviderConnection, SignInMethods};

/// Reads, available on any database connection.
pub trait ProviderQueries {
    /// All connections of an account, in the order of [`Provider::ALL`].
    fn providers_of(&mut self, user: UserId) -> Result<Vec<ProviderConnection>, StoreError>;
}

/// Writes that no rule restricts, available in any transaction.
pub trait ProviderCommands: ProviderQueries {
    /// Stores the session that a provider connection began, unless the connection already has one.
    fn record_provider_session(
        &mut self,
        user: UserId,
        provider: Provider,
        session: SessionId,
    ) -> Result<(), StoreError>;

    /// Deletes all of an account's connections.
    fn disconnect_all_providers(&mut self, user: UserId) -> Result<(), StoreError>;
}

/// Storage of provider connections, within one transaction.
pub trait ProviderStore: ProviderCommands {
    /// The connection of the provider's account with the id `subject`.
    fn provider_connection(
        &mut self,
        provider: Provider,
        subject: &str,
    ) -> Result<Option<ProviderConnection>, StoreError>;

    /// Stores a connection. Returns `false` and stores nothing if the account there or the account here already has one
    /// with this provider, also if a concurrent transaction makes it.
    fn insert_provider_connection(&mut self, connection: &ProviderConnection) -> Result<bool, StoreError>;

    /// Replaces the address that the provider sent last.
    fn update_provider_email(
        &mut self,
        provider: Provider,
        subject: &str,
        email: Option<&Email>,
    ) -> Result<(), StoreError>;

    /// Deletes an account's connection with a provider.
    fn delete_provider_connection(&mut self, user: UserId, provider: Provider) -> Result<(), StoreError>;

    /// Locks and returns an account's sign-in methods, so that no concurrent transaction removes another one.
    fn lock_ways_in(&mut self, user: UserId) -> Result<SignInMethods, StoreError>;
}
