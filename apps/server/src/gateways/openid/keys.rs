//! Checking an id token: signature, issuer, audience, expiry, nonce.

use chrono::{DateTime, Utc};
use kernel::Env;
use openidconnect::{
    ClaimsVerificationError, ClientId, LocalizedClaim, Nonce, SignatureVerificationError,
    core::{CoreIdToken, CoreIdTokenVerifier, CoreJwsSigningAlgorithm},
};

use super::published::Published;
use crate::config::providers::ProviderConfig;

/// Algorithms that need the provider's private key. A token under a shared secret, or under none, proves nothing.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// What a provider says of somebody, checked but not yet read.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) subject: String,
    pub(super) email: Option<String>,
    pub(super) email_verified: Option<bool>,
    pub(super) first_name: Option<String>,
    pub(super) last_name: Option<String>,
    pub(super) full_name: Option<String>,
}

/// Why an id token is not believed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// None of the keys that we know signed it.
    #[error("its key is unknown")]
    UnknownKey,
    /// It fails a check.
    #[error("{0}")]
    Refused(ClaimsVerificationError),
}

/// Checks an id token.
pub(super) fn check(
    config: &ProviderConfig,
    published: &Published,
    id_token: &CoreIdToken,
    nonce: &str,
    env: &dyn Env,
) -> Result<Told, Failure> {
    let now = DateTime::<Utc>::from_timestamp_millis(env.now().millis()).unwrap_or(DateTime::<Utc>::MIN_UTC);
    let verifier = CoreIdTokenVerifier::new_public_client(
        ClientId::new(config.client_id.clone()),
        published.issuer.clone(),
        published.jwks.clone(),
    )
    .set_allowed_algs(ALGORITHMS)
    .set_time_fn(move || now);
    let fits = |seen: Option<&Nonce>| match seen {
        Some(seen) if seen.secret() == nonce => Ok(()),
        Some(_) => Err("it bears another nonce".to_owned()),
        None if config.nonce => Err("it bears no nonce".to_owned()),
        None => Ok(()),
    };
    let claims = id_token.claims(&verifier, fits).map_err(|error| match error {
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey) => {
            Failure::UnknownKey
        }
        error => Failure::Refused(error),
    })?;
    Ok(Told {
        subject: claims.subject().to_string(),
        email: claims.email().map(|email| email.to_string()),
        email_verified: claims.email_verified(),
        first_name: told(claims.given_name(), |name| name.as_str()),
        last_name: told(claims.family_name(), |name| name.as_str()),
        full_name: told(claims.name(), |name| name.as_str()),
    })
}

/// A name in no language in particular, or in any.
fn told<T: 'static>(claim: Option<&LocalizedClaim<T>>, text: impl Fn(&T) -> &str) -> Option<String> {
    let claim = claim?;
    claim.get(None).or_else(|| claim.iter().next().map(|(_, name)| name)).map(|name| text(name).to_owned())
}
