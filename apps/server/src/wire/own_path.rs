//! Where to go on afterwards: a path of this site, and nothing else (`decisions.md` 17).

use url::Url;

/// The longest path that is passed on, in bytes.
const MAX_BYTES: usize = 2_000;

/// A path of this site, with its query and fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPath(String);

impl OwnPath {
    /// Takes a text for a path; `None` when a browser could end up elsewhere by it.
    pub fn read(text: &str) -> Option<Self> {
        let fits =
            text.len() <= MAX_BYTES && text.starts_with('/') && !text.contains(|c: char| c == '\\' || c.is_control());
        // What browsers make of it counts, not what it looks like.
        let site = Url::parse("https://site.invalid/").ok()?;
        let stays = site.join(text).is_ok_and(|there| there.origin() == site.origin());
        (fits && stays && !text.starts_with("//")).then(|| Self(text.to_owned()))
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text as it may stand in a path or a query.
pub fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_of_this_site_are_read() {
        for path in ["/", "/books/walden", "/books?q=a%20b&sort=new#top", "/a//b", "/é"] {
            assert_eq!(OwnPath::read(path).unwrap().as_str(), path);
        }
    }

    #[test]
    fn what_leads_elsewhere_is_refused() {
        for text in [
            "",
            "books",
            "https://evil.example/",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            " //evil.example",
            "javascript:alert(1)",
            "/a\u{0}",
        ] {
            assert_eq!(OwnPath::read(text), None, "{text:?}");
        }
        assert_eq!(OwnPath::read(&format!("/{}", "a".repeat(MAX_BYTES))), None);
    }

    proptest! {
        #[test]
        fn no_text_leads_elsewhere(text in "[/\\\\a.:@?#\t\n -]{0,12}|.{0,20}") {
            if let Some(path) = OwnPath::read(&text) {
                let site = Url::parse("http://127.0.0.1:4000/login").unwrap();
                prop_assert_eq!(site.join(path.as_str()).unwrap().origin(), site.origin());
            }
        }
    }

    #[test]
    fn addresses_survive_a_path() {
        assert_eq!(escaped("a+b/c?d#e%@example.com"), "a%2Bb%2Fc%3Fd%23e%25%40example.com");
    }
}
