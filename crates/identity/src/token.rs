//! Access tokens: biscuits of one hour (`identity.access-token`).
//!
//! The first block bears `user(id)`, `session(id)`, `role(name)` and `expires(date)`, and a check of the time. A holder
//! may add blocks to a biscuit; a token that has any, or that differs in one bit from what was issued, is refused.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use biscuit_auth::{
    Algorithm, AuthorizerLimits, Biscuit, KeyPair, PrivateKey, PublicKey, UnverifiedBiscuit,
    datalog::SymbolTable,
    error::Token as BiscuitError,
    macros::{authorizer, biscuit, rule},
};
use kernel::{Env, HOUR, SECOND, SessionId, Timestamp, UserId};

use crate::Role;

/// How long a token is honoured, in milliseconds. It ends on a whole second.
pub const TOKEN_LIFETIME: i64 = HOUR;

/// No token of ours comes near this length: longer texts are not looked at.
const MAX_CHARS: usize = 2_048;

/// biscuit gives up after one millisecond by itself, which a busy machine needs for nothing at all.
const LIMITS: AuthorizerLimits =
    AuthorizerLimits { max_facts: 100, max_iterations: 10, max_time: Duration::from_secs(10) };

/// What a token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Who is signed in.
    pub user: UserId,
    /// On which device. Whether it still is has to be asked of the store.
    pub session: SessionId,
    /// What they may do.
    pub role: Role,
    /// When the token is over.
    pub expires_at: Timestamp,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It was signed by a key that this ring has not: by a new one perhaps, or by one whose tokens are all over.
    #[error("the token's key is unknown")]
    UnknownKey,
    /// Its hour is over.
    #[error("the token has expired")]
    Expired,
    /// It is none of ours, or was altered.
    #[error("the token is not valid")]
    Invalid,
}

/// Writes a token. `root` is the key with the number `key_id`.
pub(crate) fn issue(root: &KeyPair, key_id: u32, claims: &Claims, env: &dyn Env) -> String {
    let (user, session) = (claims.user.get(), claims.session.get());
    let (role, expires) = (claims.role.as_str(), to_system_time(claims.expires_at));
    let builder = biscuit!(
        "user({user}); session({session}); role({role}); expires({expires});
         check if time($now), expires($end), $now < $end;"
    );
    // The pair with which a holder could add a block. It is part of every biscuit, whether wanted or not.
    let next = key_pair(&random_key(env)).expect("any 32 bytes are a private key");
    builder
        .root_key_id(key_id)
        .build_with_key_pair(root, SymbolTable::new(), &next)
        .and_then(|token| token.to_vec())
        .map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
        .expect("a block of four facts and one check can be signed and written")
}

/// Reads a token, given the way to the public half of the key that it names.
pub(crate) fn verify(
    text: &str,
    now: Timestamp,
    public_key: impl Fn(u32) -> Option<PublicKey>,
) -> Result<Claims, TokenError> {
    if text.len() > MAX_CHARS {
        return Err(TokenError::Invalid);
    }
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| TokenError::Invalid)?;
    let token = UnverifiedBiscuit::from(&bytes).map_err(|_| TokenError::Invalid)?;
    if token.block_count() != 1 {
        return Err(TokenError::Invalid);
    }
    let key_id = token.root_key_id().ok_or(TokenError::Invalid)?;
    let key = public_key(key_id).ok_or(TokenError::UnknownKey)?;
    let token = token.verify(key).map_err(|_| TokenError::Invalid)?;
    // The signature does not cover how the parts are packed; we pack in one way only. Sealing adds no block, but is
    // something that a holder did too.
    let as_issued = !token.container().proof.is_sealed() && token.to_vec().is_ok_and(|packed| packed == bytes);
    if as_issued { read_claims(&token, now) } else { Err(TokenError::Invalid) }
}

fn read_claims(token: &Biscuit, now: Timestamp) -> Result<Claims, TokenError> {
    let time = to_system_time(now);
    let invalid = |_| TokenError::Invalid;
    let mut authorizer = authorizer!("time({time}); allow if user($u), session($s), role($r), expires($e);")
        .set_limits(LIMITS)
        .build(token)
        .map_err(invalid)?;
    authorizer.authorize().map_err(|error| match error {
        BiscuitError::FailedLogic(_) => TokenError::Expired,
        _ => TokenError::Invalid,
    })?;
    let claims = rule!("claims($u, $s, $r, $e) <- user($u), session($s), role($r), expires($e)");
    let (user, session, role, expires): (i64, i64, String, SystemTime) =
        authorizer.query_exactly_one(claims).map_err(invalid)?;
    Ok(Claims {
        user: UserId::new(user).map_err(|_| TokenError::Invalid)?,
        session: SessionId::new(session).map_err(|_| TokenError::Invalid)?,
        role: role.parse().map_err(|_| TokenError::Invalid)?,
        expires_at: from_system_time(expires),
    })
}

/// When a token that is issued now is over.
pub(crate) const fn end_of_token(now: Timestamp) -> Timestamp {
    // A date in a biscuit has whole seconds.
    Timestamp::from_millis(now.plus(TOKEN_LIFETIME).millis().div_euclid(SECOND) * SECOND)
}

/// 32 random bytes: any are a private key of the curve.
pub(crate) fn random_key(env: &dyn Env) -> [u8; 32] {
    let mut bytes = [0; 32];
    env.fill_random(&mut bytes);
    bytes
}

/// The pair that belongs to a private key's bytes.
pub(crate) fn key_pair(private_key: &[u8]) -> Option<KeyPair> {
    PrivateKey::from_bytes(private_key, Algorithm::Ed25519).ok().map(|key| KeyPair::from(&key))
}

/// A public key's bytes as a key.
pub(crate) fn public_key(bytes: &[u8]) -> Option<PublicKey> {
    PublicKey::from_bytes(bytes, Algorithm::Ed25519).ok()
}

fn to_system_time(at: Timestamp) -> SystemTime {
    // No clock shows a time before 1970; if one does, its tokens have long expired.
    UNIX_EPOCH + Duration::from_millis(at.millis().max(0).unsigned_abs())
}

fn from_system_time(at: SystemTime) -> Timestamp {
    let millis = at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}
