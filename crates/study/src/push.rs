//! Browsers that show a member's push messages (`study.push-messages`).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{PushSubscriptionId, SessionId};

use crate::StudyError;

/// The longest endpoint, in bytes.
const ENDPOINT_BYTES: usize = 2_000;
/// The length of a browser's public key: an uncompressed point of P-256.
const KEY_BYTES: usize = 65;
/// The length of a browser's secret.
const AUTH_BYTES: usize = 16;

/// What a browser has told of itself, so that its push service can be asked to show a message (RFC 8030, RFC 8291).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushTarget {
    /// The URL of the browser's push service.
    pub endpoint: String,
    /// Its public key.
    pub p256dh: Vec<u8>,
    /// Its secret.
    pub auth: Vec<u8>,
}

/// A browser that shows push messages while its session lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushSubscription {
    pub id: PushSubscriptionId,
    pub session: SessionId,
    pub target: PushTarget,
}

impl PushTarget {
    /// Checks what a browser sends; the keys are base64url. The endpoint is `https`, or `http` too where private addresses are
    /// allowed.
    pub fn parse(endpoint: &str, p256dh: &str, auth: &str, allows_private: bool) -> Result<Self, StudyError> {
        let bytes = |text: &str| {
            let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
            bytes.map_err(|_| StudyError::InvalidPushSubscription)
        };
        let target = Self { endpoint: endpoint.to_owned(), p256dh: bytes(p256dh)?, auth: bytes(auth)? };
        let has_scheme = endpoint.starts_with("https://") || allows_private && endpoint.starts_with("http://");
        let is_right = has_scheme
            && target.endpoint.len() <= ENDPOINT_BYTES
            && target.p256dh.len() == KEY_BYTES
            && target.auth.len() == AUTH_BYTES;
        if is_right { Ok(target) } else { Err(StudyError::InvalidPushSubscription) }
    }
}

#[cfg(test)]
mod tests {
    use super::PushTarget;

    const P256DH: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[test]
    fn a_target_has_a_url_and_keys_of_the_right_length() {
        let target =
            PushTarget::parse("https://push.example/1", P256DH, &format!("{AUTH}=="), false).expect("it is right");
        assert_eq!(
            (target.endpoint.as_str(), target.p256dh.len(), target.auth.len()),
            ("https://push.example/1", 65, 16)
        );
        let long = format!("https://push.example/{}", "a".repeat(2_000));
        for (endpoint, p256dh, auth) in [
            ("", P256DH, AUTH),
            ("ftp://push.example", P256DH, AUTH),
            ("http://push.example", P256DH, AUTH),
            (&long, P256DH, AUTH),
            ("https://push.example", "AAAA", AUTH),
            ("https://push.example", P256DH, "AAAA"),
            ("https://push.example", "!", AUTH),
        ] {
            assert!(PushTarget::parse(endpoint, p256dh, auth, false).is_err(), "{endpoint} {p256dh} {auth}");
        }
    }
}
