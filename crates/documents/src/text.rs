//! A section's text as a small tree: what stands on lines of its own, and what stands within a line.

/// Something that stands on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading below the section's own.
    Heading(Vec<Inline>),
    Paragraph(Vec<Inline>),
    /// A list.
    List {
        /// Whether its items are counted.
        ordered: bool,
        /// What stands in each item.
        items: Vec<Vec<Block>>,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A line across, where the text turns to something else.
    Rule,
}

/// Something within a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Words, without markup.
    Text(String),
    /// A new line within the paragraph.
    Break,
    /// Words with a stress on them.
    Emphasis(Vec<Inline>),
    /// Words of importance.
    Strong(Vec<Inline>),
    /// Words that lead to an address.
    Link(String, Vec<Inline>),
}
