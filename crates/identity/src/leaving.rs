//! Account deletion: removes an account with all personal data (`identity.account-deletion`).

use kernel::{StoreError, Timestamp, UserId};

use crate::{IdentityStore, User};

/// Account deletion, in two steps. Between them, in the same transaction, the other domains delete what they store
/// about the person.
pub trait Leaving: IdentityStore {
    /// Locks an account that is to be deleted and deletes its rate limits. Concurrent changes to the account complete
    /// before, or find it gone. `None` if it is already deleted.
    fn begin_leaving(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        let Some(found) = self.user(user)? else { return Ok(None) };
        // Rate limits before the user, in the order in which all callers lock them: another order could deadlock.
        self.delete_rate_limits_of(&user.to_string())?;
        // The limits of an address are reset for its confirmed owner only. Otherwise anybody could reset them by
        // signing up with the address and deleting the account.
        if found.email_confirmed_at.is_some() {
            self.delete_rate_limits_of(found.email.key())?;
        }
        self.lock_user(user)
    }

    /// Ends all sessions of the account, on every node, and deletes it with all its data. The address can be used
    /// again.
    fn finish_leaving(&mut self, user: &User, now: Timestamp) -> Result<(), StoreError> {
        self.revoke_sessions_of_user(user.id, None, now)?;
        self.delete_user(user.id)
    }
}

impl<S: IdentityStore + ?Sized> Leaving for S {}
