//! Compositions on a grid: one shape repeated, with one difference.

use super::SIDE;
use crate::dice::Dice;
use crate::fruit::{self, Tones};
use crate::svg::Canvas;

/// Quarters of fruit on a grid of three by three, each with its own rotation.
pub(super) fn quarters(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let side = SIDE / 3.0;
    for row in 0..3_u32 {
        for column in 0..3_u32 {
            let turn = dice.below(4);
            let (x, y) = (f64::from(column) * side, f64::from(row) * side);
            let corner = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)][turn as usize];
            let from = f64::from(turn) * 90.0;
            if (row + column) % 2 == 0 {
                canvas.fill(&fruit::sector(corner, side * 0.87, from, from + 90.0), tones.pith);
                canvas.fill(&fruit::rind(corner, side, side * 0.86, from, from + 90.0), tones.skin);
                for i in 0..3 {
                    let a = from + f64::from(i) * 30.0;
                    fruit::segment(canvas, corner, side * 0.76, (a, a + 30.0), side * 0.05, tones.flesh);
                }
            } else {
                let fill = if dice.below(3) == 0 { tones.accent } else { tones.flesh };
                canvas.fill(&fruit::sector(corner, side, from, from + 90.0), fill);
            }
        }
    }
}

/// Leaves from corner to corner, one half of each in the light.
pub(super) fn leaves(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let across: u32 = dice.of([2, 3, 3]);
    let side = SIDE / f64::from(across);
    let pattern = dice.below(3);
    let odd = (dice.below(across), dice.below(across));
    for row in 0..across {
        for column in 0..across {
            let (x, y) = (f64::from(column) * side, f64::from(row) * side);
            let rising = match pattern {
                0 => (row + column) % 2 == 0,
                1 => column % 2 == 0,
                _ => true,
            };
            let (p, q) = if rising { ((x, y + side), (x + side, y)) } else { ((x, y), (x + side, y + side)) };
            let (dark, light) =
                if (column, row) == odd { (tones.skin, tones.accent) } else { (tones.skin, tones.flesh) };
            canvas.fill(&fruit::half_lens(p, q, side), dark);
            canvas.fill(&fruit::half_lens(q, p, side), light);
        }
    }
}

/// Nine fruits, each riper than the one before.
pub(super) fn ripening(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let (down, back) = (dice.coin(), dice.coin());
    for i in 0..9_u32 {
        let place = if back { 8 - i } else { i };
        let (column, row) = if down { (place / 3, place % 3) } else { (place % 3, place / 3) };
        let centre = (f64::from(column) * 184.0 + 116.0, f64::from(row) * 184.0 + 116.0);
        canvas.disc(centre, 84.0, tones.pith);
        // The last one consists of flesh only.
        canvas.disc(centre, if i == 8 { 84.0 } else { 12.0 + 8.0 * f64::from(i) }, tones.flesh);
    }
}

/// A bunch: berries packed in rows, each half in the shade.
pub(super) fn bunch(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let upright = dice.coin();
    let light = dice.of([0.0, 180.0, -45.0, 225.0]);
    let ripe = dice.below(10);
    let radius = 70.0;
    let mut index = 0;
    for row in 0..4_u32 {
        let count = if upright { row + 1 } else { 4 - row };
        for i in 0..count {
            let x = 300.0 + (f64::from(i) - f64::from(count - 1) / 2.0) * radius * 2.0;
            let y = 300.0 + (f64::from(row) - 1.5) * radius * 1.732;
            let fill = if index == ripe { tones.accent } else { tones.flesh };
            canvas.disc((x, y), radius - 4.0, tones.skin);
            canvas.fill(&fruit::half((x, y), radius - 3.0, light), fill);
            index += 1;
        }
    }
}

/// A grid of pips, half of each in the shade; one points in another direction.
pub(super) fn pips(canvas: &mut Canvas, tones: &Tones, dice: &mut Dice) {
    let across: u32 = dice.of([3, 4]);
    let side = SIDE / f64::from(across);
    let facing = dice.of([-90.0, -45.0, 45.0]);
    let odd = (dice.below(across), dice.below(across));
    for row in 0..across {
        for column in 0..across {
            let centre = ((f64::from(column) + 0.5) * side, (f64::from(row) + 0.5) * side);
            let (turn, light) = if (column, row) == odd { (180.0, tones.accent) } else { (0.0, tones.flesh) };
            canvas.fill(&fruit::pip(centre, side * 0.9, facing + turn), light);
            canvas.fill(&fruit::half_pip(centre, side * 0.9, facing + turn), tones.skin);
        }
    }
}
