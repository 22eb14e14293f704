//! A section's text as a small tree, from normalised HTML.

use roxmltree::{Document, Node, ParsingOptions};

use crate::{DocumentError, Section};

/// Something that stands on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading below the section's own.
    Heading(Vec<Inline>),
    Paragraph(Vec<Inline>),
    List {
        ordered: bool,
        items: Vec<Vec<Block>>,
    },
    Quote(Vec<Block>),
    Rule,
}

/// Something within a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    Text(String),
    Break,
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Link(String, Vec<Inline>),
}

/// Reads a section. Its own heading is left out: the file sets the title itself.
pub(crate) fn read(section: &Section) -> Result<Vec<Block>, DocumentError> {
    // What HTML writes without an end, and XML has no character for.
    let html = section.html.replace("<br>", "<br/>").replace("<hr>", "<hr/>");
    let html: String = html.chars().filter(|c| allowed(*c)).collect();
    let markup = format!("<section>{html}</section>");
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(&markup, options)
        .map_err(|error| DocumentError::Text { title: section.title.clone(), why: error.to_string() })?;
    let mut blocks = blocks(tree.root_element());
    if !section.title.is_empty() && matches!(blocks.first(), Some(Block::Heading(_))) {
        blocks.remove(0);
    }
    Ok(blocks)
}

/// Whether XML 1.0 has this character.
pub(crate) fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn is_block(node: Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "h2" | "h3" | "h4" | "p" | "ul" | "ol" | "li" | "blockquote" | "hr")
}

fn blocks(parent: Node<'_, '_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut bare = Vec::new();
    for node in parent.children() {
        if is_block(node) {
            end_bare(&mut bare, &mut blocks);
            blocks.push(block(node));
        } else {
            bare.extend(inline(node));
        }
    }
    end_bare(&mut bare, &mut blocks);
    blocks
}

/// Words that stand bare, as those of a list's short item do, are a paragraph.
fn end_bare(bare: &mut Vec<Inline>, blocks: &mut Vec<Block>) {
    let line = std::mem::take(bare);
    if line.iter().any(|inline| !matches!(inline, Inline::Text(text) if text.trim().is_empty())) {
        blocks.push(Block::Paragraph(line));
    }
}

fn block(node: Node<'_, '_>) -> Block {
    match node.tag_name().name() {
        "h2" | "h3" | "h4" => Block::Heading(line(node)),
        "ul" | "ol" => Block::List {
            ordered: node.has_tag_name("ol"),
            items: node.children().filter(|child| child.has_tag_name("li")).map(blocks).collect(),
        },
        "blockquote" => Block::Quote(blocks(node)),
        "hr" => Block::Rule,
        _ => Block::Paragraph(line(node)),
    }
}

fn line(parent: Node<'_, '_>) -> Vec<Inline> {
    parent.children().flat_map(inline).collect()
}

/// What stands at a node; an element that is not known gives what is in it.
fn inline(node: Node<'_, '_>) -> Vec<Inline> {
    if let Some(text) = node.text().filter(|_| node.is_text()) {
        return vec![Inline::Text(text.to_owned())];
    }
    match node.tag_name().name() {
        "br" => vec![Inline::Break],
        "em" => vec![Inline::Emphasis(line(node))],
        "strong" => vec![Inline::Strong(line(node))],
        "a" => match node.attribute("href") {
            Some(href) => vec![Inline::Link(href.to_owned(), line(node))],
            None => line(node),
        },
        _ => line(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(title: &str, html: &str) -> Vec<Block> {
        read(&Section { title: title.to_owned(), html: html.to_owned() }).expect("a section")
    }

    fn words(text: &str) -> Vec<Inline> {
        vec![Inline::Text(text.to_owned())]
    }

    #[test]
    fn the_sections_own_heading_is_left_out_and_others_are_kept() {
        assert_eq!(
            parsed("One", "<h3>One</h3><p>a</p><h4>Aside</h4>"),
            [Block::Paragraph(words("a")), Block::Heading(words("Aside"))]
        );
        assert_eq!(parsed("", "<h2>Part</h2>"), [Block::Heading(words("Part"))]);
    }

    #[test]
    fn lists_quotes_links_and_breaks_are_read() {
        let html = "<ul><li>a <em>b</em></li><li><p>c</p><p>d</p></li></ul><blockquote><p>e<br>f</p></blockquote><hr>\
                    <p><a href=\"https://a.example/?a=1&amp;b=2\">g</a></p>";
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
        let link = Inline::Link("https://a.example/?a=1&b=2".to_owned(), words("g"));
        assert_eq!(parsed("", html), [list, quote, Block::Rule, Block::Paragraph(vec![link])]);
    }

    #[test]
    fn characters_that_xml_does_not_have_are_dropped() {
        assert_eq!(parsed("", "<p>a\u{1}b\u{fffe}&lt;</p>"), [Block::Paragraph(words("ab<"))]);
    }

    #[test]
    fn what_is_not_normalised_is_refused_with_the_sections_name() {
        let section = Section { title: "One".to_owned(), html: "<p>a".to_owned() };
        let error = read(&section).expect_err("no end of the paragraph").to_string();
        assert!(error.contains("One"), "{error}");
    }
}
