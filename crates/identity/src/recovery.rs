//! Ways back into an account, and changes of what lets a person in: new passwords, mailed links, new addresses
//! (`identity.recovery-answer`, `identity.first-proof`).

use kernel::{Email, Env, SessionId, StoreError, Timestamp, UserId};

use crate::{
    FactorStore, FirstProof, FoundSecret, Identity, IdentityError, Issue, IssuedSecret, PasswordHash, ProofOfAddress,
    Provider, Purpose, RemovedMethods, User,
};

/// What a new password makes worthless: whatever was under way may have been begun by another person.
const ENDED_BY_A_NEW_PASSWORD: [Purpose; 7] = [
    Purpose::Proof,
    Purpose::ResetPassword,
    Purpose::LoginLink,
    Purpose::ChangeEmail,
    Purpose::Arrival,
    Purpose::SecondFactor,
    Purpose::Archive,
];

/// What a new address makes worthless: links that lie in the old mailbox.
const ENDED_BY_A_NEW_ADDRESS: [Purpose; 5] =
    [Purpose::Proof, Purpose::ResetPassword, Purpose::LoginLink, Purpose::ConfirmEmail, Purpose::Archive];

/// A password that was chosen by a mailed link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    /// Whose it is.
    pub user: User,
    /// The other sign-in methods that went with the old password.
    pub removed: RemovedMethods,
}

/// A sign-in by a mailed link or code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailedSignIn {
    /// Who may sign in.
    pub user: UserId,
    /// What ended, when it was the first proof of the address.
    pub first_proof: Option<FirstProof>,
}

/// A token of two minutes that was traded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedeemedArrival {
    /// Who may sign in.
    pub user: UserId,
    /// The provider with which the sign-in began.
    pub provider: Option<Provider>,
}

/// An address that was confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// Whose it is, with the address that is theirs from now on.
    pub user: User,
    /// The address that was theirs, when this is another one.
    pub old_email: Option<Email>,
    /// What ended, when it was the first proof of the address.
    pub first_proof: Option<FirstProof>,
}

/// Recovery, over any store of identity. Everything happens in the store's transaction.
pub trait Recovery: FactorStore {
    /// Makes the code of a mailed link for a new password; older ones are worth nothing any more.
    fn issue_reset(&mut self, user: UserId, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        self.issue_secret(Issue { purpose: Purpose::ResetPassword, user: Some(user), data: None, binding: None }, env)
    }

    /// Whose password the code of a mailed link lets choose. It stays good. `None` also for a code that was sent to
    /// another address than this.
    fn user_of_reset(&mut self, code: &str, email: &Email, now: Timestamp) -> Result<Option<User>, StoreError> {
        let found = self.look_up_secret(Purpose::ResetPassword, code, now)?;
        let Some(user) = found.and_then(|found| found.user) else { return Ok(None) };
        Ok(self.user(user)?.filter(|user| user.email == *email))
    }

    /// Sets a password by the code of a mailed link, which is used up, ends all sessions and forgets the known devices.
    /// `None` when the code is not good, or not any more; of several uses at the same moment one succeeds.
    ///
    /// A thief who was in the account may have added ways in. A reset therefore also removes the provider connections (a
    /// sign-in with a verified address connects them again) and the passkeys, except where an authenticator app or a role
    /// makes these a second factor: the mailbox alone does not remove that.
    fn reset_password(
        &mut self,
        code: &str,
        email: &Email,
        hash: &PasswordHash,
        now: Timestamp,
    ) -> Result<Option<PasswordReset>, StoreError> {
        let Some(user) = self.user_of_reset(code, email, now)? else { return Ok(None) };
        if self.redeem_secret(Purpose::ResetPassword, code, now)?.is_none() {
            return Ok(None);
        }
        let removed = match self.accept_proof_of_address(user.id, None, now)? {
            Some(first) => first.removed,
            None => remove_unguarded_methods(self, &user)?,
        };
        self.update_password_hash(user.id, hash)?;
        self.update_password_session(user.id, None)?;
        self.forget_known_devices(user.id)?;
        self.revoke_sessions_of_user(user.id, None, now)?;
        for purpose in ENDED_BY_A_NEW_PASSWORD {
            self.withdraw_secrets(user.id, purpose)?;
        }
        Ok(Some(PasswordReset { user, removed }))
    }

    /// Sets a password for a person who is signed in, and ends all sessions but theirs.
    fn change_password(
        &mut self,
        user: UserId,
        kept: SessionId,
        hash: &PasswordHash,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.update_password_hash(user, hash)?;
        self.update_password_session(user, Some(kept))?;
        self.revoke_sessions_of_user(user, Some(kept), now)?;
        for purpose in ENDED_BY_A_NEW_PASSWORD {
            self.withdraw_secrets(user, purpose)?;
        }
        Ok(())
    }

    /// Makes the secret and the six digits of a mail that lets a person log in. An address that nobody has gets one
    /// too, which is worth nothing: so trying a code is the same work for every address.
    fn issue_login_link(
        &mut self,
        email: &Email,
        user: Option<UserId>,
        env: &dyn Env,
    ) -> Result<IssuedSecret, StoreError> {
        let data = Some(email.key());
        self.issue_secret(Issue { purpose: Purpose::LoginLink, user, data, binding: None }, env)
    }

    /// Uses up the six digits that were mailed to this address, which proves it; who may log in by them. The fifth wrong
    /// code burns them. `None` is no error, because the try that was counted is to be committed. `session` is the session
    /// in which they are typed, if there is one.
    fn redeem_login_code(
        &mut self,
        email: &Email,
        code: &str,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<Option<MailedSignIn>, StoreError> {
        let found = self.redeem_code(Purpose::LoginLink, email.key(), code, now)?;
        mailed_sign_in(self, found, session, now)
    }

    /// Uses up the secret of a mailed link, which proves the address; who may log in by it. It is bound to no browser, so
    /// only a button may ask for this: a URL that is opened would sign its reader in to the account of its author.
    /// `session` is the session in which the button is pressed, if there is one.
    fn redeem_login_link(
        &mut self,
        token: &str,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<Option<MailedSignIn>, StoreError> {
        let found = self.redeem_secret(Purpose::LoginLink, token, now)?;
        mailed_sign_in(self, found, session, now)
    }

    /// Uses up a token that is traded for a session, with which a sign-in elsewhere came back; it may be bound to a
    /// browser by what that one holds (`identity.single-use-token`).
    fn redeem_arrival(
        &mut self,
        token: &str,
        held: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<RedeemedArrival>, StoreError> {
        // A token that another browser shows stays good for its own.
        let found: Option<FoundSecret> = self.look_up_secret(Purpose::Arrival, token, now)?;
        if !found.is_some_and(|found| found.is_bound_to(held)) {
            return Ok(None);
        }
        let found = self.redeem_secret(Purpose::Arrival, token, now)?;
        Ok(found.and_then(|found| {
            let provider = found.data.as_deref().and_then(|name| name.parse().ok());
            found.user.map(|user| RedeemedArrival { user, provider })
        }))
    }

    /// Makes the code of a mailed link that confirms the address of an account.
    fn issue_confirmation(&mut self, user: &User, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        let data = Some(user.email.key());
        self.issue_secret(Issue { purpose: Purpose::ConfirmEmail, user: Some(user.id), data, binding: None }, env)
    }

    /// Makes the code of a mailed link that moves an account to a new address. Whether a person has that address is
    /// found out when the link is followed: the person who follows it may know.
    fn issue_address_change(&mut self, user: UserId, new: &Email, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        let data = Some(new.as_str());
        self.issue_secret(Issue { purpose: Purpose::ChangeEmail, user: Some(user), data, binding: None }, env)
    }

    /// Takes back the wish to move to a new address: the link that was mailed there is worth nothing any more.
    fn withdraw_address_change(&mut self, user: UserId) -> Result<(), StoreError> {
        self.withdraw_secrets(user, Purpose::ChangeEmail)
    }

    /// Confirms an address by the code of a mailed link, which is used up: that of the account, or the one to which it
    /// moves. `None` when the code is not good, or not any more. `session` is the session in which the link's button is
    /// pressed, if there is one.
    ///
    /// # Errors
    /// [`IdentityError::MoveNeedsSession`] when an account would move outside of a session of its own: the reader of the
    /// mail may be the owner of the new address, and another person the owner of the account.
    fn confirm_email(
        &mut self,
        code: &str,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<Option<Confirmation>, IdentityError> {
        if let Some(found) = self.redeem_secret(Purpose::ConfirmEmail, code, now)? {
            return Ok(confirm_address(self, &found, session, now)?);
        }
        // A link that is followed outside of a session stays good for the session.
        let Some(user) = self.look_up_secret(Purpose::ChangeEmail, code, now)?.and_then(|found| found.user) else {
            return Ok(None);
        };
        let session = match session {
            Some(session) => self.live_session(session, now)?.filter(|session| session.user == user),
            None => None,
        };
        let session = session.ok_or(IdentityError::MoveNeedsSession)?;
        match self.redeem_secret(Purpose::ChangeEmail, code, now)? {
            Some(found) => change_address(self, &found, session.id, now),
            None => Ok(None),
        }
    }
}

impl<S: FactorStore + ?Sized> Recovery for S {}

/// The sign-in of the account for which a mailed secret was made.
fn mailed_sign_in<S: FactorStore + ?Sized>(
    store: &mut S,
    found: Option<FoundSecret>,
    session: Option<SessionId>,
    now: Timestamp,
) -> Result<Option<MailedSignIn>, StoreError> {
    let Some(user) = found.and_then(|found| found.user) else { return Ok(None) };
    Ok(Some(MailedSignIn { user, first_proof: store.accept_proof_of_address(user, session, now)? }))
}

/// Removes what a session with the new password alone may remove; gives what that was.
fn remove_unguarded_methods<S: FactorStore + ?Sized>(store: &mut S, user: &User) -> Result<RemovedMethods, StoreError> {
    if !store.protection(user.id)?.is_second_factor(user.role) {
        return store.remove_sign_in_methods(user.id, None);
    }
    let providers = u32::try_from(store.providers_of(user.id)?.len()).map_err(StoreError::new)?;
    store.disconnect_all_providers(user.id)?;
    Ok(RemovedMethods { providers, ..RemovedMethods::default() })
}

fn confirm_address<S: FactorStore + ?Sized>(
    store: &mut S,
    found: &FoundSecret,
    session: Option<SessionId>,
    now: Timestamp,
) -> Result<Option<Confirmation>, StoreError> {
    let Some(user) = found.user else { return Ok(None) };
    // The account may have moved since: then the link confirms an address that is not its own.
    let Some(user) = store.user(user)?.filter(|user| found.data.as_deref() == Some(user.email.key())) else {
        return Ok(None);
    };
    let first_proof = store.accept_proof_of_address(user.id, session, now)?;
    let confirmed = store.user(user.id)?;
    Ok(confirmed.map(|user| Confirmation { user, old_email: None, first_proof }))
}

fn change_address<S: FactorStore + ?Sized>(
    store: &mut S,
    found: &FoundSecret,
    session: SessionId,
    now: Timestamp,
) -> Result<Option<Confirmation>, IdentityError> {
    let (Some(user), Some(new)) = (found.user, found.data.as_deref()) else { return Ok(None) };
    let Some(before) = store.user(user)? else { return Ok(None) };
    let new = Email::parse(new)?;
    // Before the move, which marks the address as confirmed: an account whose first address was never proved may have others
    // in it.
    let first_proof = store.accept_proof_of_address(user, Some(session), now)?;
    if !store.update_user_email(user, &new, now)? {
        return Err(IdentityError::EmailTakenMeanwhile);
    }
    for purpose in ENDED_BY_A_NEW_ADDRESS {
        store.withdraw_secrets(user, purpose)?;
    }
    let moved = store.user(user)?;
    Ok(moved.map(|user| Confirmation { user, old_email: Some(before.email), first_proof }))
}
