//! The webhook of a member: new highlights are posted to it, signed as Standard Webhooks says (`study.highlight-webhook`,
//! `study.webhook-signature`).

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, Mac};
use kernel::{Timestamp, UserId};
use sha2::Sha256;
use url::Url;

use crate::StudyError;

/// The longest URL of a webhook, in bytes.
pub const WEBHOOK_URL_BYTES: usize = 2_000;
/// The length of a webhook's salt, in bytes.
pub const WEBHOOK_SALT_BYTES: usize = 16;

/// A URL that a webhook may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookUrl(String);

impl WebhookUrl {
    /// Checks a URL: `https`, or `http` too where private addresses are allowed, and without a user name or password.
    pub fn parse(text: &str, allows_private: bool) -> Result<Self, StudyError> {
        let url = Url::parse(text.trim()).map_err(|_| StudyError::InvalidWebhookUrl)?;
        let is_allowed = url.scheme() == "https" || allows_private && url.scheme() == "http";
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if !is_allowed || has_credentials || url.host().is_none() || url.as_str().len() > WEBHOOK_URL_BYTES {
            return Err(StudyError::InvalidWebhookUrl);
        }
        Ok(Self(url.into()))
    }

    /// A URL that was checked before it was stored.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The webhook of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    pub url: WebhookUrl,
    /// Random bytes from which its secret is derived.
    pub salt: Vec<u8>,
    pub created_at: Timestamp,
    /// Whether highlights are posted. It is switched off when a delivery has failed for a day, or the URL is gone.
    pub is_on: bool,
    /// The latest attempt.
    pub last: Option<WebhookAttempt>,
}

/// An attempt to post to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAttempt {
    pub at: Timestamp,
    /// The status of the response; `None` without one.
    pub status: Option<u16>,
    /// Why it failed, as a sentence for the member; empty after a success.
    pub error: String,
}

/// The secret by which the receiver of a webhook verifies what is posted.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; 32]);

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

impl WebhookSecret {
    /// Derives the secret of a member's webhook from a key of the server.
    pub fn derive(key: &[u8; 32], member: UserId, salt: &[u8]) -> Self {
        Self(hmac_sha256(key, &[&member.get().to_be_bytes()[..], salt]))
    }

    /// The secret as members see it, once.
    pub fn text(&self) -> String {
        format!("whsec_{}", STANDARD.encode(self.0))
    }

    /// The header `webhook-signature` of a message with this id, posted at this moment.
    pub fn signature(&self, id: &str, at: Timestamp, body: &[u8]) -> String {
        let head = format!("{id}.{}.", timestamp(at));
        format!("v1,{}", STANDARD.encode(hmac_sha256(&self.0, &[head.as_bytes(), body])))
    }
}

/// The header `webhook-timestamp`: seconds since the Unix epoch.
pub const fn timestamp(at: Timestamp) -> i64 {
    at.millis().div_euclid(1_000)
}

fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use kernel::{Timestamp, UserId};

    use super::{WebhookSecret, WebhookUrl};

    #[test]
    fn a_message_is_signed_as_standard_webhooks_says() {
        // The example of the specification.
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        let mut secret = [0; 32];
        secret[..24].copy_from_slice(&key);
        // A key of HMAC that is shorter than a block is filled with zeros, so the signature is that of the 24 bytes.
        let signature = WebhookSecret(secret).signature(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Timestamp::from_millis(1_614_265_330_999),
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn each_webhook_has_a_secret_of_its_own() {
        let secret =
            |key: u8, member, salt: &[u8]| WebhookSecret::derive(&[key; 32], UserId::from_store(member), salt).text();
        let one = secret(1, 7, b"salt");
        assert!(one.starts_with("whsec_") && one.len() == 6 + 44, "{one}");
        assert_eq!(one, secret(1, 7, b"salt"));
        for other in [secret(2, 7, b"salt"), secret(1, 8, b"salt"), secret(1, 7, b"other")] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn a_url_is_https_and_where_private_addresses_are_allowed_http_too() {
        let parse = |text: &str, private| WebhookUrl::parse(text, private).map(|url| url.as_str().to_owned());
        assert_eq!(parse(" https://example.com/hook?a=1 ", false).as_deref(), Ok("https://example.com/hook?a=1"));
        assert_eq!(parse("http://10.0.0.7:5678/hook", true).as_deref(), Ok("http://10.0.0.7:5678/hook"));
        let long = format!("https://example.com/{}", "a".repeat(2_000));
        for wrong in ["", "example.com", "http://example.com", "ftp://example.com", "https://ada:pw@example.com", &long]
        {
            assert!(parse(wrong, false).is_err(), "{wrong}");
        }
        assert!(parse("file:///etc/passwd", true).is_err());
    }
}
