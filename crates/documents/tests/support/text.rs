//! The demo books' own HTML, read as the documents want it. It is balanced as it stands.

use documents::{Block, Inline};
use roxmltree::{Document, Node};

/// Reads a section without its own heading, which opens it.
pub fn read(html: &str) -> Vec<Block> {
    // What HTML writes without an end.
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
