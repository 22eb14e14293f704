//! Collects a document's text, paragraph by paragraph.

use std::ops::Range;

use crate::extract::document::{Document, DocumentKind, Heading};
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;

/// Maximum length of a title, in characters.
const MAX_TITLE: usize = 200;

/// A document that is being read.
pub(crate) struct DocumentBuilder {
    document: Document,
    limit: usize,
}

impl DocumentBuilder {
    pub(crate) fn new(kind: DocumentKind, limits: &Limits) -> Self {
        let document = Document { kind, title: None, text: String::new(), headings: Vec::new() };
        Self { document, limit: limits.text }
    }

    /// Sets the title, unless it is empty or already set.
    pub(crate) fn title(&mut self, title: &str) {
        let title = one_line(title);
        if self.document.title.is_none() && !title.is_empty() {
            self.document.title = Some(title.chars().take(MAX_TITLE).collect());
        }
    }

    /// Adds a paragraph; whitespace is collapsed.
    pub(crate) fn paragraph(&mut self, text: &str) -> Result<(), ExtractionError> {
        self.block(&one_line(text)).map(drop)
    }

    /// Adds a paragraph, keeping its line breaks.
    pub(crate) fn lines(&mut self, text: &str) -> Result<(), ExtractionError> {
        let lines: Vec<String> = text.lines().map(one_line).filter(|line| !line.is_empty()).collect();
        self.block(&lines.join("\n")).map(drop)
    }

    pub(crate) fn heading(&mut self, text: &str, level: u8) -> Result<(), ExtractionError> {
        let range = self.block(&one_line(text))?;
        if !range.is_empty() {
            self.document.headings.push(Heading { range, level: level.clamp(1, 6) });
        }
        Ok(())
    }

    fn block(&mut self, text: &str) -> Result<Range<usize>, ExtractionError> {
        let all = &mut self.document.text;
        if text.is_empty() {
            return Ok(all.len()..all.len());
        }
        if all.len() + text.len() + 2 > self.limit {
            return Err(ExtractionError::TooMuchText { limit: self.limit });
        }
        if !all.is_empty() {
            all.push_str("\n\n");
        }
        let start = all.len();
        all.push_str(text);
        Ok(start..all.len())
    }

    pub(crate) fn finish(self) -> Document {
        self.document
    }
}

/// A text on one line: runs of whitespace become one space; invisible characters and bidirectional overrides are removed.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut space = false;
    for character in text.chars() {
        if character.is_whitespace() {
            space = true;
        } else if !is_invisible(character) {
            if space && !line.is_empty() {
                line.push(' ');
            }
            space = false;
            line.push(character);
        }
    }
    line
}

/// Control characters, soft hyphens, byte order marks, and bidirectional overrides.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffe}'
            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_headings_are_collected() {
        let mut builder = DocumentBuilder::new(DocumentKind::Html, &Limits::default());
        builder.title("  A \n title ");
        builder.title("another");
        builder.heading("First", 9).unwrap();
        builder.paragraph(" One\n\ttwo. ").unwrap();
        builder.paragraph(" \n").unwrap();
        builder.lines("a\n\n b ").unwrap();
        let document = builder.finish();
        assert_eq!(document.title.as_deref(), Some("A title"));
        assert_eq!(document.text, "First\n\nOne two.\n\na\nb");
        assert_eq!(document.headings, [Heading { range: 0..5, level: 6 }]);
    }

    #[test]
    fn invisible_characters_go() {
        assert_eq!(one_line("a\0b\u{202e}c\u{ad}d\u{feff}"), "abcd");
    }

    #[test]
    fn text_beyond_the_limit_is_refused() {
        let mut builder = DocumentBuilder::new(DocumentKind::Text, &Limits { text: 10, ..Limits::default() });
        assert_eq!(builder.paragraph("123456789"), Err(ExtractionError::TooMuchText { limit: 10 }));
    }
}
