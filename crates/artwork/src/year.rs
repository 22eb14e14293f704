//! A year of reading as a picture to share: figures, and a slice of fruit with a segment for each month.

use crate::card;
use crate::colour::{Palette, Rgb, oklch};
use crate::face::{DISPLAY, Lettering, TEXT};
use crate::result::{ShareSpec, slice};
use crate::setting;
use crate::svg::{Canvas, Point, polar};
use crate::{HIGHLIGHT_CARD_HEIGHT, HIGHLIGHT_CARD_WIDTH};

/// The left margin of all text.
const MARGIN: f64 = 92.0;
/// The width between the margins.
const WIDTH: f64 = 896.0;
/// The center of the slice.
const CENTRE: Point = (690.0, 590.0);
const RADIUS: f64 = 282.0;
/// From the center of the slice to the middle of the months' letters.
const LETTERS: f64 = 318.0;
/// Baselines of the figures beside the slice.
const BESIDE: [f64; 3] = [470.0, 632.0, 794.0];
/// Baseline of the figures below the slice.
const BELOW: f64 = 1040.0;
/// Baseline of the categories.
const CATEGORIES: f64 = 1172.0;
/// The baseline of the logo and the site's name.
const FOOT: f64 = 1272.0;
/// The hue of a month without one: the site's orange.
const SITE_HUE: f64 = 55.0;

/// A month of a year's picture.
#[derive(Clone, Copy, Debug, Default)]
pub struct MonthSpec {
    /// How much was read, in any unit.
    pub read: u32,
    /// The hue of the category that was read most, in OKLCH degrees; `None`: the site's own.
    pub hue: Option<f64>,
}

/// The content of a year's picture.
#[derive(Clone, Copy, Debug)]
pub struct YearCardSpec<'a> {
    /// Such as `2026`.
    pub year: &'a str,
    /// Whether the year has ended.
    pub is_over: bool,
    /// Values with their labels; up to six are shown.
    pub figures: &'a [(&'a str, &'a str)],
    /// From January to December.
    pub months: &'a [MonthSpec; 12],
    /// Names and hues, in OKLCH degrees, of the categories that were read most.
    pub categories: &'a [(&'a str, f64)],
    /// The site's name.
    pub site: &'a str,
}

/// Draws the picture of a year: an SVG document of 1080 by 1350, with all text as outlines.
pub fn year_card(spec: &YearCardSpec<'_>) -> String {
    let mut canvas = Canvas::new();
    let (width, height) = (f64::from(HIGHLIGHT_CARD_WIDTH), f64::from(HIGHLIGHT_CARD_HEIGHT));
    let palette = Palette::of(SITE_HUE, 1);
    canvas.rect((0.0, 0.0), width, height, palette.paper);
    let mut lettering = Lettering::default();
    if let Some((line, size)) = setting::set_line(&DISPLAY, spec.year, WIDTH, 176.0, 60.0) {
        lettering.set(&DISPLAY, &line, (MARGIN - 6.0, 226.0), size, palette.ink);
    }
    let line = if spec.is_over { "in reading" } else { "in reading, so far" };
    text(&mut lettering, line, (MARGIN, 286.0), WIDTH, 38.0, card::quiet());
    months(&mut canvas, &mut lettering, spec);
    for (figure, baseline) in spec.figures.iter().zip(BESIDE) {
        draw_figure(&mut lettering, figure, (MARGIN, baseline), 250.0, palette.ink);
    }
    for (figure, column) in spec.figures.iter().skip(BESIDE.len()).zip([0.0, 1.0, 2.0]) {
        draw_figure(&mut lettering, figure, (MARGIN + column * 308.0, BELOW), 280.0, palette.ink);
    }
    categories(&mut canvas, &mut lettering, spec.categories, palette.ink);
    card::foot(&mut canvas, &mut lettering, spec.site, (MARGIN, FOOT), palette.paper);
    canvas.raw(&lettering.markup());
    canvas.document(HIGHLIGHT_CARD_WIDTH, HIGHLIGHT_CARD_HEIGHT, &format!("{} {line}", spec.year))
}

/// Draws a figure with its label below.
fn draw_figure(lettering: &mut Lettering, (value, label): &(&str, &str), at: Point, width: f64, ink: Rgb) {
    if let Some((line, size)) = setting::set_line(&DISPLAY, value, width, 92.0, 30.0) {
        lettering.set(&DISPLAY, &line, at, size, ink);
    }
    text(lettering, label, (at.0, at.1 + 42.0), width, 28.0, card::quiet());
}

/// Draws the slice: the area of a month's segment grows with what was read in it.
fn months(canvas: &mut Canvas, lettering: &mut Lettering, spec: &YearCardSpec<'_>) {
    let most = spec.months.iter().map(|month| month.read).max().unwrap_or(0).max(1);
    let shares = spec.months.map(|month| {
        let percent = u64::from(month.read) * 100 / u64::from(most);
        let percent = u16::try_from(percent).unwrap_or(100);
        ShareSpec { name: "", percent, hue: month.hue.unwrap_or(SITE_HUE), leads: false }
    });
    slice(canvas, CENTRE, RADIUS, &shares);
    for (name, month) in ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"].into_iter().zip(0_u8..) {
        if let Some((line, size)) = setting::set_line(&TEXT, name, 40.0, 26.0, 20.0) {
            let (x, y) = polar(CENTRE, LETTERS, f64::from(month) * 30.0 - 75.0);
            lettering.set(
                &TEXT,
                &line,
                (x - line.width() * size / 2.0, y + size * 0.36),
                size,
                oklch(0.47, 0.025, 60.0),
            );
        }
    }
}

/// Draws the names of the categories in a line, each behind a dot in the color that its months have.
fn categories(canvas: &mut Canvas, lettering: &mut Lettering, categories: &[(&str, f64)], ink: Rgb) {
    let mut left = MARGIN;
    for (name, hue) in categories {
        let Some((line, size)) = setting::set_line(&TEXT, name, MARGIN + WIDTH - left - 30.0, 32.0, 18.0) else {
            break;
        };
        canvas.disc((left + 11.0, CATEGORIES - 11.0), 11.0, Palette::of(*hue, 0).flesh);
        lettering.set(&TEXT, &line, (left + 34.0, CATEGORIES), size, ink);
        left += 34.0 + line.width() * size + 44.0;
    }
}

fn text(lettering: &mut Lettering, text: &str, at: Point, width: f64, size: f64, ink: Rgb) {
    if let Some((line, size)) = setting::set_line(&TEXT, text, width, size, 18.0) {
        lettering.set(&TEXT, &line, at, size, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster;

    const FIGURES: [(&str, &str); 7] = [
        ("1,234", "summaries"),
        ("8,760", "hours"),
        ("366", "days of reading"),
        ("366", "days in a row"),
        ("12,345,678", "highlights"),
        ("4,294,967,295", "cards reviewed"),
        ("7", "one too many"),
    ];

    fn spec<'a>(figures: &'a [(&'a str, &'a str)], months: &'a [MonthSpec; 12]) -> YearCardSpec<'a> {
        let categories = &[("Philosophy & <Life>", 300.0), ("Psychology", 200.0)];
        YearCardSpec { year: "2026", is_over: false, figures, months, categories, site: "Pith" }
    }

    #[test]
    fn every_year_is_a_drawing_of_1080_by_1350() {
        for months in [[0; 12], [u32::MAX; 12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]] {
            let months = months.map(|read| MonthSpec { read, hue: (read > 5).then_some(145.0) });
            for count in 0..=FIGURES.len() {
                let drawing = year_card(&spec(&FIGURES[..count], &months));
                roxmltree::Document::parse(&drawing).unwrap();
                assert!(!drawing.contains("NaN") && !drawing.contains("inf"));
            }
        }
        let drawing =
            year_card(&YearCardSpec { categories: &[], is_over: true, ..spec(&FIGURES, &[MonthSpec::default(); 12]) });
        let pixels = raster::pixels(&drawing, HIGHLIGHT_CARD_WIDTH).unwrap();
        assert_eq!((pixels.width, pixels.height), (HIGHLIGHT_CARD_WIDTH, HIGHLIGHT_CARD_HEIGHT));
    }

    #[test]
    fn the_letters_of_the_months_stand_around_the_slice() {
        const {
            assert!(CENTRE.0 + LETTERS + 20.0 < 1080.0, "within the picture");
            assert!(LETTERS - 20.0 > RADIUS, "not on the slice");
            assert!(CENTRE.1 + LETTERS + 20.0 < BELOW - 92.0, "above the figures");
        }
    }
}
