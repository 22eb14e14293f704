//! The three bundled fonts: shaping and measuring text, and its outlines as path data.

use std::fmt::Write as _;
use std::sync::LazyLock;

use harfrust::{Buffer, Font, ShapeOptions, ShaperFont};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::prelude::{LocationRef, Size};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// The display font, for titles.
pub(crate) static DISPLAY: LazyLock<Face> = LazyLock::new(|| {
    Face::new(include_bytes!("../fonts/Literata-Display-SemiBold.ttf"), 't', "Literata,Georgia,serif", 640.0)
});

/// The sans-serif font, for authors and texts.
pub(crate) static TEXT: LazyLock<Face> =
    LazyLock::new(|| Face::new(include_bytes!("../fonts/Inter-Medium.ttf"), 'a', "Inter,Arial,sans-serif", 320.0));

/// The book font, for long passages: sturdier than the display font, and with the letters of Greek and Cyrillic.
pub(crate) static BOOK: LazyLock<Face> =
    LazyLock::new(|| Face::new(include_bytes!("../fonts/Literata-Regular.ttf"), 'b', "Literata,Georgia,serif", 480.0));

/// A font whose glyphs can be drawn as outlines.
pub(crate) struct Face {
    shaping: Font,
    outlines: FontRef<'static>,
    /// The resolution of glyph positions and outlines, in steps per em. A coarser grid gives shorter data; errors of a fifth of a
    /// pixel are invisible.
    grid: f64,
    /// The factor from font units to steps of the grid.
    scale: f64,
    /// Height of a capital, in ems.
    pub(crate) cap_height: f64,
    /// The prefix of the ids of this font's glyphs in a picture.
    prefix: char,
    /// The CSS font family for scripts that the bundled file lacks.
    family: &'static str,
}

/// A shaped line of text. Lengths are in ems from the start of the baseline; y is positive upwards.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    text: String,
    /// Glyph ids and positions (in steps of the grid). `None` when the bundled font lacks a character of the line.
    glyphs: Option<Vec<(u32, f64, f64)>>,
    /// Left edge of the ink.
    pub(crate) left: f64,
    /// Right edge of the ink.
    pub(crate) right: f64,
    /// Highest ink.
    pub(crate) top: f64,
    /// Lowest ink, negative below the baseline.
    pub(crate) bottom: f64,
    /// The width with the space around the ink.
    pub(crate) advance: f64,
}

impl Line {
    /// The width of the visible part.
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }
}

impl Face {
    /// Loads a bundled font file.
    fn new(file: &'static [u8], prefix: char, family: &'static str, grid: f64) -> Self {
        let outlines = FontRef::new(file).expect("the bundled font is an OpenType font");
        let shaping = Font::new(file, 0).expect("the bundled font is an OpenType font");
        let metrics = outlines.metrics(Size::unscaled(), LocationRef::default());
        let em = f64::from(metrics.units_per_em);
        let cap_height = metrics.cap_height.map_or(0.7, |height| f64::from(height) / em);
        Self { shaping, outlines, grid, scale: grid / em, cap_height, prefix, family }
    }

    /// Whether the font has a glyph for every character.
    pub(crate) fn covers(&self, text: &str) -> bool {
        let map = self.outlines.charmap();
        text.chars().all(|c| map.map(c).is_some())
    }

    /// Shapes a line. `tracking` (in ems) is added after every glyph.
    pub(crate) fn line(&self, text: &str, tracking: f64) -> Line {
        if !self.covers(text) {
            return Self::estimate(text);
        }
        let mut buffer = Buffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let font = ShaperFont::new(&self.shaping);
        if harfrust::shape(&font, &mut buffer, ShapeOptions::new()).is_err() {
            return Self::estimate(text);
        }
        let mut glyphs = Vec::with_capacity(buffer.len());
        let mut ink = Ink::default();
        let mut pen = 0.0;
        for (info, position) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
            let x = pen + f64::from(position.x_offset) * self.scale;
            let y = f64::from(position.y_offset) * self.scale;
            if let Some(drawn) = self.draw(info.glyph_id) {
                ink.add(&drawn.ink, x, y);
                glyphs.push((info.glyph_id, x, y));
            }
            pen += f64::from(position.x_advance) * self.scale + tracking * self.grid;
        }
        let ink = if glyphs.is_empty() { Ink { left: 0.0, right: 0.0, top: 0.0, bottom: 0.0 } } else { ink };
        Line {
            text: text.to_owned(),
            glyphs: Some(glyphs),
            left: ink.left / self.grid,
            right: ink.right / self.grid,
            top: ink.top / self.grid,
            bottom: ink.bottom / self.grid,
            advance: pen / self.grid,
        }
    }

    /// A line with characters that the bundled font lacks: its width is overestimated, and the viewer's font draws it.
    fn estimate(text: &str) -> Line {
        let width: f64 = text.chars().map(|c| if c < '\u{1100}' { 0.72 } else { 1.05 }).sum();
        Line { text: text.to_owned(), glyphs: None, left: 0.0, right: width, top: 0.9, bottom: -0.25, advance: width }
    }

    /// The width of a space, in ems.
    pub(crate) fn space(&self) -> f64 {
        let glyph = self.outlines.charmap().map(' ').unwrap_or_default();
        let metrics = self.outlines.glyph_metrics(Size::unscaled(), LocationRef::default());
        metrics.advance_width(glyph).map_or(0.25, |units| f64::from(units) * self.scale / self.grid)
    }

    /// The outline of a glyph; `None` when the glyph is blank.
    fn draw(&self, glyph: u32) -> Option<GlyphOutline> {
        let mut pen = Pen { scale: self.scale, ..Pen::default() };
        let outline = self.outlines.outline_glyphs().get(GlyphId::new(glyph))?;
        outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
        if pen.data.is_empty() { None } else { Some(GlyphOutline { data: pen.data, ink: pen.ink }) }
    }
}

/// A glyph's outline and extent, in steps of the grid. In the path data y is positive downwards, in the extent upwards.
struct GlyphOutline {
    data: String,
    ink: Ink,
}

/// The bounding box of visible glyphs.
#[derive(Clone, Copy, Debug)]
struct Ink {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Default for Ink {
    fn default() -> Self {
        Self { left: f64::INFINITY, right: f64::NEG_INFINITY, top: f64::NEG_INFINITY, bottom: f64::INFINITY }
    }
}

impl Ink {
    /// Extends the box to include another one, translated by (x, y).
    fn add(&mut self, other: &Ink, x: f64, y: f64) {
        self.left = self.left.min(other.left + x);
        self.right = self.right.max(other.right + x);
        self.top = self.top.max(other.top + y);
        self.bottom = self.bottom.min(other.bottom + y);
    }
}

/// Writes outlines as relative path data in whole steps of the grid.
#[derive(Default)]
struct Pen {
    scale: f64,
    data: String,
    at: (i32, i32),
    last: char,
    ink: Ink,
}

impl Pen {
    /// Converts a point of the font to steps of the grid, with y downwards.
    fn point(&mut self, x: f32, y: f32) -> (i32, i32) {
        let (x, y) = (f64::from(x) * self.scale, f64::from(y) * self.scale);
        self.ink.add(&Ink { left: x, right: x, top: y, bottom: y }, 0.0, 0.0);
        #[expect(clippy::cast_possible_truncation, reason = "a glyph is a few ems large at most")]
        let whole = (x.round() as i32, -y.round() as i32);
        whole
    }

    /// Appends a command with points relative to the current position, and moves to the last point.
    fn command(&mut self, name: char, points: &[(i32, i32)]) {
        let repeated = name == self.last && name != 'm';
        if !repeated {
            self.data.push(name);
        }
        for (i, point) in points.iter().enumerate() {
            for (j, value) in [point.0 - self.at.0, point.1 - self.at.1].into_iter().enumerate() {
                if value >= 0 && (repeated || i + j > 0) {
                    self.data.push(' ');
                }
                let _ = write!(self.data, "{value}");
            }
        }
        self.last = name;
        self.at = points.last().copied().unwrap_or(self.at);
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let p = self.point(x, y);
        // Absolute, so that contours don't depend on each other.
        self.at = (0, 0);
        self.command('M', &[p]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let p = self.point(x, y);
        self.command('l', &[p]);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (c, p) = (self.point(cx, cy), self.point(x, y));
        self.command('q', &[c, p]);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let points = [self.point(ax, ay), self.point(bx, by), self.point(x, y)];
        self.command('c', &points);
    }

    fn close(&mut self) {
        self.data.push('z');
        self.last = 'z';
    }
}

/// The text of one picture. Each glyph is defined once and referenced by `<use>`.
#[derive(Default)]
pub(crate) struct Lettering {
    defined: Vec<(char, u32)>,
    definitions: String,
    uses: String,
}

impl Lettering {
    /// Adds a line. Its baseline is at y, and its visible part begins at x.
    pub(crate) fn set(&mut self, face: &Face, line: &Line, (x, y): (f64, f64), size: f64, fill: crate::colour::Rgb) {
        let short = |value: f64| format!("{}", (value * 100.0).round() / 100.0);
        let Some(glyphs) = &line.glyphs else {
            let (text, family) = (crate::svg::escape(&line.text), face.family);
            let (x, y, size) = (short(x), short(y), short(size));
            let _ = write!(
                self.uses,
                r#"<text x="{x}" y="{y}" font-family="{family}" font-size="{size}" fill="{fill}">{text}</text>"#
            );
            return;
        };
        let (x, y) = (short(x - line.left * size), short(y));
        let scale = (size / face.grid * 1e5).round() / 1e5;
        let _ = write!(self.uses, r#"<g transform="translate({x} {y})scale({scale})" fill="{fill}">"#);
        for (glyph, dx, dy) in glyphs {
            let key = (face.prefix, *glyph);
            if !self.defined.contains(&key) {
                let data = face.draw(*glyph).map(|drawn| drawn.data).unwrap_or_default();
                let _ = write!(self.definitions, r#"<path id="{}{glyph}" d="{data}"/>"#, face.prefix);
                self.defined.push(key);
            }
            let _ = write!(self.uses, r##"<use href="#{}{glyph}" x="{}""##, face.prefix, dx.round());
            if *dy != 0.0 {
                let _ = write!(self.uses, r#" y="{}""#, -dy.round());
            }
            self.uses.push_str("/>");
        }
        self.uses.push_str("</g>");
    }

    /// The markup: glyph definitions, then the lines in the order in which they were added.
    pub(crate) fn markup(&self) -> String {
        // An id stands for the same outline in every picture, so two pictures inlined into one page don't conflict.
        format!("<defs>{}</defs>{}", self.definitions, self.uses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_faces_have_the_latin_letters_and_the_punctuation_of_prose() {
        let text = "ÀÉÎÕÜçñøßŁőŞžĦœÆ ‘’“”–—…«»&!?;:’0123456789";
        assert!(DISPLAY.covers(text) && TEXT.covers(text));
    }

    #[test]
    fn pairs_are_kerned() {
        let apart = DISPLAY.line("A", 0.0).right + DISPLAY.line("V", 0.0).right;
        assert!(DISPLAY.line("AV", 0.0).right < apart);
    }

    #[test]
    fn an_accent_that_stands_alone_joins_its_letter() {
        assert!((DISPLAY.line("e\u{301}", 0.0).right - DISPLAY.line("é", 0.0).right).abs() < 0.001);
    }

    #[test]
    fn a_foreign_script_is_set_as_text() {
        let mut lettering = Lettering::default();
        let line = DISPLAY.line("孫子 & <b>", 0.0);
        lettering.set(&DISPLAY, &line, (0.0, 0.0), 40.0, crate::colour::Rgb(0, 0, 0));
        assert!(lettering.markup().contains(">孫子 &amp; &lt;b&gt;</text>"));
    }
}
