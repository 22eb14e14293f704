//! Converts the catalogue's text into the text of the crate `documents`.

use documents::{Block, Inline};

/// Converts a section's text.
pub(super) fn blocks(all: &[catalogue::Block]) -> Vec<Block> {
    all.iter().map(block).collect()
}

fn block(block: &catalogue::Block) -> Block {
    match block {
        // Files have one kind of heading below a section's own.
        catalogue::Block::Heading(_, words) => Block::Heading(line(words)),
        catalogue::Block::Paragraph(words) => Block::Paragraph(line(words)),
        catalogue::Block::List { ordered, items } => {
            Block::List { ordered: *ordered, items: items.iter().map(|item| blocks(item)).collect() }
        }
        catalogue::Block::Quote(inner) => Block::Quote(blocks(inner)),
        catalogue::Block::Rule => Block::Rule,
    }
}

fn line(words: &[catalogue::Inline]) -> Vec<Inline> {
    words.iter().map(inline).collect()
}

fn inline(inline: &catalogue::Inline) -> Inline {
    match inline {
        catalogue::Inline::Text(text) => Inline::Text(text.clone()),
        catalogue::Inline::Break => Inline::Break,
        catalogue::Inline::Emphasis(inner) => Inline::Emphasis(line(inner)),
        catalogue::Inline::Strong(inner) => Inline::Strong(line(inner)),
        catalogue::Inline::Link(href, inner) => Inline::Link(href.clone(), line(inner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Vec<Vec<Block>> {
        catalogue::Body::from_html(html).sections.iter().map(|section| blocks(&section.blocks)).collect()
    }

    fn words(text: &str) -> Vec<Inline> {
        vec![Inline::Text(text.to_owned())]
    }

    #[test]
    fn own_heading_of_a_section_is_left_out_and_others_are_kept() {
        assert_eq!(
            read("<h3>One</h3><p>a</p><h4>Aside</h4>"),
            [[Block::Paragraph(words("a")), Block::Heading(words("Aside"))]]
        );
        let untitled = read("<h2>Part</h2><p>a</p><h3>One</h3><p>b</p>");
        assert_eq!(untitled[0], [Block::Heading(words("Part")), Block::Paragraph(words("a"))]);
    }

    #[test]
    fn lists_quotes_links_and_breaks_are_converted() {
        let html = "<ul><li>a <em>b</em></li><li><p>c</p><p>d</p></li></ul><blockquote><p>e<br>f</p></blockquote><hr>\
                    <p><a href=\"https://a.example/?a=1&amp;b=2\">g</a> <strong>h</strong></p>";
        let list = Block::List {
            ordered: false,
            items: vec![
                vec![Block::Paragraph(vec![Inline::Text("a ".to_owned()), Inline::Emphasis(words("b"))])],
                vec![Block::Paragraph(words("c")), Block::Paragraph(words("d"))],
            ],
        };
        let quote = Block::Quote(vec![Block::Paragraph(vec![
            Inline::Text("e".to_owned()),
            Inline::Break,
            Inline::Text("f".to_owned()),
        ])]);
        let link = vec![
            Inline::Link("https://a.example/?a=1&b=2".to_owned(), words("g")),
            Inline::Text(" ".to_owned()),
            Inline::Strong(words("h")),
        ];
        assert_eq!(read(html), [[list, quote, Block::Rule, Block::Paragraph(link)]]);
    }
}
