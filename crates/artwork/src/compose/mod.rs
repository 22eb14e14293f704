//! The compositions of covers: each fills a square of 600 units with cut fruit, varied by random parameters ([`Dice`]).

mod cuts;
mod grids;
mod wholes;

use crate::dice::Dice;
use crate::fruit::Tones;
use crate::svg::Canvas;

/// The side of a composition's square, in units of the cover.
pub(crate) const SIDE: f64 = 600.0;

/// Draws one composition.
pub(crate) type Composition = fn(&mut Canvas, &Tones, &mut Dice);

/// All compositions. A seed selects by index, so a change of order or number changes every existing cover.
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
