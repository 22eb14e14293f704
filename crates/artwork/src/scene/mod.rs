//! Scenes: pictures of key ideas, from a fixed set of parameterized motifs, in the format and style of the covers.
//!
//! A *motif* is an object with parameters that adapt it to an idea (the number of people, the water level, the broken link). A
//! *ground* is its background.

mod kit;
mod measure;
mod nature;
mod people;
mod works;

use serde::{Deserialize, Serialize};

use crate::colour::{Palette, Rgb, oklch};
use crate::fruit::{self, Tones};
use crate::svg::Canvas;

/// Width and height of a scene, in its own units.
pub const SCENE_SIDE: u32 = 600;

/// The background of a scene, as a colour of the hue's palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// The saturated hue.
    Flesh,
    /// Warm paper, the same for all hues.
    Paper,
    /// A dark shade of the hue.
    Deep,
    /// A very light tint of the hue.
    Tint,
}

impl Ground {
    /// The cycle of grounds for the pictures of a book, so that neighbours differ.
    const ROUND: [Self; 4] = [Self::Flesh, Self::Paper, Self::Deep, Self::Tint];

    /// The ground of a book's picture at an index, from 0.
    pub fn at(place: usize) -> Self {
        Self::ROUND[place % Self::ROUND.len()]
    }

    /// The tones of a scene on this ground. The skin contrasts with the panel on every ground.
    fn tones(self, hue: f64, zest: usize) -> Tones {
        let p = Palette::of(hue, zest);
        // Between flesh and deep: replaces the flesh on a ground of that colour.
        let shade = oklch(0.53, 0.13, hue);
        let (panel, skin, pith, flesh) = match self {
            Self::Flesh => (p.flesh, p.deep, p.paper, shade),
            Self::Paper => (p.paper, p.deep, p.tint, p.flesh),
            Self::Deep => (p.deep, p.flesh, p.paper, p.tint),
            Self::Tint => (p.tint, p.deep, p.paper, p.flesh),
        };
        Tones { panel, skin, pith, flesh, accent: p.zest }
    }
}

/// An object that is exchanged or kept in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    /// A loaf.
    Bread,
    Coin,
    /// A letter of the alphabet on a sheet.
    Letter,
    Book,
    House,
    /// A single pin.
    Pin,
    Seed,
}

/// One pan of a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The number of weights in the pan, 1 to 6.
    pub count: u8,
    /// The size of each weight, 1 to 4.
    pub size: u8,
}

/// One half of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mood {
    /// A smile.
    Glad,
    /// A grave mouth and a tear.
    Weeping,
    /// A straight mouth and a narrowed eye.
    Watchful,
}

/// A motif with its parameters. Numbers outside the range that a picture supports are clamped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "motif", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Motif {
    /// Scales: the load of each pan, and the tilt (-3 to 3, positive to the right).
    Balance { left: Load, right: Load, tilt: i8 },
    /// An animal of two halves: half lion, half fox.
    Beasts,
    /// Pigeons, each with its number of tail feathers.
    Birds { tails: Vec<u8> },
    /// A pile of `count` books with an open one on top, and optionally a candle.
    Books { count: u8, candle: bool },
    /// A family tree: the number of generations, and how many branches are alive.
    Branching { generations: u8, alive: u8 },
    /// A bridge of wedge stones over a gap; `missing` stones are not in place.
    Bridge { stones: u8, missing: u8 },
    /// Chairs in a row; `taken` of them are in use.
    Chairs { count: u8, taken: u8 },
    /// A chain; one link may be open (counted from 1, 0 for none).
    Chain { links: u8, open: u8 },
    /// People around a table, seen from above; `lit` of them agree.
    Circle { people: u8, lit: u8 },
    /// A compass; the needle's bearing is in degrees, clockwise from the top.
    Compass { bearing: u16 },
    /// A crown on a cushion.
    Crown { points: u8 },
    /// The sun over the horizon: with people in front of it, or over water.
    Dawn { people: u8, water: bool },
    /// A river that splits into several mouths.
    Delta { mouths: u8 },
    /// A frozen lake with layers of depth, and a sounding line.
    Depth { layers: u8 },
    /// A whole, cut into separated parts.
    Divided { parts: u8 },
    /// One large dose next to many small drops.
    Doses { drops: u8 },
    /// A dyke that protects fields from water at a level from 1 to 5.
    Dyke { level: u8 },
    /// Two goods that are exchanged.
    Exchange { give: Good, take: Good },
    /// Stages of an eye's evolution (1 to 4), from a spot to a lens.
    Eye { grades: u8 },
    /// A fire with burning logs.
    Flame { logs: u8 },
    /// A road that forks into `ways`; the taken one is counted from the left, from 1.
    Fork { ways: u8, taken: u8 },
    /// Rows of a field that meet at the horizon; `sprouts` of them have sprouts.
    Furrows { rows: u8, sprouts: u8 },
    /// Forces that point at one place.
    Gather { count: u8 },
    /// An hourglass; `left` fifths of the sand are still above.
    Hourglass { left: u8 },
    /// Twelve hours, `spent` of them over.
    Hours { spent: u8 },
    /// A lock, with light behind it.
    Keyhole,
    /// A pit with a ladder that has too few rungs.
    Ladder { rungs: u8 },
    /// A magnifying glass over a grid of leaves, `across` per row; one leaf is enlarged.
    Lens { across: u8 },
    /// A face of two halves.
    Mask { left: Mood, right: Mood },
    /// A head with a good inside.
    Mind { inside: Good },
    /// Bodies that orbit a centre.
    Orbit { bodies: u8 },
    /// Planks, each marked with a letter.
    Planks { letters: String },
    /// A person and the reflection in the water, broken into bands.
    Reflection { bands: u8 },
    /// A small event, with rings that spread to one side.
    Ripple { rings: u8 },
    /// A table of rows and columns with marks.
    Scorecard { rows: u8, columns: u8, marks: u8 },
    /// A grid of seeds, `across` per side; `kept` of them are highlighted.
    Seeds { across: u8, kept: u8 },
    /// Discs of decreasing size.
    Sizes { count: u8 },
    /// A snail; `turns` are the half turns of its shell.
    Snail { turns: u8 },
    /// A fruit at several stages of rot.
    Spoil { stages: u8 },
    /// Piles of coins.
    Stacks { heights: Vec<u8> },
    /// Stairs with a person on the top step.
    Steps { count: u8 },
    /// Rain that is passing; `drops` are left.
    Storm { drops: u8 },
    /// Layers of earth with shells.
    Strata { layers: u8, shells: u8 },
    /// A stream around 1 to 3 stones.
    Stream { stones: u8 },
    /// Houses at night; the lit window is in house `lit` (counted from 1).
    Street { houses: u8, lit: u8 },
    /// Two people who talk, and the size of their common ground (1 to 4).
    Talk { common: u8 },
    /// A tree: the size of its crown and of its roots (1 to 5).
    Tree { crown: u8, roots: u8 },
    /// Cloth that is dyed in several dips, deeper in colour each time.
    Vat { dips: u8 },
    /// A vine with grapes, in a greenhouse or outdoors.
    Vine { bunches: u8, glass: bool },
    /// A wall with ladders, or with a door.
    Wall { ladders: u8, door: bool },
    /// A network in which all nodes are connected; `touched` is the highlighted node.
    Web { nodes: u8, touched: u8 },
    /// A fruit cut across: the default for an idea without a motif.
    Wheel { segments: u8 },
    /// An axe with speckles on its blade.
    Axe { speckles: u8 },
    /// Poles with wires, and birds on the wires.
    Wires { poles: u8, birds: u8 },
}

/// The content of a scene.
#[derive(Clone, Copy, Debug)]
pub struct SceneSpec<'a> {
    pub motif: &'a Motif,
    pub ground: Ground,
    /// The hue of the book's first category, in OKLCH degrees.
    pub hue: f64,
    /// The book's seed. It selects the accent colour, which all scenes of a book share. See [`crate::seed_of`].
    pub seed: u64,
    /// The picture's `<title>`: the idea in a few words. Left out when empty.
    pub title: &'a str,
}

/// Draws a scene: a self-contained SVG document of 600 by 600. Deterministic.
pub fn scene(spec: &SceneSpec<'_>) -> String {
    let mut canvas = Canvas::new();
    paint(&mut canvas, spec);
    let mut framed = Canvas::new();
    framed.window((0.0, 0.0), kit::SIDE, &canvas);
    framed.document(SCENE_SIDE, SCENE_SIDE, spec.title)
}

fn tones(spec: &SceneSpec<'_>) -> Tones {
    spec.ground.tones(spec.hue, usize::try_from(spec.seed % 3).unwrap_or(0))
}

/// The background colour of a scene.
pub(crate) fn panel(spec: &SceneSpec<'_>) -> Rgb {
    tones(spec).panel
}

/// Paints a scene's ground and motif into a square of 600 units.
pub(crate) fn paint(canvas: &mut Canvas, spec: &SceneSpec<'_>) {
    let tones = tones(spec);
    canvas.rect((0.0, 0.0), kit::SIDE, kit::SIDE, tones.panel);
    draw(canvas, &tones, spec.motif);
}

/// Draws a motif.
fn draw(canvas: &mut Canvas, tones: &Tones, motif: &Motif) {
    match *motif {
        Motif::Balance { left, right, tilt } => measure::balance(canvas, tones, left, right, tilt),
        Motif::Beasts => people::beasts(canvas, tones),
        Motif::Birds { ref tails } => nature::birds(canvas, tones, tails),
        Motif::Books { count, candle } => works::books(canvas, tones, count.clamp(2, 7), candle),
        Motif::Branching { generations, alive } => nature::branching(canvas, tones, generations.clamp(2, 5), alive),
        Motif::Bridge { stones, missing } => works::bridge(canvas, tones, stones.clamp(5, 15), missing.min(4)),
        Motif::Chairs { count, taken } => people::chairs(canvas, tones, count.clamp(1, 4), taken),
        Motif::Chain { links, open } => measure::chain(canvas, tones, links.clamp(2, 5), open),
        Motif::Circle { people, lit } => people::circle(canvas, tones, people.clamp(3, 12), lit),
        Motif::Compass { bearing } => measure::compass(canvas, tones, bearing),
        Motif::Crown { points } => people::crown(canvas, tones, points.clamp(3, 7)),
        Motif::Dawn { people, water } => nature::dawn(canvas, tones, people.min(9), water),
        Motif::Delta { mouths } => nature::delta(canvas, tones, mouths.clamp(2, 7)),
        Motif::Depth { layers } => nature::depth(canvas, tones, layers.clamp(1, 5)),
        Motif::Divided { parts } => measure::divided(canvas, tones, parts.clamp(3, 12)),
        Motif::Doses { drops } => measure::doses(canvas, tones, drops.clamp(4, 20)),
        Motif::Dyke { level } => works::dyke(canvas, tones, level.clamp(1, 5)),
        Motif::Exchange { give, take } => measure::exchange(canvas, tones, give, take),
        Motif::Eye { grades } => nature::eye(canvas, tones, grades.clamp(1, 4)),
        Motif::Flame { logs } => nature::flame(canvas, tones, logs.clamp(1, 6)),
        Motif::Fork { ways, taken } => measure::fork(canvas, tones, ways.clamp(2, 3), taken),
        Motif::Furrows { rows, sprouts } => nature::furrows(canvas, tones, rows.clamp(3, 11), sprouts),
        Motif::Gather { count } => measure::gather(canvas, tones, count.clamp(3, 12)),
        Motif::Hourglass { left } => measure::hourglass(canvas, tones, left.min(5)),
        Motif::Hours { spent } => measure::hours(canvas, tones, spent.min(12)),
        Motif::Keyhole => works::keyhole(canvas, tones),
        Motif::Ladder { rungs } => works::ladder(canvas, tones, rungs.clamp(2, 8)),
        Motif::Lens { across } => measure::lens(canvas, tones, across.clamp(3, 5)),
        Motif::Mask { left, right } => people::mask(canvas, tones, left, right),
        Motif::Mind { inside } => people::mind(canvas, tones, inside),
        Motif::Orbit { bodies } => measure::orbit(canvas, tones, bodies.clamp(1, 8)),
        Motif::Planks { ref letters } => works::planks(canvas, tones, letters),
        Motif::Reflection { bands } => people::reflection(canvas, tones, bands.clamp(2, 8)),
        Motif::Ripple { rings } => measure::ripple(canvas, tones, rings.clamp(2, 6)),
        Motif::Scorecard { rows, columns, marks } => {
            measure::scorecard(canvas, tones, rows.clamp(2, 13), columns.clamp(2, 7), marks);
        }
        Motif::Seeds { across, kept } => nature::seeds(canvas, tones, across.clamp(3, 9), kept),
        Motif::Sizes { count } => measure::sizes(canvas, tones, count.clamp(3, 7)),
        Motif::Snail { turns } => nature::snail(canvas, tones, turns.clamp(2, 5)),
        Motif::Spoil { stages } => nature::spoil(canvas, tones, stages.clamp(2, 4)),
        Motif::Stacks { ref heights } => measure::stacks(canvas, tones, heights),
        Motif::Steps { count } => works::steps(canvas, tones, count.clamp(3, 8)),
        Motif::Storm { drops } => nature::storm(canvas, tones, drops.min(8)),
        Motif::Strata { layers, shells } => nature::strata(canvas, tones, layers.clamp(3, 7), shells),
        Motif::Stream { stones } => nature::stream(canvas, tones, stones.clamp(1, 3)),
        Motif::Street { houses, lit } => works::street(canvas, tones, houses.clamp(3, 7), lit),
        Motif::Talk { common } => people::talk(canvas, tones, common.clamp(1, 4)),
        Motif::Tree { crown, roots } => nature::tree(canvas, tones, crown.clamp(1, 5), roots.clamp(1, 5)),
        Motif::Vat { dips } => works::vat(canvas, tones, dips.clamp(2, 6)),
        Motif::Vine { bunches, glass } => nature::vine(canvas, tones, bunches.clamp(1, 2), glass),
        Motif::Wall { ladders, door } => works::wall(canvas, tones, ladders.min(4), door),
        Motif::Web { nodes, touched } => measure::web(canvas, tones, nodes.clamp(3, 9), touched),
        Motif::Wheel { segments } => {
            fruit::wheel(canvas, (300.0, 300.0), 210.0, u32::from(segments.clamp(5, 12)), 0.0, true, tones);
        }
        Motif::Axe { speckles } => works::axe(canvas, tones, speckles.min(12)),
        Motif::Wires { poles, birds } => works::wires(canvas, tones, poles.clamp(2, 4), birds.min(6)),
    }
}
