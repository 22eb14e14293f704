//! Display names: people's names as mails may show them.
//!
//! A name is typed by one person and may be mailed to another: it must not carry a message or a link.

use unicode_normalization::UnicodeNormalization;

/// Longer names, in characters, are not shown.
const LONGEST: usize = 60;

/// The name on one line; `None` if it is empty, too long, or looks like a URL or an address.
pub fn display_name(name: &str) -> Option<String> {
    let visible: String = name.chars().map(|c| if c.is_control() || is_invisible(c) { ' ' } else { c }).collect();
    let name = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_fine = !name.is_empty() && name.chars().count() <= LONGEST && !looks_like_link(&name);
    is_fine.then_some(name)
}

/// Invisible characters, and those that change the writing direction.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Mail clients turn text that looks like a domain or an address into a link, even if it is written with full-width letters,
/// another script's full stop or percent-encoding: URL parsers normalize these.
fn looks_like_link(name: &str) -> bool {
    let plain: String = name.nfkc().map(|c| if is_full_stop(c) { '.' } else { c }).collect();
    let name = plain.as_str();
    let is_domain = |word: &str| {
        let mut labels = word.split('.').rev();
        labels.next().is_some_and(|end| end.chars().filter(|c| c.is_alphabetic()).count() >= 2)
            && labels.next().is_some_and(|label| label.chars().filter(|c| c.is_alphanumeric()).count() >= 2)
    };
    name.contains(['/', '\\', '@', ':', '%']) || name.split(' ').any(is_domain)
}

/// The full stops that separate the labels of a domain (UTS 46), and others that look like one.
const fn is_full_stop(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{2024}' | '\u{ff0e}' | '\u{ff61}' | '\u{fe52}' | '\u{a4f8}' | '\u{0701}' | '\u{0702}')
}

#[cfg(test)]
mod tests {
    use super::display_name;

    #[test]
    fn names_are_shown_on_one_line() {
        for (name, expected) in [
            ("Ada", "Ada"),
            ("  Ada \r\n Lovelace ", "Ada Lovelace"),
            ("Zoë O’Brien-Šmíd", "Zoë O’Brien-Šmíd"),
            ("J.R. Smith", "J.R. Smith"),
            ("Dr. Ada", "Dr. Ada"),
            ("田中 花子", "田中 花子"),
            ("Ada\u{202e}Bob", "Ada Bob"),
            ("<script>alert(1)<", "<script>alert(1)<"),
        ] {
            assert_eq!(display_name(name).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_name_that_looks_like_a_link_is_left_out() {
        let long = "a".repeat(61);
        for name in [
            "",
            " \n",
            "https://win.example",
            "go to win.example",
            "WIN.EXAMPLE!",
            "ada@example.com",
            "a//b",
            "evil．example",
            "evil。example",
            "evil｡example",
            "evil․example",
            "ｅｖｉｌ.ｅｘａｍｐｌｅ",
            "go to ａｄａ＠example",
            "https：／／win",
            "win%2eexample",
            long.as_str(),
        ] {
            assert_eq!(display_name(name), None, "{name:?}");
        }
    }
}
