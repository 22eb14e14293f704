//! The result of a quiz as a picture: a slice of fruit with a segment per share, and bars with names and percentages.

use crate::card::{self, CARD_HEIGHT, CARD_WIDTH};
use crate::colour::{Palette, oklch};
use crate::face::{DISPLAY, Lettering, TEXT};
use crate::fruit;
use crate::setting::{self, Area};
use crate::svg::{Canvas, Path, Point, polar};

/// The side of the picture of the slice alone, in its own units.
pub const SLICE_SIDE: u32 = 480;

/// The left edge and the width of a card's text.
const TEXT_LEFT: f64 = 596.0;
const TEXT_WIDTH: f64 = 528.0;
/// The lower edge of the bars.
const SHARES_END: f64 = 508.0;

/// One share of a result.
#[derive(Clone, Copy, Debug)]
pub struct ShareSpec<'a> {
    /// The name of the measured type or colour.
    pub name: &'a str,
    /// The share in whole percent, at most 100.
    pub percent: u16,
    /// Its hue, in OKLCH degrees.
    pub hue: f64,
    /// Whether no other share is greater.
    pub leads: bool,
}

/// The content of a result's picture.
#[derive(Clone, Copy, Debug)]
pub struct ResultSpec<'a> {
    /// A short text above the headline; may be empty.
    pub label: &'a str,
    /// The result in a few words.
    pub headline: &'a str,
    /// The shares, in the order shown.
    pub shares: &'a [ShareSpec<'a>],
    /// The site's name.
    pub site: &'a str,
}

/// Draws the card of a result: an SVG document of 1200 by 630.
pub fn result_card(spec: &ResultSpec<'_>) -> String {
    let palette = Palette::of(55.0, 1);
    let mut canvas = Canvas::new();
    canvas.rect((0.0, 0.0), f64::from(CARD_WIDTH), f64::from(CARD_HEIGHT), palette.paper);
    slice(&mut canvas, (300.0, f64::from(CARD_HEIGHT) / 2.0), 236.0, spec.shares);

    let mut lettering = Lettering::default();
    if let Some((line, size)) = setting::set_line(&TEXT, spec.label, TEXT_WIDTH, 27.0, 20.0) {
        lettering.set(&TEXT, &line, (TEXT_LEFT, 104.0), size, card::quiet());
    }
    let many = spec.shares.len() > 5;
    let area = Area { x: TEXT_LEFT, y: 120.0, width: TEXT_WIDTH, height: if many { 104.0 } else { 150.0 } };
    let headline = setting::set(&DISPLAY, spec.headline, area);
    let size = headline.size.min(76.0);
    let mut baseline = area.y;
    for (line, _) in &headline.lines {
        baseline += 1.04 * size;
        lettering.set(&DISPLAY, line, (area.x, baseline - 0.2 * size), size, palette.ink);
    }
    let top = baseline + 30.0;
    shares(&mut canvas, &mut lettering, top, spec.shares, palette);
    card::foot(&mut canvas, &mut lettering, spec.site, (TEXT_LEFT, card::FOOT), palette.paper);
    canvas.raw(&lettering.markup());
    canvas.document(CARD_WIDTH, CARD_HEIGHT, spec.headline)
}

/// Draws the slice alone: an SVG document of [`SLICE_SIDE`] by [`SLICE_SIDE`] with a transparent background.
pub fn result_slice(shares: &[ShareSpec<'_>]) -> String {
    let mut canvas = Canvas::new();
    let half = f64::from(SLICE_SIDE) / 2.0;
    slice(&mut canvas, (half, half), half, shares);
    canvas.document(SLICE_SIDE, SLICE_SIDE, "")
}

/// Draws the shares as bars, each with name and percentage.
fn shares(canvas: &mut Canvas, lettering: &mut Lettering, top: f64, all: &[ShareSpec<'_>], palette: Palette) {
    #[expect(clippy::cast_precision_loss, reason = "a few shares")]
    let row = ((SHARES_END - top) / all.len().max(1) as f64).min(50.0);
    let (type_size, thick) = ((row * 0.72).min(27.0), (row * 0.34).min(14.0));
    let (bar_left, bar_width) = (TEXT_LEFT + 236.0, 202.0);
    for (place, share) in (1_u32..).zip(all) {
        let baseline = top + f64::from(place) * row - row * 0.3;
        let ink = if share.leads { palette.ink } else { card::quiet() };
        if let Some((line, size)) = setting::set_line(&TEXT, share.name, 222.0, type_size, 12.0) {
            lettering.set(&TEXT, &line, (TEXT_LEFT, baseline), size, ink);
        }
        let bar_top = baseline - type_size * 0.36 - thick / 2.0;
        canvas.rect((bar_left, bar_top), bar_width, thick, oklch(0.90, 0.02, 80.0));
        let filled = bar_width * f64::from(share.percent.min(100)) / 100.0;
        // A rectangle must have a width.
        if filled > 0.0 {
            canvas.rect((bar_left, bar_top), filled, thick, Palette::of(share.hue, 0).flesh);
        }
        if let Some((line, size)) = setting::set_line(&TEXT, &format!("{}%", share.percent), 70.0, type_size, 12.0) {
            let right = TEXT_LEFT + TEXT_WIDTH - line.width() * size;
            lettering.set(&TEXT, &line, (right, baseline), size, ink);
        }
    }
}

/// Draws a cut fruit with one segment per share. The area of a segment is proportional to the share.
pub(crate) fn slice(canvas: &mut Canvas, centre: Point, radius: f64, shares: &[ShareSpec<'_>]) {
    canvas.disc(centre, radius, oklch(0.66, 0.19, 50.0));
    canvas.disc(centre, radius * 0.965, oklch(0.985, 0.012, 85.0));
    #[expect(clippy::cast_precision_loss, reason = "a few shares")]
    let step = 360.0 / shares.len().max(1) as f64;
    let (outer, gap) = (radius * 0.88, radius * 0.022);
    for (place, share) in (0_u32..).zip(shares) {
        let from = f64::from(place) * step - 90.0;
        let tones = Palette::of(share.hue, 0);
        canvas.fill(&segment(centre, outer, (from, from + step), gap), tones.tint);
        if share.percent > 0 {
            let inner = outer * (f64::from(share.percent.min(100)) / 100.0).sqrt();
            canvas.fill(&segment(centre, inner, (from, from + step), gap), tones.flesh);
        }
    }
}

/// A segment between two angles in degrees, with `gap` of pith around it.
fn segment(centre: Point, radius: f64, (from, to): (f64, f64), gap: f64) -> Path {
    if to - from >= 360.0 {
        // An SVG arc can't be a full circle.
        return fruit::sector(centre, radius, from, from + 359.9);
    }
    let middle = f64::midpoint(from, to);
    let inset = (gap / radius).to_degrees().min((to - from) / 4.0);
    fruit::sector(polar(centre, gap * 2.0, middle), radius, from + inset, to - inset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster;

    fn spec<'a>(shares: &'a [ShareSpec<'a>], headline: &'a str) -> ResultSpec<'a> {
        ResultSpec { label: "I am strongest in", headline, shares, site: "Pith" }
    }

    fn share(name: &str, percent: u16, hue: f64) -> ShareSpec<'_> {
        ShareSpec { name, percent, hue, leads: percent == 100 }
    }

    #[test]
    fn every_card_is_a_drawing_of_1200_by_630_whatever_the_result() {
        let name = "Logical-Mathematical & <Bodily-Kinesthetic>";
        for count in [0_u16, 1, 2, 4, 9, 13] {
            for percent in [0, 1, 50, 100, 65_535] {
                let shares: Vec<_> = (0..count).map(|n| share(name, percent, f64::from(n) * 40.0)).collect();
                let drawing = result_card(&spec(&shares, name));
                roxmltree::Document::parse(&drawing).unwrap();
                let pixels = raster::pixels(&drawing, CARD_WIDTH).unwrap();
                assert_eq!((pixels.width, pixels.height), (1200, 630));
                assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{count} {percent}");
            }
        }
    }

    #[test]
    fn a_greater_share_fills_more_of_its_segment() {
        let flesh = Palette::of(255.0, 0).flesh;
        let filled = |percent| {
            let pixels =
                raster::pixels(&result_slice(&[share("Blue", percent, 255.0), share("Red", 0, 30.0)]), 240).unwrap();
            pixels.rgba.chunks(4).filter(|pixel| pixel[..3] == [flesh.0, flesh.1, flesh.2]).count()
        };
        let [none, half, all] = [0, 50, 100].map(filled);
        assert_eq!(none, 0);
        assert!(half * 21 / 10 > all && half * 19 / 10 < all, "the area is the share: {half} and {all}");
    }
}
