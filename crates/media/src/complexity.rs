//! Complexity limits of an uploaded SVG: elements, copies and dashes. A few bytes can cause days of rendering.

use std::collections::HashMap;

use roxmltree::{Document, Node, NodeId};

use crate::error::PictureError;

/// The maximum number of elements in the file.
const MAX_ELEMENTS: usize = 20_000;
/// The maximum number of drawn elements: each copy (`use`, pattern, mask, clip path, marker) counts all elements that it copies.
const MAX_DRAWN: u64 = 50_000;
/// The maximum nesting of elements and copies.
const MAX_DEPTH: usize = 128;
/// The maximum number of lengths in a `stroke-dasharray`.
const MAX_DASHES: usize = 32;
/// The minimum length of a dash pattern, as a fraction of the drawing's longer side.
const FINEST_DASHES: f64 = 1.0 / 2_000.0;
/// The assumed side of a drawing without a size, in its own units.
const DEFAULT_SIDE: f64 = 100.0;

/// Rejects a drawing that exceeds a limit.
///
/// # Errors
/// [`PictureError::TooComplex`] when it does.
pub(crate) fn check_complexity(document: &Document<'_>) -> Result<(), PictureError> {
    let elements = || document.descendants().filter(Node::is_element);
    if elements().count() > MAX_ELEMENTS {
        return Err(PictureError::TooComplex);
    }
    let side = side_of(document.root_element());
    for dashes in elements().filter_map(|node| node.attribute("stroke-dasharray")) {
        check_dashes(dashes, side)?;
    }
    let ids = elements().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let mut copies = Copies { ids, counted: HashMap::new() };
    if copies.count(document.root_element(), 0)? > MAX_DRAWN {
        return Err(PictureError::TooComplex);
    }
    Ok(())
}

fn side_of(root: Node<'_, '_>) -> f64 {
    let numbers = |name| root.attribute(name).map(numbers_of).unwrap_or_default();
    let sides = match numbers("viewBox")[..] {
        [_, _, width, height] => vec![width, height],
        _ => numbers("width").into_iter().chain(numbers("height")).collect(),
    };
    sides.into_iter().reduce(f64::max).filter(|side| *side > 0.0).unwrap_or(DEFAULT_SIDE)
}

/// The numbers of a list, without their units. Empty when a part is not a number.
fn numbers_of(text: &str) -> Vec<f64> {
    let parts = text.split([',', ' ', '\t', '\n', '\r']).filter(|part| !part.is_empty());
    let number = |part: &str| part.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%').parse::<f64>().ok();
    parts.map(number).collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn check_dashes(dashes: &str, side: f64) -> Result<(), PictureError> {
    let lengths = numbers_of(dashes);
    let sum: f64 = lengths.iter().sum();
    // Dashes with a total length of 0 draw a solid line.
    let is_too_fine = sum > 0.0 && sum < side * FINEST_DASHES;
    if lengths.len() > MAX_DASHES || is_too_fine { Err(PictureError::TooComplex) } else { Ok(()) }
}

/// Counts the drawn elements, copies included.
struct Copies<'a, 'input> {
    ids: HashMap<&'a str, Node<'a, 'input>>,
    /// The counts so far; `None` while an element is being counted, which detects an element that copies itself.
    counted: HashMap<NodeId, Option<u64>>,
}

impl<'a, 'input> Copies<'a, 'input> {
    fn count(&mut self, node: Node<'a, 'input>, depth: usize) -> Result<u64, PictureError> {
        if depth > MAX_DEPTH {
            return Err(PictureError::TooComplex);
        }
        let mut drawn = 1_u64;
        for copied in self.copied_by(node) {
            drawn = drawn.saturating_add(self.count_once(copied, depth + 1)?);
        }
        for child in node.children().filter(Node::is_element) {
            drawn = drawn.saturating_add(self.count(child, depth + 1)?);
        }
        Ok(drawn)
    }

    fn count_once(&mut self, node: Node<'a, 'input>, depth: usize) -> Result<u64, PictureError> {
        match self.counted.get(&node.id()) {
            Some(Some(drawn)) => return Ok(*drawn),
            Some(None) => return Err(PictureError::TooComplex),
            None => {}
        }
        self.counted.insert(node.id(), None);
        let drawn = self.count(node, depth)?;
        self.counted.insert(node.id(), Some(drawn));
        Ok(drawn)
    }

    /// The elements that an element draws a copy of.
    fn copied_by(&self, node: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
        let mut found: Vec<Node<'a, 'input>> = Vec::new();
        for attribute in node.attributes() {
            let value = attribute.value().trim();
            if attribute.name() == "href" {
                found.extend(value.strip_prefix('#').and_then(|id| self.ids.get(id)));
            }
            for (at, url) in value.match_indices("url(") {
                let rest = value[at + url.len()..].trim_start_matches([' ', '\'', '"']);
                let id = rest.strip_prefix('#').and_then(|rest| rest.split(['\'', '"', ')']).next());
                found.extend(id.and_then(|id| self.ids.get(id.trim())));
            }
        }
        // A gradient costs no more than a flat colour.
        found.retain(|node| !node.tag_name().name().ends_with("Gradient"));
        found
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{MAX_ELEMENTS, check_complexity};
    use crate::error::PictureError;

    fn check(inner: &str) -> Result<(), PictureError> {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 1000 600'>{inner}</svg>"
        );
        check_complexity(&roxmltree::Document::parse(&text).unwrap())
    }

    const TOO_COMPLEX: Result<(), PictureError> = Err(PictureError::TooComplex);

    /// Nested groups: each holds ten copies of the previous one.
    fn nested(levels: usize, copy: impl Fn(usize) -> String) -> String {
        let mut text = "<defs><g id='a0'><rect width='1' height='1'/></g>".to_owned();
        for level in 1..=levels {
            let _ = write!(text, "<g id='a{level}'>{}</g>", copy(level - 1).repeat(10));
        }
        let _ = write!(text, "</defs>{}", copy(levels));
        text
    }

    #[test]
    fn copies_of_copies_count_as_what_they_draw() {
        let copy = |of: usize| format!("<use href='#a{of}'/>");
        assert_eq!(check(&nested(9, copy)), TOO_COMPLEX);
        assert_eq!(check(&nested(9, |of| format!("<use xlink:href='#a{of}'/>"))), TOO_COMPLEX);
        assert_eq!(check(&nested(9, |of| format!("<rect width='1' height='1' mask='url(#a{of})'/>"))), TOO_COMPLEX);
        assert_eq!(check(&nested(3, copy)), Ok(()));
    }

    #[test]
    fn a_copy_of_itself_is_refused() {
        assert_eq!(check("<g id='a'><use href='#a'/></g><use href='#a'/>"), TOO_COMPLEX);
        let link = |at: usize| format!("<g id='a{at}'><use href='#a{}'/></g>", at + 1);
        let chain = (0..1_000).map(link).collect::<Vec<_>>().concat();
        assert_eq!(check(&chain), TOO_COMPLEX);
    }

    #[test]
    fn very_fine_dashes_are_refused() {
        assert_eq!(check("<path d='M0 0H999' stroke-dasharray='0.01'/>"), TOO_COMPLEX);
        assert_eq!(check("<g stroke-dasharray='.1,.1'/>"), TOO_COMPLEX);
        assert_eq!(check(&format!("<g stroke-dasharray='{}'/>", "1 ".repeat(33))), TOO_COMPLEX);
        for fine in ["4 2", "1", "0", "none", "5px,1px", "0.3 0.3"] {
            assert_eq!(check(&format!("<path d='M0 0H999' stroke-dasharray='{fine}'/>")), Ok(()), "{fine}");
        }
    }

    #[test]
    fn elements_are_counted() {
        assert_eq!(check(&"<g/>".repeat(MAX_ELEMENTS)), TOO_COMPLEX);
        assert_eq!(check(&"<g/>".repeat(MAX_ELEMENTS - 1)), Ok(()));
        let gradients = "<rect fill='url(#g)'/>".repeat(15_000);
        let stops = "<stop offset='0'/>".repeat(10);
        assert_eq!(check(&format!("<linearGradient id='g'>{stops}</linearGradient>{gradients}")), Ok(()));
    }
}
