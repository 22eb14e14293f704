//! Shapes that several scenes share: polygons, smooth lines, arcs, persons, sprouts, doors, the ground.

use crate::colour::Rgb;
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, Path, Point, polar};

/// The side of a scene's square.
pub(super) const SIDE: f64 = 600.0;

/// A polygon.
pub(super) fn polygon(points: &[Point]) -> Path {
    let mut path = Path::new();
    for (i, point) in points.iter().enumerate() {
        path = if i == 0 { path.to(*point) } else { path.line(*point) };
    }
    path.close()
}

/// A smooth open line through all points (a Catmull-Rom spline, written as cubics).
pub(super) fn smooth(points: &[Point]) -> Path {
    let Some(first) = points.first() else { return Path::new() };
    let mut path = Path::new().to(*first);
    for (i, pair) in points.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let before = if i == 0 { from } else { points[i - 1] };
        let after = points.get(i + 2).copied().unwrap_or(to);
        let lean = |a: Point, b: Point| ((b.0 - a.0) / 6.0, (b.1 - a.1) / 6.0);
        let (start, end) = (lean(before, to), lean(from, after));
        path = path.curve((from.0 + start.0, from.1 + start.1), (to.0 - end.0, to.1 - end.1), to);
    }
    path
}

/// A straight line of the given width.
pub(super) fn rod(canvas: &mut Canvas, from: Point, to: Point, width: f64, colour: Rgb) {
    canvas.stroke(&Path::new().to(from).line(to), width, colour);
}

/// A circular arc between two angles in degrees, clockwise.
pub(super) fn bow(centre: Point, radius: f64, from: f64, to: f64) -> Path {
    Path::new().to(polar(centre, radius, from)).arc(radius, to - from > 180.0, true, polar(centre, radius, to))
}

/// A rectangle with rounded corners, of a radius of at most half the height.
pub(super) fn slab(canvas: &mut Canvas, at: Point, width: f64, height: f64, fill: Rgb) {
    let corner = (height / 2.0).min(10.0);
    let (x, y) = (at.0 + corner, at.1 + corner);
    let (right, bottom) = (at.0 + width - corner, at.1 + height - corner);
    canvas.soft(&polygon(&[(x, y), (right, y), (right, bottom), (x, bottom)]), corner, fill);
}

/// Fills everything below `top`.
pub(super) fn earth(canvas: &mut Canvas, top: f64, fill: Rgb) {
    canvas.rect((0.0, top), SIDE, SIDE - top, fill);
}

/// A person seen from the front, standing on `foot`: a head over shoulders, `size` wide.
pub(super) fn person(canvas: &mut Canvas, foot: Point, size: f64, head: Rgb, body: Rgb) {
    canvas.fill(&fruit::half(foot, size / 2.0, -90.0), body);
    canvas.disc((foot.0, foot.1 - size * 0.8), size * 0.27, head);
}

/// Two leaves on a stem, rising from `foot`.
pub(super) fn sprout(canvas: &mut Canvas, foot: Point, size: f64, tones: &Tones) {
    let fork = (foot.0, foot.1 - size * 0.35);
    rod(canvas, foot, fork, size * 0.09, tones.skin);
    let (left, right) = ((fork.0 - size * 0.5, fork.1 - size * 0.5), (fork.0 + size * 0.5, fork.1 - size * 0.5));
    canvas.fill(&fruit::lens(fork, left, size * 0.52), tones.flesh);
    canvas.fill(&fruit::lens(fork, right, size * 0.52), tones.accent);
}

/// A doorway with a round top, standing on `foot`.
pub(super) fn doorway(foot: Point, width: f64, height: f64) -> Path {
    let half = width / 2.0;
    let spring = foot.1 - height + half;
    Path::new()
        .to((foot.0 - half, foot.1))
        .line((foot.0 - half, spring))
        .arc(half, false, true, (foot.0 + half, spring))
        .line((foot.0 + half, foot.1))
        .close()
}

/// A house with a pitched roof, standing on `foot`; the roof takes a third of its height.
pub(super) fn house(canvas: &mut Canvas, foot: Point, (width, height): (f64, f64), walls: Rgb, roof: Rgb) {
    let half = width / 2.0;
    let eaves = foot.1 - height * 0.64;
    canvas.rect((foot.0 - half, eaves), width, height * 0.64, walls);
    let ridge = (foot.0, foot.1 - height);
    canvas.fill(&polygon(&[(foot.0 - half, eaves), ridge, (foot.0 + half, eaves)]), roof);
}

/// A spiral of half circles, from its centre outwards. It grows by twice `step` per turn.
pub(super) fn spiral(heart: Point, start: f64, step: f64, turns: u8) -> Path {
    // Half circles around two centres, `step` apart.
    let radius = |i: u8| start + step * f64::from(i);
    let mut path = Path::new().to((heart.0 - radius(0), heart.1));
    for i in 0..turns {
        let end = if i % 2 == 0 { radius(i) } else { -step - radius(i) };
        path = path.arc(radius(i), false, true, (heart.0 + end, heart.1));
    }
    path
}

/// The x coordinate of an item when `count` items are spread evenly over `width`, centred in the square.
pub(super) fn spread(index: u8, count: u8, width: f64) -> f64 {
    SIDE / 2.0 + width * ((f64::from(index) + 0.5) / f64::from(count.max(1)) - 0.5)
}
