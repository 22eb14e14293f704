//! Compositions of one large fruit.

use super::SIDE;
use crate::dice::Dice;
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, polar};

/// A citrus wheel: whole, or larger than the square.
pub(super) fn wheel(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let (centre, radius, counts) = dice.of([
        ((300.0, 300.0), 250.0, [8, 9, 10]),
        ((400.0, 400.0), 380.0, [9, 10, 12]),
        ((200.0, 400.0), 380.0, [9, 10, 12]),
        ((600.0, 600.0), 550.0, [12, 14, 16]),
        ((0.0, 600.0), 550.0, [12, 14, 16]),
    ]);
    let count: u32 = dice.of(counts);
    let turn = if count.is_multiple_of(4) { 0.0 } else { -90.0 };
    // The lit segment must be inside the picture.
    let lit = radius < 500.0 && dice.coin();
    fruit::wheel(canvas, centre, radius, count, turn, lit, tones);
}

/// A stone fruit: nested discs that all touch at one point.
pub(super) fn stone(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let towards = dice.of([90.0, 270.0, 0.0, 180.0, 45.0, 135.0]);
    let centre = (SIDE / 2.0, SIDE / 2.0);
    let radii = dice.of([[262.0, 206.0, 140.0, 70.0], [262.0, 234.0, 160.0, 84.0]]);
    let fills = [tones.skin, tones.pith, tones.flesh, tones.accent];
    for (radius, fill) in radii.into_iter().zip(fills) {
        canvas.disc(polar(centre, (radii[0] - radius) * 0.88, towards), radius, fill);
    }
}

/// A kiwi cut across, whole or larger than the square: pips in a ring around a pale core.
pub(super) fn kiwi(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let (centre, radius) =
        dice.of([((300.0, 300.0), 262.0), ((300.0, 600.0), 460.0), ((600.0, 300.0), 460.0), ((0.0, 300.0), 460.0)]);
    let count = dice.of([12_u32, 16, 20]);
    canvas.disc(centre, radius, tones.skin);
    canvas.disc(centre, radius * 0.92, tones.flesh);
    canvas.disc(centre, radius * 0.26, tones.pith);
    let step = 360.0 / f64::from(count);
    for i in 0..count {
        let angle = f64::from(i) * step + step / 2.0;
        canvas.fill(&fruit::pip(polar(centre, radius * 0.47, angle), radius * 0.19, angle + 180.0), tones.skin);
    }
}

/// An apple cut across: the star of its core.
pub(super) fn star(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let count = dice.of([5_u32, 5, 6, 8]);
    let turn = dice.of([-90.0, 90.0]);
    let centre = (SIDE / 2.0, SIDE / 2.0);
    canvas.disc(centre, 262.0, tones.skin);
    canvas.disc(centre, 238.0, tones.pith);
    let step = 360.0 / f64::from(count);
    let bulge = if count > 6 { 190.0 } else { 130.0 };
    for i in 0..count {
        let angle = turn + f64::from(i) * step;
        let petal = fruit::lens(polar(centre, 18.0, angle), polar(centre, 206.0, angle), bulge);
        canvas.fill(&petal, tones.flesh);
        canvas.fill(
            &fruit::pip(polar(centre, 118.0, angle), 58.0, angle + 180.0),
            if count > 6 { tones.pith } else { tones.skin },
        );
    }
}

/// A pear, half of it whole and half of it cut.
pub(super) fn pear(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let cut_right = dice.coin();
    let many = dice.coin();
    let one = |canvas: &mut Canvas, x: f64, y: f64, unit: f64, cut_right: bool, flesh, stone| {
        canvas.fill(&fruit::half_pear((x, y), unit, !cut_right), tones.skin);
        canvas.fill(&fruit::half_pear((x, y), unit, cut_right), flesh);
        let facing = if cut_right { 0.0 } else { 180.0 };
        canvas.fill(&fruit::half((x, y + unit * 0.5), unit * 0.42, facing), stone);
    };
    if many {
        for (i, x) in [150.0, 450.0].into_iter().enumerate() {
            let flip = (i == 0) == cut_right;
            one(canvas, x, 300.0, 140.0, flip, if i == 0 { tones.flesh } else { tones.pith }, tones.accent);
        }
    } else {
        one(canvas, 300.0, 306.0, 190.0, cut_right, tones.flesh, tones.accent);
    }
}
