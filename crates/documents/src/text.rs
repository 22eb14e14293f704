//! A section's text as a tree of block and inline elements.

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
