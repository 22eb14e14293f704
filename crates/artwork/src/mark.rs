//! The logo: a slice of orange whose pith forms a white ring.

use crate::colour::{Rgb, oklch};
use crate::fruit;
use crate::svg::{Canvas, Point, polar};

/// Draws the logo, 64 by 64 with a transparent background, for the favicon. `name` is the site's name, as the text alternative.
pub fn mark(name: &str) -> String {
    let mut canvas = Canvas::new();
    slice(&mut canvas, (32.0, 32.0), 32.0);
    canvas.document(64, 64, name)
}

/// Draws the logo on paper, 64 by 64, as a maskable app icon: it lies within the safe zone, a circle with a radius of 40% of
/// the width. `name` is the site's name.
pub fn app_icon(name: &str) -> String {
    let mut canvas = Canvas::new();
    canvas.rect((0.0, 0.0), 64.0, 64.0, oklch(0.983, 0.008, 84.0));
    slice(&mut canvas, (32.0, 32.0), 23.0);
    canvas.document(64, 64, name)
}

fn slice(canvas: &mut Canvas, centre: Point, radius: f64) {
    let (rind, pith, flesh) = (oklch(0.66, 0.19, 50.0), oklch(0.985, 0.012, 85.0), oklch(0.72, 0.18, 55.0));
    let unit = radius / 32.0;
    canvas.disc(centre, radius, rind);
    canvas.disc(centre, 27.5 * unit, pith);
    for i in 0..6 {
        let from = -90.0 + 60.0 * f64::from(i);
        fruit::segment(canvas, centre, 23.0 * unit, (from, from + 60.0), 5.6 * unit, flesh);
    }
}

/// Draws the logo in one colour, as the publisher's mark on a cover.
pub(crate) fn imprint(canvas: &mut Canvas, centre: Point, radius: f64, colour: Rgb, ground: Rgb) {
    canvas.disc(centre, radius, colour);
    canvas.disc(centre, radius * 0.8, ground);
    for i in 0..6 {
        let from = -90.0 + 60.0 * f64::from(i);
        let middle = polar(centre, radius * 0.06, from + 30.0);
        canvas.fill(&fruit::sector(middle, radius * 0.6, from + 3.0, from + 57.0), colour);
    }
}
