//! Parses the HTML of the demo books into blocks. That HTML is well-formed except for void elements.

use documents::{Block, Inline};
use roxmltree::{Document, Node};

/// Parses a section's text, without the heading at its beginning.
pub fn read(html: &str) -> Vec<Block> {
    // Void elements of HTML.
    let html = html.replace("<br>", "<br/>").replace("<hr>", "<hr/>");
    let markup = format!("<section>{html}</section>");
    let tree = Document::parse(&markup).unwrap_or_else(|error| panic!("{error} in {html}"));
    let mut blocks = blocks(tree.root_element());
    assert!(matches!(blocks.remove(0), Block::Heading(_)), "{html}");
    blocks
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

/// Wraps collected inline text that has no block element (such as a short list item) into a paragraph.
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

/// The inline content of a node; an unknown element gives its children's content.
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
