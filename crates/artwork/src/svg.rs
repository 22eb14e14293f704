//! Writes SVG: numbers, paths, shapes, escaped text.

use std::fmt::Write as _;

use crate::colour::Rgb;

/// A point, or a vector, in SVG's coordinates (y grows downwards).
pub(crate) type Point = (f64, f64);

/// Formats a number with at most one decimal digit, as short as possible.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{rounded}");
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.strip_prefix("-0.").map_or(text.clone(), |rest| format!("-.{rest}")),
    }
}

/// Escapes text for XML and drops characters that XML 1.0 forbids.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c < ' ' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The point at `degrees` on the circle around `centre`: 0 is right, 90 is down.
pub(crate) fn polar(centre: Point, radius: f64, degrees: f64) -> Point {
    let angle = degrees.to_radians();
    (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin())
}

/// A builder of path data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path(String);

impl Path {
    /// An empty path.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Appends a command with its numbers, with as few separators as the grammar allows.
    fn command(mut self, name: char, numbers: &[f64]) -> Self {
        self.0.push(name);
        for (i, value) in numbers.iter().enumerate() {
            let text = number(*value);
            if i > 0 && !text.starts_with('-') {
                self.0.push(' ');
            }
            self.0.push_str(&text);
        }
        self
    }

    /// Starts a contour.
    pub(crate) fn to(self, p: Point) -> Self {
        self.command('M', &[p.0, p.1])
    }

    /// A straight line.
    pub(crate) fn line(self, p: Point) -> Self {
        self.command('L', &[p.0, p.1])
    }

    /// A cubic curve.
    pub(crate) fn curve(self, a: Point, b: Point, p: Point) -> Self {
        self.command('C', &[a.0, a.1, b.0, b.1, p.0, p.1])
    }

    /// A circular arc; `large` when it spans more than a half turn.
    pub(crate) fn arc(self, radius: f64, large: bool, clockwise: bool, p: Point) -> Self {
        let flag = |on: bool| if on { 1.0 } else { 0.0 };
        self.command('A', &[radius, radius, 0.0, flag(large), flag(clockwise), p.0, p.1])
    }

    /// Closes the contour.
    pub(crate) fn close(mut self) -> Self {
        self.0.push('Z');
        self
    }

    /// A path from existing path data.
    pub(crate) fn from_data(data: String) -> Self {
        Self(data)
    }

    /// The path data, for a `d` attribute.
    pub(crate) fn data(&self) -> &str {
        &self.0
    }
}

/// A builder of SVG elements. Later elements are drawn on top.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas(String);

impl Canvas {
    /// An empty canvas.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A rectangle.
    pub(crate) fn rect(&mut self, at: Point, width: f64, height: f64, fill: Rgb) {
        let (x, y, w, h) = (number(at.0), number(at.1), number(width), number(height));
        let _ = write!(self.0, r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}"/>"#);
    }

    /// A full circle.
    pub(crate) fn disc(&mut self, centre: Point, radius: f64, fill: Rgb) {
        let (x, y, r) = (number(centre.0), number(centre.1), number(radius));
        let _ = write!(self.0, r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>"#);
    }

    /// A filled path.
    pub(crate) fn fill(&mut self, path: &Path, fill: Rgb) {
        let _ = write!(self.0, r#"<path d="{}" fill="{fill}"/>"#, path.data());
    }

    /// A filled path with a round stroke of the same colour, which rounds its corners by `radius`.
    pub(crate) fn soft(&mut self, path: &Path, radius: f64, fill: Rgb) {
        let width = number(radius * 2.0);
        let _ = write!(
            self.0,
            r#"<path d="{}" fill="{fill}" stroke="{fill}" stroke-width="{width}" stroke-linejoin="round"/>"#,
            path.data()
        );
    }

    /// A line of the given width along a path, with flat ends.
    pub(crate) fn stroke(&mut self, path: &Path, width: f64, colour: Rgb) {
        let width = number(width);
        let _ = write!(self.0, r#"<path d="{}" fill="none" stroke="{colour}" stroke-width="{width}"/>"#, path.data());
    }

    /// Another drawing, clipped to a square.
    pub(crate) fn window(&mut self, at: Point, side: f64, inner: &Canvas) {
        let (x, y, s) = (number(at.0), number(at.1), number(side));
        // A nested <svg> clips its content without an id that could conflict with another picture's.
        let _ =
            write!(self.0, r#"<svg x="{x}" y="{y}" width="{s}" height="{s}" viewBox="0 0 {s} {s}">{}</svg>"#, inner.0);
    }

    /// Another drawing, `side` units wide and high, scaled by `scale` and clipped.
    pub(crate) fn scaled(&mut self, at: Point, side: f64, scale: f64, inner: &Canvas) {
        self.framed(at, (side * scale, side * scale), (side, side), &inner.0);
    }

    /// Another drawing of 600 by 600, scaled to a square of the given side and clipped.
    pub(crate) fn fitted(&mut self, at: Point, side: f64, inner: &Canvas) {
        self.framed(at, (side, side), (600.0, 600.0), &inner.0);
    }

    /// Markup of the given extent, scaled to a frame and clipped.
    pub(crate) fn framed(&mut self, at: Point, frame: (f64, f64), extent: (f64, f64), markup: &str) {
        let (x, y, w, h) = (number(at.0), number(at.1), number(frame.0), number(frame.1));
        let (across, down) = (number(extent.0), number(extent.1));
        let _ = write!(
            self.0,
            r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="0 0 {across} {down}">{markup}</svg>"#
        );
    }

    /// Appends markup unescaped. It must come from this crate.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// The SVG document of the drawing. An empty title is left out.
    pub(crate) fn document(&self, width: u32, height: u32, title: &str) -> String {
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">{title}{}</svg>"#,
            self.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.0, "0"), (-0.04, "0"), (0.5, ".5"), (-0.5, "-.5"), (12.0, "12"), (-3.25, "-3.3"), (100.04, "100")]
        {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn paths_need_no_separator_before_a_sign() {
        let path = Path::new().to((1.0, 2.0)).line((-3.0, -4.5)).close();
        assert_eq!(path.data(), "M1 2L-3-4.5Z");
    }

    #[test]
    fn text_is_safe_in_xml() {
        assert_eq!(escape("a<b>&\"'\u{1}\u{ffff}é"), "a&lt;b&gt;&amp;&quot;&#39; é");
    }
}
