//! A page in Markdown, for people. Texts of members and editors are escaped, so that they stay plain text.

use std::fmt::Write;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MarkdownPage(String);

impl MarkdownPage {
    /// A page with this title.
    pub(super) fn new(title: &str) -> Self {
        Self(format!("# {}\n", plain(title)))
    }

    /// Adds a heading.
    pub(super) fn heading(&mut self, words: &str) {
        let _ = write!(self.0, "\n## {}\n\n", plain(words));
    }

    pub(super) fn paragraph(&mut self, words: &str) {
        let _ = writeln!(self.0, "\n{}", plain(words));
    }

    /// Adds an item to a list: a title in bold, and a text.
    pub(super) fn item(&mut self, about: &str, words: &str) {
        let _ = writeln!(self.0, "- **{}** {}", plain(about), plain(words));
    }

    /// Adds a quotation below an item.
    pub(super) fn quote(&mut self, words: &str) {
        for line in words.lines() {
            let _ = writeln!(self.0, "  > {}", plain(line));
        }
    }

    /// Adds a line in place of an empty list.
    pub(super) fn nothing(&mut self, words: &str) {
        let _ = writeln!(self.0, "{}", plain(words));
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// Puts a text on one line, and escapes the marks of Markdown and HTML.
fn plain(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for (place, c) in words.trim().char_indices() {
        let begins_a_block = place == 0 && matches!(c, '-' | '+' | '=' | '~');
        if c.is_control() {
            text.push(' ');
            continue;
        }
        if begins_a_block || matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '!') {
            text.push('\\');
        }
        text.push(c);
    }
    // `12.` at the beginning of a line would start a numbered list.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && text[digits..].starts_with(['.', ')']) {
        text.insert(digits, '\\');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{MarkdownPage, plain};

    #[test]
    fn page_has_headings_items_quotes_and_notes() {
        let mut page = MarkdownPage::new("Reading");
        page.heading("Ratings");
        page.item("Walden", "by Henry David Thoreau: 4 of 5 stars");
        page.quote("Clear.\nAnd *short*.");
        page.heading("Library");
        page.nothing("Nothing is in it.");
        assert_eq!(
            page.into_text(),
            "# Reading\n\n## Ratings\n\n- **Walden** by Henry David Thoreau: 4 of 5 stars\n  > Clear.\n  > And \\*short\\*.\n\n## Library\n\nNothing is in it.\n"
        );
    }

    #[test]
    fn markdown_and_html_marks_are_escaped() {
        assert_eq!(plain("<script>alert(1)</script>"), "\\<script\\>alert(1)\\</script\\>");
        assert_eq!(
            plain("# [link](https://example.com) & `code`"),
            "\\# \\[link\\](https://example.com) \\& \\`code\\`"
        );
        assert_eq!(plain("1984. A novel\n\n- item"), "1984\\. A novel  - item");
        assert_eq!(plain("- dash"), "\\- dash");
    }
}
