//! Extracts text from HTML: the article of a web page, or a complete chapter of a book.

use dom_query::{Document as Dom, NodeRef};
use dom_smoothie::{Config, Readability};

use crate::extract::builder::DocumentBuilder;
use crate::extract::document::{Document, DocumentKind};
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;

/// If the extracted article has fewer characters, the extraction has failed; then the whole page is read.
const MIN_ARTICLE: usize = 200;
/// Pages with more elements are read whole, because the article extraction scores each element several times.
const MAX_ELEMENTS: usize = 60_000;
/// Elements whose text is not content.
const SKIPPED: [&str; 18] = [
    "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "head", "select", "option", "button",
    "textarea", "audio", "video", "canvas", "rp", "rt",
];
/// Page furniture around the article, skipped when a page is read whole.
const FURNITURE: [&str; 5] = ["nav", "footer", "aside", "form", "dialog"];
/// Block elements, which begin and end a paragraph.
const BLOCKS: [&str; 32] = [
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "footer",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "blockquote",
    "figure",
    "figcaption",
    "table",
    "tr",
    "td",
    "th",
    "caption",
    "pre",
    "hr",
    "address",
    "body",
    "html",
    "aside",
    "nav",
    "form",
    "fieldset",
    "details",
    "summary",
];

/// Reads a web page: its article, without navigation and the like.
pub(crate) fn read_page(html: &str, limits: &Limits) -> Result<Document, ExtractionError> {
    let mut builder = DocumentBuilder::new(DocumentKind::Html, limits);
    let page = Dom::from(html);
    let (elements, depth) = measure(&page);
    if elements <= MAX_ELEMENTS
        && depth <= limits.depth
        && let Ok(article) = Readability::with_document(page.clone(), None, Some(Config::default()))
            .and_then(|mut readability| readability.parse())
        && article.length >= MIN_ARTICLE
    {
        builder.title(&article.title);
        append(&Dom::from(article.content.as_ref()), &mut builder, &FURNITURE)?;
        return Ok(builder.finish());
    }
    builder.title(&page.select("title").first().text());
    append(&page, &mut builder, &FURNITURE)?;
    Ok(builder.finish())
}

/// Adds the complete text of a page that is a chapter of a book.
pub(crate) fn append_chapter(html: &str, builder: &mut DocumentBuilder) -> Result<(), ExtractionError> {
    append(&Dom::from(html), builder, &["nav"])
}

/// The number of elements, and the maximum depth.
fn measure(page: &Dom) -> (usize, usize) {
    let (mut elements, mut deepest) = (0, 0);
    walk(
        &page.root(),
        &mut |_, depth| {
            elements += 1;
            deepest = deepest.max(depth);
            true
        },
        &mut |_| {},
    );
    (elements, deepest)
}

/// Visits elements and texts without recursion. `enter` returns whether to visit the children; `leave` is called after them.
fn walk<'a>(
    root: &NodeRef<'a>,
    enter: &mut dyn FnMut(&NodeRef<'a>, usize) -> bool,
    leave: &mut dyn FnMut(&NodeRef<'a>),
) {
    let mut stack = vec![(*root, 0, false)];
    while let Some((node, depth, is_done)) = stack.pop() {
        if is_done {
            leave(&node);
            continue;
        }
        if enter(&node, depth) {
            stack.push((node, depth, true));
            stack.extend(node.children_it(true).map(|child| (child, depth + 1, false)));
        }
    }
}

/// The open paragraph.
struct Open<'b> {
    builder: &'b mut DocumentBuilder,
    text: String,
    heading: Option<u8>,
    result: Result<(), ExtractionError>,
}

impl Open<'_> {
    fn close(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.result.is_ok() {
            self.result = match self.heading {
                Some(level) => self.builder.heading(&text, level),
                None => self.builder.paragraph(&text),
            };
        }
    }
}

fn append(page: &Dom, builder: &mut DocumentBuilder, skipped: &[&str]) -> Result<(), ExtractionError> {
    let open = std::cell::RefCell::new(Open { builder, text: String::new(), heading: None, result: Ok(()) });
    walk(
        &page.root(),
        &mut |node, _| {
            let mut open = open.borrow_mut();
            if open.result.is_err() {
                return false;
            }
            if node.is_text() {
                open.text.push_str(&node.text());
                return false;
            }
            let Some(name) = node.node_name() else { return true };
            let name = name.as_ref();
            if SKIPPED.contains(&name) || skipped.contains(&name) || is_hidden(node) {
                return false;
            }
            if name == "br" {
                open.text.push('\n');
            } else if let Some(level) = heading_level(name) {
                open.close();
                open.heading = Some(level);
            } else if BLOCKS.contains(&name) {
                open.close();
            }
            true
        },
        &mut |node| {
            let Some(name) = node.node_name() else { return };
            if heading_level(&name).is_some() {
                let mut open = open.borrow_mut();
                open.close();
                open.heading = None;
            } else if BLOCKS.contains(&name.as_ref()) {
                open.borrow_mut().close();
            }
        },
    );
    let mut open = open.into_inner();
    open.close();
    open.result
}

fn is_hidden(node: &NodeRef<'_>) -> bool {
    node.is_element()
        && (node.has_attr("hidden") || node.attr("aria-hidden").is_some_and(|value| value.as_ref() == "true"))
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}
