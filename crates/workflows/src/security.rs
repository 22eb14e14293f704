//! How an account is protected: the overview that its owner sees, and the mail about every change.

use identity::{
    Claims, FactorQueries, Identity, IdentityQueries, Protection, Provider, ProviderConnection, ProviderQueries,
    Recovery, Role, StoredPasskey, User,
};
use kernel::{Email, StoreError};
use mail::Mail;

use super::tx::Tx;

/// The sign-in methods of an account, and what protects it.
#[derive(Clone, Debug)]
pub struct SecurityOverview {
    /// The user.
    pub user: User,
    /// The new address that waits for its confirmation.
    pub pending_email: Option<Email>,
    /// The second factor.
    pub protection: Protection,
    /// Whether the account's role needs a strong session.
    pub is_second_factor_required: bool,
    /// Whether this session was begun with more than a password or a mailed link.
    pub is_session_strong: bool,
    /// The passkeys, oldest first.
    pub passkeys: Vec<StoredPasskey>,
    /// The connected sign-in providers.
    pub connections: Vec<ProviderConnection>,
}

impl SecurityOverview {
    /// The connection with a provider.
    pub fn connection(&self, provider: Provider) -> Option<&ProviderConnection> {
        self.connections.iter().find(|connection| connection.provider == provider)
    }
}

/// Reads the overview of the account of an access token; `None` when the account was deleted.
pub fn security_overview(tx: &mut Tx<'_, '_>, claims: &Claims) -> Result<Option<SecurityOverview>, StoreError> {
    let Some(user) = tx.pg.user(claims.user)? else { return Ok(None) };
    let now = tx.now();
    let session = tx.pg.live_session(claims.session, now)?;
    Ok(Some(SecurityOverview {
        pending_email: tx.pg.pending_email(user.id, now)?,
        protection: tx.pg.protection(user.id)?,
        is_second_factor_required: user.role != Role::Member && tx.settings.roles_need_strong_session,
        is_session_strong: session.is_some_and(|session| session.strong),
        passkeys: tx.pg.passkeys(user.id)?,
        connections: tx.pg.providers_of(user.id)?,
        user,
    }))
}

/// Mails the owner of an account what has changed about its sign-in methods, also when a stranger made the change. `what`
/// is a whole sentence.
pub fn notify_change(tx: &mut Tx<'_, '_>, owner: &User, what: impl Into<String>) -> Result<(), StoreError> {
    let notice = Mail::SecondFactorChanged { first_name: owner.first_name.clone(), what: what.into() };
    tx.queue_mail(&owner.email, &notice)
}
