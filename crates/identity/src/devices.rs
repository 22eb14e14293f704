//! The devices on which a user is signed in: signing them out.

use kernel::{SessionId, StoreError, Timestamp, UserId};

use crate::IdentityStore;

/// What users may do with their devices. Everything happens in the store's transaction.
pub trait Devices: IdentityStore {
    /// Ends one of a user's sessions, unless it has ended. `false` if the session is not theirs or is not stored any
    /// more.
    fn end_device(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<bool, StoreError> {
        let is_theirs = self.session_by_id(session)?.is_some_and(|session| session.user == user);
        if is_theirs {
            self.end_session(session, now)?;
        }
        Ok(is_theirs)
    }

    /// Ends all of a user's sessions except `kept`.
    fn end_other_sessions(&mut self, user: UserId, kept: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.revoke_sessions_of_user(user, Some(kept), now)
    }
}

impl<S: IdentityStore + ?Sized> Devices for S {}
