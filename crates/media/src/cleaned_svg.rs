//! Sanitizes uploaded SVGs: parses them and writes only allow-listed elements and attributes (`catalogue.svg-cleaning`).
//!
//! Nothing of the uploaded file is copied unparsed. The result can't run scripts, load other files or link to them.

use std::collections::{BTreeMap, BTreeSet};

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

/// Attributes that CSS knows as properties of the same name: in a `style` attribute they draw as well.
const NO_PROPERTIES: &[&str] = &[
    "id",
    "viewBox",
    "d",
    "points",
    "transform",
    "preserveAspectRatio",
    "gradientTransform",
    "patternTransform",
    "version",
    "role",
    "aria-label",
];

/// A sanitized SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanedSvg {
    pub svg: Vec<u8>,
    /// The names of the elements and attributes that were removed because they could run, load or link to something, or
    /// because they style the drawing; such as `script`, `onload` or `href`. What drawing programs note for themselves is
    /// removed without being listed.
    pub removed: BTreeSet<String>,
}

/// Sanitizes an SVG: the result has only allowed elements and attributes. What a link surrounds stays, without the link; the
/// declarations of a `style` attribute become attributes.
///
/// # Errors
/// [`PictureError::NotADrawing`] when it is not an SVG, has a document type, or is nested too deeply;
/// [`PictureError::TooLarge`]; [`PictureError::TooComplex`] when it has too many elements, copies or dashes.
pub fn clean_svg(bytes: &[u8]) -> Result<CleanedSvg, PictureError> {
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
    let mut cleaner = Cleaner { svg: String::with_capacity(text.len()), removed: BTreeSet::new() };
    cleaner.write_element(root, true, 0)?;
    Ok(CleanedSvg { svg: cleaner.svg.into_bytes(), removed: cleaner.removed })
}

struct Cleaner {
    svg: String,
    removed: BTreeSet<String>,
}

impl Cleaner {
    fn write_element(&mut self, node: Node<'_, '_>, is_root: bool, depth: usize) -> Result<(), PictureError> {
        let name = node.tag_name();
        if depth > DEPTH {
            return Err(PictureError::NotADrawing);
        }
        if name.namespace() != Some(SVG) {
            // What drawing programs note for themselves.
            return Ok(());
        }
        let name = if name.name() == "a" { "g" } else { name.name() };
        if !ELEMENTS.contains(&name) {
            if name != "metadata" {
                self.removed.insert(name.to_owned());
            }
            return Ok(());
        }
        self.svg.push('<');
        self.svg.push_str(name);
        if is_root {
            self.svg.push_str(" xmlns=\"");
            self.svg.push_str(SVG);
            self.svg.push('"');
        }
        self.write_attributes(node);
        self.svg.push('>');
        for child in node.children() {
            if child.is_element() {
                self.write_element(child, false, depth + 1)?;
            } else if let Some(text) = child.text().filter(|_| child.is_text()) {
                escape(text, &mut self.svg);
            }
        }
        self.svg.push_str("</");
        self.svg.push_str(name);
        self.svg.push('>');
        Ok(())
    }

    fn write_attributes(&mut self, node: Node<'_, '_>) {
        let style = node.attribute("style").unwrap_or_default();
        // Of two declarations of a property the last one counts, and both come before an attribute.
        let mut declared: BTreeMap<&str, &str> = BTreeMap::new();
        for declaration in style.split(';').filter(|one| !one.trim().is_empty()) {
            let (name, value) = declaration.split_once(':').unwrap_or((declaration, ""));
            let (name, value) = (name.trim(), value.trim());
            if ATTRIBUTES.contains(&name) && !NO_PROPERTIES.contains(&name) && is_plain(value) {
                declared.insert(name, value);
            } else if !is_plain(value) {
                self.removed.insert(name.to_owned());
            }
        }
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            let own = attribute.namespace().is_none();
            if name == "href" && (own || attribute.namespace() == Some(XLINK)) {
                if value.trim().starts_with('#') && !node.has_tag_name((SVG, "a")) {
                    write_attribute("href", value.trim(), &mut self.svg);
                } else {
                    self.removed.insert(name.to_owned());
                }
            } else if own && ATTRIBUTES.contains(&name) && is_plain(value) {
                if !declared.contains_key(name) {
                    write_attribute(name, value, &mut self.svg);
                }
            } else if own && (!is_plain(value) || is_handler(name)) && name != "style" {
                self.removed.insert(name.to_owned());
            }
        }
        for (name, value) in declared {
            write_attribute(name, value, &mut self.svg);
        }
    }
}

/// Whether the attribute holds a script that an event runs.
fn is_handler(name: &str) -> bool {
    name.get(..2).is_some_and(|begin| begin.eq_ignore_ascii_case("on"))
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
        clean_svg(text.as_bytes()).map(|clean| String::from_utf8(clean.svg).unwrap())
    }

    fn removed(inner: &str) -> Vec<String> {
        clean_svg(with(inner).as_bytes()).unwrap().removed.into_iter().collect()
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
    fn what_runs_or_links_is_removed_and_named() {
        for (inner, left, names) in [
            ("<script>alert(1)</script><path d='M0 0'/>", "<path d=\"M0 0\"></path>", &["script"][..]),
            ("<SCRIPT>alert(1)</SCRIPT>", "", &["SCRIPT"]),
            ("<rect onload='alert(1)' width='1'/>", "<rect width=\"1\"></rect>", &["onload"]),
            ("<g ONCLICK='alert(1)'/>", "<g></g>", &["ONCLICK"]),
            ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>", "", &["foreignObject"]),
            ("<a href='https://example.com' target='_top'><rect/></a>", "<g><rect></rect></g>", &["href"]),
            ("<a xlink:href='javascript:alert(1)'/>", "<g></g>", &["href"]),
            ("<metadata><script>alert(1)</script></metadata>", "", &[]),
        ] {
            let around = with(left).replace('\'', "\"").replace(" xmlns:xlink=\"http://www.w3.org/1999/xlink\"", "");
            assert_eq!(clean(&with(inner)).unwrap(), around, "{inner}");
            assert_eq!(removed(inner), names, "{inner}");
        }
    }

    #[test]
    fn declarations_of_a_style_become_attributes() {
        let drawing =
            with("<path fill='red' d='M0 0' style='fill:#123; stroke : blue;-inkscape-stroke:none;fill:url(#g)'/>");
        let left = "<path d=\"M0 0\" fill=\"url(#g)\" stroke=\"blue\"></path>";
        assert!(clean(&drawing).unwrap().contains(left), "{}", clean(&drawing).unwrap());
        for style in ["fill:url(//example.com/x)", "background:url(https://example.com)", "fill:expression(alert(1))"] {
            let drawing = format!("<rect style='{style}'/>");
            assert!(clean(&with(&drawing)).unwrap().contains("<rect></rect>"), "{style}");
            assert_eq!(removed(&drawing).len(), 1, "{style}");
        }
        assert_eq!(removed("<rect style='fill:red' id='a'/><!-- x -->"), [""; 0]);
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
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
