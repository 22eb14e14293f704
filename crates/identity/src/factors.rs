//! What protects an account beside its password: storage and service of authenticator apps, recovery codes and
//! passkeys.

use kernel::{Email, Env, PasskeyId, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Account, Identity, IdentityError, IdentityStore, Issue, MAX_PASSKEYS, NewPasskey, Passkey, PasskeyName,
    PasswordHash, Protection, ProviderStore, Purpose, RECOVERY_CODES, RecoveryCode, Role, Seal, SecretHash, Session,
    StoredPasskey, StoredTotp, TOTP_BEGUN, TotpSecret, User,
};

/// Reads, callable by everyone who holds a connection.
pub trait FactorQueries {
    /// How an account is protected.
    fn protection(&mut self, user: UserId) -> Result<Protection, StoreError>;

    /// A person's passkeys, oldest first.
    fn passkeys(&mut self, user: UserId) -> Result<Vec<StoredPasskey>, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait FactorCommands: FactorQueries {
    /// Locks the passkey that devices call so.
    fn lock_passkey(&mut self, credential_id: &[u8]) -> Result<Option<StoredPasskey>, StoreError>;

    /// Stores what a passkey's use changed.
    fn record_passkey_use(&mut self, passkey: PasskeyId, credential: &str, now: Timestamp) -> Result<(), StoreError>;
}

/// The storage of what protects accounts, on one transaction.
pub trait FactorStore: IdentityStore + ProviderStore + FactorCommands {
    /// Lets one transaction at a time change how an account is protected.
    fn lock_factors(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Locks a person's authenticator app, confirmed or begun.
    fn lock_totp(&mut self, user: UserId) -> Result<Option<StoredTotp>, StoreError>;

    /// Puts an authenticator app that is begun in a session in the place of one that is not confirmed; gives whether it could.
    fn begin_totp_of_user(
        &mut self,
        user: UserId,
        session: SessionId,
        sealed_secret: &[u8],
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Remembers the step of the last code; the first one confirms the app.
    fn take_totp_step(&mut self, user: UserId, step: i64, now: Timestamp) -> Result<(), StoreError>;

    /// Forgets a person's authenticator app; gives whether there was one.
    fn delete_totp(&mut self, user: UserId) -> Result<bool, StoreError>;

    /// Puts these recovery codes in the place of all that a person has.
    fn replace_recovery_codes(&mut self, user: UserId, codes: &[SecretHash]) -> Result<(), StoreError>;

    /// Takes a recovery code away; gives whether it was there. Of many callers at the same moment one is told yes.
    fn take_recovery_code(&mut self, user: UserId, code: &SecretHash) -> Result<bool, StoreError>;

    /// Stores a passkey that was made in a session; `None`, and nothing stored, when there is one that devices call so.
    fn insert_passkey(
        &mut self,
        user: UserId,
        session: SessionId,
        passkey: NewPasskey<'_>,
        now: Timestamp,
    ) -> Result<Option<Passkey>, StoreError>;

    /// Gives one of a person's passkeys another name.
    fn update_passkey_name(
        &mut self,
        user: UserId,
        passkey: PasskeyId,
        name: &PasskeyName,
    ) -> Result<Option<Passkey>, StoreError>;

    /// Forgets one of a person's passkeys; gives what it was.
    fn delete_passkey(&mut self, user: UserId, passkey: PasskeyId) -> Result<Option<Passkey>, StoreError>;

    /// Stores that the holder of a session has just shown who they are.
    fn update_session_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// Stores that the holder of a session has just shown that mail to the account's address reaches them.
    fn update_session_address_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// Stores that the holder of a session has typed the account's password in it.
    fn update_session_password_typed(&mut self, session: SessionId) -> Result<(), StoreError>;

    /// Makes a session strong, or a person's sessions weak, and tells every node.
    fn update_session_strength(&mut self, session: SessionId, strong: bool) -> Result<(), StoreError>;

    /// Makes all strong sessions of a person weak, and tells every node.
    fn weaken_sessions_of_user(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Removes the password, the authenticator app with its recovery codes, the passkeys and the provider connections that
    /// were not made in the session to keep, and tells every node; gives what was removed.
    fn remove_sign_in_methods(&mut self, user: UserId, kept: Option<SessionId>) -> Result<RemovedMethods, StoreError>;
}

/// Sign-in methods that were removed at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedMethods {
    pub password: bool,
    /// Whether there was an authenticator app, confirmed or begun.
    pub totp: bool,
    /// The number of passkeys.
    pub passkeys: u32,
    /// The number of provider connections.
    pub providers: u32,
}

impl RemovedMethods {
    /// Whether nothing was removed.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// What stood in for the second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorUsed {
    /// The authenticator app.
    Totp,
    /// A recovery code, which is gone now.
    RecoveryCode,
}

/// What protects accounts, over any store of it.
pub trait Factors: FactorStore {
    /// Begins an authenticator app: it protects nothing before its first code has come. One that was begun before is
    /// forgotten.
    fn begin_totp(
        &mut self,
        user: UserId,
        session: SessionId,
        seal: &Seal,
        env: &dyn Env,
    ) -> Result<TotpSecret, IdentityError> {
        let secret = TotpSecret::generate(env);
        let sealed = secret.close(user, seal, env);
        let begun = self.begin_totp_of_user(user, session, &sealed, env.now())?;
        if begun { Ok(secret) } else { Err(IdentityError::TotpAlreadyEnabled) }
    }

    /// Confirms an authenticator app by its first code: from now on it is asked for at every sign-in. The session
    /// has proved what it needs to be strong. Gives the recovery codes, which are shown this once.
    fn confirm_totp(
        &mut self,
        user: UserId,
        session: SessionId,
        code: &str,
        seal: &Seal,
        env: &dyn Env,
    ) -> Result<Vec<RecoveryCode>, IdentityError> {
        let now = env.now();
        self.lock_factors(user)?;
        let found = self.lock_totp(user)?.ok_or(IdentityError::NoTotp)?;
        if found.confirmed_at.is_some() {
            return Err(IdentityError::TotpAlreadyEnabled);
        }
        if now.since(found.begun_at) > TOTP_BEGUN {
            return Err(IdentityError::NoTotp);
        }
        let secret = TotpSecret::open(&found.sealed_secret, user, seal)?;
        let step = secret.step_of(&digits(code), now, found.last_step).ok_or(IdentityError::WrongFactorCode)?;
        self.take_totp_step(user, step, now)?;
        self.update_session_strength(session, true)?;
        self.renew_recovery_codes(user, env)
    }

    /// Takes a code of a person's authenticator app, or one of their recovery codes: each is good once.
    fn take_factor_code(
        &mut self,
        user: UserId,
        code: &str,
        seal: &Seal,
        now: Timestamp,
    ) -> Result<FactorUsed, IdentityError> {
        let confirmed = self.lock_totp(user)?.filter(|totp| totp.confirmed_at.is_some());
        let found = confirmed.ok_or(IdentityError::WrongFactorCode)?;
        if let Some(recovery) = RecoveryCode::parse(code) {
            let taken = self.take_recovery_code(user, &recovery.hash())?;
            return if taken { Ok(FactorUsed::RecoveryCode) } else { Err(IdentityError::WrongFactorCode) };
        }
        let secret = TotpSecret::open(&found.sealed_secret, user, seal)?;
        let step = secret.step_of(&digits(code), now, found.last_step).ok_or(IdentityError::WrongFactorCode)?;
        self.take_totp_step(user, step, now)?;
        Ok(FactorUsed::Totp)
    }

    /// Lets a session change what only a code, or the session that has just used one, may change: `code` when there
    /// is one, else a fresh and strong session.
    fn allow_by_code(
        &mut self,
        session: &Session,
        code: Option<&str>,
        seal: &Seal,
        now: Timestamp,
    ) -> Result<(), IdentityError> {
        // Changes of factors lock the person first, then the factor: see `confirm_totp`.
        self.lock_factors(session.user)?;
        match code {
            Some(code) => self.take_factor_code(session.user, code, seal, now).map(|_| ()),
            None if session.strong && session.is_fresh_sign_in(now) => Ok(()),
            None => Err(IdentityError::FreshLoginRequired),
        }
    }

    /// Lets a session add or remove a factor: see [`Protection::may_be_changed`] and [`Protection::needs_proof_of_address`].
    fn allow_change_of_factors(
        &mut self,
        role: Role,
        session: &Session,
        typed_password: bool,
        now: Timestamp,
    ) -> Result<Protection, IdentityError> {
        let protection = self.protection(session.user)?;
        if protection.needs_proof_of_address(role, session, now) {
            return Err(IdentityError::MailedCodeRequired);
        }
        let fine = protection.may_be_changed(role, session, typed_password, now);
        if fine { Ok(protection) } else { Err(IdentityError::FreshLoginRequired) }
    }

    /// Locks the account of a person who acts in a session, and gives both as they are from then on: a session that
    /// was ended while its owner's request was under way changes nothing any more.
    fn acting(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<(User, Session), IdentityError> {
        self.lock_factors(user)?;
        let session = self.live_session(session, now)?.filter(|session| session.user == user);
        self.user(user)?.zip(session).ok_or(IdentityError::SessionEnded)
    }

    /// Locks an account, and tells whether its password is still the one that was verified: that takes so long that
    /// it happens between two transactions, and another password may have been set since. `None` stands for none.
    fn is_password_still(&mut self, user: UserId, verified: Option<&PasswordHash>) -> Result<bool, StoreError> {
        self.lock_factors(user)?;
        let Some(user) = self.user(user)? else { return Ok(false) };
        let account = self.account(&user.email)?;
        Ok(account.is_some_and(|account| account.password_hash.as_ref() == verified))
    }

    /// Lets a session change what lets its owner in, after the password was verified; gives the owner. Where there is
    /// no password a fresh session stands in for it: a stolen token alone takes no account over.
    fn allow_change_of_ways_in(
        &mut self,
        user: UserId,
        session: SessionId,
        verified: Option<&PasswordHash>,
        now: Timestamp,
    ) -> Result<User, IdentityError> {
        let (user, session) = self.acting(user, session, now)?;
        if !self.is_password_still(user.id, verified)? {
            return Err(IdentityError::CurrentPasswordWrong);
        }
        let fine = verified.is_some() || session.is_fresh(now);
        if fine { Ok(user) } else { Err(IdentityError::FreshLoginRequired) }
    }

    /// Lets a session begin to add a way in: a fresh one.
    fn allow_another_way_in(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<(), IdentityError> {
        let (_, session) = self.acting(user, session, now)?;
        if session.is_fresh(now) { Ok(()) } else { Err(IdentityError::FreshLoginRequired) }
    }

    /// Makes the six digits by which the holder of a session proves who they are; gives the account to which they are to be
    /// mailed. Older ones are worth nothing any more.
    fn issue_proof(
        &mut self,
        user: UserId,
        session: SessionId,
        env: &dyn Env,
    ) -> Result<(User, String), IdentityError> {
        let (user, session) = self.acting(user, session, env.now())?;
        let data = proof_of(session.id);
        let issue = Issue { purpose: Purpose::Proof, user: Some(user.id), data: Some(&data), binding: None };
        let code = self.issue_secret(issue, env)?.code.ok_or_else(|| StoreError::new("a proof has digits"))?;
        Ok((user, code))
    }

    /// Takes the digits of [`Factors::issue_proof`]: they are good in the session for which they were made. The fifth wrong
    /// code burns them. `false` is no error, because the try that was counted is to be committed.
    fn prove_by_code(
        &mut self,
        user: UserId,
        session: SessionId,
        code: &str,
        now: Timestamp,
    ) -> Result<bool, IdentityError> {
        let (_, session) = self.acting(user, session, now)?;
        if self.redeem_code(Purpose::Proof, &proof_of(session.id), code, now)?.is_none() {
            return Ok(false);
        }
        self.update_session_proof(session.id, now)?;
        Ok(true)
    }

    /// Takes the password, which was verified, as a proof of who acts in a session.
    fn prove_by_password(
        &mut self,
        user: UserId,
        session: SessionId,
        verified: Option<&PasswordHash>,
        now: Timestamp,
    ) -> Result<(), IdentityError> {
        let (user, session) = self.acting(user, session, now)?;
        if verified.is_none() || !self.is_password_still(user.id, verified)? {
            return Err(IdentityError::CurrentPasswordWrong);
        }
        self.update_session_password_typed(session.id)?;
        Ok(self.update_session_proof(session.id, now)?)
    }

    /// Takes a passkey of the member, which was verified, as a proof of who acts in a session.
    fn prove_by_passkey(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<(), IdentityError> {
        let (_, session) = self.acting(user, session, now)?;
        Ok(self.update_session_proof(session.id, now)?)
    }

    /// Makes ten recovery codes, shown this once; those before them are worth nothing.
    fn renew_recovery_codes(&mut self, user: UserId, env: &dyn Env) -> Result<Vec<RecoveryCode>, IdentityError> {
        let codes: Vec<RecoveryCode> = (0..RECOVERY_CODES).map(|_| RecoveryCode::generate(env)).collect();
        let hashes: Vec<SecretHash> = codes.iter().map(RecoveryCode::hash).collect();
        self.replace_recovery_codes(user, &hashes)?;
        Ok(codes)
    }

    /// Ends the authenticator app, and the recovery codes with it. Without any other factor no session is strong any
    /// more.
    fn end_totp(&mut self, user: UserId) -> Result<(), IdentityError> {
        self.lock_factors(user)?;
        if !self.delete_totp(user)? {
            return Err(IdentityError::NoTotp);
        }
        self.replace_recovery_codes(user, &[])?;
        Ok(weaken_unprotected(self, user)?)
    }

    /// Adds a passkey that a session has just used: the session is strong from now on.
    fn add_passkey(
        &mut self,
        user: UserId,
        session: SessionId,
        passkey: NewPasskey<'_>,
        now: Timestamp,
    ) -> Result<Passkey, IdentityError> {
        self.lock_factors(user)?;
        if self.passkeys(user)?.len() >= MAX_PASSKEYS {
            return Err(IdentityError::TooManyPasskeys);
        }
        let added = self.insert_passkey(user, session, passkey, now)?.ok_or(IdentityError::PasskeyAlreadyAdded)?;
        self.update_session_strength(session, true)?;
        Ok(added)
    }

    /// Gives one of a person's passkeys another name.
    fn rename_passkey(
        &mut self,
        user: UserId,
        passkey: PasskeyId,
        name: &PasskeyName,
    ) -> Result<Passkey, IdentityError> {
        self.update_passkey_name(user, passkey, name)?.ok_or(IdentityError::NoPasskey)
    }

    /// Removes one of a person's passkeys, unless nothing else lets them in. Without any other factor no session is
    /// strong any more.
    fn remove_passkey(&mut self, user: UserId, passkey: PasskeyId) -> Result<Passkey, IdentityError> {
        let mut ways = self.lock_ways_in(user)?;
        let removed = self.delete_passkey(user, passkey)?.ok_or(IdentityError::NoPasskey)?;
        ways.passkeys = ways.passkeys.saturating_sub(1);
        if ways.is_none() {
            return Err(IdentityError::LastSignInMethod);
        }
        weaken_unprotected(self, user)?;
        Ok(removed)
    }

    /// Takes every factor from an account.
    fn forget_factors(&mut self, user: UserId) -> Result<(), StoreError> {
        self.lock_factors(user)?;
        self.delete_totp(user)?;
        self.replace_recovery_codes(user, &[])?;
        for passkey in self.passkeys(user)? {
            self.delete_passkey(user, passkey.passkey.id)?;
        }
        self.weaken_sessions_of_user(user)
    }

    /// Takes every factor from an account whose owner has lost them, and signs them out everywhere: what an operator
    /// does. `None` when nobody has the address.
    fn reset_factors(&mut self, email: &Email, now: Timestamp) -> Result<Option<User>, StoreError> {
        let Some(Account { user, .. }) = self.account(email)? else { return Ok(None) };
        self.forget_factors(user.id)?;
        self.forget_known_devices(user.id)?;
        self.revoke_sessions_of_user(user.id, None, now)?;
        Ok(Some(user))
    }
}

impl<S: FactorStore + ?Sized> Factors for S {}

/// What the digits of a proof are found by: they are of one session.
fn proof_of(session: SessionId) -> String {
    format!("session {session}")
}

/// A code as apps show it: `123 456`.
fn digits(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).collect()
}

fn weaken_unprotected<S: FactorStore + ?Sized>(store: &mut S, user: UserId) -> Result<(), StoreError> {
    if store.protection(user)?.is_strong() { Ok(()) } else { store.weaken_sessions_of_user(user) }
}
