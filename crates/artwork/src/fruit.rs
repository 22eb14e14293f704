//! The shapes that everything is drawn with: discs, halves, segments, rinds, lenses, pips, cut as one cuts fruit.

use crate::colour::Rgb;
use crate::svg::{Canvas, Path, Point, polar};

/// The colours of one drawing. Skin, pith and flesh each stand out from the panel that they are drawn on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tones {
    /// What the drawing stands on.
    pub(crate) panel: Rgb,
    /// Peel and rind.
    pub(crate) skin: Rgb,
    /// The light part between the skin and the flesh.
    pub(crate) pith: Rgb,
    /// The fruit itself.
    pub(crate) flesh: Rgb,
    /// The one thing that is different.
    pub(crate) accent: Rgb,
}

/// A slice of a disc from one angle to another, clockwise, in degrees.
pub(crate) fn sector(centre: Point, radius: f64, from: f64, to: f64) -> Path {
    Path::new()
        .to(centre)
        .line(polar(centre, radius, from))
        .arc(radius, to - from > 180.0, true, polar(centre, radius, to))
        .close()
}

/// The outer part of a slice of a disc, down to `inner`: a piece of rind.
pub(crate) fn rind(centre: Point, radius: f64, inner: f64, from: f64, to: f64) -> Path {
    let large = to - from > 180.0;
    Path::new()
        .to(polar(centre, radius, from))
        .arc(radius, large, true, polar(centre, radius, to))
        .line(polar(centre, inner, to))
        .arc(inner, large, false, polar(centre, inner, from))
        .close()
}

/// Half a disc whose dome looks towards `facing` (degrees).
pub(crate) fn half(centre: Point, radius: f64, facing: f64) -> Path {
    Path::new()
        .to(polar(centre, radius, facing - 90.0))
        .arc(radius, false, true, polar(centre, radius, facing + 90.0))
        .close()
}

/// What two circles have in common: an almond from `p` to `q`, both arcs with the given radius.
pub(crate) fn lens(p: Point, q: Point, radius: f64) -> Path {
    Path::new().to(p).arc(radius, false, true, q).arc(radius, false, true, p).close()
}

/// The half of a lens that lies to the left of the way from `p` to `q`.
pub(crate) fn half_lens(p: Point, q: Point, radius: f64) -> Path {
    Path::new().to(p).arc(radius, false, true, q).close()
}

/// A pip: a drop around `centre`, its tip towards `facing` (degrees).
pub(crate) fn pip(centre: Point, length: f64, facing: f64) -> Path {
    drop(centre, length, facing, true)
}

/// The half of a pip that lies clockwise of its axis.
pub(crate) fn half_pip(centre: Point, length: f64, facing: f64) -> Path {
    drop(centre, length, facing, false)
}

/// A drop, or the clockwise half of it.
fn drop(centre: Point, length: f64, facing: f64, whole: bool) -> Path {
    let half = length / 2.0;
    let belly = length * 0.32;
    let at = |along: f64, across: f64| polar(polar(centre, along, facing), across, facing + 90.0);
    let path = Path::new()
        .to(at(half, 0.0))
        .curve(at(half * 0.45, belly * 0.45), at(half * 0.1, belly), at(belly - half, belly))
        .arc(belly, false, true, at(-half, 0.0));
    if !whole {
        return path.close();
    }
    path.arc(belly, false, true, at(belly - half, -belly))
        .curve(at(half * 0.1, -belly), at(half * 0.45, -belly * 0.45), at(half, 0.0))
        .close()
}

/// A pear's outline around `centre`, `unit` being half of its width; the right half only, or the left.
pub(crate) fn half_pear(centre: Point, unit: f64, right: bool) -> Path {
    let side = if right { unit } else { -unit };
    let at = |x: f64, y: f64| (centre.0 + x * side, centre.1 + y * unit);
    Path::new()
        .to(at(0.0, -1.45))
        .curve(at(0.34, -1.45), at(0.5, -1.2), at(0.54, -0.88))
        .curve(at(0.6, -0.3), at(1.0, -0.15), at(1.0, 0.48))
        .curve(at(1.0, 1.05), at(0.55, 1.38), at(0.0, 1.38))
        .close()
}

/// One segment of a citrus: a slice with rounded corners, drawn back from its neighbours by half a `gap`.
pub(crate) fn segment(canvas: &mut Canvas, centre: Point, radius: f64, (from, to): (f64, f64), gap: f64, fill: Rgb) {
    let corner = radius * 0.06;
    let middle = f64::midpoint(from, to);
    let inset = gap / 2.0 + corner;
    let reach = radius - corner;
    let apex = inset / ((to - from) / 2.0).to_radians().sin();
    let back = (inset / reach).asin().to_degrees();
    let path = Path::new()
        .to(polar(centre, apex, middle))
        .line(polar(centre, reach, from + back))
        .arc(reach, to - from > 180.0, true, polar(centre, reach, to - back))
        .close();
    canvas.soft(&path, corner, fill);
}

/// A citrus cut across, seen whole: rind, pith and `count` segments, the first of them in the accent when `lit`.
pub(crate) fn wheel(canvas: &mut Canvas, centre: Point, radius: f64, count: u32, turn: f64, lit: bool, tones: &Tones) {
    canvas.disc(centre, radius, tones.skin);
    canvas.disc(centre, radius * 0.92, tones.pith);
    let step = 360.0 / f64::from(count);
    for i in 0..count {
        let from = turn + f64::from(i) * step;
        let fill = if lit && i == 0 { tones.accent } else { tones.flesh };
        segment(canvas, centre, radius * 0.85, (from, from + step), radius * 0.045, fill);
    }
}

/// A citrus cut in half and seen on its cut, its dome towards `facing`: rind, pith and `count` segments.
pub(crate) fn half_wheel(canvas: &mut Canvas, centre: Point, radius: f64, count: u32, facing: f64, tones: &Tones) {
    // Rind and pith only meet: were one laid over the other, its edge would show along the cut.
    canvas.fill(&half(centre, radius * 0.93, facing), tones.pith);
    canvas.fill(&rind(centre, radius, radius * 0.92, facing - 90.0, facing + 90.0), tones.skin);
    let gap = radius * 0.05;
    // The cut runs through the pith: the outer segments keep a little distance from it.
    let centre = polar(centre, gap * 0.6, facing);
    let step = 180.0 / f64::from(count);
    for i in 0..count {
        let from = facing - 90.0 + f64::from(i) * step;
        segment(canvas, centre, radius * 0.82, (from, from + step), gap, tones.flesh);
    }
}

/// The part of a disc between two heights above or below its centre, as a slice of a sliced fruit.
pub(crate) fn slice(centre: Point, radius: f64, top: f64, bottom: f64) -> Option<Path> {
    let (top, bottom) = (top.max(-radius), bottom.min(radius));
    if top >= bottom {
        return None;
    }
    let reach = |y: f64| (radius * radius - y * y).max(0.0).sqrt();
    let (a, b) = (reach(top), reach(bottom));
    let at = |x: f64, y: f64| (centre.0 + x, centre.1 + y);
    Some(
        Path::new()
            .to(at(-a, top))
            .line(at(a, top))
            .arc(radius, false, true, at(b, bottom))
            .line(at(-b, bottom))
            .arc(radius, false, true, at(-a, top))
            .close(),
    )
}
