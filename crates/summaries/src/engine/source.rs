//! The text that is summarized, and the ranges of its headings.

use crate::Passage;

/// A text with the ranges of its headings.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    text: &'a str,
    headings: &'a [Passage],
}

/// Why headings are invalid for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A heading ends after the text's end, ends before it begins, or splits a character.
    #[error("a heading lies outside the text")]
    HeadingOutsideText,
    /// Headings overlap or are not in the order of the text.
    #[error("headings are not in the order of the text")]
    HeadingsOutOfOrder,
}

impl<'a> Source<'a> {
    /// A text with known headings. A heading's range covers its words, without line breaks at its ends.
    pub fn new(text: &'a str, headings: &'a [Passage]) -> Result<Self, SourceError> {
        let mut end = 0;
        for heading in headings {
            if text.get(heading.clone()).is_none() {
                return Err(SourceError::HeadingOutsideText);
            }
            if heading.start < end {
                return Err(SourceError::HeadingsOutOfOrder);
            }
            end = heading.end;
        }
        Ok(Self { text, headings })
    }

    /// A text without known headings. Short lines between blank lines that do not end like a sentence count as
    /// headings.
    pub const fn plain(text: &'a str) -> Self {
        Self { text, headings: &[] }
    }

    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The ranges of the headings, in order; empty when they are not known.
    pub const fn headings(&self) -> &'a [Passage] {
        self.headings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_outside_the_text_or_out_of_order_are_refused() {
        let text = "Été. One. Two.";
        assert!(Source::new(text, &[0..5, 6..9]).is_ok());
        let cases: [(Vec<Passage>, SourceError); 4] = [
            (vec![0..5, 6..99], SourceError::HeadingOutsideText),
            (vec![1..4, 6..9], SourceError::HeadingOutsideText),
            (vec![6..9, 0..5], SourceError::HeadingsOutOfOrder),
            (vec![0..9, 6..9], SourceError::HeadingsOutOfOrder),
        ];
        for (headings, error) in cases {
            assert_eq!(Source::new(text, &headings).unwrap_err(), error, "{headings:?}");
        }
    }
}
