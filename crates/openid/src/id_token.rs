//! Verification of an id token: signature, issuer, audience, expiry, nonce.

use chrono::{DateTime, Utc};
use kernel::Env;
use openidconnect::{
    ClaimsVerificationError, ClientId, LocalizedClaim, Nonce, SignatureVerificationError,
    core::{CoreIdToken, CoreIdTokenVerifier, CoreJwsSigningAlgorithm},
};

use crate::{claims::ProviderClaims, config::ProviderConfig, metadata::Metadata};

/// Asymmetric algorithms only. A token that is unsigned, or signed with a shared secret, proves nothing.
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

/// Why an id token is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IdTokenError {
    /// It is signed with an unknown key.
    #[error("its key is unknown")]
    UnknownKey,
    /// It fails a check.
    #[error("{0}")]
    Refused(ClaimsVerificationError),
}

/// Verifies an id token.
pub(crate) fn verify_id_token(
    config: &ProviderConfig,
    metadata: &Metadata,
    id_token: &CoreIdToken,
    nonce: &str,
    env: &dyn Env,
) -> Result<ProviderClaims, IdTokenError> {
    let now = DateTime::<Utc>::from_timestamp_millis(env.now().millis()).unwrap_or(DateTime::<Utc>::MIN_UTC);
    let verifier = CoreIdTokenVerifier::new_public_client(
        ClientId::new(config.client_id.clone()),
        metadata.issuer.clone(),
        metadata.jwks.clone(),
    )
    .set_allowed_algs(ALGORITHMS)
    .set_time_fn(move || now);
    let check_nonce = |seen: Option<&Nonce>| match seen {
        Some(seen) if seen.secret() == nonce => Ok(()),
        Some(_) => Err("it bears another nonce".to_owned()),
        None if config.nonce => Err("it bears no nonce".to_owned()),
        None => Ok(()),
    };
    let claims = id_token.claims(&verifier, check_nonce).map_err(|error| match error {
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey) => {
            IdTokenError::UnknownKey
        }
        error => IdTokenError::Refused(error),
    })?;
    Ok(ProviderClaims {
        subject: claims.subject().to_string(),
        email: claims.email().map(|email| email.to_string()),
        email_verified: claims.email_verified(),
        first_name: text_of(claims.given_name(), |name| name.as_str()),
        last_name: text_of(claims.family_name(), |name| name.as_str()),
        full_name: text_of(claims.name(), |name| name.as_str()),
    })
}

/// The claim without a language tag, or else in any language.
fn text_of<T: 'static>(claim: Option<&LocalizedClaim<T>>, text: impl Fn(&T) -> &str) -> Option<String> {
    let claim = claim?;
    claim.get(None).or_else(|| claim.iter().next().map(|(_, name)| name)).map(|name| text(name).to_owned())
}
