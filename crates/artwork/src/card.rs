//! Sharing cards (Open Graph images): the preview picture of a page where its URL is shared.

use crate::colour::{Palette, Rgb, oklch};
use crate::face::{DISPLAY, Lettering, TEXT};
use crate::fruit::{self, Tones};
use crate::mark;
use crate::setting::{self, Area};
use crate::svg::{Canvas, Point};

/// Width of a card, in pixels: the size that social networks expect.
pub const CARD_WIDTH: u32 = 1200;
/// Height of a card, in pixels.
pub const CARD_HEIGHT: u32 = 630;
/// The area of the cover on a book's card: left, top, width and height, in pixels.
pub const CARD_COVER: (u32, u32, u32, u32) = (76, 63, 336, 504);

/// The left edge of the text.
const TEXT_LEFT: f64 = 488.0;
/// The right margin.
const MARGIN: f64 = 76.0;
/// The baseline of the logo and the site's name.
pub(crate) const FOOT: f64 = 556.0;

/// The content of a book's card.
#[derive(Clone, Copy, Debug)]
pub struct CardSpec<'a> {
    pub title: &'a str,
    pub author: &'a str,
    /// A short line below the author: category and reading time.
    pub note: &'a str,
    /// The hue of the book's first category, in OKLCH degrees.
    pub hue: f64,
    /// The site's name.
    pub site: &'a str,
}

/// Draws a book's card: an SVG document of 1200 by 630. The area [`CARD_COVER`] is left empty; the caller adds the cover there.
pub fn card(spec: &CardSpec<'_>) -> String {
    let palette = Palette::of(spec.hue, 0);
    let mut canvas = Canvas::new();
    let (width, height) = (f64::from(CARD_WIDTH), f64::from(CARD_HEIGHT));
    canvas.rect((0.0, 0.0), width, height, palette.paper);
    // The left part has the category's colour; the cover overlaps both parts.
    canvas.rect((0.0, 0.0), 244.0, height, palette.flesh);
    let (left, top, cover_width, cover_height) = CARD_COVER;
    let (left, top) = (f64::from(left), f64::from(top));
    shadow(&mut canvas, (left, top), f64::from(cover_width), f64::from(cover_height), palette.zest);

    let mut lettering = Lettering::default();
    let room = width - TEXT_LEFT - MARGIN;
    let area = Area { x: TEXT_LEFT, y: 78.0, width: room, height: 280.0 };
    let title = setting::set(&DISPLAY, spec.title, area);
    for (line, baseline) in &title.lines {
        lettering.set(&DISPLAY, line, (area.x, *baseline), title.size, palette.ink);
    }
    let below = title.lines.last().map_or(area.y, |(_, baseline)| baseline + 0.22 * title.size) + 54.0;
    if let Some((line, size)) = setting::set_line(&TEXT, spec.author, room, 34.0, 24.0) {
        lettering.set(&TEXT, &line, (TEXT_LEFT, below), size, palette.ink);
    }
    if let Some((line, size)) = setting::set_line(&TEXT, spec.note, room, 26.0, 20.0) {
        lettering.set(&TEXT, &line, (TEXT_LEFT, below + 44.0), size, quiet());
    }
    foot(&mut canvas, &mut lettering, spec.site, (TEXT_LEFT, FOOT), palette.paper);
    canvas.raw(&lettering.markup());
    canvas.document(CARD_WIDTH, CARD_HEIGHT, "")
}

/// Draws the site's own card: name and tagline next to a cut fruit.
pub fn site_card(site: &str, line: &str) -> String {
    let palette = Palette::of(55.0, 1);
    let mut canvas = Canvas::new();
    let (width, height) = (f64::from(CARD_WIDTH), f64::from(CARD_HEIGHT));
    canvas.rect((0.0, 0.0), width, height, palette.paper);
    let tones = Tones {
        panel: palette.paper,
        skin: oklch(0.66, 0.19, 50.0),
        pith: oklch(0.985, 0.012, 85.0),
        flesh: oklch(0.72, 0.18, 55.0),
        accent: palette.zest,
    };
    fruit::wheel(&mut canvas, (width - 120.0, height / 2.0), 400.0, 10, 9.0, false, &tones);
    let mut lettering = Lettering::default();
    let area = Area { x: MARGIN, y: 96.0, width: 560.0, height: 330.0 };
    let words = setting::set(&DISPLAY, line, area);
    for (line, baseline) in &words.lines {
        lettering.set(&DISPLAY, line, (area.x, *baseline), words.size, palette.ink);
    }
    foot(&mut canvas, &mut lettering, site, (MARGIN, FOOT), palette.paper);
    canvas.raw(&lettering.markup());
    canvas.document(CARD_WIDTH, CARD_HEIGHT, site)
}

/// Draws the logo and the site's name at the bottom of a card: from the left edge, on the baseline.
pub(crate) fn foot(canvas: &mut Canvas, lettering: &mut Lettering, site: &str, (left, baseline): Point, ground: Rgb) {
    let accent = oklch(0.64, 0.185, 48.0);
    mark::imprint(canvas, (left + 22.0, baseline - 12.0), 22.0, accent, ground);
    if let Some((line, size)) = setting::set_line(&DISPLAY, site, 400.0, 40.0, 24.0) {
        lettering.set(&DISPLAY, &line, (left + 60.0, baseline), size, oklch(0.22, 0.018, 60.0));
    }
}

/// A muted text colour, with a contrast of at least 4.5 on paper.
pub(crate) fn quiet() -> Rgb {
    oklch(0.47, 0.025, 60.0)
}

/// Draws a book's shadow: an offset rectangle without blur. The colour must differ from every cover's background.
fn shadow(canvas: &mut Canvas, at: Point, width: f64, height: f64, colour: Rgb) {
    canvas.rect((at.0 + 12.0, at.1 + 12.0), width, height, colour);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::contrast;

    #[test]
    fn type_stands_out_from_the_paper() {
        let palette = Palette::of(55.0, 0);
        for colour in [palette.ink, quiet()] {
            assert!(contrast(colour, palette.paper) >= 4.5);
        }
    }

    #[test]
    fn the_cover_keeps_its_shape_and_leaves_the_type_alone() {
        let (left, top, width, height) = CARD_COVER;
        assert_eq!(width * crate::COVER_HEIGHT, height * crate::COVER_WIDTH);
        assert_eq!(top * 2 + height, CARD_HEIGHT);
        assert!(f64::from(left + width) + 48.0 < TEXT_LEFT);
    }
}
