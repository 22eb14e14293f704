//! Validation of redirect paths (`identity.redirect-target`): where a sign-in may lead afterwards.
//!
//! The web app applies the same rule (`frontend/src/lib/redirect.ts`); `redirect_paths.json` is the table of cases that
//! the tests of both read.

/// The longest redirect path, in bytes.
pub const MAX_REDIRECT_BYTES: usize = 2_000;

/// Returns the text if it is a path of this site, with its query and fragment; `None` if a browser could leave the site
/// by it.
///
/// Browsers read `//` and `/\` as the start of another host, drop some control characters, and resolve dot segments
/// (`/.//host`) before they navigate. A path of the site contains none of these.
pub fn redirect_path(text: &str) -> Option<&str> {
    let is_dropped = |c: char| c.is_control() || c == ' ' || c == '\\' || c == '\u{feff}';
    let is_plain = text.starts_with('/') && !text.starts_with("//") && !text.contains(is_dropped);
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let fits = text.len() <= MAX_REDIRECT_BYTES;
    (fits && is_plain && !path.split('/').any(is_dot_segment)).then_some(text)
}

/// `.` and `..`, also percent-encoded.
fn is_dot_segment(segment: &str) -> bool {
    matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    fn table() -> serde_json::Value {
        serde_json::from_str(include_str!("redirect_paths.json")).expect("the table is JSON")
    }

    fn cases(kind: &str) -> Vec<String> {
        serde_json::from_value(table()[kind].clone()).expect("a list of texts")
    }

    #[test]
    fn paths_of_this_site_are_allowed() {
        for path in cases("allowed") {
            assert_eq!(redirect_path(&path), Some(path.as_str()));
        }
    }

    #[test]
    fn texts_that_could_lead_to_another_site_are_refused() {
        for text in cases("refused") {
            assert_eq!(redirect_path(&text), None, "{text:?}");
        }
        assert!(redirect_path(&format!("/{}", "a".repeat(MAX_REDIRECT_BYTES - 1))).is_some());
        assert_eq!(redirect_path(&format!("/{}", "a".repeat(MAX_REDIRECT_BYTES))), None);
    }

    proptest! {
        #[test]
        fn an_allowed_path_stays_on_the_site(text in "[/\\\\a.:@?#%2e\t\n -]{0,12}|.{0,20}") {
            if let Some(path) = redirect_path(&text) {
                let site = Url::parse("http://127.0.0.1:4000/login").unwrap();
                let target = site.join(path).unwrap();
                prop_assert_eq!(target.origin(), site.origin());
                prop_assert!(!target.path().starts_with("//"));
            }
        }
    }
}
