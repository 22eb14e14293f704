//! Sign-in with providers: which account a profile opens, and how providers are connected.

use kernel::{Email, SessionId, StoreError, Timestamp, UserId};

use crate::{
    FactorStore, FirstProof, NewUser, ProofOfAddress, Provider, ProviderArrival, ProviderConnection, ProviderError,
    ProviderProfile, ProviderStore, User, registration::timezone as known_or_utc,
};

/// Sign-in with providers, over any [`FactorStore`]. Everything happens in the store's transaction.
pub trait Providers: FactorStore {
    /// Finds or creates the account that a profile opens (`identity.provider-account`): the connected account;
    /// otherwise the one with the address, if the provider says that it is verified; otherwise a new one, whose address
    /// counts as confirmed if the provider says so.
    ///
    /// `timezone` is the browser's, for a new account. Also returns what ended if this was the first proof of the
    /// account's address.
    fn arrive_by_provider(
        &mut self,
        profile: &ProviderProfile,
        timezone: Option<&str>,
        now: Timestamp,
    ) -> Result<(ProviderArrival, Option<FirstProof>), ProviderError> {
        if let Some((user, first_proof)) = known_user(self, profile, now)? {
            return Ok((ProviderArrival::Known(user), first_proof));
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
                connect(self, user.id, None, profile, now)?;
                Ok((ProviderArrival::New { user: user.id, confirmed: profile.email_verified }, None))
            }
            // A concurrent transaction took the address.
            None => match self.account(email)? {
                Some(account) => join(self, &account.user, profile, now),
                None => Err(StoreError::new("an address is taken and is nobody's").into()),
            },
        }
    }

    /// Connects a provider with the account of a session. This proves the account's address if the provider vouches for
    /// that very address; returns what ended if it is the first proof.
    fn connect_provider(
        &mut self,
        user: UserId,
        session: SessionId,
        profile: &ProviderProfile,
        now: Timestamp,
    ) -> Result<Option<FirstProof>, ProviderError> {
        match self.provider_connection(profile.provider, &profile.subject)? {
            Some(there) if there.user == user => {
                renew(self, &there, profile)?;
            }
            Some(_) => return Err(ProviderError::ConnectedElsewhere(profile.provider)),
            None => connect(self, user, Some(session), profile, now)?,
        }
        let account = self.user(user)?;
        match account.filter(|account| proves(profile, &account.email)) {
            Some(account) => Ok(self.accept_proof_of_address(account.id, Some(session), now)?),
            None => Ok(None),
        }
    }

    /// Disconnects a provider, unless it is the last sign-in method. Does nothing if the provider is not connected.
    fn disconnect_provider(&mut self, user: UserId, provider: Provider) -> Result<(), ProviderError> {
        let mut ways = self.lock_ways_in(user)?;
        let connections = self.providers_of(user)?;
        if connections.iter().all(|connection| connection.provider != provider) {
            return Ok(());
        }
        ways.providers = ways.providers.saturating_sub(1);
        if ways.is_none() {
            return Err(ProviderError::LastSignInMethod(provider));
        }
        Ok(self.delete_provider_connection(user, provider)?)
    }
}

impl<S: FactorStore + ?Sized> Providers for S {}

/// Whether the provider vouches for this address.
fn proves(profile: &ProviderProfile, email: &Email) -> bool {
    profile.email_verified && profile.email.as_ref() == Some(email)
}

/// Stores the address that the provider sent now; returns the connected user.
fn renew<S: ProviderStore + ?Sized>(
    store: &mut S,
    connection: &ProviderConnection,
    profile: &ProviderProfile,
) -> Result<UserId, StoreError> {
    // Apple sends the address the first time only: a missing one does not delete the stored one.
    if profile.email.is_some() && connection.email != profile.email {
        store.update_provider_email(profile.provider, &profile.subject, profile.email.as_ref())?;
    }
    Ok(connection.user)
}

/// Connects the provider with the existing account that has the profile's address.
fn join<S: FactorStore + ?Sized>(
    store: &mut S,
    account: &User,
    profile: &ProviderProfile,
    now: Timestamp,
) -> Result<(ProviderArrival, Option<FirstProof>), ProviderError> {
    if !profile.email_verified {
        return Err(ProviderError::ConnectFirst);
    }
    let first_proof = store.accept_proof_of_address(account.id, None, now)?;
    connect(store, account.id, None, profile, now)?;
    Ok((ProviderArrival::Joined(account.id), first_proof))
}

/// The user who is connected with a profile. This proves the account's address if the provider vouches for it now.
fn known_user<S: FactorStore + ?Sized>(
    store: &mut S,
    profile: &ProviderProfile,
    now: Timestamp,
) -> Result<Option<(UserId, Option<FirstProof>)>, StoreError> {
    let Some(found) = store.provider_connection(profile.provider, &profile.subject)? else { return Ok(None) };
    // Read again under the lock: a first proof may have removed the connection.
    store.lock_factors(found.user)?;
    let Some(connection) = store.provider_connection(profile.provider, &profile.subject)? else { return Ok(None) };
    let user = renew(store, &connection, profile)?;
    let account = store.user(user)?.filter(|account| proves(profile, &account.email));
    let mut first_proof = match account {
        Some(_) => store.accept_proof_of_address(user, None, now)?,
        None => None,
    };
    if let Some(FirstProof { removed }) = &mut first_proof {
        // The connection gives the proof, so it is kept.
        store.insert_provider_connection(&ProviderConnection { email: profile.email.clone(), ..connection })?;
        removed.providers = removed.providers.saturating_sub(1);
    }
    Ok(Some((user, first_proof)))
}

fn connect<S: ProviderStore + ?Sized>(
    store: &mut S,
    user: UserId,
    session: Option<SessionId>,
    profile: &ProviderProfile,
    now: Timestamp,
) -> Result<(), ProviderError> {
    let connection = ProviderConnection {
        provider: profile.provider,
        subject: profile.subject.clone(),
        email: profile.email.clone(),
        user,
        connected_at: now,
        session,
    };
    if store.insert_provider_connection(&connection)? {
        return Ok(());
    }
    // A concurrent transaction made the same connection, or another connection is in the way.
    match store.provider_connection(profile.provider, &profile.subject)? {
        Some(there) if there.user == user => Ok(()),
        Some(_) => Err(ProviderError::ConnectedElsewhere(profile.provider)),
        None => Err(ProviderError::AnotherConnected(profile.provider)),
    }
}
