//! Second factors: storage and operations of authenticator apps, recovery codes and passkeys.

use kernel::{Email, Env, PasskeyId, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Account, Identity, IdentityError, IdentityStore, Issue, MAX_PASSKEYS, NewPasskey, Passkey, PasskeyName,
    PasswordHash, Protection, ProviderStore, Purpose, RECOVERY_CODES, RecoveryCode, Role, Seal, SecretHash, Session,
    StoredPasskey, StoredTotp, TOTP_BEGUN, TotpSecret, User,
};

/// Reads, available on any database connection.
pub trait FactorQueries {
    /// The factors that protect an account.
    fn protection(&mut self, user: UserId) -> Result<Protection, StoreError>;

    /// A user's passkeys, oldest first.
    fn passkeys(&mut self, user: UserId) -> Result<Vec<StoredPasskey>, StoreError>;
}

/// Writes that no rule restricts, available in any transaction.
pub trait FactorCommands: FactorQueries {
    /// Locks the passkey with this credential id.
    fn lock_passkey(&mut self, credential_id: &[u8]) -> Result<Option<StoredPasskey>, StoreError>;

    /// Stores the updated credential and the time of a passkey's use.
    fn record_passkey_use(&mut self, passkey: PasskeyId, credential: &str, now: Timestamp) -> Result<(), StoreError>;
}

/// Storage of second factors, within one transaction.
pub trait FactorStore: IdentityStore + ProviderStore + FactorCommands {
    /// Locks a user's factors: one transaction at a time changes them.
    fn lock_factors(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Locks a user's authenticator app, confirmed or not.
    fn lock_totp(&mut self, user: UserId) -> Result<Option<StoredTotp>, StoreError>;

    /// Stores an unconfirmed authenticator app that was started in a session, replacing another unconfirmed one.
    /// Returns `false` if there is a confirmed one.
    fn begin_totp_of_user(
        &mut self,
        user: UserId,
        session: SessionId,
        sealed_secret: &[u8],
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores the time step of the last accepted code; the first one confirms the app.
    fn take_totp_step(&mut self, user: UserId, step: i64, now: Timestamp) -> Result<(), StoreError>;

    /// Deletes a user's authenticator app; returns whether there was one.
    fn delete_totp(&mut self, user: UserId) -> Result<bool, StoreError>;

    /// Replaces all recovery codes of a user.
    fn replace_recovery_codes(&mut self, user: UserId, codes: &[SecretHash]) -> Result<(), StoreError>;

    /// Deletes a recovery code; returns whether it existed. Of concurrent callers only one gets `true`.
    fn take_recovery_code(&mut self, user: UserId, code: &SecretHash) -> Result<bool, StoreError>;

    /// Stores a passkey that was created in a session. Returns `None` and stores nothing if its credential id exists
    /// already.
    fn insert_passkey(
        &mut self,
        user: UserId,
        session: SessionId,
        passkey: NewPasskey<'_>,
        now: Timestamp,
    ) -> Result<Option<Passkey>, StoreError>;

    /// Renames a user's passkey; `None` if the user has no such passkey.
    fn update_passkey_name(
        &mut self,
        user: UserId,
        passkey: PasskeyId,
        name: &PasskeyName,
    ) -> Result<Option<Passkey>, StoreError>;

    /// Deletes and returns a user's passkey; `None` if the user has no such passkey.
    fn delete_passkey(&mut self, user: UserId, passkey: PasskeyId) -> Result<Option<Passkey>, StoreError>;

    /// Records a fresh proof of identity in a session.
    fn update_session_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// Records a fresh proof in a session that its holder receives mail at the account's address.
    fn update_session_address_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// Records that the account's password was typed in a session.
    fn update_session_password_typed(&mut self, session: SessionId) -> Result<(), StoreError>;

    /// Makes a session strong or weak, and notifies every node.
    fn update_session_strength(&mut self, session: SessionId, strong: bool) -> Result<(), StoreError>;

    /// Makes all strong sessions of a user weak, and notifies every node.
    fn weaken_sessions_of_user(&mut self, user: UserId) -> Result<(), StoreError>;

    /// Removes the password, the authenticator app with its recovery codes, the passkeys and the provider connections,
    /// except those added in the session `kept`, and notifies every node; returns what was removed.
    fn remove_sign_in_methods(&mut self, user: UserId, kept: Option<SessionId>) -> Result<RemovedMethods, StoreError>;
}

/// Sign-in methods that were removed together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedMethods {
    pub password: bool,
    /// Whether there was an authenticator app, confirmed or not.
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

/// The kind of code that was accepted as the second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorUsed {
    Totp,
    /// A recovery code, now used up.
    RecoveryCode,
}

/// Second factors, over any [`FactorStore`].
pub trait Factors: FactorStore {
    /// Starts the setup of an authenticator app, replacing an unconfirmed one. It protects nothing until its first code
    /// is entered.
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

    /// Confirms an authenticator app by its first code: every sign-in requires it from now on. The session has proved
    /// what it needs to be strong. Returns the recovery codes, which are shown only now.
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

    /// Accepts a code of a user's authenticator app, or one of their recovery codes. Each works once.
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

    /// Authorizes a change that requires the second factor: by `code`, or without one by a strong session whose sign-in
    /// is fresh.
    fn allow_by_code(
        &mut self,
        session: &Session,
        code: Option<&str>,
        seal: &Seal,
        now: Timestamp,
    ) -> Result<(), IdentityError> {
        // Changes of factors lock the user's factors first, then the single factor: see `confirm_totp`.
        self.lock_factors(session.user)?;
        match code {
            Some(code) => self.take_factor_code(session.user, code, seal, now).map(|_| ()),
            None if session.strong && session.is_fresh_sign_in(now) => Ok(()),
            None => Err(IdentityError::FreshLoginRequired),
        }
    }

    /// Authorizes adding or removing a factor: see [`Protection::may_be_changed`] and
    /// [`Protection::needs_proof_of_address`].
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

    /// Locks the account of the user who acts in a session, and returns both as they are now. A session that was ended
    /// during the request changes nothing any more ([`IdentityError::SessionEnded`]).
    fn acting(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<(User, Session), IdentityError> {
        self.lock_factors(user)?;
        let session = self.live_session(session, now)?.filter(|session| session.user == user);
        self.user(user)?.zip(session).ok_or(IdentityError::SessionEnded)
    }

    /// Locks an account, and returns whether its password is still the one that was verified (`None`: no password).
    /// Verification is slow and happens before the transaction, so another password may have been set since.
    fn is_password_still(&mut self, user: UserId, verified: Option<&PasswordHash>) -> Result<bool, StoreError> {
        self.lock_factors(user)?;
        let Some(user) = self.user(user)? else { return Ok(false) };
        let account = self.account(&user.email)?;
        Ok(account.is_some_and(|account| account.password_hash.as_ref() == verified))
    }

    /// Authorizes a change of sign-in methods after the password was verified; returns the user. An account without a
    /// password requires a fresh session instead, so that a stolen token alone can't take over the account.
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

    /// Authorizes adding a sign-in method: requires a fresh session.
    fn allow_another_way_in(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<(), IdentityError> {
        let (_, session) = self.acting(user, session, now)?;
        if session.is_fresh(now) { Ok(()) } else { Err(IdentityError::FreshLoginRequired) }
    }

    /// Creates the six-digit code by which the holder of a session proves their identity; returns it with the user to
    /// whom to mail it. Older codes become invalid.
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

    /// Accepts a code of [`Factors::issue_proof`], in the session that it was created for. After [`crate::CODE_TRIES`]
    /// wrong codes it is invalid. `false` is not an error, because the counted attempt has to be committed.
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

    /// Accepts the password, already verified, as a proof of identity in a session.
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

    /// Accepts a passkey of the user, already verified, as a proof of identity in a session.
    fn prove_by_passkey(&mut self, user: UserId, session: SessionId, now: Timestamp) -> Result<(), IdentityError> {
        let (_, session) = self.acting(user, session, now)?;
        Ok(self.update_session_proof(session.id, now)?)
    }

    /// Creates [`RECOVERY_CODES`] recovery codes, which are shown only now; older ones become invalid.
    fn renew_recovery_codes(&mut self, user: UserId, env: &dyn Env) -> Result<Vec<RecoveryCode>, IdentityError> {
        let codes: Vec<RecoveryCode> = (0..RECOVERY_CODES).map(|_| RecoveryCode::generate(env)).collect();
        let hashes: Vec<SecretHash> = codes.iter().map(RecoveryCode::hash).collect();
        self.replace_recovery_codes(user, &hashes)?;
        Ok(codes)
    }

    /// Removes the authenticator app and the recovery codes. Without another factor, all sessions become weak.
    fn end_totp(&mut self, user: UserId) -> Result<(), IdentityError> {
        self.lock_factors(user)?;
        if !self.delete_totp(user)? {
            return Err(IdentityError::NoTotp);
        }
        self.replace_recovery_codes(user, &[])?;
        Ok(weaken_unprotected(self, user)?)
    }

    /// Adds a passkey that a session has just used, and makes the session strong.
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

    /// Renames a user's passkey.
    fn rename_passkey(
        &mut self,
        user: UserId,
        passkey: PasskeyId,
        name: &PasskeyName,
    ) -> Result<Passkey, IdentityError> {
        self.update_passkey_name(user, passkey, name)?.ok_or(IdentityError::NoPasskey)
    }

    /// Removes a user's passkey, unless it is the last sign-in method. Without another factor, all sessions become
    /// weak.
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

    /// Removes all factors of an account.
    fn forget_factors(&mut self, user: UserId) -> Result<(), StoreError> {
        self.lock_factors(user)?;
        self.delete_totp(user)?;
        self.replace_recovery_codes(user, &[])?;
        for passkey in self.passkeys(user)? {
            self.delete_passkey(user, passkey.passkey.id)?;
        }
        self.weaken_sessions_of_user(user)
    }

    /// Removes all factors of an account whose owner has lost them, and ends its sessions: a command for operators.
    /// `None` if nobody has the address.
    fn reset_factors(&mut self, email: &Email, now: Timestamp) -> Result<Option<User>, StoreError> {
        let Some(Account { user, .. }) = self.account(email)? else { return Ok(None) };
        self.forget_factors(user.id)?;
        self.forget_known_devices(user.id)?;
        self.revoke_access(user.id, None, now)?;
        Ok(Some(user))
    }
}

impl<S: FactorStore + ?Sized> Factors for S {}

/// The data of a proof's secret, which binds it to one session.
fn proof_of(session: SessionId) -> String {
    format!("session {session}")
}

/// A code without the blanks with which apps show it: `123 456`.
fn digits(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).collect()
}

fn weaken_unprotected<S: FactorStore + ?Sized>(store: &mut S, user: UserId) -> Result<(), StoreError> {
    if store.protection(user)?.is_strong() { Ok(()) } else { store.weaken_sessions_of_user(user) }
}
