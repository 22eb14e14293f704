//! A body as a small tree: parsed from sanitized HTML, and serialized as HTML.
//!
//! The tree has only the elements that a summary may contain, nested only as HTML allows, so every parser reads the
//! output back as the same tree.

use std::{borrow::Cow, cell::RefCell, collections::HashSet, fmt::Write, sync::LazyLock};

use html5ever::{
    tendril::StrTendril,
    tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
};
use kernel::is_text_picture;

/// A block-level element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading of level 2, 3 or 4.
    Heading(u8, Vec<Inline>),
    Paragraph(Vec<Inline>),
    List {
        /// Whether its items are numbered (`ol`).
        ordered: bool,
        /// The blocks of each item.
        items: Vec<Vec<Block>>,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A thematic break (`hr`).
    Rule,
    /// A picture (`img`).
    Picture(TextPicture),
}

/// A picture within a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPicture {
    /// Its address, of which [`is_text_picture`] is true.
    pub url: String,
    /// What it shows, for who can't see it; empty if it is only decoration.
    pub alt: String,
    /// Its width and height in pixels, by which pages leave room for it.
    pub size: Option<(u16, u16)>,
}

/// An inline element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Text without markup.
    Text(String),
    /// A line break within the paragraph (`br`).
    Break,
    /// Emphasis (`em`).
    Emphasis(Vec<Inline>),
    /// Strong importance (`strong`).
    Strong(Vec<Inline>),
    /// A link: its URL (`http`, `https` or `mailto`) and its text.
    Link(String, Vec<Inline>),
}

/// The deepest nesting of lists and quotations; the content of deeper ones moves up.
const MAX_DEPTH: usize = 16;
/// The deepest nesting of emphasis and links.
const MAX_INLINE_DEPTH: usize = 8;
/// The deepest tree that is parsed. Deeper than what the two limits above can produce, so that parsing the output loses
/// nothing.
const MAX_READ_DEPTH: usize = 96;

/// Parses any HTML: sanitizes it against the allow list, and returns the remaining blocks.
pub(crate) fn read(html: &str) -> Vec<Block> {
    let cleaned = CLEANER.clean(html).to_string();
    blocks(&parse(&cleaned), 0)
}

/// The allowed tags. Those from `div` on only separate paragraphs; they are not written back.
static CLEANER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let tags: HashSet<&str> = [
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "ul",
        "ol",
        "li",
        "blockquote",
        "em",
        "i",
        "strong",
        "b",
        "a",
        "br",
        "hr",
        "img",
        "div",
        "section",
        "article",
        "header",
        "footer",
        "main",
        "aside",
        "figure",
        "figcaption",
        "pre",
        "dl",
        "dt",
        "dd",
        "table",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "td",
        "th",
    ]
    .into();
    let mut builder = ammonia::Builder::empty();
    builder
        .tags(tags)
        .clean_content_tags(["script", "style", "template", "noscript", "iframe", "title"].into())
        .tag_attributes([("a", ["href"].into()), ("img", ["src", "alt", "width", "height"].into())].into())
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(ammonia::UrlRelative::Custom(Box::new(own_picture)))
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "src") => own_picture(value),
            ("a", "href") => (!is_text_picture(value)).then_some(Cow::Borrowed(value)),
            _ => Some(Cow::Borrowed(value)),
        })
        .link_rel(None);
    builder
});

/// Keeps no address without a scheme but that of a stored picture.
fn own_picture(url: &str) -> Option<Cow<'_, str>> {
    is_text_picture(url).then_some(Cow::Borrowed(url))
}

/// A parsed element or text.
#[derive(Debug)]
enum Node {
    Element { name: String, attributes: Attributes, children: Vec<Node> },
    Text(String),
}

/// The attributes of an element that the sanitizer kept.
#[derive(Debug, Default)]
struct Attributes(Vec<(String, String)>);

impl Attributes {
    fn of(tag: &Tag) -> Self {
        Self(tag.attrs.iter().map(|attr| (attr.name.local.to_string(), attr.value.to_string())).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// The picture of an `img`; `None` if its address was not allowed.
    fn picture(&self) -> Option<TextPicture> {
        let pixels = |name| self.get(name)?.parse().ok().filter(|pixels| *pixels > 0);
        let alt: Vec<&str> = self.get("alt").unwrap_or_default().split_whitespace().collect();
        Some(TextPicture {
            url: self.get("src")?.to_owned(),
            alt: alt.join(" "),
            size: pixels("width").zip(pixels("height")),
        })
    }
}

/// Builds a tree from the tokens of well-formed HTML.
#[derive(Default)]
struct Gatherer {
    state: RefCell<Gathered>,
}

#[derive(Default)]
struct Gathered {
    roots: Vec<Node>,
    /// The open elements, the innermost last.
    open: Vec<(String, Attributes, Vec<Node>)>,
    /// The number of open elements beyond [`MAX_READ_DEPTH`]; their children go to the element above.
    skipped: usize,
}

impl Gathered {
    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            Some((_, _, children)) => children.push(node),
            None => self.roots.push(node),
        }
    }

    fn tag(&mut self, tag: &Tag) {
        let name = tag.name.to_string();
        let empty = matches!(name.as_str(), "br" | "hr" | "img");
        match tag.kind {
            TagKind::StartTag if empty => {
                self.add(Node::Element { name, attributes: Attributes::of(tag), children: Vec::new() });
            }
            TagKind::StartTag if self.open.len() >= MAX_READ_DEPTH => self.skipped += 1,
            TagKind::StartTag => self.open.push((name, Attributes::of(tag), Vec::new())),
            TagKind::EndTag if empty => {}
            TagKind::EndTag if self.skipped > 0 => self.skipped -= 1,
            TagKind::EndTag => self.close(),
        }
    }

    fn close(&mut self) {
        if let Some((name, attributes, children)) = self.open.pop() {
            self.add(Node::Element { name, attributes, children });
        }
    }
}

impl TokenSink for Gatherer {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(tag) => state.tag(&tag),
            Token::CharacterTokens(text) => state.add(Node::Text(text.to_string())),
            Token::CommentToken(_)
            | Token::DoctypeToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

/// Parses HTML with balanced tags, as the sanitizer writes it.
fn parse(html: &str) -> Vec<Node> {
    let tokenizer = Tokenizer::new(Gatherer::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(html));
    // Only a script can interrupt the tokenizer, and there is none.
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    let mut state = tokenizer.sink.state.into_inner();
    while !state.open.is_empty() {
        state.close();
    }
    state.roots
}

fn is_inline(name: &str) -> bool {
    matches!(name, "em" | "i" | "strong" | "b" | "a" | "br")
}

fn holds_block(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Text(_) => false,
        Node::Element { name, children, .. } => !is_inline(name) || holds_block(children),
    })
}

/// Converts nodes into blocks. Inline content outside of blocks becomes paragraphs.
fn blocks(nodes: &[Node], depth: usize) -> Vec<Block> {
    let mut flow = Flow { blocks: Vec::new(), line: Line::default() };
    flow.take(nodes, depth);
    flow.end_line();
    flow.blocks
}

struct Flow {
    blocks: Vec<Block>,
    line: Line,
}

impl Flow {
    fn take(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Text(_) => self.line.take(node, 0, false),
                Node::Element { name, children, .. } if is_inline(name) => {
                    if holds_block(children) {
                        self.take(children, depth);
                    } else {
                        self.line.take(node, 0, false);
                    }
                }
                Node::Element { name, attributes, .. } if name == "img" => {
                    self.end_line();
                    self.blocks.extend(attributes.picture().map(Block::Picture));
                }
                Node::Element { name, children, .. } => {
                    self.end_line();
                    self.take_block(name, children, depth);
                    self.end_line();
                }
            }
        }
    }

    fn take_block(&mut self, name: &str, children: &[Node], depth: usize) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                // Only a top-level heading begins a section.
                let level = match name {
                    "h1" | "h2" if depth == 0 => 2,
                    "h3" if depth == 0 => 3,
                    _ => 4,
                };
                let mut line = Line::default();
                line.take_flat(children);
                let line = line.end();
                // A no-break space alone names no section.
                if !text_of_line(&line).trim().is_empty() {
                    self.blocks.push(Block::Heading(level, line));
                }
            }
            "hr" => self.blocks.push(Block::Rule),
            "ul" | "ol" if depth < MAX_DEPTH => {
                let items = items(children, depth + 1);
                if !items.is_empty() {
                    self.blocks.push(Block::List { ordered: name == "ol", items });
                }
            }
            "blockquote" if depth < MAX_DEPTH => {
                let inner = blocks(children, depth + 1);
                if !inner.is_empty() {
                    self.blocks.push(Block::Quote(inner));
                }
            }
            _ => self.take(children, depth),
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line).end();
        if !is_blank(&line) {
            self.blocks.push(Block::Paragraph(line));
        }
    }
}

/// A list's items; content between `li` elements becomes an item of its own.
fn items(nodes: &[Node], depth: usize) -> Vec<Vec<Block>> {
    nodes
        .iter()
        .map(|node| match node {
            Node::Element { name, children, .. } if name == "li" => blocks(children, depth),
            other => blocks(std::slice::from_ref(other), depth),
        })
        .filter(|item| !item.is_empty())
        .collect()
}

/// A line under construction.
#[derive(Default)]
struct Line(Vec<Inline>);

impl Line {
    fn take(&mut self, node: &Node, depth: usize, in_link: bool) {
        match node {
            Node::Text(text) => self.text(text),
            Node::Element { name, .. } if name == "br" => self.0.push(Inline::Break),
            Node::Element { name, attributes, children } => {
                let mut inner = Self::default();
                let linked = name == "a";
                for child in children {
                    inner.take(child, depth + 1, in_link || linked);
                }
                let useful = depth < MAX_INLINE_DEPTH && !is_blank(&inner.0);
                match (name.as_str(), attributes.get("href")) {
                    ("em" | "i", _) if useful => self.0.push(Inline::Emphasis(inner.0)),
                    ("strong" | "b", _) if useful => self.0.push(Inline::Strong(inner.0)),
                    ("a", Some(href)) if useful && !in_link => self.0.push(Inline::Link(href.to_owned(), inner.0)),
                    _ => inner.0.into_iter().for_each(|inline| self.push(inline)),
                }
            }
        }
    }

    /// Adds the inline content of any elements: a heading is one line.
    fn take_flat(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Element { name, children, .. } if !is_inline(name) || holds_block(children) => {
                    self.text(" ");
                    self.take_flat(children);
                    self.text(" ");
                }
                _ => self.take(node, 0, false),
            }
        }
    }

    fn push(&mut self, inline: Inline) {
        match inline {
            Inline::Text(text) => self.text(&text),
            other => self.0.push(other),
        }
    }

    /// Adds text, with each run of whitespace as one space.
    fn text(&mut self, text: &str) {
        if !matches!(self.0.last(), Some(Inline::Text(_))) {
            self.0.push(Inline::Text(String::new()));
        }
        let Some(Inline::Text(last)) = self.0.last_mut() else { return };
        for c in text.chars() {
            if !is_space(c) {
                last.push(c);
            } else if !last.ends_with(' ') {
                last.push(' ');
            }
        }
    }

    /// The finished line, without whitespace at its ends.
    fn end(self) -> Vec<Inline> {
        let mut line = self.0;
        if let Some(Inline::Text(first)) = line.first_mut() {
            *first = first.trim_start_matches(is_space).to_owned();
        }
        if let Some(Inline::Text(last)) = line.last_mut() {
            *last = last.trim_end_matches(is_space).to_owned();
        }
        line.retain(|inline| !matches!(inline, Inline::Text(text) if text.is_empty()));
        line
    }
}

/// Whether HTML collapses this whitespace; it keeps a no-break space.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn is_blank(line: &[Inline]) -> bool {
    line.iter().all(|inline| match inline {
        Inline::Text(text) => text.chars().all(is_space),
        Inline::Break => true,
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Link(_, inner) => is_blank(inner),
    })
}

/// Serializes blocks as HTML.
pub(crate) fn write(blocks: &[Block], out: &mut String) {
    for block in blocks {
        match block {
            Block::Heading(level, line) => {
                let name = ["h2", "h3", "h4"][usize::from(level.saturating_sub(2)).min(2)];
                write_element(name, out, |out| write_line(line, out));
            }
            Block::Paragraph(line) => write_element("p", out, |out| write_line(line, out)),
            Block::List { ordered, items } => write_element(if *ordered { "ol" } else { "ul" }, out, |out| {
                for item in items {
                    write_element("li", out, |out| match item.as_slice() {
                        [Block::Paragraph(line)] => write_line(line, out),
                        blocks => write(blocks, out),
                    });
                }
            }),
            Block::Quote(blocks) => write_element("blockquote", out, |out| write(blocks, out)),
            Block::Rule => out.push_str("<hr>"),
            Block::Picture(picture) => write_picture(picture, out),
        }
    }
}

fn write_picture(picture: &TextPicture, out: &mut String) {
    out.push_str("<img src=\"");
    write_escaped(&picture.url, out);
    out.push_str("\" alt=\"");
    write_escaped(&picture.alt, out);
    out.push('"');
    if let Some((width, height)) = picture.size {
        let _ = write!(out, " width=\"{width}\" height=\"{height}\"");
    }
    out.push_str(" loading=\"lazy\">");
}

fn write_element(name: &str, out: &mut String, content: impl FnOnce(&mut String)) {
    out.push('<');
    out.push_str(name);
    out.push('>');
    content(out);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn write_line(line: &[Inline], out: &mut String) {
    for inline in line {
        match inline {
            Inline::Text(text) => write_escaped(text, out),
            Inline::Break => out.push_str("<br>"),
            Inline::Emphasis(inner) => write_element("em", out, |out| write_line(inner, out)),
            Inline::Strong(inner) => write_element("strong", out, |out| write_line(inner, out)),
            Inline::Link(href, inner) => {
                out.push_str("<a href=\"");
                write_escaped(href, out);
                out.push_str("\" rel=\"noopener noreferrer\">");
                write_line(inner, out);
                out.push_str("</a>");
            }
        }
    }
}

fn write_escaped(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// The plain text of blocks, each on a line of its own.
pub(crate) fn text_of(blocks: &[Block]) -> String {
    let mut out = String::new();
    add_text(blocks, &mut out);
    out
}

fn add_text(blocks: &[Block], out: &mut String) {
    for block in blocks {
        match block {
            Block::Heading(_, line) | Block::Paragraph(line) => {
                if !out.is_empty() {
                    out.push('\n');
                }
                add_line_text(line, '\n', out);
            }
            Block::List { items, .. } => items.iter().for_each(|item| add_text(item, out)),
            Block::Quote(blocks) => add_text(blocks, out),
            Block::Rule | Block::Picture(_) => {}
        }
    }
}

/// The plain text of one line.
pub(crate) fn text_of_line(line: &[Inline]) -> String {
    let mut out = String::new();
    add_line_text(line, ' ', &mut out);
    out
}

fn add_line_text(line: &[Inline], line_break: char, out: &mut String) {
    for inline in line {
        match inline {
            Inline::Text(text) => out.push_str(text),
            Inline::Break => out.push(line_break),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Link(_, inner) => {
                add_line_text(inner, line_break, out);
            }
        }
    }
}
