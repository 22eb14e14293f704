//! How an account is protected: the overview for its owner, and the mail about every change.

use identity::{
    Claims, FactorQueries, FirstProof, IdentityQueries, Protection, Provider, ProviderConnection, ProviderQueries,
    RemovedMethods, Role, StoredPasskey, User,
};
use kernel::{Email, StoreError, UserId};
use mail::Mail;
use study::NoticeCommands;

use crate::tx::Tx;

/// The sign-in methods of an account, and its protection.
#[derive(Clone, Debug)]
pub struct SecurityOverview {
    pub user: User,
    /// A new address that is not confirmed yet.
    pub pending_email: Option<Email>,
    pub protection: Protection,
    /// Whether the account's role counts only in a strong session.
    pub is_second_factor_required: bool,
    /// Whether this session was started with more than a password or a mailed link.
    pub is_session_strong: bool,
    /// Oldest first.
    pub passkeys: Vec<StoredPasskey>,
    /// The linked sign-in providers.
    pub connections: Vec<ProviderConnection>,
}

impl SecurityOverview {
    /// The link to a provider, if there is one.
    pub fn connection(&self, provider: Provider) -> Option<&ProviderConnection> {
        self.connections.iter().find(|connection| connection.provider == provider)
    }
}

/// Reads the overview for the account of an access token; `None` if the account was deleted.
pub fn security_overview<A>(tx: &mut Tx<'_, '_, A>, claims: &Claims) -> Result<Option<SecurityOverview>, StoreError> {
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

/// Mails the owner of an account what has changed about its sign-in methods, in case a stranger made the change. `what` is a
/// complete sentence.
pub fn notify_change(tx: &mut Tx<'_, '_>, owner: &User, what: impl Into<String>) -> Result<(), StoreError> {
    let notice = Mail::SecondFactorChanged { first_name: owner.first_name.clone(), what: what.into() };
    tx.queue_mail(&owner.email, &notice)
}

/// Mails the owner of an account which sign-in methods a proof of the address has removed. Does nothing if none was.
pub fn notify_removed_methods(tx: &mut Tx<'_, '_>, owner: &User, removed: RemovedMethods) -> Result<(), StoreError> {
    let Some(list) = list_of(removed) else { return Ok(()) };
    let what = format!(
        "You have confirmed that this address is yours. In case someone else has used your account, these ways to log in were \
         removed: {list}. Please set up the ones you need again."
    );
    notify_change(tx, owner, what)
}

/// After the first proof of an account's address: removes the webhook, which another person may have set, and calls
/// [`notify_removed_methods`].
pub(super) fn complete_first_proof(
    tx: &mut Tx<'_, '_>,
    user: UserId,
    first_proof: Option<FirstProof>,
) -> Result<(), StoreError> {
    let Some(first) = first_proof else { return Ok(()) };
    tx.pg.delete_webhook(user)?;
    match tx.pg.user(user)? {
        Some(owner) => notify_removed_methods(tx, &owner, first.removed),
        None => Ok(()),
    }
}

fn list_of(removed: RemovedMethods) -> Option<String> {
    let RemovedMethods { password, totp, passkeys, providers } = removed;
    let all = [
        (password, "the password"),
        (totp, "the authenticator app"),
        (passkeys > 0, "the passkeys"),
        (providers > 0, "the connected accounts from other sites"),
    ];
    let names: Vec<&str> = all.into_iter().filter_map(|(is_gone, name)| is_gone.then_some(name)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{RemovedMethods, list_of};

    #[test]
    fn removed_methods_are_listed_by_name_and_none_is_no_list() {
        assert_eq!(list_of(RemovedMethods::default()), None);
        let some = RemovedMethods { password: true, passkeys: 2, ..RemovedMethods::default() };
        assert_eq!(list_of(some).as_deref(), Some("the password, the passkeys"));
    }
}
