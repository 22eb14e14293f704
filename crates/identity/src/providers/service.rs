//! What signing in with providers offers.

use kernel::{Email, StoreError, Timestamp, UserId};

use super::{Provider, ProviderArrival, ProviderConnection, ProviderError, ProviderProfile, ProviderStore};
use crate::{FactorStore, Factors, NewUser, Purpose, User, registration::timezone as known_or_utc};

/// Signing in with providers, over any store of identity. Everything happens in the store's transaction.
pub trait Providers: FactorStore {
    /// Whose account a profile opens (`decisions.md` 16): that of the person who came this way before; otherwise the one
    /// with the address, when the provider says that it is verified; otherwise a new one, whose address counts as
    /// confirmed when the provider says so.
    ///
    /// The time zone is the browser's, for a new account.
    fn arrive_by_provider(
        &mut self,
        profile: &ProviderProfile,
        timezone: Option<&str>,
        now: Timestamp,
    ) -> Result<ProviderArrival, ProviderError> {
        if let Some(connection) = self.provider_connection(profile.provider, &profile.subject)? {
            return Ok(ProviderArrival::Known(renew(self, &connection, profile)?));
        }
        let email = profile.email.as_ref().ok_or(ProviderError::NoEmail(profile.provider))?;
        if let Some(account) = self.account(email)? {
            return join(self, &account.user, profile, now);
        }
        let (first_name, last_name) = profile.names();
        let new = NewUser {
            email,
            first_name: &first_name,
            last_name: &last_name,
            timezone: &known_or_utc(timezone),
            password_hash: None,
            created_at: now,
            email_confirmed_at: profile.email_verified.then_some(now),
        };
        match self.insert_user(new)? {
            Some(user) => {
                connect(self, user.id, profile, now)?;
                Ok(ProviderArrival::New { user: user.id, confirmed: profile.email_verified })
            }
            // A person took the address at this very moment.
            None => match self.account(email)? {
                Some(account) => join(self, &account.user, profile, now),
                None => Err(StoreError::new("an address is taken and is nobody's").into()),
            },
        }
    }

    /// Connects a person at a provider with the account of a person who is signed in. A verified address that is the
    /// account's own is confirmed by it.
    fn connect_provider(
        &mut self,
        user: UserId,
        profile: &ProviderProfile,
        now: Timestamp,
    ) -> Result<(), ProviderError> {
        match self.provider_connection(profile.provider, &profile.subject)? {
            Some(there) if there.user == user => {
                renew(self, &there, profile)?;
            }
            Some(_) => return Err(ProviderError::ConnectedElsewhere(profile.provider)),
            None => connect(self, user, profile, now)?,
        }
        let account = self.user(user)?;
        if let Some(account) = account.filter(|account| proves(profile, &account.email)) {
            self.confirm_user_email(account.id, now)?;
        }
        Ok(())
    }

    /// Takes a provider away from an account, unless nothing else lets its owner in. Taking away what is not there is
    /// fine.
    fn disconnect_provider(&mut self, user: UserId, provider: Provider) -> Result<(), ProviderError> {
        let mut ways = self.lock_ways_in(user)?;
        let connections = self.providers_of(user)?;
        if connections.iter().all(|connection| connection.provider != provider) {
            return Ok(());
        }
        ways.providers = ways.providers.saturating_sub(1);
        if ways.is_none() {
            return Err(ProviderError::LastWayIn(provider));
        }
        Ok(self.delete_provider_connection(user, provider)?)
    }
}

impl<S: FactorStore + ?Sized> Providers for S {}

/// Whether the provider vouches for this very address.
fn proves(profile: &ProviderProfile, email: &Email) -> bool {
    profile.email_verified && profile.email.as_ref() == Some(email)
}

/// Keeps the address that the provider tells now; gives whose account it is.
fn renew<S: ProviderStore + ?Sized>(
    store: &mut S,
    connection: &ProviderConnection,
    profile: &ProviderProfile,
) -> Result<UserId, StoreError> {
    // Apple tells the address at the first time only: what is not told is not forgotten.
    if profile.email.is_some() && connection.email != profile.email {
        store.update_provider_email(profile.provider, &profile.subject, profile.email.as_ref())?;
    }
    Ok(connection.user)
}

/// Joins the account that has the profile's address.
fn join<S: FactorStore + ?Sized>(
    store: &mut S,
    account: &User,
    profile: &ProviderProfile,
    now: Timestamp,
) -> Result<ProviderArrival, ProviderError> {
    if !profile.email_verified {
        return Err(ProviderError::ConnectFirst);
    }
    if account.email_confirmed_at.is_none() {
        put_others_out(store, account.id, now)?;
    }
    connect(store, account.id, profile, now)?;
    Ok(ProviderArrival::Joined(account.id))
}

/// The owner of an address arrives at an account that a person made with it without showing that it is theirs. That
/// may have been a stranger who waits for this moment: nothing that let them in does so any longer.
fn put_others_out<S: FactorStore + ?Sized>(store: &mut S, user: UserId, now: Timestamp) -> Result<(), StoreError> {
    store.remove_password_hash(user)?;
    store.disconnect_all_providers(user)?;
    store.forget_factors(user)?;
    store.revoke_sessions_of_user(user, None, now)?;
    for purpose in Purpose::ALL {
        store.withdraw_secrets(user, purpose)?;
    }
    store.confirm_user_email(user, now)
}

fn connect<S: ProviderStore + ?Sized>(
    store: &mut S,
    user: UserId,
    profile: &ProviderProfile,
    now: Timestamp,
) -> Result<(), ProviderError> {
    let connection = ProviderConnection {
        provider: profile.provider,
        subject: profile.subject.clone(),
        email: profile.email.clone(),
        user,
        connected_at: now,
    };
    if store.insert_provider_connection(&connection)? {
        return Ok(());
    }
    // Made by the same person at the same moment, or in the way.
    match store.provider_connection(profile.provider, &profile.subject)? {
        Some(there) if there.user == user => Ok(()),
        Some(_) => Err(ProviderError::ConnectedElsewhere(profile.provider)),
        None => Err(ProviderError::AnotherConnected(profile.provider)),
    }
}
