//! Splits a body into the passages that are read aloud.

use std::ops::Range;

use crate::{
    Body,
    html::{self, Block},
};

/// A heading or a paragraph of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The section's index, from 0.
    pub section: usize,
    /// The index of the element that directly holds the text, among the section's `p`, `li`, `blockquote` and `h4`
    /// elements in document order, from 0; `None`: the section's heading.
    pub paragraph: Option<usize>,
    /// The plain text.
    pub text: String,
}

/// The headings and paragraphs of a normalized body ([`crate::Body::html`]), in order.
pub fn passages(body: &str) -> Vec<Passage> {
    let blocks = html::read(body);
    let mut walk = Walk { section: 0, elements: 0, found: Vec::new() };
    for (at, block) in blocks.iter().enumerate() {
        match block {
            Block::Heading(3, line) => {
                // Text before the first heading is a section of its own.
                if at > 0 {
                    walk.section += 1;
                }
                walk.elements = 0;
                walk.add(None, html::text_of_line(line));
            }
            other => walk.block(other),
        }
    }
    walk.found
}

/// Where a passage is in its section's text, in characters ([`crate::Section::text`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageRange {
    pub passage: Passage,
    /// Without the section's heading, which is not in that text; so it may be empty.
    pub range: Range<usize>,
}

/// The passages of a normalized body with their places in the texts of its sections.
pub fn passage_ranges(body: &str) -> Vec<PassageRange> {
    let titles: Vec<String> = Body::from_html(body).sections.into_iter().map(|section| section.title).collect();
    // The section, and where its next passage begins; `None`: the section has not begun.
    let mut next: Option<(usize, usize)> = None;
    let with_range = |passage: Passage| {
        let begun = next.filter(|(section, _)| *section == passage.section);
        let start = begun.map_or(0, |(_, start)| start);
        // The section's heading is spoken, and is not in its text.
        let title = titles.get(passage.section).filter(|_| begun.is_none() && passage.paragraph.is_none());
        let in_text = match title.and_then(|title| passage.text.strip_prefix(title.as_str())) {
            Some(after) => after.strip_prefix('\n').unwrap_or(after),
            None => &passage.text,
        };
        // A line break within a passage is one character there too.
        let length = in_text.chars().count();
        // After each passage of the text comes a line break.
        next = Some((passage.section, if length == 0 { start } else { start + length + 1 }));
        PassageRange { passage, range: start..start + length }
    };
    passages(body).into_iter().map(with_range).collect()
}

struct Walk {
    section: usize,
    /// The number of elements counted so far in this section.
    elements: usize,
    found: Vec<Passage>,
}

impl Walk {
    /// Counts an element at its start; returns its index.
    fn begin(&mut self) -> usize {
        self.elements += 1;
        self.elements - 1
    }

    fn add(&mut self, paragraph: Option<usize>, text: String) {
        let section = self.section;
        self.found.push(Passage { section, paragraph, text });
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(line) | Block::Heading(4, line) => {
                let element = self.begin();
                self.add(Some(element), html::text_of_line(line));
            }
            // A level-2 heading is not counted: it is read as part of the passage before it.
            Block::Heading(_, line) => match self.found.last_mut() {
                Some(last) if last.section == self.section => {
                    last.text.push('\n');
                    last.text.push_str(&html::text_of_line(line));
                }
                _ => self.add(None, html::text_of_line(line)),
            },
            Block::List { items, .. } => {
                for item in items {
                    self.item(item);
                }
            }
            Block::Quote(blocks) => {
                self.begin();
                self.blocks(blocks);
            }
            Block::Rule | Block::Picture(_) => {}
        }
    }

    fn item(&mut self, item: &[Block]) {
        let element = self.begin();
        match item {
            // The serializer writes such an item without a `p`.
            [Block::Paragraph(line)] => self.add(Some(element), html::text_of_line(line)),
            blocks => self.blocks(blocks),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PassageRange, passage_ranges, passages};
    use crate::Body;

    fn found(html: &str) -> Vec<(usize, Option<usize>, String)> {
        let body = Body::from_html(html).html;
        passages(&body).into_iter().map(|passage| (passage.section, passage.paragraph, passage.text)).collect()
    }

    fn passage(section: usize, paragraph: impl Into<Option<usize>>, text: &str) -> (usize, Option<usize>, String) {
        (section, paragraph.into(), text.to_owned())
    }

    #[test]
    fn headings_and_paragraphs_are_counted_by_section() {
        assert_eq!(
            found("<h3>One</h3><p>a</p><p>b <em>c</em></p><h4>Aside</h4><p>d</p><h3>Two</h3><p>e</p>"),
            [
                passage(0, None, "One"),
                passage(0, 0, "a"),
                passage(0, 1, "b c"),
                passage(0, 2, "Aside"),
                passage(0, 3, "d"),
                passage(1, None, "Two"),
                passage(1, 0, "e"),
            ]
        );
    }

    #[test]
    fn quotations_and_lists_count_as_elements_and_their_text_is_that_of_the_innermost() {
        assert_eq!(
            found(
                "<h3>One</h3><blockquote><p>a</p><p>b</p></blockquote><ul><li>c</li><li><p>d</p><p>e</p></li></ul><p>f</p>"
            ),
            [
                passage(0, None, "One"),
                passage(0, 1, "a"),
                passage(0, 2, "b"),
                passage(0, 3, "c"),
                passage(0, 5, "d"),
                passage(0, 6, "e"),
                passage(0, 7, "f"),
            ]
        );
    }

    #[test]
    fn text_before_the_first_heading_is_a_section() {
        assert_eq!(
            found("<p>a</p><h3>One</h3><p>b</p>"),
            [passage(0, 0, "a"), passage(1, None, "One"), passage(1, 0, "b")]
        );
        assert_eq!(found(""), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Passages belong to the body's sections, each index points to the element with that text, and all text occurs
        /// exactly once.
        #[test]
        fn passages_are_the_body(pieces in proptest::collection::vec(proptest::sample::select(vec![
            "<h2>A</h2>", "<h3>B</h3>", "<h4>C</h4>", "<p>d <em>e</em></p>", "<ul><li>f</li><li><p>g</p><p>h</p></li></ul>",
            "<blockquote><p>i</p><ol><li>j</li></ol></blockquote>", "<hr>", "bare", "<blockquote>k</blockquote>",
        ]), 0..14)) {
            let body = Body::from_html(&pieces.concat());
            let passages = passages(&body.html);
            for PassageRange { passage, range } in passage_ranges(&body.html) {
                let section = &body.sections[passage.section];
                let line = |text: String| text.replace('\n', " ");
                let there: String = section.text.chars().skip(range.start).take(range.len()).collect();
                let is_heading = passage.paragraph.is_none() && !section.title.is_empty() && range.start == 0;
                let heading = if is_heading { section.title.clone() + "\n" } else { String::new() };
                let spoken = line(heading + &there);
                prop_assert_eq!(spoken.trim_end(), line(passage.text));
            }
            let ink = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
            for section in &body.sections {
                let said: String =
                    passages.iter().filter(|one| one.section == section.place).map(|one| ink(&one.text)).collect();
                prop_assert_eq!(said, ink(&section.title) + &ink(&section.text));
                let mut elements: Vec<&str> = Vec::new();
                for (at, _) in section.html.match_indices('<') {
                    let rest = &section.html[at..];
                    if ["<p>", "<li>", "<blockquote>", "<h4>"].iter().any(|tag| rest.starts_with(tag)) {
                        elements.push(rest);
                    }
                }
                for one in passages.iter().filter(|one| one.section == section.place) {
                    if let Some(number) = one.paragraph {
                        let first = one.text.chars().next().expect("no passage is empty");
                        let after = elements[number].split_once('>').expect("a tag ends").1;
                        prop_assert!(after.starts_with(first), "{} is not in {}", one.text, elements[number]);
                    }
                }
            }
            prop_assert!(passages.iter().all(|one| one.section < body.sections.len()));
        }
    }
}
