//! A section's text as a tree of block and inline elements.

use crate::Picture;

/// A block element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading below the section's own.
    Heading(Vec<Inline>),
    Paragraph(Vec<Inline>),
    List {
        /// Whether the items are numbered.
        ordered: bool,
        /// The content of each item.
        items: Vec<Vec<Block>>,
    },
    Quote(Vec<Block>),
    /// A horizontal rule: a thematic break.
    Rule,
    Picture {
        /// As pixels: many e-readers don't support SVG.
        picture: Picture,
        /// What it shows, in plain text; empty if it is only decoration.
        alt: String,
    },
}

/// The pictures within these blocks, in their order.
pub(crate) fn pictures(blocks: &[Block]) -> Vec<&Picture> {
    let mut found = Vec::new();
    for block in blocks {
        match block {
            Block::Picture { picture, .. } => found.push(picture),
            Block::List { items, .. } => found.extend(items.iter().flat_map(|item| pictures(item))),
            Block::Quote(inner) => found.extend(pictures(inner)),
            Block::Heading(_) | Block::Paragraph(_) | Block::Rule => {}
        }
    }
    found
}

/// An inline element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Plain text.
    Text(String),
    /// A line break within a paragraph.
    Break,
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    /// A link: the URL, and its text.
    Link(String, Vec<Inline>),
}
