//! Key ideas as pictures: scenes of one vocabulary, each with parameters, on the covers' square and in the covers' hand.
//!
//! A *motif* is a thing that can be drawn, with the numbers that make it say this idea and no other (how many hands a work
//! is divided among, how far the water stands, which link is broken). A *ground* is what it stands on.

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

/// What a scene stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// The hue at its fullest.
    Flesh,
    /// Warm paper.
    Paper,
    /// The hue in shadow.
    Deep,
    /// A breath of the hue.
    Tint,
}

impl Ground {
    /// The grounds in the order in which the pictures of a book take them, so that two neighbours differ.
    const ROUND: [Self; 4] = [Self::Flesh, Self::Paper, Self::Deep, Self::Tint];

    /// The ground of a book's picture at a place, counted from 0.
    pub fn at(place: usize) -> Self {
        Self::ROUND[place % Self::ROUND.len()]
    }

    /// The tones of a scene on this ground. Skin stands out from the panel everywhere.
    fn tones(self, hue: f64, zest: usize) -> Tones {
        let p = Palette::of(hue, zest);
        // Between flesh and deep: what flesh is on a ground of flesh.
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

/// Things that are given, taken and weighed.
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
    /// A pin, and nothing else.
    Pin,
    Seed,
}

/// One pan of a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// How many weights lie in the pan, 1 to 6.
    pub count: u8,
    /// How large each is, 1 to 4.
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

/// What can be drawn. Counts outside of what a picture can hold are brought to the nearest that it can.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "motif", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Motif {
    /// Scales: what lies in each pan, and to which side they hang (-3 to 3, positive to the right).
    Balance { left: Load, right: Load, tilt: i8 },
    /// A beast of two halves: the lion's mane and the fox's ear.
    Beasts,
    /// Pigeons, each with its own number of tail feathers.
    Birds { tails: Vec<u8> },
    /// A pile of books, the topmost open under a candle or not.
    Books { count: u8, candle: bool },
    /// A tree of descent: every line forks so many times; so many of its ends are alive.
    Branching { generations: u8, alive: u8 },
    /// A bridge of wedge stones over a gap, without so many of them.
    Bridge { stones: u8, missing: u8 },
    /// Chairs in a row; so many are drawn up for company.
    Chairs { count: u8, taken: u8 },
    /// Links of a chain, one of which may be open (counted from 1, 0 for none).
    Chain { links: u8, open: u8 },
    /// People around a table, as seen from above; so many of them are of one mind.
    Circle { people: u8, lit: u8 },
    /// A dial whose needle points to the given degrees, clockwise from the top.
    Compass { bearing: u16 },
    /// A crown with so many points on a cushion.
    Crown { points: u8 },
    /// The sun over the horizon: people who wait before it, or water under it.
    Dawn { people: u8, water: bool },
    /// A river that comes down and parts into so many mouths.
    Delta { mouths: u8 },
    /// A lake under ice, sounded down through so many layers.
    Depth { layers: u8 },
    /// One whole, cut into so many parts that stand apart.
    Divided { parts: u8 },
    /// One great blow beside so many small drops.
    Doses { drops: u8 },
    /// A wall that holds water at a level (1 to 5) from the fields.
    Dyke { level: u8 },
    /// Two goods that change hands.
    Exchange { give: Good, take: Good },
    /// Eyes of so many grades, from a spot to a lens (1 to 4).
    Eye { grades: u8 },
    /// A fire that has taken hold of so many logs.
    Flame { logs: u8 },
    /// A road that forks; the way taken, counted from the left from 1.
    Fork { ways: u8, taken: u8 },
    /// Rows of a field that meet at the horizon, with sprouts on so many of them.
    Furrows { rows: u8, sprouts: u8 },
    /// So many forces that point at one place.
    Gather { count: u8 },
    /// A glass that has so many fifths of its sand left above.
    Hourglass { left: u8 },
    /// Twelve hours, so many of them spent.
    Hours { spent: u8 },
    /// A lock, with light behind it.
    Keyhole,
    /// A pit with a ladder of so many rungs, of which it wants more.
    Ladder { rungs: u8 },
    /// A glass over rows of leaves: so many in a row, one seen large.
    Lens { across: u8 },
    /// A face of two halves.
    Mask { left: Mood, right: Mood },
    /// A head and what is in it.
    Mind { inside: Good },
    /// Bodies drawn towards one centre.
    Orbit { bodies: u8 },
    /// Planks, each marked with a letter.
    Planks { letters: String },
    /// Someone and the broken image in the water.
    Reflection { bands: u8 },
    /// One small event, and the rings that are added to it on one side.
    Ripple { rings: u8 },
    /// A page of rows and columns with so many marks.
    Scorecard { rows: u8, columns: u8, marks: u8 },
    /// Seeds in rank and file; so many come up.
    Seeds { across: u8, kept: u8 },
    /// Discs that dwindle into the distance.
    Sizes { count: u8 },
    /// A creature that carries its house, a shell of so many half turns.
    Snail { turns: u8 },
    /// One fruit at so many stages of going bad.
    Spoil { stages: u8 },
    /// Coins in piles of the given heights.
    Stacks { heights: Vec<u8> },
    /// Stairs with so many steps, and someone on the last.
    Steps { count: u8 },
    /// Rain that passes: so many drops are left.
    Storm { drops: u8 },
    /// Layers of earth, and the shells that lie in some.
    Strata { layers: u8, shells: u8 },
    /// Water that finds its way around so many stones (1 to 3).
    Stream { stones: u8 },
    /// Houses at night; one window is lit (counted from 1).
    Street { houses: u8, lit: u8 },
    /// Two who talk, and the room that they have in common (1 to 4).
    Talk { common: u8 },
    /// A tree: its crown and its roots (1 to 5).
    Tree { crown: u8, roots: u8 },
    /// Cloth dipped again and again, each time deeper in colour.
    Vat { dips: u8 },
    /// A vine with its grapes, under glass or not.
    Vine { bunches: u8, glass: bool },
    /// A wall with ladders against it, or a door in it.
    Wall { ladders: u8, door: bool },
    /// Things that hang together, each with each; the one that is touched.
    Web { nodes: u8, touched: u8 },
    /// A fruit cut across, with so many segments: what stands for an idea of which nothing else is drawn.
    Wheel { segments: u8 },
    /// An axe with so many speckles on its face.
    Axe { speckles: u8 },
    /// Poles with wires, and birds on them.
    Wires { poles: u8, birds: u8 },
}

/// What a scene is made from.
#[derive(Clone, Copy, Debug)]
pub struct SceneSpec<'a> {
    /// What is drawn.
    pub motif: &'a Motif,
    /// What it stands on.
    pub ground: Ground,
    /// The hue of the book's first category, in OKLCH degrees.
    pub hue: f64,
    /// The book's; picks the second ink, the same for all scenes of a book. See [`crate::seed_of`].
    pub seed: u64,
    /// The picture's name: the idea in a few words. An empty one is left out.
    pub title: &'a str,
}

/// Draws a scene: an SVG document of 600 by 600 that needs nothing else, the same for the same spec.
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

/// The colour of a scene's ground.
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
