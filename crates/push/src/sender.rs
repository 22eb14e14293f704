//! Sends a message to a browser's push service.

use kernel::Timestamp;
use page_fetch::{FetchError, Header, Poster};
use serde::{Deserialize, Serialize};
use study::PushTarget;
use url::Url;
use web_push_native::{Auth, encrypt, p256::PublicKey};

use crate::PushKey;

/// How long a push service keeps a message for a browser that is not there, in seconds: a reminder is of its day.
const TTL_SECONDS: u32 = 12 * 60 * 60;
/// The topic of all messages: a later one replaces one that was not shown yet.
const TOPIC: &str = "review";

/// What a browser shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushMessage {
    pub title: String,
    pub body: String,
    /// The path of the site that a press opens.
    pub path: String,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    /// The push service has accepted it.
    Accepted,
    /// The browser is not subscribed any more.
    Gone,
}

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// The browser's keys or its endpoint can't be used; another attempt fails too.
    #[error("the browser's keys can't be used")]
    InvalidTarget,
    /// The push service has refused the message; another attempt fails too.
    #[error("the push service answered with status {0}")]
    Refused(u16),
    /// The push service is busy or has failed.
    #[error("the push service answered with status {0}")]
    Unavailable(u16),
    /// There was no response.
    #[error("the push service was not reached: {0}")]
    Unreachable(#[from] FetchError),
}

impl PushError {
    /// Whether another attempt fails too.
    pub const fn is_permanent(&self) -> bool {
        match self {
            Self::InvalidTarget | Self::Refused(_) => true,
            Self::Unavailable(_) => false,
            Self::Unreachable(error) => matches!(error, FetchError::AddressNotPublic | FetchError::InvalidUrl),
        }
    }
}

/// Sends messages to browsers.
#[derive(Clone)]
pub struct PushSender {
    poster: Poster,
    /// Whom a push service may write to: a `mailto:` or `https:` URL.
    subject: String,
}

impl std::fmt::Debug for PushSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PushSender").field("subject", &self.subject).finish_non_exhaustive()
    }
}

impl PushSender {
    /// Creates a sender.
    pub const fn new(poster: Poster, subject: String) -> Self {
        Self { poster, subject }
    }

    /// Sends a message.
    pub async fn send(
        &self,
        key: &PushKey,
        target: &PushTarget,
        message: &PushMessage,
        now: Timestamp,
    ) -> Result<PushOutcome, PushError> {
        let (headers, body) = self.request(key, target, message, now).ok_or(PushError::InvalidTarget)?;
        match self.poster.post(&target.endpoint, &headers, body).await? {
            200..=299 => Ok(PushOutcome::Accepted),
            404 | 410 => Ok(PushOutcome::Gone),
            status @ (408 | 429 | 500..) => Err(PushError::Unavailable(status)),
            status => Err(PushError::Refused(status)),
        }
    }

    /// The headers and the encrypted message; `None` if the target can't be used.
    fn request(
        &self,
        key: &PushKey,
        target: &PushTarget,
        message: &PushMessage,
        now: Timestamp,
    ) -> Option<(Vec<Header>, Vec<u8>)> {
        let endpoint: Url = target.endpoint.parse().ok()?;
        let browser_key = PublicKey::from_sec1_bytes(&target.p256dh).ok()?;
        let secret: [u8; 16] = target.auth.as_slice().try_into().ok()?;
        let body = encrypt(serde_json::to_vec(message).ok()?, &browser_key, &Auth::from(secret)).ok()?;
        let headers = vec![
            ("authorization", key.authorization(&endpoint, &self.subject, now)?),
            ("content-encoding", "aes128gcm".to_owned()),
            ("ttl", TTL_SECONDS.to_string()),
            ("topic", TOPIC.to_owned()),
            ("urgency", "normal".to_owned()),
        ];
        Some((headers, body))
    }
}

#[cfg(test)]
mod tests {
    use kernel::Timestamp;
    use page_fetch::{FetchError, Poster};
    use study::PushTarget;
    use web_push_native::{
        Auth, decrypt,
        p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint},
    };

    use super::{PushError, PushMessage, PushSender};
    use crate::PushKey;

    const NOW: Timestamp = Timestamp::from_millis(1_795_851_000_000);

    fn message() -> PushMessage {
        let [title, body, path] = ["3 cards are due", "About a minute. \u{1f419}", "/review"].map(str::to_owned);
        PushMessage { title, body, path }
    }

    fn sender() -> PushSender {
        PushSender::new(Poster::new("Test/1.0".to_owned(), false), "https://site.example".to_owned())
    }

    #[test]
    fn only_the_browser_can_read_a_message() {
        let (browser, auth) = (SecretKey::from_slice(&[9; 32]).expect("a key"), [3; 16]);
        let p256dh = browser.public_key().to_encoded_point(false).as_bytes().to_vec();
        let target = PushTarget { endpoint: "https://push.example/1".to_owned(), p256dh, auth: auth.to_vec() };
        let key = PushKey::new(&[7; 32]).expect("a key");
        let (headers, body) = sender().request(&key, &target, &message(), NOW).expect("a request");
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["authorization", "content-encoding", "ttl", "topic", "urgency"]);
        assert!(headers[0].1.starts_with("vapid t="));
        assert_eq!(headers[2].1, "43200");
        let read = decrypt(body.clone(), &browser, &Auth::from(auth)).expect("the browser has the key");
        assert_eq!(serde_json::from_slice::<PushMessage>(&read).expect("JSON"), message());
        let other = SecretKey::from_slice(&[8; 32]).expect("a key");
        assert!(decrypt(body, &other, &Auth::from(auth)).is_err());
    }

    #[test]
    fn a_target_that_has_no_key_is_refused() {
        let key = PushKey::new(&[7; 32]).expect("a key");
        let target =
            |endpoint: &str, p256dh: Vec<u8>, auth: Vec<u8>| PushTarget { endpoint: endpoint.to_owned(), p256dh, auth };
        for target in [
            target("https://push.example", vec![4; 65], vec![0; 16]),
            target("nowhere", vec![4; 65], vec![0; 16]),
            target("https://push.example", Vec::new(), Vec::new()),
        ] {
            assert!(sender().request(&key, &target, &message(), NOW).is_none());
        }
    }

    #[test]
    fn a_refusal_is_final_and_a_failure_is_not() {
        let final_ones = [PushError::InvalidTarget, PushError::Refused(400), FetchError::AddressNotPublic.into()];
        assert!(final_ones.iter().all(PushError::is_permanent));
        let others = [PushError::Unavailable(503), FetchError::Unreachable.into()];
        assert!(!others.iter().any(PushError::is_permanent));
    }
}
