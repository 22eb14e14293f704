//! The basic shapes of all drawings: discs, halves, segments, rinds, lenses and pips of cut fruit.

use crate::colour::Rgb;
use crate::svg::{Canvas, Path, Point, polar};

/// The colours of a drawing. Skin, pith and flesh each contrast with the panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tones {
    /// The background.
    pub(crate) panel: Rgb,
    /// Peel and rind.
    pub(crate) skin: Rgb,
    /// The light part between the skin and the flesh.
    pub(crate) pith: Rgb,
    /// The inside of the fruit.
    pub(crate) flesh: Rgb,
    /// The colour of the single highlighted element.
    pub(crate) accent: Rgb,
}

/// A sector of a disc between two angles in degrees, clockwise.
pub(crate) fn sector(centre: Point, radius: f64, from: f64, to: f64) -> Path {
    Path::new()
        .to(centre)
        .line(polar(centre, radius, from))
        .arc(radius, to - from > 180.0, true, polar(centre, radius, to))
        .close()
}

/// A sector of a ring between the radii `inner` and `radius`: a piece of rind.
pub(crate) fn rind(centre: Point, radius: f64, inner: f64, from: f64, to: f64) -> Path {
    let large = to - from > 180.0;
    Path::new()
        .to(polar(centre, radius, from))
        .arc(radius, large, true, polar(centre, radius, to))
        .line(polar(centre, inner, to))
        .arc(inner, large, false, polar(centre, inner, from))
        .close()
}

/// A half disc whose dome points towards `facing` (degrees).
pub(crate) fn half(centre: Point, radius: f64, facing: f64) -> Path {
    Path::new()
        .to(polar(centre, radius, facing - 90.0))
        .arc(radius, false, true, polar(centre, radius, facing + 90.0))
        .close()
}

/// The intersection of two circles of the same radius: a lens with the tips `p` and `q`.
pub(crate) fn lens(p: Point, q: Point, radius: f64) -> Path {
    Path::new().to(p).arc(radius, false, true, q).arc(radius, false, true, p).close()
}

/// The half of a lens on the left of the line from `p` to `q`.
pub(crate) fn half_lens(p: Point, q: Point, radius: f64) -> Path {
    Path::new().to(p).arc(radius, false, true, q).close()
}

/// A pip: a drop around `centre` whose tip points towards `facing` (degrees).
pub(crate) fn pip(centre: Point, length: f64, facing: f64) -> Path {
    drop(centre, length, facing, true)
}

/// The half of a pip on the clockwise side of its axis.
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

/// The right or left half of a pear's outline around `centre`. `unit` is half of the pear's width.
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

/// Draws a citrus segment: a sector with rounded corners, half a `gap` away from its neighbours.
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

/// Draws a citrus cut across: rind, pith and `count` segments. The first one has the accent colour when `lit`.
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

/// Draws half a citrus wheel whose dome points towards `facing` (degrees): rind, pith and `count` segments.
pub(crate) fn half_wheel(canvas: &mut Canvas, centre: Point, radius: f64, count: u32, facing: f64, tones: &Tones) {
    // Rind and pith barely overlap: if one covered the other, its edge would show along the cut.
    canvas.fill(&half(centre, radius * 0.93, facing), tones.pith);
    canvas.fill(&rind(centre, radius, radius * 0.92, facing - 90.0, facing + 90.0), tones.skin);
    let gap = radius * 0.05;
    // The cut is in the pith, so the outer segments keep a small distance from it.
    let centre = polar(centre, gap * 0.6, facing);
    let step = 180.0 / f64::from(count);
    for i in 0..count {
        let from = facing - 90.0 + f64::from(i) * step;
        segment(canvas, centre, radius * 0.82, (from, from + step), gap, tones.flesh);
    }
}

/// The part of a disc between two y offsets from its centre; `None` when it is empty.
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
