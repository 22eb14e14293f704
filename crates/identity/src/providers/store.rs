//! What signing in with providers needs from storage.

use kernel::{Email, SessionId, StoreError, UserId};

use super::{Provider, ProviderConnection, SignInMethods};

/// Reads, callable by everyone who holds a connection.
pub trait ProviderQueries {
    /// All connections of an account, in the order of [`Provider::ALL`].
    fn providers_of(&mut self, user: UserId) -> Result<Vec<ProviderConnection>, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait ProviderCommands: ProviderQueries {
    /// Stores the first session that an account's connection with a provider began. A connection that was made in a session
    /// stays of that one.
    fn record_provider_session(
        &mut self,
        user: UserId,
        provider: Provider,
        session: SessionId,
    ) -> Result<(), StoreError>;

    /// Deletes all of an account's connections.
    fn disconnect_all_providers(&mut self, user: UserId) -> Result<(), StoreError>;
}

/// The storage of connections with providers, on one transaction.
pub trait ProviderStore: ProviderCommands {
    /// The connection of a person at a provider.
    fn provider_connection(
        &mut self,
        provider: Provider,
        subject: &str,
    ) -> Result<Option<ProviderConnection>, StoreError>;

    /// Stores a connection; `false`, and nothing stored, when the person there or the account here has one with the
    /// provider, also when another transaction makes it at the same moment.
    fn insert_provider_connection(&mut self, connection: &ProviderConnection) -> Result<bool, StoreError>;

    /// Replaces the address that the provider told last.
    fn update_provider_email(
        &mut self,
        provider: Provider,
        subject: &str,
        email: Option<&Email>,
    ) -> Result<(), StoreError>;

    /// Deletes an account's connection with a provider.
    fn delete_provider_connection(&mut self, user: UserId, provider: Provider) -> Result<(), StoreError>;

    /// By what a person can sign in; locked, so that nobody takes another way away at the same moment.
    fn lock_ways_in(&mut self, user: UserId) -> Result<SignInMethods, StoreError>;
}
