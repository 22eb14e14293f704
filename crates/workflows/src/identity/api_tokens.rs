//! API tokens: creating one, and the member of a call with one (`identity.api-tokens`).

use identity::{
    ApiScope, ApiToken, ApiTokens, Claims, IdentityCommands, IdentityError, IdentityQueries, RateLimitBucket,
    hash_of_text,
};
use kernel::{StoreError, TimeZone, UserId};

use crate::{
    rate_limits,
    tx::{ReadTx, Transactions, Tx},
};

/// Why a call with an API token is refused.
#[derive(Debug, thiserror::Error)]
pub enum ApiTokenError {
    /// There is no such token.
    #[error("there is no such token")]
    Unknown,
    /// The token was not made for this.
    #[error("the token lacks the scope {}", .0.as_str())]
    MissingScope(ApiScope),
    /// Too many calls, or the store failed.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

impl From<StoreError> for ApiTokenError {
    fn from(error: StoreError) -> Self {
        Self::Identity(error.into())
    }
}

/// Creates a token, in a session with a fresh proof of identity. Its text is returned once.
pub fn create_api_token(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    name: &str,
    scopes: &[ApiScope],
) -> Result<(ApiToken, String), IdentityError> {
    tx.pg.create_api_token((claims.user, claims.session), name, scopes, tx.env)
}

/// The member of a call with this token. Each call counts against the member's rate limit, also one that is refused.
pub async fn member_of_api_token(
    transactions: &Transactions,
    text: &str,
    needed: ApiScope,
) -> Result<UserId, ApiTokenError> {
    let hash = hash_of_text(text);
    let find = move |tx: &mut ReadTx<'_, '_>| tx.pg.api_token(&hash);
    used(transactions, transactions.read(find).await?, needed).await
}

/// The member of a call with the sync key of a token ([`identity::sync_key`]), as [`member_of_api_token`] does.
pub async fn member_of_sync_key(transactions: &Transactions, key: &str) -> Result<UserId, ApiTokenError> {
    let hash = hash_of_text(key);
    let find = move |tx: &mut ReadTx<'_, '_>| tx.pg.api_token_of_sync_key(&hash);
    used(transactions, transactions.read(find).await?, ApiScope::PlacesWrite).await
}

/// Counts and records a call with a token.
async fn used(transactions: &Transactions, token: Option<ApiToken>, needed: ApiScope) -> Result<UserId, ApiTokenError> {
    let token = token.ok_or(ApiTokenError::Unknown)?;
    rate_limits::count(transactions, RateLimitBucket::ApiToken, token.user.to_string()).await?;
    if !token.scopes.contains(&needed) {
        return Err(ApiTokenError::MissingScope(needed));
    }
    let today = TimeZone::UTC.day_of(transactions.now());
    if token.last_used_on.is_none_or(|day| day < today) {
        transactions.write::<_, StoreError, _>(move |tx| tx.pg.record_api_token_use(token.id, today)).await?;
    }
    Ok(token.user)
}
