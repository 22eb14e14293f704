//! Access tokens: biscuits that are valid for one hour (`identity.access-token`).
//!
//! The first block contains `user(id)`, `session(id)`, `role(name)` and `expires(date)`, and a check of the time. A
//! holder may append blocks to a biscuit; a token that has any, or that differs in one bit from what was issued, is
//! refused.

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

/// The lifetime of a token, in milliseconds. It expires on a whole second.
pub const TOKEN_LIFETIME: i64 = HOUR;

/// The maximum length of a token. Tokens are far shorter; longer texts are refused unparsed.
const MAX_CHARS: usize = 2_048;

/// Replaces biscuit's own time limit of one millisecond, which a busy machine can exceed.
const LIMITS: AuthorizerLimits =
    AuthorizerLimits { max_facts: 100, max_iterations: 10, max_time: Duration::from_secs(10) };

/// The claims of an access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    pub user: UserId,
    /// The signed-in device. Only the store knows whether the session is still live.
    pub session: SessionId,
    pub role: Role,
    pub expires_at: Timestamp,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It was signed with a key that is not in this ring: perhaps a new one, or one that was retired long ago.
    #[error("the token's key is unknown")]
    UnknownKey,
    /// It has expired.
    #[error("the token has expired")]
    Expired,
    /// It is malformed, forged or altered.
    #[error("the token is not valid")]
    Invalid,
}

/// Signs a token. `root` is the key with the id `key_id`.
pub(crate) fn issue(root: &KeyPair, key_id: u32, claims: &Claims, env: &dyn Env) -> String {
    let (user, session) = (claims.user.get(), claims.session.get());
    let (role, expires) = (claims.role.as_str(), to_system_time(claims.expires_at));
    let builder = biscuit!(
        "user({user}); session({session}); role({role}); expires({expires});
         check if time($now), expires($end), $now < $end;"
    );
    // The key pair that a holder could append a block with. Every biscuit has one.
    let next = key_pair(&random_key(env)).expect("any 32 bytes are a private key");
    builder
        .root_key_id(key_id)
        .build_with_key_pair(root, SymbolTable::new(), &next)
        .and_then(|token| token.to_vec())
        .map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
        .expect("a block of four facts and one check can be signed and written")
}

/// Verifies a token; `public_key` returns the public key with the id in the token.
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
    // The signature does not cover the encoding, so only the one that we produce is accepted. Sealing adds no block,
    // but it is a change by the holder too.
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

/// The expiry of a token that is issued now.
pub(crate) const fn end_of_token(now: Timestamp) -> Timestamp {
    // A date in a biscuit has whole seconds.
    Timestamp::from_millis(now.plus(TOKEN_LIFETIME).millis().div_euclid(SECOND) * SECOND)
}

/// 32 random bytes. Any 32 bytes are a valid private key.
pub(crate) fn random_key(env: &dyn Env) -> [u8; 32] {
    let mut bytes = [0; 32];
    env.fill_random(&mut bytes);
    bytes
}

/// The key pair of a private key.
pub(crate) fn key_pair(private_key: &[u8]) -> Option<KeyPair> {
    PrivateKey::from_bytes(private_key, Algorithm::Ed25519).ok().map(|key| KeyPair::from(&key))
}

/// Parses a public key.
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
