//! The first proof of an address: earlier access to the account is removed (`docs/adr/0010`).
//!
//! Anybody can sign up with another person's address. Until a mail to the address is known to have arrived, the owner
//! of the address can't be told apart from the person who typed it. The first proof therefore ends every earlier
//! session and removes every earlier password, authenticator app, recovery code, passkey and provider connection. It
//! keeps the session that gives the proof and what was added in it, because its holder reads the mail. It also keeps a
//! password that was typed in that session, because its holder knows it.

use kernel::{SessionId, StoreError, Timestamp, UserId};

use crate::{FactorStore, Identity, Purpose, RemovedMethods, Session};

/// The effect of the first proof of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstProof {
    pub removed: RemovedMethods,
}

/// The rule of the first proof of an address. Every way to prove one calls it: a mailed link or code, a password reset,
/// a confirmation, a verified address of a provider.
pub trait ProofOfAddress: FactorStore {
    /// Records a proof that the actor receives mail at the account's address. `None` if the address was proved before:
    /// then only the session's own proof is updated.
    ///
    /// `session` is the session in which the proof is given, if there is one. A session that has ended, or of another
    /// account, counts as none.
    ///
    /// Rows are locked in this order: the user, the sign-in methods, the secrets, the sessions. A concurrent sign-in
    /// with one of these methods either commits its session before the sessions are ended, or finds its method removed.
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
        self.revoke_access(user, kept, now)?;
        if !self.protection(user)?.is_strong() {
            self.weaken_sessions_of_user(user)?;
        }
        Ok(Some(FirstProof { removed }))
    }

    /// Records that a session began with such a proof.
    fn begin_with_proof_of_address(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.update_session_address_proof(session, now)
    }

    /// Records that a session began with the account's password. A first proof that is given in it then keeps the
    /// password.
    fn begin_with_password(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.update_session_password_typed(session)
    }
}

impl<S: FactorStore + ?Sized> ProofOfAddress for S {}

fn is_live_session_of(session: &Session, user: UserId, now: Timestamp) -> bool {
    session.user == user && session.is_live(now)
}
