//! Account recovery and changes of credentials: password resets, mailed login links, new addresses
//! (`identity.recovery-answer`, `identity.first-proof`).

use kernel::{Email, Env, SessionId, StoreError, Timestamp, UserId};

use crate::{
    FactorStore, FirstProof, FoundSecret, Identity, IdentityError, Issue, IssuedSecret, PasswordHash, ProofOfAddress,
    Provider, Purpose, RemovedMethods, User,
};

/// Secrets that a new password invalidates, because another person may have requested them.
const ENDED_BY_A_NEW_PASSWORD: [Purpose; 7] = [
    Purpose::Proof,
    Purpose::ResetPassword,
    Purpose::LoginLink,
    Purpose::ChangeEmail,
    Purpose::Arrival,
    Purpose::SecondFactor,
    Purpose::Archive,
];

/// Secrets that a new address invalidates, because their links are in the old mailbox.
const ENDED_BY_A_NEW_ADDRESS: [Purpose; 5] =
    [Purpose::Proof, Purpose::ResetPassword, Purpose::LoginLink, Purpose::ConfirmEmail, Purpose::Archive];

/// A completed password reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    pub user: User,
    /// The other sign-in methods that were removed with the old password.
    pub removed: RemovedMethods,
}

/// A sign-in by a mailed link or code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailedSignIn {
    pub user: UserId,
    /// What ended, if this was the first proof of the address.
    pub first_proof: Option<FirstProof>,
}

/// A redeemed [`Purpose::Arrival`] token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedeemedArrival {
    pub user: UserId,
    /// The provider of the sign-in that issued it, if there was one.
    pub provider: Option<Provider>,
}

/// A confirmed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The user, with the address that is theirs now.
    pub user: User,
    /// The previous address, if it changed.
    pub old_email: Option<Email>,
    /// What ended, if this was the first proof of the address.
    pub first_proof: Option<FirstProof>,
}

/// Account recovery, over any [`FactorStore`]. Everything happens in the store's transaction.
pub trait Recovery: FactorStore {
    /// Creates the token of a mailed link that resets the password; older ones become invalid.
    fn issue_reset(&mut self, user: UserId, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        self.issue_secret(Issue { purpose: Purpose::ResetPassword, user: Some(user), data: None, binding: None }, env)
    }

    /// The user whose password a reset token may change. Does not use it up. `None` if the token is invalid or expired,
    /// or was sent to another address than this.
    fn user_of_reset(&mut self, code: &str, email: &Email, now: Timestamp) -> Result<Option<User>, StoreError> {
        let found = self.look_up_secret(Purpose::ResetPassword, code, now)?;
        let Some(user) = found.and_then(|found| found.user) else { return Ok(None) };
        Ok(self.user(user)?.filter(|user| user.email == *email))
    }

    /// Resets a password by the token of a mailed link, which is used up; ends all sessions and forgets the known
    /// devices. `None` if the token is invalid or expired. Of concurrent callers only one succeeds.
    ///
    /// A thief who was in the account may have added sign-in methods. A reset therefore also removes the provider
    /// connections (a sign-in with a verified address connects them again) and the passkeys. It keeps the passkeys
    /// where an authenticator app or a role makes them a second factor, because the mailbox alone must not remove that.
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
        self.revoke_access(user.id, None, now)?;
        for purpose in ENDED_BY_A_NEW_PASSWORD {
            self.withdraw_secrets(user.id, purpose)?;
        }
        Ok(Some(PasswordReset { user, removed }))
    }

    /// Sets the password of a signed-in user, and ends all other sessions.
    fn change_password(
        &mut self,
        user: UserId,
        kept: SessionId,
        hash: &PasswordHash,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.update_password_hash(user, hash)?;
        self.update_password_session(user, Some(kept))?;
        self.revoke_access(user, Some(kept), now)?;
        for purpose in ENDED_BY_A_NEW_PASSWORD {
            self.withdraw_secrets(user, purpose)?;
        }
        Ok(())
    }

    /// Creates the token and the six-digit code of a mail that lets a user log in. An unknown address gets them too
    /// (`user` is `None`), but they open no account: so trying a code is the same work for every address.
    fn issue_login_link(
        &mut self,
        email: &Email,
        user: Option<UserId>,
        env: &dyn Env,
    ) -> Result<IssuedSecret, StoreError> {
        let data = Some(email.key());
        self.issue_secret(Issue { purpose: Purpose::LoginLink, user, data, binding: None }, env)
    }

    /// Logs in by the six-digit code that was mailed to this address, and uses it up; this proves the address. After
    /// [`crate::CODE_TRIES`] wrong codes it is invalid. `None` is not an error, because the counted attempt has to be
    /// committed. `session` is the session in which the code is typed, if there is one.
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

    /// Logs in by the token of a mailed link, and uses it up; this proves the address. The token is bound to no
    /// browser, so only a button may redeem it: merely opening a URL could sign its reader in to its author's account.
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

    /// Uses up the token with which a sign-in at a provider returns, in exchange for a session. `held` is the value of
    /// the browser's cookie, for a token that is bound to a browser (`identity.single-use-token`).
    fn redeem_arrival(
        &mut self,
        token: &str,
        held: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<RedeemedArrival>, StoreError> {
        // A token that another browser presents stays valid for its own.
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

    /// Creates the token of a mailed link that confirms the account's address.
    fn issue_confirmation(&mut self, user: &User, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        let data = Some(user.email.key());
        self.issue_secret(Issue { purpose: Purpose::ConfirmEmail, user: Some(user.id), data, binding: None }, env)
    }

    /// Creates the token of a mailed link that changes the account's address. Whether the address is taken is checked
    /// when the link is followed, because only the reader of its mail may learn that.
    fn issue_address_change(&mut self, user: UserId, new: &Email, env: &dyn Env) -> Result<IssuedSecret, StoreError> {
        let data = Some(new.as_str());
        self.issue_secret(Issue { purpose: Purpose::ChangeEmail, user: Some(user), data, binding: None }, env)
    }

    /// Cancels a requested change of address: the mailed link becomes invalid.
    fn withdraw_address_change(&mut self, user: UserId) -> Result<(), StoreError> {
        self.withdraw_secrets(user, Purpose::ChangeEmail)
    }

    /// Confirms an address by the token of a mailed link, which is used up: the account's address, or the new one that
    /// was requested. `None` if the token is invalid or expired. `session` is the session in which the link's button is
    /// pressed, if there is one.
    ///
    /// # Errors
    /// [`IdentityError::MoveNeedsSession`] if the address would change outside of a session of the account: the reader
    /// of the mail may own the new address, and another person the account. [`IdentityError::EmailTakenMeanwhile`] if
    /// another account took the new address.
    fn confirm_email(
        &mut self,
        code: &str,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<Option<Confirmation>, IdentityError> {
        if let Some(found) = self.redeem_secret(Purpose::ConfirmEmail, code, now)? {
            return Ok(confirm_address(self, &found, session, now)?);
        }
        // A link that is opened outside of a session stays valid for the session.
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

/// The sign-in of the account that a mailed secret belongs to.
fn mailed_sign_in<S: FactorStore + ?Sized>(
    store: &mut S,
    found: Option<FoundSecret>,
    session: Option<SessionId>,
    now: Timestamp,
) -> Result<Option<MailedSignIn>, StoreError> {
    let Some(user) = found.and_then(|found| found.user) else { return Ok(None) };
    Ok(Some(MailedSignIn { user, first_proof: store.accept_proof_of_address(user, session, now)? }))
}

/// Removes and returns the sign-in methods that a second factor does not guard.
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
    // The account's address may have changed since: then the link confirms an address that is not its own.
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
    // Before the address changes, which marks it as confirmed: other people may be in an account whose first address
    // was never proved.
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
