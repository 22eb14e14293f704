//! The product's mark: a slice of orange, the white of its peel seen as a ring.

use crate::colour::{Rgb, oklch};
use crate::fruit;
use crate::svg::{Canvas, Point, polar};

/// The mark on its own, 64 by 64 on nothing, for the favicon: tangerine, paper pith, six segments. `name` is the site's,
/// which is read out in the picture's place.
pub fn mark(name: &str) -> String {
    let mut canvas = Canvas::new();
    slice(&mut canvas, (32.0, 32.0), 32.0);
    canvas.document(64, 64, name)
}

/// The mark on paper, 64 by 64, for systems that cut an app's icon to a shape of theirs: it lies within the circle of 40%
/// of the width that every such shape leaves whole. `name` is the site's.
pub fn app_icon(name: &str) -> String {
    let mut canvas = Canvas::new();
    canvas.rect((0.0, 0.0), 64.0, 64.0, oklch(0.983, 0.008, 84.0));
    slice(&mut canvas, (32.0, 32.0), 23.0);
    canvas.document(64, 64, name)
}

/// The slice of orange.
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

/// The mark in one colour, as a publisher's device on a cover.
pub(crate) fn imprint(canvas: &mut Canvas, centre: Point, radius: f64, colour: Rgb, ground: Rgb) {
    canvas.disc(centre, radius, colour);
    canvas.disc(centre, radius * 0.8, ground);
    for i in 0..6 {
        let from = -90.0 + 60.0 * f64::from(i);
        let middle = polar(centre, radius * 0.06, from + 30.0);
        canvas.fill(&fruit::sector(middle, radius * 0.6, from + 3.0, from + 57.0), colour);
    }
}
