//! The compositions: each fills a square of 600 units with one idea of cut fruit, varied by the dice.

mod cuts;
mod grids;
mod wholes;

use crate::dice::Dice;
use crate::fruit::Tones;
use crate::svg::Canvas;

/// The side of the square that a composition fills, in units of the cover.
pub(crate) const SIDE: f64 = 600.0;

/// Draws one composition.
pub(crate) type Composition = fn(&mut Canvas, &Tones, &mut Dice);

/// All compositions. What a seed means depends on their order and their number: a change here redraws every picture.
pub(crate) const ALL: [Composition; 15] = [
    wholes::wheel,
    cuts::shifted_halves,
    grids::quarters,
    cuts::peel,
    wholes::stone,
    grids::leaves,
    cuts::slices,
    wholes::kiwi,
    wholes::star,
    cuts::bowls,
    grids::ripening,
    wholes::pear,
    grids::bunch,
    grids::pips,
    cuts::layers,
];
