//! The images of categories (one cut fruit on a square in the category's hue) and of collections (several such squares).

use crate::colour::Palette;
use crate::dice::Dice;
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, Point, polar};

/// Width and height of a category's image, in its own units.
const SIDE: u32 = 240;
const MIDDLE: Point = (120.0, 120.0);
/// Radius of the drawing. It leaves a margin, because the image is shown at icon size.
const RADIUS: f64 = 84.0;

/// Draws one fruit.
type Drawing = fn(&mut Canvas, &Tones);

/// All drawings. A seed selects by index, so a change of order or number changes every existing image.
const DRAWINGS: [Drawing; 12] =
    [wheel, half_wheel, stone, kiwi, star, pear, leaf, berries, pip, shifted, layers, quarter];

/// Draws a category's image: an SVG document of 240 by 240 without `<title>`, because pages show the category's name.
pub fn category_image(hue: f64, seed: u64) -> String {
    let mut dice = Dice::new(seed ^ DECK);
    let palette = Palette::of(hue, 0);
    let tones = Tones {
        panel: palette.tint,
        skin: palette.deep,
        pith: palette.paper,
        flesh: palette.flesh,
        accent: palette.zest,
    };
    let mut canvas = Canvas::new();
    canvas.rect((0.0, 0.0), f64::from(SIDE), f64::from(SIDE), tones.panel);
    dice.of(DRAWINGS)(&mut canvas, &tones);
    canvas.document(SIDE, SIDE, "")
}

/// Mixed into the seed, so that images differ from covers with the same seed. Chosen so that each demo category gets a different
/// fruit.
const DECK: u64 = 0xd582_af7c;

/// A citrus cut across.
fn wheel(canvas: &mut Canvas, tones: &Tones) {
    fruit::wheel(canvas, MIDDLE, RADIUS, 8, 0.0, false, tones);
}

/// Half a citrus.
fn half_wheel(canvas: &mut Canvas, tones: &Tones) {
    fruit::half_wheel(canvas, (120.0, 68.0), 104.0, 5, 90.0, tones);
}

/// A stone fruit.
fn stone(canvas: &mut Canvas, tones: &Tones) {
    for (radius, fill) in [(RADIUS, tones.skin), (68.0, tones.flesh), (34.0, tones.pith)] {
        canvas.disc((120.0, 120.0 + (RADIUS - radius) * 0.6), radius, fill);
    }
}

/// A kiwi cut across.
fn kiwi(canvas: &mut Canvas, tones: &Tones) {
    for (radius, fill) in [(RADIUS, tones.skin), (RADIUS * 0.9, tones.flesh), (RADIUS * 0.28, tones.pith)] {
        canvas.disc(MIDDLE, radius, fill);
    }
    for i in 0..10 {
        let angle = 36.0 * f64::from(i);
        canvas.fill(&fruit::pip(polar(MIDDLE, RADIUS * 0.52, angle), 20.0, angle + 180.0), tones.skin);
    }
}

/// An apple cut across.
fn star(canvas: &mut Canvas, tones: &Tones) {
    canvas.disc(MIDDLE, RADIUS, tones.skin);
    canvas.disc(MIDDLE, RADIUS * 0.88, tones.pith);
    for i in 0..5 {
        let angle = -90.0 + 72.0 * f64::from(i);
        canvas.fill(&fruit::lens(polar(MIDDLE, 5.0, angle), polar(MIDDLE, 64.0, angle), 40.0), tones.flesh);
    }
}

/// A pear, half of it cut.
fn pear(canvas: &mut Canvas, tones: &Tones) {
    let centre = (120.0, 122.0);
    canvas.fill(&fruit::half_pear(centre, 64.0, false), tones.skin);
    canvas.fill(&fruit::half_pear(centre, 64.0, true), tones.flesh);
    canvas.fill(&fruit::half((120.0, 154.0), 27.0, 0.0), tones.pith);
}

/// A leaf, half of it in the light.
fn leaf(canvas: &mut Canvas, tones: &Tones) {
    let (p, q) = ((44.0, 196.0), (196.0, 44.0));
    canvas.fill(&fruit::half_lens(p, q, 152.0), tones.skin);
    canvas.fill(&fruit::half_lens(q, p, 152.0), tones.flesh);
}

/// Three berries.
fn berries(canvas: &mut Canvas, tones: &Tones) {
    for centre in [(74.0, 82.0), (166.0, 82.0), (120.0, 161.0)] {
        // Slightly smaller than the lit half: otherwise its edge would be visible around that.
        canvas.disc(centre, 43.0, tones.skin);
        canvas.fill(&fruit::half(centre, 44.0, -45.0), tones.flesh);
    }
}

/// A pip, half of it in the shade.
fn pip(canvas: &mut Canvas, tones: &Tones) {
    canvas.fill(&fruit::pip(MIDDLE, 172.0, -90.0), tones.flesh);
    canvas.fill(&fruit::half_pip(MIDDLE, 172.0, -90.0), tones.skin);
}

/// Two halves moved along the cut.
fn shifted(canvas: &mut Canvas, tones: &Tones) {
    canvas.fill(&fruit::half((120.0, 142.0), 76.0, 180.0), tones.flesh);
    fruit::half_wheel(canvas, (120.0, 98.0), 76.0, 4, 0.0, tones);
}

/// The layers of an onion, moved by one along the cut.
fn layers(canvas: &mut Canvas, tones: &Tones) {
    for (y, facing, fills) in
        [(98.0, 0.0, [tones.skin, tones.pith, tones.flesh]), (142.0, 180.0, [tones.flesh, tones.skin, tones.pith])]
    {
        for (radius, fill) in [76.0, 51.0, 26.0].into_iter().zip(fills) {
            canvas.fill(&fruit::half((120.0, y), radius, facing), fill);
        }
    }
}

/// A quarter of a citrus.
fn quarter(canvas: &mut Canvas, tones: &Tones) {
    let corner = (44.0, 196.0);
    canvas.fill(&fruit::sector(corner, 135.0, -90.0, 0.0), tones.pith);
    canvas.fill(&fruit::rind(corner, 152.0, 134.0, -90.0, 0.0), tones.skin);
    for i in 0..3 {
        let from = -90.0 + 30.0 * f64::from(i);
        fruit::segment(canvas, corner, 120.0, (from, from + 30.0), 8.0, tones.flesh);
    }
}

/// Width of a collection's picture, in its own units.
pub const COLLECTION_WIDTH: u32 = 960;
/// Height of a collection's picture, in its own units.
pub const COLLECTION_HEIGHT: u32 = 480;

/// Draws a collection's image: one large fruit and four small ones, cycling through the hues of its categories. An SVG document
/// of 960 by 480 without `<title>`, because pages show the collection's name next to it.
pub fn collection_image(hues: &[f64], seed: u64) -> String {
    let mut dice = Dice::new(seed ^ DECK);
    let hue = |at: usize| hues.get(at % hues.len().max(1)).copied().unwrap_or(45.0);
    let (large_left, first) = (dice.coin(), dice.below(12));
    let mut canvas = Canvas::new();
    let side = f64::from(SIDE);
    let (large, small) = if large_left { (0.0, 2.0 * side) } else { (2.0 * side, 0.0) };
    tile(&mut canvas, (large, 0.0), 2.0, first, Scheme::Deep, hue(0));
    let schemes = [Scheme::Flesh, Scheme::Tint, Scheme::Paper, Scheme::Deep];
    let mut drawing = first;
    for (at, scheme) in schemes.into_iter().enumerate() {
        // Five different drawings out of twelve: 5 and 12 are coprime.
        drawing = (drawing + 5) % 12;
        let place = (small + if at % 2 == 0 { 0.0 } else { side }, if at < 2 { 0.0 } else { side });
        tile(&mut canvas, place, 1.0, drawing, scheme, hue(at + 1));
    }
    canvas.document(COLLECTION_WIDTH, COLLECTION_HEIGHT, "")
}

/// The background of a tile.
#[derive(Clone, Copy, Debug)]
enum Scheme {
    Tint,
    Deep,
    Flesh,
    Paper,
}

/// Draws one tile: a drawing with its background, scaled by `scale`.
fn tile(canvas: &mut Canvas, at: Point, scale: f64, drawing: u32, scheme: Scheme, hue: f64) {
    let p = Palette::of(hue, 0);
    let (panel, skin, pith, flesh) = match scheme {
        Scheme::Tint => (p.tint, p.deep, p.paper, p.flesh),
        Scheme::Deep => (p.deep, p.zest, p.paper, p.flesh),
        Scheme::Flesh => (p.flesh, p.deep, p.paper, p.zest),
        Scheme::Paper => (p.paper, p.deep, p.tint, p.flesh),
    };
    let mut art = Canvas::new();
    art.rect((0.0, 0.0), f64::from(SIDE), f64::from(SIDE), panel);
    let draw = usize::try_from(drawing).ok().and_then(|at| DRAWINGS.get(at)).copied().unwrap_or(wheel);
    draw(&mut art, &Tones { panel, skin, pith, flesh, accent: p.zest });
    canvas.scaled(at, f64::from(SIDE), scale, &art);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed_of;

    #[test]
    fn a_collections_picture_is_its_own_and_the_same_every_time() {
        let one = collection_image(&[265.0, 45.0], seed_of("steady-minds"));
        assert_eq!(one, collection_image(&[265.0, 45.0], seed_of("steady-minds")));
        assert_ne!(one, collection_image(&[265.0, 45.0], seed_of("lives-and-times")));
        assert_eq!(one.matches("<svg ").count(), 6, "the document and five tiles");
        assert!(one.len() < 25_000 && one.ends_with("</svg>"));
        assert!(collection_image(&[], 1).starts_with("<svg "), "also without a category");
    }

    #[test]
    fn what_is_drawn_stands_out_from_every_ground() {
        for hue in 0..360 {
            let p = Palette::of(f64::from(hue), 0);
            for (panel, skin) in [(p.tint, p.deep), (p.deep, p.zest), (p.flesh, p.deep), (p.paper, p.deep)] {
                assert!(crate::colour::contrast(panel, skin) >= 2.0, "hue {hue}");
            }
        }
    }
}
