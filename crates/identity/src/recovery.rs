//! Ways back into an account, and changes of what lets a person in: new passwords, mailed links, new addresses
//! (`decisions.md` 13, 18, 19).

use kernel::{Email, Env, SessionId, StoreError, Timestamp, UserId};

use crate::{FoundSecret, Identity, IdentityError, Issue, IssuedSecret, PasswordHash, Purpose, User};

/// What a new password makes worthless: whatever was under way may have been begun by another person.
const ENDED_BY_A_NEW_PASSWORD: [Purpose; 6] = [
    Purpose::ResetPassword,
    Purpose::LoginLink,
    Purpose::ChangeEmail,
    Purpose::Arrival,
    Purpose::SecondFactor,
    Purpose::Archive,
];

/// What a new address makes worthless: links that lie in the old mailbox.
const ENDED_BY_A_NEW_ADDRESS: [Purpose; 4] =
    [Purpose::ResetPassword, Purpose::LoginLink, Purpose::ConfirmEmail, Purpose::Archive];

/// A password that was chosen by a mailed link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    /// Whose it is.
    pub user: User,
    /// Nobody had shown before that mail to the address reaches them: the account may have been made by a stranger.
    pub is_first_proof: bool,
}

/// An address that was confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// Whose it is, with the address that is theirs from now on.
    pub user: User,
    /// The address that was theirs, when this is another one.
    pub old_email: Option<Email>,
}

/// Recovery, over any store of identity. Everything happens in the store's transaction.
pub trait Recovery: Identity {
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

    /// Sets a password by the code of a mailed link, which is used up, and ends all sessions. `None` when the code is
    /// not good, or not any more; of several uses at the same moment one succeeds.
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
        self.update_password_hash(user.id, hash)?;
        self.confirm_user_email(user.id, now)?;
        self.revoke_sessions_of_user(user.id, None, now)?;
        for purpose in ENDED_BY_A_NEW_PASSWORD {
            self.withdraw_secrets(user.id, purpose)?;
        }
        Ok(Some(PasswordReset { is_first_proof: user.email_confirmed_at.is_none(), user }))
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

    /// Uses up the six digits that were mailed to this address; who may log in by them. The fifth wrong code burns
    /// them. `None` is no error, because the try that was counted is to be committed.
    fn redeem_login_code(&mut self, email: &Email, code: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        Ok(self.redeem_code(Purpose::LoginLink, email.key(), code, now)?.and_then(|found| found.user))
    }

    /// Uses up the secret of a mailed link; who may log in by it. It is bound to no browser, so only a button may ask for
    /// this: a URL that is opened would sign a person in to the account of the attacker who made the URL.
    fn redeem_login_link(&mut self, token: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        Ok(self.redeem_secret(Purpose::LoginLink, token, now)?.and_then(|found| found.user))
    }

    /// Uses up a token that is traded for a session, with which a sign-in elsewhere came back; it may be bound to a
    /// browser by what that one holds (`decisions.md` 15).
    fn redeem_arrival(
        &mut self,
        token: &str,
        held: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        // A token that another browser shows stays good for its own.
        let found: Option<FoundSecret> = self.look_up_secret(Purpose::Arrival, token, now)?;
        if !found.is_some_and(|found| found.is_bound_to(held)) {
            return Ok(None);
        }
        Ok(self.redeem_secret(Purpose::Arrival, token, now)?.and_then(|found| found.user))
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

    /// The address to which a person wants to move and that they have not confirmed yet.
    fn pending_email(&mut self, user: UserId, now: Timestamp) -> Result<Option<Email>, StoreError> {
        let found = self.newest_single_use_secret_of_user(user, Purpose::ChangeEmail)?;
        let data = found.filter(|found| now < found.expires_at).and_then(|found| found.data);
        data.as_deref().map(Email::parse).transpose().map_err(StoreError::new)
    }

    /// Takes back the wish to move to a new address: the link that was mailed there is worth nothing any more.
    fn withdraw_address_change(&mut self, user: UserId) -> Result<(), StoreError> {
        self.withdraw_secrets(user, Purpose::ChangeEmail)
    }

    /// Confirms an address by the code of a mailed link, which is used up: that of the account, or the one to which it
    /// moves. `None` when the code is not good, or not any more.
    fn confirm_email(&mut self, code: &str, now: Timestamp) -> Result<Option<Confirmation>, IdentityError> {
        if let Some(found) = self.redeem_secret(Purpose::ConfirmEmail, code, now)? {
            return Ok(confirm_address(self, &found, now)?);
        }
        match self.redeem_secret(Purpose::ChangeEmail, code, now)? {
            Some(found) => change_address(self, &found, now),
            None => Ok(None),
        }
    }
}

impl<S: Identity + ?Sized> Recovery for S {}

fn confirm_address<S: Identity + ?Sized>(
    store: &mut S,
    found: &FoundSecret,
    now: Timestamp,
) -> Result<Option<Confirmation>, StoreError> {
    let Some(user) = found.user else { return Ok(None) };
    // The account may have moved since: then the link confirms an address that is not its own.
    let Some(user) = store.user(user)?.filter(|user| found.data.as_deref() == Some(user.email.key())) else {
        return Ok(None);
    };
    store.confirm_user_email(user.id, now)?;
    let confirmed = store.user(user.id)?;
    Ok(confirmed.map(|user| Confirmation { user, old_email: None }))
}

fn change_address<S: Identity + ?Sized>(
    store: &mut S,
    found: &FoundSecret,
    now: Timestamp,
) -> Result<Option<Confirmation>, IdentityError> {
    let (Some(user), Some(new)) = (found.user, found.data.as_deref()) else { return Ok(None) };
    let Some(before) = store.user(user)? else { return Ok(None) };
    let new = Email::parse(new)?;
    if !store.update_user_email(user, &new, now)? {
        return Err(IdentityError::EmailTakenMeanwhile);
    }
    for purpose in ENDED_BY_A_NEW_ADDRESS {
        store.withdraw_secrets(user, purpose)?;
    }
    let moved = store.user(user)?;
    Ok(moved.map(|user| Confirmation { user, old_email: Some(before.email) }))
}
