//! Sanitizes uploaded SVGs: parses them and writes only allow-listed elements and attributes (`catalogue.svg-cleaning`).
//!
//! Nothing of the uploaded file is copied unparsed. The result can't run scripts, load other files or link to them.

use roxmltree::{Document, Node};

use crate::{complexity::check_complexity, error::PictureError};

/// The largest accepted SVG, in bytes.
pub const CLEANED_SVG_BYTES: usize = 2 * 1024 * 1024;
/// The deepest accepted nesting of elements.
const DEPTH: usize = 64;
const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Allowed elements. `a`, `script`, `style`, `image`, `foreignObject`, animations and filters are not among them.
const ELEMENTS: &[&str] = &[
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "title",
    "desc",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "pattern",
    "marker",
];

/// Allowed attributes.
const ATTRIBUTES: &[&str] = &[
    "id",
    "viewBox",
    "width",
    "height",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "d",
    "points",
    "dx",
    "dy",
    "rotate",
    "transform",
    "preserveAspectRatio",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-dasharray",
    "stroke-dashoffset",
    "opacity",
    "color",
    "display",
    "visibility",
    "clip-path",
    "clip-rule",
    "mask",
    "offset",
    "stop-color",
    "stop-opacity",
    "gradientUnits",
    "gradientTransform",
    "spreadMethod",
    "clipPathUnits",
    "maskUnits",
    "maskContentUnits",
    "patternUnits",
    "patternContentUnits",
    "patternTransform",
    "markerWidth",
    "markerHeight",
    "markerUnits",
    "refX",
    "refY",
    "orient",
    "marker-start",
    "marker-mid",
    "marker-end",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "text-anchor",
    "dominant-baseline",
    "letter-spacing",
    "textLength",
    "lengthAdjust",
    "vector-effect",
    "paint-order",
    "shape-rendering",
    "version",
    "role",
    "aria-label",
];

/// Sanitizes an SVG: the result has only allowed elements and attributes.
///
/// # Errors
/// [`PictureError::NotADrawing`] when it is not an SVG, has a document type, or contains a script, a style sheet, another
/// document or a link; [`PictureError::TooLarge`]; [`PictureError::TooComplex`] when it has too many elements, copies or dashes.
pub fn clean_svg(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    if bytes.len() > CLEANED_SVG_BYTES {
        return Err(PictureError::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| PictureError::NotADrawing)?;
    // The parser rejects a document type: its entities could expand without bound.
    let document = Document::parse(text).map_err(|_| PictureError::NotADrawing)?;
    let root = document.root_element();
    if !root.has_tag_name((SVG, "svg")) {
        return Err(PictureError::NotADrawing);
    }
    check_complexity(&document)?;
    let mut clean = String::with_capacity(text.len());
    write_element(root, true, 0, &mut clean)?;
    Ok(clean.into_bytes())
}

fn write_element(node: Node<'_, '_>, is_root: bool, depth: usize, clean: &mut String) -> Result<(), PictureError> {
    let name = node.tag_name();
    if depth > DEPTH {
        return Err(PictureError::NotADrawing);
    }
    if name.namespace() != Some(SVG) {
        // Metadata of drawing programs is dropped silently.
        return Ok(());
    }
    let dangerous = ["script", "foreignObject", "iframe", "embed", "object", "handler", "a"];
    if dangerous.iter().any(|bad| bad.eq_ignore_ascii_case(name.name())) {
        return Err(PictureError::NotADrawing);
    }
    if !ELEMENTS.contains(&name.name()) {
        return Ok(());
    }
    clean.push('<');
    clean.push_str(name.name());
    if is_root {
        clean.push_str(" xmlns=\"");
        clean.push_str(SVG);
        clean.push('"');
    }
    for attribute in node.attributes() {
        let own = attribute.namespace().is_none();
        if own && attribute.name().len() > 2 && attribute.name()[..2].eq_ignore_ascii_case("on") {
            return Err(PictureError::NotADrawing);
        }
        let is_link = attribute.name() == "href" && (own || attribute.namespace() == Some(XLINK));
        if is_link && attribute.value().trim().starts_with('#') {
            write_attribute("href", attribute.value().trim(), clean);
        } else if own && ATTRIBUTES.contains(&attribute.name()) && is_plain(attribute.value()) {
            write_attribute(attribute.name(), attribute.value(), clean);
        }
    }
    clean.push('>');
    for child in node.children() {
        if child.is_element() {
            write_element(child, false, depth + 1, clean)?;
        } else if let Some(text) = child.text().filter(|_| child.is_text()) {
            escape(text, clean);
        }
    }
    clean.push_str("</");
    clean.push_str(name.name());
    clean.push('>');
    Ok(())
}

/// Whether an attribute value refers to nothing outside the drawing.
fn is_plain(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let refers = value
        .match_indices("url(")
        .any(|(at, _)| !value[at + 4..].trim_start_matches([' ', '\t', '\n', '\r', '\'', '"']).starts_with('#'));
    !refers && !value.contains("javascript:") && !value.contains("data:") && !value.contains("expression(")
}

fn write_attribute(name: &str, value: &str, clean: &mut String) {
    clean.push(' ');
    clean.push_str(name);
    clean.push_str("=\"");
    escape(value, clean);
    clean.push('"');
}

fn escape(text: &str, clean: &mut String) {
    for c in text.chars() {
        match c {
            '&' => clean.push_str("&amp;"),
            '<' => clean.push_str("&lt;"),
            '>' => clean.push_str("&gt;"),
            '"' => clean.push_str("&quot;"),
            c => clean.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CLEANED_SVG_BYTES, clean_svg};
    use crate::error::PictureError;

    fn clean(text: &str) -> Result<String, PictureError> {
        clean_svg(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    fn with(inner: &str) -> String {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 9 9'>{inner}</svg>"
        )
    }

    #[test]
    fn what_draws_is_kept() {
        let drawing = with(
            "<defs><linearGradient id='g'><stop offset='0' stop-color='red'/></linearGradient></defs>\
            <g fill='url(#g)'><path d='M0 0L9 9'/><use xlink:href='#g'/><text x='1'>A &amp; B</text></g>",
        );
        assert_eq!(
            clean(&drawing).unwrap(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><defs><linearGradient id=\"g\">\
             <stop offset=\"0\" stop-color=\"red\"></stop></linearGradient></defs><g fill=\"url(#g)\"><path d=\"M0 0L9 9\"></path>\
             <use href=\"#g\"></use><text x=\"1\">A &amp; B</text></g></svg>"
        );
    }

    #[test]
    fn what_runs_or_links_is_refused() {
        for inner in [
            "<script>alert(1)</script>",
            "<SCRIPT>alert(1)</SCRIPT>",
            "<rect onload='alert(1)'/>",
            "<g ONCLICK='alert(1)'/>",
            "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>",
            "<a href='https://example.com'><rect/></a>",
        ] {
            assert_eq!(clean(&with(inner)), Err(PictureError::NotADrawing), "{inner}");
        }
        for text in [
            "<!DOCTYPE svg [<!ENTITY x 'x'>]><svg xmlns='http://www.w3.org/2000/svg'>&x;</svg>",
            "<html xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></html>",
            "<svg>",
            "<svg/>",
            "",
        ] {
            assert_eq!(clean(text), Err(PictureError::NotADrawing), "{text}");
        }
        let deep = with(&format!("{}{}", "<g>".repeat(70), "</g>".repeat(70)));
        assert_eq!(clean(&deep), Err(PictureError::NotADrawing));
        assert_eq!(clean_svg(&vec![b' '; CLEANED_SVG_BYTES + 1]), Err(PictureError::TooLarge));
    }

    #[test]
    fn what_fetches_is_left_out() {
        for inner in [
            "<image href='https://example.com/x.png'/>",
            "<use href='https://example.com/x.svg#a'/>",
            "<rect fill='url(https://example.com/x)'/>",
            "<rect fill='URL( \"//example.com/x\")'/>",
            "<rect style='background:url(//example.com)'/>",
            "<style>@import url(//example.com)</style>",
            "<set attributeName='href' to='javascript:alert(1)'/>",
            "<animate attributeName='href' values='javascript:alert(1)'/>",
            "<filter id='f'><feImage href='//example.com'/></filter>",
            "<x:y xmlns:x='urn:x'>https://example.com</x:y>",
            "<?xml-stylesheet href='//example.com'?>",
            "<!-- https://example.com -->",
        ] {
            let clean = clean(&with(inner)).unwrap();
            assert!(!clean.contains("example.com") && !clean.contains("javascript"), "{inner}: {clean}");
        }
    }
}
