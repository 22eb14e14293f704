//! Addresses that somebody hands in to be led to: paths of this site, and nothing else (`decisions.md` 17).

use url::Url;

/// The longest path that is kept, in bytes.
const MAX_BYTES: usize = 2_000;

/// The path with its query, when it leads nowhere but to a page of this site.
pub fn own_path(text: &str) -> Option<&str> {
    // To a browser `//` and `/\` begin the address of another site, and some characters are as good as not there.
    let is_plain = text.starts_with('/') && !text.contains(['\\', '\u{feff}']) && !text.chars().any(char::is_control);
    let base = Url::parse("https://own.invalid").expect("an address");
    let stays = base.join(text).is_ok_and(|url| url.origin() == base.origin());
    (is_plain && text.len() <= MAX_BYTES && !text.starts_with("//") && stays).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn paths_of_this_site_are_kept() {
        for path in ["/", "/home", "/books/12?x=1#y", "/login?redirect=%2F%2Fevil.example", "/a//b", "/é"] {
            assert_eq!(own_path(path), Some(path));
        }
    }

    #[test]
    fn everything_else_leads_nowhere() {
        let long = format!("/{}", "a".repeat(2_000));
        for text in [
            "",
            "home",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            " /home",
            "https://evil.example",
            "javascript:alert(1)",
            "/a\\b",
            &long,
        ] {
            assert_eq!(own_path(text), None, "{text:?}");
        }
    }
}
