//! Parses XML into a sequence of elements and texts, with a depth limit. Entities declared by the document are not expanded.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::extract::error::ExtractionError;

/// A parsed part of a document. Names are without their prefix.
pub(crate) enum Node<'a> {
    Open { name: &'a str, attributes: Attributes<'a> },
    Close { name: &'a str },
    Text { within: &'a str, text: &'a str },
}

pub(crate) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    /// The value of the attribute with this local name (without prefix).
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let attribute = self.0.attributes().flatten().find(|one| one.key.local_name().as_ref() == name)?;
        let value = &*attribute.value;
        Some(quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), std::borrow::Cow::into_owned))
    }
}

/// Parses a document and calls `visit` for each part; stops at the first error.
pub(crate) fn read(
    text: &str,
    depth: usize,
    damaged: ExtractionError,
    visit: &mut dyn FnMut(Node<'_>) -> Result<(), ExtractionError>,
) -> Result<(), ExtractionError> {
    let mut reader = Reader::from_str(text);
    let mut names: Vec<String> = Vec::new();
    loop {
        match reader.read_event().map_err(|_| damaged)? {
            Event::Start(element) => {
                if names.len() == depth {
                    return Err(ExtractionError::TooDeep);
                }
                names.push(local_name(&element));
                let name = names.last().map_or("", String::as_str);
                visit(Node::Open { name, attributes: Attributes(&element) })?;
            }
            Event::Empty(element) => {
                let name = local_name(&element);
                visit(Node::Open { name: &name, attributes: Attributes(&element) })?;
                visit(Node::Close { name: &name })?;
            }
            Event::End(_) => {
                let name = names.pop().ok_or(damaged)?;
                visit(Node::Close { name: &name })?;
            }
            Event::Text(said) => {
                let within = names.last().map_or("", String::as_str);
                visit(Node::Text { within, text: &said })?;
            }
            Event::CData(said) => {
                let within = names.last().map_or("", String::as_str);
                visit(Node::Text { within, text: &said })?;
            }
            Event::GeneralRef(reference) => {
                let within = names.last().map_or("", String::as_str);
                let entity = format!("&{};", &*reference);
                // Only the predefined entities: a document's own entities may refer to each other.
                if let Ok(text) = quick_xml::escape::unescape(&entity) {
                    visit(Node::Text { within, text: &text })?;
                }
            }
            Event::Eof if names.is_empty() => return Ok(()),
            Event::Eof => return Err(damaged),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn local_name(element: &BytesStart<'_>) -> String {
    element.local_name().as_ref().to_owned()
}
