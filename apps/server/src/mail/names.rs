//! Names of people as mails may show them.
//!
//! Whoever signs up or invites types a name, and somebody else may get the mail: a name must not become a message or
//! a link of its own.

/// The longest name that is shown, in characters.
const LONGEST: usize = 60;

/// The name on one line, or `None` when it is empty, too long to be one, or might be read as an address.
pub(super) fn shown(name: &str) -> Option<String> {
    let visible: String = name.chars().map(|c| if c.is_control() || is_invisible(c) { ' ' } else { c }).collect();
    let name = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_fine = !name.is_empty() && name.chars().count() <= LONGEST && !looks_like_address(&name);
    is_fine.then_some(name)
}

/// Marks that turn the direction of writing or show nothing.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Mail programs make links of what looks like one, written as a link or not.
fn looks_like_address(name: &str) -> bool {
    let is_domain = |word: &str| {
        let mut labels = word.split('.').rev();
        labels.next().is_some_and(|end| end.chars().filter(|c| c.is_alphabetic()).count() >= 2)
            && labels.next().is_some_and(|label| label.chars().filter(|c| c.is_alphanumeric()).count() >= 2)
    };
    name.contains(['/', '\\', '@', ':']) || name.split(' ').any(is_domain)
}

#[cfg(test)]
mod tests {
    use super::shown;

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
            assert_eq!(shown(name).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_no_name_is_left_out() {
        let long = "a".repeat(61);
        for name in [
            "",
            " \n",
            "https://win.example",
            "go to win.example",
            "WIN.EXAMPLE!",
            "ada@example.com",
            "a//b",
            long.as_str(),
        ] {
            assert_eq!(shown(name), None, "{name:?}");
        }
    }
}
