//! Addresses of files that are not for everybody: signed, and good for some hours.
//!
//! Whoever makes an address has decided that the reader may have the file; fetching it decides nothing any more. An
//! address stays the same for hours, so that caches work, and its query stands in no log.

use std::sync::Arc;

use identity::AddressKey;
use kernel::{HOUR, Timestamp, UserId};

use super::Media;
use crate::app::Keys;

/// How long an address stays the same, in milliseconds.
pub const SLOT: i64 = 4 * HOUR;
/// How long an address lives at least once it is made, in milliseconds.
pub const LIVES_AT_LEAST: i64 = 2 * HOUR;
/// Stands for everybody in an address that anybody may be given.
const ANYBODY: i64 = 0;

/// An address of a file that is not for everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedAddress {
    /// The address, from the site's root.
    pub address: String,
    /// When it is good no longer. What carries the address must not be kept beyond this.
    pub until: Timestamp,
}

/// Makes signed addresses. Take one from [`crate::app::App::signer`] and make as many as are needed.
#[derive(Clone, Debug)]
pub struct Signer(Arc<Keys>);

impl Signer {
    pub(crate) fn new(keys: Arc<Keys>) -> Self {
        Self(keys)
    }

    /// The address at which this reader (`None`: anybody) fetches a key, and how long it is good.
    pub fn address(&self, key: &str, reader: Option<UserId>, now: Timestamp) -> SignedAddress {
        let (reader, until) = (reader.map_or(ANYBODY, UserId::get), end_of_slot(now));
        let signature = self.0.addresses.sign(&words(key, reader, until));
        let address = format!("{}?for={reader}&until={}&signature={signature}", Media::address(key), until.millis());
        SignedAddress { address, until }
    }

    /// Until when a request's query lets its bearer have the file; `None` when it does not, or does no longer.
    pub(super) fn admitted(&self, key: &str, query: &str, now: Timestamp) -> Option<Timestamp> {
        admitted(&self.0.addresses, key, query, now)
    }
}

fn admitted(addresses: &AddressKey, key: &str, query: &str, now: Timestamp) -> Option<Timestamp> {
    let part = |name: &str| {
        let mut found = query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(given, _)| *given == name);
        // A name that is there twice says nothing.
        found.next().map(|(_, value)| value).filter(|_| found.next().is_none())
    };
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    let (reader, until) = (number(part("for")?)?, Timestamp::from_millis(number(part("until")?)?));
    (now < until && addresses.is_signed(&words(key, reader, until), part("signature")?)).then_some(until)
}

/// What a signature vouches for. The length keeps the parts apart.
fn words(key: &str, reader: i64, until: Timestamp) -> String {
    format!("file {} {key} for {reader} until {}", key.len(), until.millis())
}

/// The end of the first slot that is far enough away.
fn end_of_slot(now: Timestamp) -> Timestamp {
    let slots = now.millis().saturating_add(LIVES_AT_LEAST).div_euclid(SLOT) + 1;
    Timestamp::from_millis(slots.saturating_mul(SLOT))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);
    const KEY: AddressKey = AddressKey::new([7; 32]);

    fn query(key: &str, reader: i64, until: Timestamp) -> String {
        let signature = KEY.sign(&words(key, reader, until));
        format!("for={reader}&until={}&signature={signature}", until.millis())
    }

    #[test]
    fn the_terms_are_those_of_the_house() {
        assert_eq!((SLOT, LIVES_AT_LEAST), (14_400_000, 7_200_000));
    }

    #[test]
    fn an_address_is_the_same_for_four_hours_and_lives_for_two_at_least_and_six_at_most() {
        let mut ends = std::collections::BTreeMap::<i64, i64>::new();
        for minute in 0..(24 * 60) {
            let now = NOW.plus(minute * 60_000);
            let end = end_of_slot(now);
            let left = end.since(now);
            assert!(left > LIVES_AT_LEAST && left <= LIVES_AT_LEAST + SLOT, "{left}");
            *ends.entry(end.millis()).or_default() += 1;
        }
        // All but the first and the last slot, of which this day has a part.
        let whole: Vec<i64> = ends.values().copied().skip(1).take(ends.len() - 2).collect();
        assert!(whole.len() >= 5 && whole.iter().all(|minutes| *minutes == 240), "{whole:?}");
    }

    #[test]
    fn an_address_is_good_for_its_file_until_it_ends() {
        let until = end_of_slot(NOW);
        let good = query("audio/a.mp3", 7, until);
        assert_eq!(admitted(&KEY, "audio/a.mp3", &good, NOW), Some(until));
        assert_eq!(admitted(&KEY, "audio/a.mp3", &format!("{good}&download="), NOW), Some(until));
        assert_eq!(admitted(&KEY, "audio/a.mp3", &good, until.plus(-1)), Some(until));
        assert_eq!(admitted(&KEY, "audio/a.mp3", &good, until), None, "late");
        assert_eq!(admitted(&KEY, "audio/b.mp3", &good, NOW), None, "another file");
        assert_eq!(admitted(&AddressKey::new([8; 32]), "audio/a.mp3", &good, NOW), None, "another key");
    }

    #[test]
    fn whatever_is_altered_is_refused() {
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
            assert_eq!(admitted(&KEY, "audio/a.mp3", &altered, NOW), None, "{altered}");
        }
    }
}
