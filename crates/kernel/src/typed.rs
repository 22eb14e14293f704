//! Sanitizing of user input for mails, lists and logs: removes invisible characters that do harm there.

/// Sanitizes a single line, such as a name or a subject. Collapses whitespace and line breaks to single spaces; removes
/// other control characters and bidirectional control marks.
///
/// The result is safe in a mail header: it can't start another header.
pub fn one_line(text: &str) -> String {
    let visible: String =
        text.chars().filter(|c| c.is_whitespace() || !c.is_control()).filter(|c| !turns_direction(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sanitizes a text of several lines, such as a message. Each line break becomes `\n`. Removes control characters
/// except tabs, line breaks at the start, and whitespace at the end.
pub fn many_lines(text: &str) -> String {
    let unified = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let visible: String = unified.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
    visible.trim_matches(['\n']).trim_end().to_owned()
}

/// Bidirectional control marks. In a name they could display the text after it in reverse.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{many_lines, one_line};

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(one_line("  Ada \t Lovelace "), "Ada Lovelace");
        assert_eq!(one_line("Ada\r\nBcc: x@example.com"), "Ada Bcc: x@example.com");
        assert_eq!(one_line("A\0d\u{1b}[1ma\u{202e}x"), "Ad[1max");
        assert_eq!(one_line("\u{2028}\u{85}"), "");
    }

    #[test]
    fn a_message_keeps_its_lines() {
        assert_eq!(many_lines("\r\nOne\r\n\r\n  two\ttabbed\rthree\u{7}\0 \n"), "One\n\n  two\ttabbed\nthree");
        assert_eq!(many_lines(" \n\t\n"), "");
        assert_eq!(many_lines("مرحبا\u{200f}!"), "مرحبا\u{200f}!");
    }

    proptest! {
        #[test]
        fn nothing_unseen_is_left(text in any::<String>()) {
            let line = one_line(&text);
            prop_assert!(!line.chars().any(|c| c.is_control() || (c.is_whitespace() && c != ' ')));
            prop_assert_eq!(one_line(&line), line.clone());
            let lines = many_lines(&text);
            prop_assert!(!lines.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
            prop_assert_eq!(many_lines(&lines), lines.clone());
        }
    }
}
