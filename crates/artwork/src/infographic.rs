//! Pictures composed of a book's scenes: the infographic, its thumbnail, and the patchwork for lists.

use crate::colour::{Palette, Rgb};
use crate::cover::{CoverSpec, cover};
use crate::face::{DISPLAY, Face, Lettering, TEXT};
use crate::mark;
use crate::scene::{self, SceneSpec};
use crate::setting::{self, Area};
use crate::svg::Canvas;

/// Width of an infographic, in its own units.
pub const INFOGRAPHIC_WIDTH: u32 = 1200;

const WIDTH: f64 = 1200.0;
/// Height of the header: title, author and cover.
const HEAD: f64 = 520.0;
/// The side of an idea's picture, and the minimum height of its row.
const ROW: f64 = 450.0;
/// The minimum total space above and below an idea's text.
const AIR: f64 = 48.0;
/// Height of the footer with the site's name.
const FOOT: f64 = 120.0;
/// The margin of the text.
const MARGIN: f64 = 64.0;
/// Font sizes of the ideas' texts. A poster uses the largest one at which all rows have the minimum height. If there is none,
/// rows with long texts get higher.
const BODY: [f64; 6] = [25.0, 24.0, 23.0, 22.0, 21.0, 20.0];
/// Line height of the ideas' texts, in ems.
const LEADING: f64 = 1.48;

/// One idea of an infographic.
#[derive(Clone, Copy, Debug)]
pub struct IdeaSpec<'a> {
    /// Its picture. The title of the scene is the title of the idea.
    pub scene: SceneSpec<'a>,
    /// The idea, in plain text.
    pub body: &'a str,
}

/// The content of an infographic.
#[derive(Clone, Copy, Debug)]
pub struct InfographicSpec<'a> {
    /// The book's cover: its title, author, hue and seed.
    pub cover: CoverSpec<'a>,
    /// The ideas, in order.
    pub ideas: &'a [IdeaSpec<'a>],
    /// The site's name, for the footer.
    pub site: &'a str,
}

/// Draws an infographic with one row per idea: a self-contained SVG document of [`INFOGRAPHIC_WIDTH`].
pub fn infographic(spec: &InfographicSpec<'_>) -> String {
    poster(spec, true)
}

/// Draws the preview of an infographic: pictures and titles, with placeholder lines instead of the texts.
pub fn infographic_thumb(spec: &InfographicSpec<'_>) -> String {
    poster(spec, false)
}

/// Draws four scenes of a book as one square picture without `<title>`, because lists show the book's title next to it.
pub fn patchwork(scenes: &[SceneSpec<'_>]) -> String {
    let mut canvas = Canvas::new();
    for (i, place) in [(0.0, 0.0), (600.0, 0.0), (0.0, 600.0), (600.0, 600.0)].into_iter().enumerate() {
        let Some(spec) = scenes.get(i) else { break };
        canvas.fitted(place, 600.0, &painted(spec));
    }
    canvas.document(1200, 1200, "")
}

/// Draws a scene on its own canvas.
fn painted(spec: &SceneSpec<'_>) -> Canvas {
    let mut canvas = Canvas::new();
    scene::paint(&mut canvas, spec);
    canvas
}

fn poster(spec: &InfographicSpec<'_>, with_text: bool) -> String {
    let palette = Palette::of(spec.cover.hue, 0);
    let mut canvas = Canvas::new();
    let mut lettering = Lettering::default();
    let texts = laid(spec.ideas);
    let height = HEAD + texts.iter().map(IdeaLayout::row).sum::<f64>() + FOOT;
    canvas.rect((0.0, 0.0), WIDTH, height, palette.paper);
    head(&mut canvas, &mut lettering, spec, &palette);
    let mut top = HEAD;
    for (i, (idea, text)) in spec.ideas.iter().zip(&texts).enumerate() {
        row(&mut canvas, &mut lettering, &palette, (i, top), (idea, text), with_text);
        top += text.row();
    }
    foot(&mut canvas, &mut lettering, spec, &palette, height - FOOT);
    canvas.raw(&lettering.markup());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some thousands at most")]
    let tall = height as u32;
    canvas.document(INFOGRAPHIC_WIDTH, tall, spec.cover.title)
}

/// An idea's title and text, broken into lines.
struct IdeaLayout {
    title: Vec<String>,
    title_size: f64,
    body: Vec<String>,
    body_size: f64,
}

impl IdeaLayout {
    fn new(idea: &IdeaSpec<'_>, body_size: f64) -> Self {
        let width = WIDTH - ROW - 2.0 * MARGIN;
        let title = setting::set(&DISPLAY, idea.scene.title, Area { x: 0.0, y: 0.0, width, height: 108.0 });
        let body = wrap(&TEXT, &setting::typographic(idea.body), width / body_size);
        Self { title: title.words, title_size: title.size.min(46.0), body, body_size }
    }

    /// The total height of number, title and text.
    fn block(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few lines")]
        let (title, body) = (self.title.len() as f64, self.body.len() as f64);
        58.0 + title * self.title_size * 1.1 + body * self.body_size * LEADING
    }

    /// The height of the row.
    fn row(&self) -> f64 {
        ROW.max((self.block() + AIR).ceil())
    }
}

/// Lays out all ideas with the same font size.
fn laid(ideas: &[IdeaSpec<'_>]) -> Vec<IdeaLayout> {
    let mut texts = Vec::new();
    for size in BODY {
        texts = ideas.iter().map(|idea| IdeaLayout::new(idea, size)).collect();
        if texts.iter().all(|text| text.row() <= ROW) {
            break;
        }
    }
    texts
}

/// Draws the header: title and author on the dark shade of the book's hue, and the cover.
fn head(canvas: &mut Canvas, lettering: &mut Lettering, spec: &InfographicSpec<'_>, palette: &Palette) {
    canvas.rect((0.0, 0.0), WIDTH, HEAD, palette.deep);
    let whole = cover(&spec.cover);
    // The cover defines its own glyphs. Their ids stand for the same outlines here.
    canvas.framed((WIDTH - MARGIN - 262.0, 64.0), (262.0, 393.0), (600.0, 900.0), inner(&whole));
    let area = Area { x: MARGIN, y: 154.0, width: 720.0, height: 216.0 };
    let title = setting::set(&DISPLAY, spec.cover.title, area);
    for (line, baseline) in &title.lines {
        lettering.set(&DISPLAY, line, (area.x, *baseline), title.size.min(112.0), palette.paper);
    }
    let count = spec.ideas.len();
    set_line(lettering, &TEXT, &format!("{count} key ideas"), (MARGIN, 112.0), 26.0, palette.zest);
    set_line(lettering, &TEXT, spec.cover.author, (MARGIN, HEAD - 64.0), 30.0, palette.paper);
}

/// The content of a document's root element.
fn inner(document: &str) -> &str {
    let start = document.find('>').map_or(0, |at| at + 1);
    document[start..].strip_suffix("</svg>").unwrap_or(&document[start..])
}

/// Draws one idea: picture on one side, number, title and text on the other.
fn row(
    canvas: &mut Canvas,
    lettering: &mut Lettering,
    palette: &Palette,
    (i, top): (usize, f64),
    (idea, text): (&IdeaSpec<'_>, &IdeaLayout),
    with_text: bool,
) {
    let picture_left = i.is_multiple_of(2);
    let (picture, x) = if picture_left { (0.0, ROW + MARGIN) } else { (WIDTH - ROW, MARGIN) };
    if text.row() > ROW {
        canvas.rect((picture, top), ROW, text.row(), scene::panel(&idea.scene));
    }
    canvas.fitted((picture, top + (text.row() - ROW) / 2.0), ROW, &painted(&idea.scene));
    // Number, title and text form a block that is centred vertically in the row.
    let mut y = top + (text.row() - text.block()) / 2.0 + 24.0;
    set_line(lettering, &DISPLAY, &(i + 1).to_string(), (x, y), 34.0, palette.flesh);
    y += 12.0;
    for line in &text.title {
        y += text.title_size * 1.1;
        set_line(lettering, &DISPLAY, line, (x, y), text.title_size, palette.ink);
    }
    y += 16.0;
    for line in &text.body {
        y += text.body_size * LEADING;
        if with_text {
            set_line(lettering, &TEXT, line, (x, y), text.body_size, palette.ink);
        } else {
            let reach = TEXT.line(line, 0.0).width() * text.body_size;
            canvas.rect((x, y - 14.0), reach, 10.0, palette.tint);
        }
    }
}

/// Draws the footer with the site's name.
fn foot(canvas: &mut Canvas, lettering: &mut Lettering, spec: &InfographicSpec<'_>, palette: &Palette, top: f64) {
    canvas.rect((0.0, top), WIDTH, FOOT, palette.deep);
    mark::imprint(canvas, (MARGIN + 20.0, top + FOOT / 2.0), 20.0, palette.paper, palette.deep);
    set_line(lettering, &DISPLAY, spec.site, (MARGIN + 58.0, top + FOOT / 2.0 + 12.0), 36.0, palette.paper);
    let note = TEXT.line("The key ideas of great books", 0.0);
    let x = WIDTH - MARGIN - note.width() * 22.0;
    lettering.set(&TEXT, &note, (x, top + FOOT / 2.0 + 8.0), 22.0, palette.paper);
}

fn set_line(lettering: &mut Lettering, face: &Face, text: &str, at: (f64, f64), size: f64, fill: Rgb) {
    lettering.set(face, &face.line(text, 0.0), at, size, fill);
}

/// Breaks a text greedily into lines of at most `width` ems.
fn wrap(face: &Face, text: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last = String::new();
    for word in text.split_whitespace() {
        let longer = if last.is_empty() { word.to_owned() } else { format!("{last} {word}") };
        if !last.is_empty() && face.line(&longer, 0.0).width() > width {
            lines.push(std::mem::replace(&mut last, word.to_owned()));
        } else {
            last = longer;
        }
    }
    if !last.is_empty() {
        lines.push(last);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_every_word_and_keep_to_the_width() {
        let text =
            "It is your judgement that hurts, and the judgement is yours. Ask what happened, and what you added.";
        let lines = wrap(&TEXT, text, 20.0);
        assert_eq!(lines.join(" "), text);
        assert!(lines.len() > 1 && lines.iter().all(|line| TEXT.line(line, 0.0).width() <= 20.0));
        assert_eq!(wrap(&TEXT, "  ", 20.0), Vec::<String>::new());
        assert_eq!(wrap(&TEXT, "Unbreakable", 1.0), ["Unbreakable"]);
    }
}
