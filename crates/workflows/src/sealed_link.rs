//! Links that contain their own proof, because a browser that opens one in a new tab sends no access token.
//!
//! The content of a link is sealed with the operator's secret, for one purpose and for a day.

use identity::Seal;
use kernel::{DAY, Env, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a link is valid, in milliseconds.
pub const LINK_LIFETIME: i64 = DAY;

/// The sealed content.
#[derive(Debug, Serialize, Deserialize)]
struct Sealed<T> {
    what: T,
    until: i64,
}

/// The text of a link that contains `what`, in hexadecimal.
pub fn seal_link<T: Serialize>(seal: &Seal, purpose: &[u8], what: &T, env: &dyn Env) -> String {
    let until = env.now().plus(LINK_LIFETIME).millis();
    // Links contain ids and texts, so serializing can't fail.
    let text = serde_json::to_vec(&Sealed { what, until }).unwrap_or_default();
    hex::encode(seal.close(&text, purpose, env))
}

/// The content of a link; `None` if it was tampered with, is for another purpose, or has expired.
pub fn open_link<T: for<'a> Deserialize<'a>>(seal: &Seal, purpose: &[u8], text: &str, now: Timestamp) -> Option<T> {
    let opened = seal.open(&hex::decode(text).ok()?, purpose).ok()?;
    let sealed: Sealed<T> = serde_json::from_slice(&opened).ok()?;
    (now.millis() < sealed.until).then_some(sealed.what)
}

#[cfg(test)]
mod tests {
    use kernel::FixedEnv;

    use super::*;

    #[test]
    fn a_link_names_one_thing_for_one_purpose_and_a_day() {
        let start = Timestamp::from_millis(1_781_524_800_000);
        let env = FixedEnv::at(start);
        let seal = Seal::new(b"a secret of thirty-two characters").expect("a seal");
        let link = seal_link(&seal, b"one", &"what".to_owned(), &env);
        let open = |purpose: &[u8], text: &str, at: Timestamp| open_link::<String>(&seal, purpose, text, at);
        let end = start.plus(LINK_LIFETIME);
        assert_eq!(open(b"one", &link, end.plus(-1)).as_deref(), Some("what"));
        assert_eq!(open(b"one", &link, end), None);
        assert_eq!(open(b"two", &link, start), None);
        assert_eq!(open(b"one", "no link", start), None);
        let tampered = format!("{}{}", if link.ends_with('0') { "1" } else { "0" }, &link[1..]);
        assert_eq!(open(b"one", &tampered, start), None);
    }
}
