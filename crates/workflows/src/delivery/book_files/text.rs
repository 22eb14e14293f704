//! Converts the catalogue's text into the text of the crate `documents`.

use std::collections::HashMap;

use catalogue::TextPicture;
use documents::{Block, Inline, Picture};

/// The pictures of a text, by their addresses.
pub(super) type Pictures = HashMap<String, Picture>;

/// Converts a section's text. In place of a picture that is missing stands what it shows, in words.
pub(super) fn blocks(all: &[catalogue::Block], pictures: &Pictures) -> Vec<Block> {
    all.iter().filter_map(|one| block(one, pictures)).collect()
}

fn block(block: &catalogue::Block, pictures: &Pictures) -> Option<Block> {
    Some(match block {
        // Files have one kind of heading below a section's own.
        catalogue::Block::Heading(_, words) => Block::Heading(line(words)),
        catalogue::Block::Paragraph(words) => Block::Paragraph(line(words)),
        catalogue::Block::List { ordered, items } => {
            Block::List { ordered: *ordered, items: items.iter().map(|item| blocks(item, pictures)).collect() }
        }
        catalogue::Block::Quote(inner) => Block::Quote(blocks(inner, pictures)),
        catalogue::Block::Rule => Block::Rule,
        catalogue::Block::Picture(TextPicture { url, alt, .. }) => match pictures.get(url) {
            Some(picture) => Block::Picture { picture: picture.clone(), alt: alt.clone() },
            None if alt.is_empty() => return None,
            None => Block::Paragraph(vec![Inline::Emphasis(vec![Inline::Text(alt.clone())])]),
        },
    })
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
    use documents::PictureKind;

    use super::*;

    fn read(html: &str) -> Vec<Vec<Block>> {
        catalogue::Body::from_html(html).sections.iter().map(|section| blocks(&section.blocks, &pictures())).collect()
    }

    fn pictures() -> Pictures {
        [("/media/pictures/text-1a.jpg".to_owned(), Picture { bytes: vec![1], kind: PictureKind::Jpeg })].into()
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
    fn picture_is_shown_and_a_missing_one_is_described() {
        let html = "<img src='/media/pictures/text-1a.jpg' alt='A hut'><img src='/media/pictures/text-2b.jpg' alt='A pond'>\
                    <img src='/media/pictures/text-3c.jpg' alt=''>";
        let picture = pictures()["/media/pictures/text-1a.jpg"].clone();
        let described = Block::Paragraph(vec![Inline::Emphasis(words("A pond"))]);
        assert_eq!(read(html), [[Block::Picture { picture, alt: "A hut".to_owned() }, described]]);
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
