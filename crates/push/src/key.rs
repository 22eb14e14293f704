//! The key by which this server names itself to push services (RFC 8292).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::{HOUR, Timestamp};
use serde::Serialize;
use url::Url;
use web_push_native::p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint, pkcs8::EncodePrivateKey};

/// How long a push service accepts a signature; at most 24 hours are allowed.
const LIFETIME: i64 = 12 * HOUR;

/// The bytes are no private key of P-256, which random ones always are in practice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key for push messages is not a key of P-256")]
pub struct InvalidPushKey;

/// The private key of this server.
#[derive(Clone)]
pub struct PushKey {
    signing: EncodingKey,
    public: String,
}

impl std::fmt::Debug for PushKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PushKey").field(&self.public).finish()
    }
}

/// The claims of the signature (RFC 8292).
#[derive(Serialize)]
struct SenderClaims<'a> {
    /// The origin of the push service.
    aud: String,
    /// When the signature ends, in seconds since the Unix epoch.
    exp: i64,
    /// Whom to write to about the messages.
    sub: &'a str,
}

impl PushKey {
    /// The key with these bytes.
    pub fn new(bytes: &[u8; 32]) -> Result<Self, InvalidPushKey> {
        let secret = SecretKey::from_slice(bytes).map_err(|_| InvalidPushKey)?;
        let der = secret.to_pkcs8_der().map_err(|_| InvalidPushKey)?;
        let public = secret.public_key().to_encoded_point(false);
        Ok(Self {
            signing: EncodingKey::from_ec_der(der.as_bytes()),
            public: URL_SAFE_NO_PAD.encode(public.as_bytes()),
        })
    }

    /// The public key as browsers take it: an uncompressed point in base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The header `authorization` of a request to this endpoint; `None` if it can't be signed.
    pub(crate) fn authorization(&self, endpoint: &Url, subject: &str, now: Timestamp) -> Option<String> {
        let exp = now.plus(LIFETIME).millis() / 1_000;
        let claims = SenderClaims { aud: endpoint.origin().ascii_serialization(), exp, sub: subject };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.signing).ok()?;
        Some(format!("vapid t={token}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{Algorithm, DecodingKey, Validation};
    use kernel::Timestamp;

    use super::{InvalidPushKey, LIFETIME, PushKey};

    #[test]
    fn a_request_is_signed_for_the_push_service_with_the_public_key_beside_it() {
        let key = PushKey::new(&[7; 32]).expect("a key");
        let now = Timestamp::from_millis(1_795_851_000_000);
        let endpoint = "https://push.example:8443/send/abc?x".parse().expect("a URL");
        let header = key.authorization(&endpoint, "https://site.example", now).expect("it is signed");
        let (token, public) = header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("parts");
        assert_eq!(public, key.public());
        // An uncompressed point: x and y of 32 bytes each.
        let point = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, public).expect("base64");
        assert_eq!((point.len(), point[0]), (65, 4));
        let [x, y] = [&point[1..33], &point[33..]]
            .map(|part| base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, part));
        let mut validation = Validation::new(Algorithm::ES256);
        validation.set_audience(&["https://push.example:8443"]);
        validation.validate_exp = false;
        let verifying = DecodingKey::from_ec_components(&x, &y).expect("a key");
        let claims =
            jsonwebtoken::decode::<serde_json::Value>(token, &verifying, &validation).expect("it is valid").claims;
        assert_eq!(claims["sub"], "https://site.example");
        assert_eq!(claims["exp"], (now.millis() + LIFETIME) / 1_000);
    }

    #[test]
    fn zeros_are_no_key() {
        assert_eq!(PushKey::new(&[0; 32]).unwrap_err(), InvalidPushKey);
    }
}
