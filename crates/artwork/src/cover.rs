//! A book's cover: title and author on one part, a composition of cut fruit on the other.

use crate::colour::{Palette, Rgb};
use crate::compose::{self, SIDE};
use crate::dice::Dice;
use crate::face::{DISPLAY, Lettering, TEXT};
use crate::fruit::Tones;
use crate::mark;
use crate::setting::{self, Area};
use crate::svg::Canvas;

/// Width of a cover, in its own units.
pub const COVER_WIDTH: u32 = 600;
/// Height of a cover, in its own units.
pub const COVER_HEIGHT: u32 = 900;

/// The margin of all text.
const MARGIN: f64 = 48.0;
/// Font size of the author's name.
const AUTHOR: f64 = 27.0;

/// The content of a cover.
#[derive(Clone, Copy, Debug)]
pub struct CoverSpec<'a> {
    /// The book's title. Any text is possible; 1 to 60 characters look as designed.
    pub title: &'a str,
    pub author: &'a str,
    /// The hue of the book's first category, in OKLCH degrees.
    pub hue: f64,
    /// Selects the composition; see [`crate::seed_of`].
    pub seed: u64,
}

/// The colours of a cover.
#[derive(Clone, Copy, Debug)]
struct Scheme {
    /// The background of the text.
    ground: Rgb,
    type_: Rgb,
    /// The colours of the drawing.
    tones: Tones,
}

/// The number of schemes.
const SCHEMES: u32 = 6;

/// The scheme with a number below [`SCHEMES`].
fn scheme(number: u32, p: &Palette) -> Scheme {
    let on = |panel: Rgb, skin: Rgb, pith: Rgb, flesh: Rgb, accent: Rgb| Tones { panel, skin, pith, flesh, accent };
    match number {
        0 => Scheme { ground: p.paper, type_: p.ink, tones: on(p.paper, p.deep, p.tint, p.flesh, p.zest) },
        1 => Scheme { ground: p.flesh, type_: p.ink, tones: on(p.flesh, p.deep, p.paper, p.zest, p.tint) },
        2 => Scheme { ground: p.deep, type_: p.paper, tones: on(p.deep, p.zest, p.paper, p.flesh, p.tint) },
        3 => Scheme { ground: p.tint, type_: p.ink, tones: on(p.tint, p.deep, p.paper, p.flesh, p.zest) },
        4 => Scheme { ground: p.paper, type_: p.ink, tones: on(p.flesh, p.deep, p.paper, p.zest, p.tint) },
        _ => Scheme { ground: p.paper, type_: p.ink, tones: on(p.deep, p.zest, p.paper, p.flesh, p.tint) },
    }
}

/// Draws a cover: a self-contained SVG document of 600 by 900. Deterministic.
pub fn cover(spec: &CoverSpec<'_>) -> String {
    let mut dice = Dice::new(spec.seed);
    let composition = dice.of(compose::ALL);
    let number = dice.below(SCHEMES);
    let type_on_top = dice.coin();
    let palette = Palette::of(spec.hue, dice.of([0, 1, 2]));
    let scheme = scheme(number, &palette);

    let mut canvas = Canvas::new();
    let (width, height) = (f64::from(COVER_WIDTH), f64::from(COVER_HEIGHT));
    canvas.rect((0.0, 0.0), width, height, scheme.ground);
    let top = if type_on_top { height - SIDE } else { 0.0 };
    if scheme.tones.panel != scheme.ground {
        canvas.rect((0.0, top), SIDE, SIDE, scheme.tones.panel);
    }
    let mut art = Canvas::new();
    composition(&mut art, &scheme.tones, &mut dice);
    canvas.window((0.0, top), SIDE, &art);

    let mut lettering = Lettering::default();
    let author_line = if type_on_top { MARGIN + 20.0 } else { height - MARGIN };
    let (title_top, title_height) = if type_on_top { (author_line + 38.0, 168.0) } else { (SIDE + 36.0, 160.0) };
    let area = Area { x: MARGIN, y: title_top, width: width - 2.0 * MARGIN, height: title_height };
    let title = setting::set(&DISPLAY, spec.title, area);
    for (line, baseline) in &title.lines {
        lettering.set(&DISPLAY, line, (area.x, *baseline), title.size, scheme.type_);
    }
    if let Some((line, size)) = setting::set_line(&TEXT, spec.author, area.width - 56.0, AUTHOR, 18.0) {
        lettering.set(&TEXT, &line, (MARGIN, author_line), size, scheme.type_);
    }
    canvas.raw(&lettering.markup());
    mark::imprint(&mut canvas, (width - MARGIN - 15.0, author_line - 10.0), 15.0, scheme.type_, scheme.ground);
    canvas.document(COVER_WIDTH, COVER_HEIGHT, &caption(spec))
}

/// The picture's `<title>`: title and author.
fn caption(spec: &CoverSpec<'_>) -> String {
    match (spec.title.trim(), spec.author.trim()) {
        ("", author) => author.to_owned(),
        (title, "") => title.to_owned(),
        (title, author) => format!("{title}, {author}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::contrast;

    #[test]
    fn type_stands_out_from_its_ground_over_all_hues() {
        for hue in 0..360 {
            for number in 0..SCHEMES {
                let scheme = scheme(number, &Palette::of(f64::from(hue), 0));
                let ratio = contrast(scheme.type_, scheme.ground);
                assert!(ratio >= 4.5, "hue {hue}, scheme {number}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn drawings_stand_out_from_their_panel_over_all_hues() {
        for hue in 0..360 {
            for number in 0..SCHEMES {
                let tones = scheme(number, &Palette::of(f64::from(hue), 0)).tones;
                // WCAG requires 3 for meaningful graphics. These are decorative, but skin and flesh must be distinguishable.
                assert!(contrast(tones.skin, tones.panel) >= 2.5, "hue {hue}, scheme {number}");
                assert!(contrast(tones.skin, tones.flesh) >= 1.4, "hue {hue}, scheme {number}");
            }
        }
    }
}
