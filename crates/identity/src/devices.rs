//! The devices on which a person is signed in: looking at them, and ending what is not theirs any more.

use kernel::{SessionId, StoreError, Timestamp, UserId};

use crate::IdentityStore;

/// What a person may do with the devices on which they are signed in. Everything happens in the store's transaction.
pub trait Devices: IdentityStore {
    /// Signs a device of a person's out; one that is out stays so. `false` when the session never was theirs, or was
    /// forgotten long ago.
    fn end_device(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<bool, StoreError> {
        let is_theirs = self.session_by_id(session)?.is_some_and(|session| session.user == user);
        if is_theirs {
            self.end_session(session, now)?;
        }
        Ok(is_theirs)
    }

    /// Signs all devices of a person's out but this one.
    fn end_other_sessions(&mut self, user: UserId, kept: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.revoke_sessions_of_user(user, Some(kept), now)
    }
}

impl<S: IdentityStore + ?Sized> Devices for S {}
