//! Creating API tokens (`identity.api-tokens`).

use kernel::{Env, SessionId, UserId, one_line};

use crate::{
    API_TOKEN_NAME_CHARS, ApiScope, ApiToken, IdentityError, IdentityStore, MAX_API_TOKENS, NewApiToken,
    api_token::{API_TOKEN_PREFIX, sync_key},
    generate_token, hash_of_text,
};

/// API tokens of members. A token works until it is deleted, or until all sessions of the member end
/// by a new password, a new role, a suspension or the like.
pub trait ApiTokens: IdentityStore {
    /// Creates a token, in a session with a fresh proof of identity. Its text is returned once.
    ///
    /// # Errors
    /// When the name or the scopes are invalid, the member has [`MAX_API_TOKENS`] of them, the session has ended, or its proof is
    /// too old.
    fn create_api_token(
        &mut self,
        (user, session): (UserId, SessionId),
        name: &str,
        scopes: &[ApiScope],
        env: &dyn Env,
    ) -> Result<(ApiToken, String), IdentityError> {
        let name = one_line(name);
        if name.is_empty() || name.chars().count() > API_TOKEN_NAME_CHARS {
            return Err(IdentityError::InvalidApiTokenName);
        }
        let scopes: Vec<ApiScope> = ApiScope::ALL.into_iter().filter(|scope| scopes.contains(scope)).collect();
        if scopes.is_empty() {
            return Err(IdentityError::NoApiScope);
        }
        // Two calls at once must not pass the limit together. What ends sessions and tokens meanwhile ends this session first.
        self.lock_user(user)?.ok_or(IdentityError::SessionEnded)?;
        let session = self.live_session(session, env.now())?.filter(|session| session.user == user);
        if !session.ok_or(IdentityError::SessionEnded)?.is_fresh(env.now()) {
            return Err(IdentityError::FreshLoginRequired);
        }
        if self.api_tokens_of(user)?.len() >= MAX_API_TOKENS {
            return Err(IdentityError::TooManyApiTokens);
        }
        let text = format!("{API_TOKEN_PREFIX}{}", generate_token(env));
        let hash = hash_of_text(&text);
        let sync_key_hash = scopes.contains(&ApiScope::PlacesWrite).then(|| hash_of_text(&sync_key(&text)));
        let new = NewApiToken { user, name, scopes, hash, sync_key_hash, created_at: env.now() };
        let token = self.insert_api_token(new)?;
        Ok((token, text))
    }
}

impl<S: IdentityStore + ?Sized> ApiTokens for S {}
