//! The first proof of an address: what came before it goes (`docs/adr/0010`).
//!
//! Anybody can sign up with another person's address. Until mail to the address has been shown to arrive, nothing tells
//! the owner of the address from the person who typed it. The first proof therefore ends every session and removes every
//! password, authenticator app, recovery code, passkey and provider connection that came before it. What was made in the
//! session that gives the proof stays: its holder reads the mail. So does a password that was typed in it: its holder
//! knows it too.

use kernel::{SessionId, StoreError, Timestamp, UserId};

use crate::{FactorStore, Purpose, RemovedMethods, Session};

/// What the first proof of an address ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstProof {
    /// The sign-in methods that are gone.
    pub removed: RemovedMethods,
}

/// The rule about the first proof of an address. Every way to prove one calls it: a mailed link or code, a reset, a
/// confirmation, a verified address of a provider.
pub trait ProofOfAddress: FactorStore {
    /// Takes a proof that mail to an account's address reaches who acts. `None` when that was proved before: then only the
    /// session remembers it.
    ///
    /// `session` is the session in which the proof is given, if there is one. A session of another account counts as none.
    ///
    /// Rows are locked in this order: the user, the sign-in methods, the secrets, the sessions. A sign-in that was under way
    /// by one of these methods has committed its session by the time the sessions end, or finds its method gone.
    fn accept_proof_of_address(
        &mut self,
        user: UserId,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<Option<FirstProof>, StoreError> {
        let is_first = self.confirm_user_email(user, now)?;
        let kept = match session {
            Some(session) => self.session_by_id(session)?.filter(|session| is_live_session_of(session, user, now)),
            None => None,
        };
        if let Some(session) = &kept {
            self.update_session_address_proof(session.id, now)?;
        }
        if !is_first {
            return Ok(None);
        }
        if let Some(session) = kept.as_ref().filter(|session| session.password_typed) {
            self.update_password_session(user, Some(session.id))?;
        }
        let kept = kept.map(|session| session.id);
        let removed = self.remove_sign_in_methods(user, kept)?;
        self.forget_known_devices(user)?;
        for purpose in Purpose::ALL {
            self.withdraw_secrets(user, purpose)?;
        }
        self.revoke_sessions_of_user(user, kept, now)?;
        if !self.protection(user)?.is_strong() {
            self.weaken_sessions_of_user(user)?;
        }
        Ok(Some(FirstProof { removed }))
    }

    /// Remembers that a session has begun by such a proof.
    fn begin_with_proof_of_address(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.update_session_address_proof(session, now)
    }

    /// Remembers that a session has begun with the account's password, which then stays at the first proof that is given in it.
    fn begin_with_password(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.update_session_password_typed(session)
    }
}

impl<S: FactorStore + ?Sized> ProofOfAddress for S {}

fn is_live_session_of(session: &Session, user: UserId, now: Timestamp) -> bool {
    session.user == user && session.is_live(now)
}
