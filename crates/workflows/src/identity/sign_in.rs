//! Signing up and signing in, by any method. Every sign-in method ends in [`sign_in`], which starts the session
//! (`identity.login-fields`).

use std::net::IpAddr;

use identity::{
    FactorQueries, Factors, Identity, IdentityCommands, IdentityError, IdentityQueries, Issue, MailedSignIn,
    NewSession, PasswordHash, ProofOfAddress, ProviderCommands, Purpose, RateLimitBucket, Recovery, RedeemedArrival,
    RefreshKey, RefreshToken, Registration, Role,
};
use kernel::{Email, SessionId, StoreError, UserId, network_of};
use mail::Mail;

use crate::{
    account::{Account, account},
    client::ClientContext,
    identity::{email_address, security::complete_first_proof},
    rate_limits::{
        Admission, AttemptBuckets, CountedAttempt, admit, count_attempt, count_attempts, release, release_of_network,
    },
    tx::{Settings, Tx},
};

/// A session that was just started or renewed.
#[derive(Clone, Debug)]
pub struct StartedSession {
    /// The member, with the role that this session may use.
    pub account: Account,
    pub session: SessionId,
    /// The new refresh token, which the device keeps.
    pub secret: RefreshToken,
}

/// The data of a second-factor ticket if the first step was the password.
pub(super) const PASSWORD_TYPED: &str = "password";

/// A sign-in of an authenticated user.
#[derive(Clone, Copy, Debug)]
pub struct SignIn<'a> {
    pub user: UserId,
    pub client: &'a ClientContext,
    /// Whether the user was authenticated by more than a password or a mailed link. If so, no second factor is required.
    pub strong: bool,
    /// Whether it proves that mail to the account's address reaches the user.
    pub proves_address: bool,
    /// Whether the user has typed the account's password.
    pub password_typed: bool,
    /// The password's new hash, if the stored one has outdated parameters.
    pub rehashed: Option<&'a PasswordHash>,
}

impl<'a> SignIn<'a> {
    /// A sign-in that proves the address: by a mailed link, a mailed code or a provider.
    pub const fn by_proof_of_address(user: UserId, client: &'a ClientContext) -> Self {
        Self { user, client, strong: false, proves_address: true, password_typed: false, rehashed: None }
    }
}

/// The outcome of a sign-in.
#[derive(Clone, Debug)]
pub enum SignInOutcome {
    /// A session was started.
    SignedIn(Box<StartedSession>),
    /// A code of the authenticator app is required. The ticket stands for the authenticated user, and is valid for five minutes.
    SecondFactorRequired {
        /// The client sends it with the code.
        ticket: String,
    },
    /// The link, code, token or passkey is invalid, used or expired. The attempt counts.
    Refused,
    /// The account was deleted meanwhile.
    AccountGone,
    /// An admin has suspended the account.
    Suspended,
}

/// Counts a sign-up from a network. An unconfirmed address also counts against a much lower limit.
pub fn count_sign_up(tx: &mut Tx<'_, '_>, address: IpAddr, confirmed: bool) -> Result<(), IdentityError> {
    let all = CountedAttempt::of_network(RateLimitBucket::SignUpNetwork, address);
    let unconfirmed = (!confirmed).then(|| CountedAttempt::of_network(RateLimitBucket::SignUp, address));
    count_attempts(tx, &[Some(all), unconfirmed].into_iter().flatten().collect::<Vec<_>>())
}

/// Creates an account, mails the link that confirms its address, and starts a session.
pub fn sign_up(
    tx: &mut Tx<'_, '_>,
    registration: &Registration,
    hash: &PasswordHash,
    client: &ClientContext,
) -> Result<StartedSession, IdentityError> {
    let user = tx.pg.register(registration, hash, tx.now())?;
    email_address::mail_confirmation(tx, &user)?;
    let sign_in =
        SignIn { user: user.id, client, strong: false, proves_address: false, password_typed: true, rehashed: None };
    let started = begin_first_session(tx, &sign_in)?;
    tx.pg.update_password_session(user.id, Some(started.session))?;
    Ok(started)
}

/// Creates the account of the first admin, whose address the operator vouches for, and starts a strong session: it stands for the
/// operator (`admin.setup-page`). As after any proof of the address, no mailed code is needed for a while to set up a factor.
pub fn sign_up_first_admin(
    tx: &mut Tx<'_, '_>,
    registration: &Registration,
    hash: &PasswordHash,
    client: &ClientContext,
) -> Result<StartedSession, IdentityError> {
    let user = tx.pg.register(registration, hash, tx.now())?;
    tx.pg.grant_role(&user.email, Role::Admin, tx.now())?;
    let sign_in =
        SignIn { user: user.id, client, strong: true, proves_address: true, password_typed: true, rehashed: None };
    Ok(begin_first_session(tx, &sign_in)?)
}

/// Starts the first session of an account that was made in this transaction.
fn begin_first_session(tx: &mut Tx<'_, '_>, sign_in: &SignIn<'_>) -> Result<StartedSession, StoreError> {
    begin_session(tx, sign_in)?.ok_or_else(|| StoreError::new("the account that was just made is not there"))
}

/// Counts a login against its rate limits; returns the account whose password must be verified.
pub fn admit_login(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    email: Option<&Email>,
) -> Result<Admission, IdentityError> {
    let buckets = AttemptBuckets { network: RateLimitBucket::Login, account: RateLimitBucket::LoginAccount };
    admit(tx, buckets, key, client, email)
}

/// The result of verifying a right password.
#[derive(Clone, Debug)]
pub struct VerifiedPassword {
    pub user: UserId,
    /// The hash that it was verified against.
    pub hash: Option<PasswordHash>,
    /// The password's new hash, if the old one has outdated parameters.
    pub rehashed: Option<PasswordHash>,
    pub counted: Vec<CountedAttempt>,
}

/// Signs in by a verified password, and releases the counted attempts. Refused if the password was changed while it was being
/// verified: the change was meant to end this session too.
pub fn sign_in_by_password(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    verified: &VerifiedPassword,
) -> Result<SignInOutcome, IdentityError> {
    let VerifiedPassword { user, hash, rehashed, counted } = verified;
    if !tx.pg.is_password_still(*user, hash.as_ref())? {
        return Err(IdentityError::InvalidCredentials);
    }
    release(tx, counted)?;
    let by_password = SignIn {
        user: *user,
        client,
        strong: false,
        proves_address: false,
        password_typed: true,
        rehashed: rehashed.as_ref(),
    };
    Ok(sign_in(tx, key, &by_password)?)
}

/// Signs in by the secret of a mailed link.
pub fn sign_in_by_login_link(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    token: &str,
) -> Result<SignInOutcome, IdentityError> {
    count_arrival(tx, client)?;
    let held = client.held_session(tx)?;
    let redeemed = tx.pg.redeem_login_link(token, held, tx.now())?;
    if redeemed.is_some() {
        release_of_network(tx, RateLimitBucket::LoginLink, client.address)?;
    }
    sign_in_by_mail(tx, key, client, redeemed)
}

/// Signs in by a mailed six-digit code.
pub fn sign_in_by_login_code(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    (email, code): (&Email, &str),
) -> Result<SignInOutcome, IdentityError> {
    let buckets = AttemptBuckets { network: RateLimitBucket::Code, account: RateLimitBucket::CodeAccount };
    let Admission { counted, .. } = admit(tx, buckets, key, client, Some(email))?;
    let held = client.held_session(tx)?;
    let redeemed = tx.pg.redeem_login_code(email, code, held, tx.now())?;
    if redeemed.is_some() {
        release(tx, &counted)?;
        release_of_network(tx, RateLimitBucket::LoginLink, client.address)?;
    }
    sign_in_by_mail(tx, key, client, redeemed)
}

/// Signs in by a mailed secret, which proves the address.
fn sign_in_by_mail(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    redeemed: Option<MailedSignIn>,
) -> Result<SignInOutcome, IdentityError> {
    let Some(MailedSignIn { user, first_proof }) = redeemed else { return Ok(SignInOutcome::Refused) };
    if first_proof.is_some() {
        release_of_network(tx, RateLimitBucket::SignUp, client.address)?;
    }
    complete_first_proof(tx, user, first_proof)?;
    Ok(sign_in(tx, key, &SignIn::by_proof_of_address(user, client))?)
}

/// Signs in by the token at the end of a provider sign-in (`identity.single-use-token`). `binding` is the flow cookie of the
/// browser that started it; the token is valid in that browser only.
pub fn sign_in_by_arrival(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    (token, binding): (&str, Option<&str>),
) -> Result<SignInOutcome, IdentityError> {
    count_arrival(tx, client)?;
    let redeemed = tx.pg.redeem_arrival(token, binding, tx.now())?;
    let Some(RedeemedArrival { user, provider }) = redeemed else { return Ok(SignInOutcome::Refused) };
    let outcome = sign_in(tx, key, &SignIn::by_proof_of_address(user, client))?;
    if let (SignInOutcome::SignedIn(started), Some(provider)) = (&outcome, provider) {
        tx.pg.record_provider_session(user, provider, started.session)?;
    }
    Ok(outcome)
}

fn count_arrival(tx: &mut Tx<'_, '_>, client: &ClientContext) -> Result<(), IdentityError> {
    count_attempt(tx, RateLimitBucket::Arrival, &network_of(client.address))
}

/// Starts a session for an authenticated user, or requires the second factor if one is set up. The owner is notified by mail of
/// a sign-in on an unknown device.
pub fn sign_in(tx: &mut Tx<'_, '_>, key: &RefreshKey, sign_in: &SignIn<'_>) -> Result<SignInOutcome, StoreError> {
    if tx.pg.suspension_of(sign_in.user)?.is_some() {
        return Ok(SignInOutcome::Suspended);
    }
    if !sign_in.strong && tx.pg.protection(sign_in.user)?.totp {
        if let Some(hash) = sign_in.rehashed {
            tx.pg.update_password_hash(sign_in.user, hash)?;
        }
        let data = sign_in.password_typed.then_some(PASSWORD_TYPED);
        let ticket = Issue { purpose: Purpose::SecondFactor, user: Some(sign_in.user), data, binding: None };
        let ticket = tx.pg.issue_secret(ticket, tx.env)?.token;
        return Ok(SignInOutcome::SecondFactorRequired { ticket });
    }
    let Some(started) = begin_session(tx, sign_in)? else { return Ok(SignInOutcome::AccountGone) };
    let mark = sign_in.client.mark.as_deref();
    let user = &started.account.user;
    if !mark.is_some_and(|mark| key.knows_device(user, mark)) {
        let notice = Mail::NewSignIn {
            first_name: user.first_name.clone(),
            device: sign_in.client.device.clone(),
            place: sign_in.client.place.clone(),
            at: tx.now().millis(),
            timezone: user.timezone.clone(),
        };
        tx.queue_mail(&user.email, &notice)?;
    }
    Ok(SignInOutcome::SignedIn(Box::new(started)))
}

fn begin_session(tx: &mut Tx<'_, '_>, sign_in: &SignIn<'_>) -> Result<Option<StartedSession>, StoreError> {
    let SignIn { user, client, strong, proves_address, password_typed, rehashed } = *sign_in;
    let now = tx.now();
    let Some(account) = account(tx.pg, user, now)? else { return Ok(None) };
    if let Some(hash) = rehashed {
        tx.pg.update_password_hash(user, hash)?;
    }
    if let Some(held) = &client.held {
        // The browser replaces its refresh token, so nobody could end the old session from this device any more.
        tx.pg.end_session_of_secret(held, now)?;
    }
    let device = NewSession { user, device: &client.device, place: &client.place, strong };
    let (session, secret) = tx.pg.begin_session(device, tx.env)?;
    if proves_address {
        tx.pg.begin_with_proof_of_address(session, now)?;
    }
    if password_typed {
        tx.pg.begin_with_password(session)?;
    }
    Ok(Some(StartedSession { account: with_effective_role(account, strong, tx.settings), session, secret }))
}

/// The account with the role that the session may use.
pub(super) fn with_effective_role(mut account: Account, strong: bool, settings: &Settings) -> Account {
    account.user.role = account.user.role.in_session(strong, settings.roles_need_strong_session);
    account
}
