//! Leaving: an account ends, and nothing of the person stays (`identity.account-deletion`).

use kernel::{StoreError, Timestamp, UserId};

use crate::{IdentityStore, User};

/// How a person leaves. The domains that keep something of people forget them between the two steps, in the same
/// transaction.
pub trait Leaving: IdentityStore {
    /// Takes hold of a person who leaves: whatever they do at the same moment is done before, or not at all. `None`
    /// when they have left already.
    fn begin_leaving(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        let Some(found) = self.user(user)? else { return Ok(None) };
        // Limits before the person, as everybody else takes them: otherwise two would wait for each other.
        self.delete_rate_limits_of(&user.to_string())?;
        // What was tried at an address is forgotten for its owner, not for anybody who signs up with it and leaves.
        if found.email_confirmed_at.is_some() {
            self.delete_rate_limits_of(found.email.key())?;
        }
        self.lock_user(user)
    }

    /// Ends all sessions of a person who leaves, on every node, and forgets them with all that is theirs. The address
    /// is free from then on.
    fn finish_leaving(&mut self, user: &User, now: Timestamp) -> Result<(), StoreError> {
        self.revoke_sessions_of_user(user.id, None, now)?;
        self.delete_user(user.id)
    }
}

impl<S: IdentityStore + ?Sized> Leaving for S {}
