//! Compositions of cut fruit: halves, slices, peels, layers.

use super::SIDE;
use crate::dice::Dice;
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, Path};

/// Two halves of a citrus, shifted along the cut: one shows its inside, the other its skin.
pub(super) fn shifted_halves(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let facing = dice.of([0.0, 90.0, 180.0, 270.0, 45.0, 225.0]);
    let shift: f64 = dice.of([50.0, -50.0, 100.0, -100.0]);
    let radius = if shift.abs() > 60.0 { 200.0 } else { 236.0 };
    let centre = (SIDE / 2.0, SIDE / 2.0);
    let near = crate::svg::polar(centre, shift, facing + 90.0);
    let far = crate::svg::polar(centre, -shift, facing + 90.0);
    let count = dice.of([4, 5, 6]);
    canvas.fill(&fruit::half(far, radius, facing + 180.0), tones.skin);
    fruit::half_wheel(canvas, near, radius, count, facing, tones);
}

/// A spiral peel in one piece, seen from above, and the peeled fruit.
pub(super) fn peel(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let flip = if dice.coin() { 1.0 } else { -1.0 };
    let upright = dice.coin();
    let at = |x: f64, y: f64| {
        if upright { (300.0 + x * flip, 300.0 + y) } else { (300.0 + y, 300.0 + x * flip) }
    };
    // Mirroring reverses the direction of an arc.
    let clockwise = (flip > 0.0) == upright;
    // A spiral of half circles around two centres, 48 apart. It grows by 96 per turn.
    let spiral = |inward: f64| {
        let radius = |i: u8| 92.0 + 48.0 * f64::from(i) - inward;
        let mut path = Path::new().to(at(24.0 - radius(0), 0.0));
        for i in 0..4 {
            let end = if i % 2 == 0 { 24.0 + radius(i) } else { -24.0 - radius(i) };
            path = path.arc(radius(i), false, clockwise, at(end, 0.0));
        }
        path
    };
    canvas.stroke(&spiral(0.0), 60.0, tones.skin);
    canvas.stroke(&spiral(21.0), 22.0, tones.pith);
    canvas.disc(at(24.0, 0.0), 46.0, tones.flesh);
}

/// A fruit cut into slices that are shifted against each other.
pub(super) fn slices(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let offsets = dice.of([
        [-50.0, 50.0, -50.0, 50.0, -50.0],
        [-80.0, -40.0, 0.0, 40.0, 80.0],
        [80.0, 40.0, 0.0, -40.0, -80.0],
        [50.0, 50.0, -50.0, -50.0, 50.0],
        [0.0, 0.0, 50.0, 0.0, 0.0],
    ]);
    let core = dice.of([70.0, 110.0]);
    for (i, offset) in (0_u8..).zip(offsets) {
        // A gap of ten between two slices, none at the ends of the fruit.
        let top = -250.0 + 100.0 * f64::from(i) + if i > 0 { 5.0 } else { 0.0 };
        let bottom = -150.0 + 100.0 * f64::from(i) - if i < 4 { 5.0 } else { 0.0 };
        let centre = (300.0 + offset, 300.0);
        for (radius, fill) in [(250.0, tones.skin), (218.0, tones.flesh), (core, tones.pith)] {
            if let Some(band) = fruit::slice(centre, radius, top, bottom) {
                canvas.fill(&band, fill);
            }
        }
    }
}

/// Three halves stacked like bowls or like hills.
pub(super) fn bowls(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let up = dice.coin();
    let facing = if up { 270.0 } else { 90.0 };
    let slide = dice.of([0.0, 100.0, -100.0]);
    let cut = dice.below(3);
    for row in 0..3_u32 {
        let y = f64::from(row) * 200.0 + if up { 200.0 } else { 0.0 };
        let x = 300.0 + if row % 2 == 0 { slide } else { -slide };
        if row == cut {
            fruit::half_wheel(canvas, (x, y), 196.0, 5, facing, tones);
        } else {
            let fill = [tones.skin, tones.flesh, tones.accent][((row + 3 - cut) % 3) as usize];
            canvas.fill(&fruit::half((x, y), 196.0, facing), fill);
        }
    }
}

/// The layers of an onion, cut in half and shifted by one layer along the cut.
pub(super) fn layers(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let facing = dice.of([0.0, 90.0]);
    let shift = dice.of([60.0, -60.0, 120.0, -120.0]);
    let centre = (SIDE / 2.0, SIDE / 2.0);
    let fills = [tones.skin, tones.pith, tones.flesh, tones.accent];
    for (side, way, first) in [(facing, shift / 2.0, 0), (facing + 180.0, -shift / 2.0, 2)] {
        let middle = crate::svg::polar(centre, way, facing + 90.0);
        for ring in 0..4_u8 {
            let radius = 240.0 - 60.0 * f64::from(ring);
            canvas.fill(&fruit::half(middle, radius, side), fills[usize::from(ring + first) % 4]);
        }
    }
}
