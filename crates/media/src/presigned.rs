//! Presigned URLs: signed URLs of non-public files, valid for a few hours (`catalogue.presigned-urls`).
//!
//! The caller of [`UrlSigner::presign`] checks access; fetching the URL checks only the signature and the expiry. A file has
//! the same URL for hours, so that browser caches work. The query is never logged.

use kernel::{HOUR, Timestamp, UserId};

use crate::{store::Media, url_key::UrlKey};

/// How long a file keeps the same presigned URL, in milliseconds.
pub const SLOT: i64 = 4 * HOUR;
/// The minimum validity of a new presigned URL, in milliseconds.
pub const LIVES_AT_LEAST: i64 = 2 * HOUR;
/// The user id in a URL that is not bound to a reader.
const ANYONE: i64 = 0;

/// A presigned URL and its expiry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresignedUrl {
    /// The path and query, without the host.
    pub url: String,
    /// When it expires. A response that carries the URL must not be cached beyond this.
    pub expires_at: Timestamp,
}

/// Presigns URLs and verifies them, with one key.
#[derive(Clone, Debug)]
pub struct UrlSigner(UrlKey);

impl UrlSigner {
    pub const fn new(key: [u8; 32]) -> Self {
        Self(UrlKey::new(key))
    }

    /// The URL of a file for this reader (`None`: for everyone). The caller must have checked that the reader may fetch the
    /// file.
    pub fn presign(&self, key: &str, reader: Option<UserId>, now: Timestamp) -> PresignedUrl {
        let (reader, expires_at) = (reader.map_or(ANYONE, UserId::get), end_of_slot(now));
        let signature = self.0.sign(&signed_text(key, reader, expires_at));
        let url = format!("{}?for={reader}&until={}&signature={signature}", Media::url(key), expires_at.millis());
        PresignedUrl { url, expires_at }
    }

    /// Returns when the URL with this query expires; `None` when the signature is invalid for this key, or it has expired.
    pub fn verify(&self, key: &str, query: &str, now: Timestamp) -> Option<Timestamp> {
        verify(&self.0, key, query, now)
    }
}

fn verify(signing_key: &UrlKey, key: &str, query: &str, now: Timestamp) -> Option<Timestamp> {
    let part = |name: &str| {
        let mut found = query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(given, _)| *given == name);
        // A repeated parameter counts as missing.
        found.next().map(|(_, value)| value).filter(|_| found.next().is_none())
    };
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    let (reader, until) = (number(part("for")?)?, Timestamp::from_millis(number(part("until")?)?));
    (now < until && signing_key.is_signed(&signed_text(key, reader, until), part("signature")?)).then_some(until)
}

/// The signed text. It includes the key's length, so that different parts never give the same text.
fn signed_text(key: &str, reader: i64, until: Timestamp) -> String {
    format!("file {} {key} for {reader} until {}", key.len(), until.millis())
}

/// The end of the first slot that is at least [`LIVES_AT_LEAST`] away.
fn end_of_slot(now: Timestamp) -> Timestamp {
    let slots = now.millis().saturating_add(LIVES_AT_LEAST).div_euclid(SLOT) + 1;
    Timestamp::from_millis(slots.saturating_mul(SLOT))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);
    const KEY: UrlKey = UrlKey::new([7; 32]);

    fn query(key: &str, reader: i64, until: Timestamp) -> String {
        let signature = KEY.sign(&signed_text(key, reader, until));
        format!("for={reader}&until={}&signature={signature}", until.millis())
    }

    #[test]
    fn the_validity_is_that_of_the_specification() {
        assert_eq!((SLOT, LIVES_AT_LEAST), (14_400_000, 7_200_000));
    }

    #[test]
    fn a_url_stays_the_same_for_four_hours_and_is_valid_for_two_to_six() {
        let mut ends = std::collections::BTreeMap::<i64, i64>::new();
        for minute in 0..(24 * 60) {
            let now = NOW.plus(minute * 60_000);
            let end = end_of_slot(now);
            let left = end.since(now);
            assert!(left > LIVES_AT_LEAST && left <= LIVES_AT_LEAST + SLOT, "{left}");
            *ends.entry(end.millis()).or_default() += 1;
        }
        // All but the first and the last slot, which the day contains only in part.
        let whole: Vec<i64> = ends.values().copied().skip(1).take(ends.len() - 2).collect();
        assert!(whole.len() >= 5 && whole.iter().all(|minutes| *minutes == 240), "{whole:?}");
    }

    #[test]
    fn a_url_is_valid_for_its_file_until_it_expires() {
        let until = end_of_slot(NOW);
        let good = query("audio/a.mp3", 7, until);
        assert_eq!(verify(&KEY, "audio/a.mp3", &good, NOW), Some(until));
        assert_eq!(verify(&KEY, "audio/a.mp3", &format!("{good}&download="), NOW), Some(until));
        assert_eq!(verify(&KEY, "audio/a.mp3", &good, until.plus(-1)), Some(until));
        assert_eq!(verify(&KEY, "audio/a.mp3", &good, until), None, "late");
        assert_eq!(verify(&KEY, "audio/b.mp3", &good, NOW), None, "another file");
        assert_eq!(verify(&UrlKey::new([8; 32]), "audio/a.mp3", &good, NOW), None, "another key");
    }

    #[test]
    fn an_altered_url_is_refused() {
        let until = end_of_slot(NOW);
        let good = query("audio/a.mp3", 7, until);
        let later = until.plus(SLOT).millis().to_string();
        let (end, signature) = (until.millis().to_string(), good.rsplit_once('=').unwrap().1);
        for altered in [
            String::new(),
            good.replace("for=7", "for=8"),
            good.replace("for=7", "for=07"),
            good.replace("for=7&", ""),
            good.replace(&end, &later),
            good.replace(&end, &format!("+{end}")),
            good.replace(signature, ""),
            good.replace(signature, &signature[1..]),
            format!("until={later}&{good}"),
            format!("{good}&until={later}"),
            format!("{good}&signature={signature}"),
        ] {
            assert_eq!(verify(&KEY, "audio/a.mp3", &altered, NOW), None, "{altered}");
        }
    }
}
