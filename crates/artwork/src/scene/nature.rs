//! Scenes of sky, water, earth, plants and animals.

use super::kit::{SIDE, bow, earth, house, person, polygon, rod, smooth, spiral, spread, sprout};
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, Path, Point, polar};

/// The sun over the horizon, with rays like petals.
pub(super) fn dawn(canvas: &mut Canvas, tones: &Tones, people: u8, water: bool) {
    let (horizon, radius) = (380.0, 150.0);
    let sun = (300.0, horizon);
    for i in 0..8_u8 {
        let angle = 191.25 + 22.5 * f64::from(i);
        canvas.fill(&fruit::lens(polar(sun, 176.0, angle), polar(sun, 290.0, angle), 120.0), tones.accent);
    }
    canvas.fill(&fruit::half(sun, radius, -90.0), tones.accent);
    if water {
        earth(canvas, horizon, tones.skin);
        // The sun's reflection in the water: bands that get narrower with the distance.
        for i in 0..5 {
            let top = 14.0 + 36.0 * f64::from(i);
            if let Some(band) = fruit::slice(sun, radius + 16.0, top, top + 26.0 - 3.0 * f64::from(i)) {
                canvas.fill(&band, if i % 2 == 0 { tones.accent } else { tones.pith });
            }
        }
        rod(canvas, (0.0, horizon), (SIDE, horizon), 6.0, tones.pith);
    } else {
        earth(canvas, horizon, tones.skin);
    }
    for i in 0..people {
        let x = spread(i, people, 540.0);
        let size = (480.0 / f64::from(people)).min(130.0);
        let odd = i == people / 2;
        let (head, body) = if odd { (tones.accent, tones.pith) } else { (tones.pith, tones.flesh) };
        person(canvas, (x, SIDE), size * 1.06, head, body);
    }
}

/// A fire, and the log ends that feed it.
pub(super) fn flame(canvas: &mut Canvas, tones: &Tones, logs: u8) {
    let foot = 470.0;
    for (length, lift, fill) in [(410.0, 0.0, tones.flesh), (270.0, 6.0, tones.accent), (140.0, 12.0, tones.pith)] {
        let centre = (300.0, foot - lift - length / 2.0 + 20.0);
        canvas.fill(&fruit::pip(centre, length, -90.0), fill);
        if length > 400.0 {
            canvas.fill(&fruit::half_pip(centre, length, -90.0), tones.skin);
        }
    }
    for i in 0..logs {
        let radius = (500.0 / f64::from(logs) / 2.0).min(58.0);
        let centre = (spread(i, logs, radius * 2.0 * f64::from(logs)), SIDE - 36.0 - radius);
        canvas.disc(centre, radius - 2.0, tones.skin);
        canvas.disc(centre, radius * 0.72, tones.pith);
        canvas.disc(centre, radius * 0.48, tones.skin);
        canvas.disc(centre, radius * 0.24, tones.pith);
    }
}

/// The lines along which water flows around stones.
pub(super) fn stream(canvas: &mut Canvas, tones: &Tones, stones: u8) {
    let places: &[(Point, f64)] = match stones {
        1 => &[((300.0, 300.0), 130.0)],
        2 => &[((190.0, 210.0), 96.0), ((420.0, 400.0), 104.0)],
        _ => &[((150.0, 190.0), 80.0), ((310.0, 410.0), 88.0), ((470.0, 200.0), 76.0)],
    };
    // The stream function of a uniform flow around cylinders (ignoring their interaction), solved for y.
    let flow = |x: f64, y: f64| {
        let drawn: f64 = places
            .iter()
            .map(|((px, py), r)| {
                let square = ((x - px).powi(2) + (y - py).powi(2)).max(r * r);
                r * r * (y - py) / square
            })
            .sum();
        y - drawn
    };
    for band in 0..14_u8 {
        let level = 24.0 + 42.5 * f64::from(band);
        let points: Vec<Point> = (0..=20_u8)
            .map(|i| {
                let x = -20.0 + 32.0 * f64::from(i);
                let (mut low, mut high) = (-200.0, 800.0);
                for _ in 0..26 {
                    let middle = f64::midpoint(low, high);
                    if flow(x, middle) < level { low = middle } else { high = middle }
                }
                (x, f64::midpoint(low, high))
            })
            .collect();
        let colour = [tones.flesh, tones.skin, tones.pith][usize::from(band % 3)];
        canvas.stroke(&smooth(&points), 17.0, colour);
    }
    for (i, (centre, radius)) in places.iter().enumerate() {
        canvas.disc(*centre, radius - 12.0, tones.skin);
        let lit = if i == 0 { tones.accent } else { tones.flesh };
        canvas.fill(&fruit::half(*centre, radius - 13.0, -90.0), lit);
    }
}

/// A cloud that rains on one side and leaves the sun on the other.
pub(super) fn storm(canvas: &mut Canvas, tones: &Tones, drops: u8) {
    canvas.disc((420.0, 200.0), 140.0, tones.accent);
    for (centre, radius) in [((170.0, 270.0), 90.0), ((280.0, 220.0), 116.0), ((390.0, 290.0), 70.0)] {
        canvas.disc(centre, radius, tones.skin);
    }
    canvas.rect((170.0, 270.0), 220.0, 90.0, tones.skin);
    for i in 0..drops {
        let (column, row) = (i % 4, i / 4);
        let (x, y) = (130.0 + 78.0 * f64::from(column) - 24.0 * f64::from(row), 410.0 + 84.0 * f64::from(row));
        canvas.fill(&fruit::lens((x + 14.0, y - 28.0), (x - 14.0, y + 38.0), 62.0), tones.flesh);
    }
    earth(canvas, 560.0, tones.skin);
    for (i, x) in [430.0, 520.0].into_iter().enumerate() {
        sprout(canvas, (x, 562.0), if i == 0 { 84.0 } else { 58.0 }, tones);
    }
}

/// A tree, its crown above the ground and its roots below.
pub(super) fn tree(canvas: &mut Canvas, tones: &Tones, crown: u8, roots: u8) {
    let level = 390.0;
    earth(canvas, level, tones.skin);
    let radius = 70.0 + 17.0 * f64::from(crown);
    let middle = (300.0, level - 70.0 - radius);
    rod(canvas, (300.0, level + 4.0), (300.0, middle.1), 26.0, tones.skin);
    canvas.disc(middle, radius, tones.flesh);
    canvas.fill(&fruit::half(middle, radius + 0.5, 180.0), tones.accent);
    for side in [-1.0, 1.0] {
        for i in 0..3 {
            let y = middle.1 + radius * (0.62 - 0.42 * f64::from(i));
            let reach = radius * (0.62 - 0.12 * f64::from(i));
            rod(canvas, (300.0, y), (300.0 + side * reach, y - reach * 0.62), 9.0, tones.skin);
        }
    }
    rod(canvas, (300.0, middle.1 - radius * 0.62), (300.0, level), 18.0, tones.skin);
    for i in 0..5_u8 {
        let angle = 90.0 + 31.0 * (f64::from(i) - 2.0);
        let depth = 22.0 + 34.0 * f64::from(roots) * (1.0 - 0.12 * (f64::from(i) - 2.0).abs());
        let from = (300.0 - 5.0 * (f64::from(i) - 2.0), level);
        canvas.fill(&fruit::lens(from, polar(from, depth, angle), depth * 1.6), tones.pith);
    }
}

/// Grapes that hang from a vine.
pub(super) fn vine(canvas: &mut Canvas, tones: &Tones, bunches: u8, glass: bool) {
    let (top, radius) = if bunches == 1 { (210.0, 44.0) } else { (220.0, 34.0) };
    if glass {
        canvas.fill(&fruit::half((300.0, 520.0), 262.0, -90.0), tones.pith);
        canvas.rect((38.0, 519.0), 524.0, 22.0, tones.skin);
        canvas.stroke(&bow((300.0, 520.0), 256.0, 180.0, 360.0), 12.0, tones.skin);
        rod(canvas, (300.0, 262.0), (300.0, 300.0), 10.0, tones.skin);
        canvas.disc((300.0, 250.0), 16.0, tones.skin);
        bunch(canvas, tones, (300.0, 318.0), 27.0);
        for x in [130.0, 470.0] {
            sprout(canvas, (x, 520.0), 84.0, tones);
        }
        // The stove of the greenhouse.
        canvas.fill(&fruit::pip((300.0, 582.0), 34.0, -90.0), tones.accent);
        return;
    }
    canvas.stroke(
        &smooth(&[(-10.0, 150.0), (150.0, 96.0), (300.0, 130.0), (450.0, 90.0), (610.0, 130.0)]),
        16.0,
        tones.skin,
    );
    for i in 0..bunches {
        let x = spread(i, bunches, 520.0);
        rod(canvas, (x, 116.0), (x, top), 10.0, tones.skin);
        bunch(canvas, tones, (x, top), radius);
        let (from, to) = ((x + 6.0, 128.0), (x + 150.0, 210.0));
        canvas.fill(&fruit::half_lens(from, to, 130.0), tones.accent);
        canvas.fill(&fruit::half_lens(to, from, 130.0), tones.skin);
    }
}

/// A bunch of ten berries, hanging from `top`.
fn bunch(canvas: &mut Canvas, tones: &Tones, top: Point, radius: f64) {
    for row in 0..4_u8 {
        for i in 0..(4 - row) {
            let x = top.0 + (f64::from(i) - f64::from(3 - row) / 2.0) * radius * 2.0;
            let y = top.1 + radius + f64::from(row) * radius * 1.732;
            canvas.disc((x, y), radius - 2.0, tones.skin);
            canvas.fill(&fruit::half((x, y), radius - 1.0, -45.0), tones.flesh);
        }
    }
}

/// A snail whose shell is a house with a door and a chimney.
pub(super) fn snail(canvas: &mut Canvas, tones: &Tones, turns: u8) {
    earth(canvas, 520.0, tones.skin);
    let heart = (292.0, 300.0);
    // The body: a foot along the ground, and a neck.
    canvas.fill(
        &Path::new()
            .to((60.0, 520.0))
            .curve((180.0, 440.0), (330.0, 470.0), (430.0, 430.0))
            .curve((486.0, 400.0), (470.0, 330.0), (500.0, 300.0))
            .curve((540.0, 280.0), (566.0, 316.0), (556.0, 360.0))
            .curve((540.0, 440.0), (500.0, 500.0), (440.0, 520.0))
            .close(),
        tones.flesh,
    );
    for (x, y) in [(506.0, 226.0), (560.0, 236.0)] {
        rod(canvas, (530.0, 318.0), (x, y), 8.0, tones.flesh);
        canvas.disc((x, y), 13.0, tones.flesh);
    }
    canvas.rect((150.0, 60.0), 44.0, 100.0, tones.skin);
    canvas.disc((280.0, 290.0), 194.0, tones.skin);
    canvas.disc((280.0, 290.0), 178.0, tones.pith);
    canvas.stroke(&spiral((heart.0 - 4.0, heart.1), 40.0, 30.0, turns), 18.0, tones.skin);
    canvas.fill(&super::kit::doorway((266.0, 340.0), 56.0, 86.0), tones.accent);
}

/// A field seen from the ground: rows that meet at the horizon.
pub(super) fn furrows(canvas: &mut Canvas, tones: &Tones, rows: u8, sprouts: u8) {
    let horizon = 250.0;
    canvas.fill(&fruit::half((300.0, horizon), 130.0, -90.0), tones.accent);
    earth(canvas, horizon, tones.flesh);
    let edge = |i: u8| (300.0 + 1500.0 * (f64::from(i) / f64::from(rows) - 0.5), SIDE);
    let vanishing = |i: u8| (300.0 + 120.0 * (f64::from(i) / f64::from(rows) - 0.5), horizon);
    for i in (0..rows).step_by(2) {
        canvas.fill(&polygon(&[vanishing(i), vanishing(i + 1), edge(i + 1), edge(i)]), tones.skin);
    }
    let mut left = sprouts;
    for (depth, size) in [(0.86, 104.0), (0.52, 70.0), (0.27, 44.0)] {
        for i in (1..rows).step_by(2) {
            let along = |line: u8| vanishing(line).0 + (edge(line).0 - vanishing(line).0) * depth;
            let x = f64::midpoint(along(i), along(i + 1));
            if left == 0 || !(40.0..=560.0).contains(&x) {
                continue;
            }
            left -= 1;
            let foot = (x, horizon + (SIDE - horizon) * depth);
            let leaf = size * 0.5;
            canvas.fill(&fruit::lens(foot, (foot.0 - leaf, foot.1 - leaf), leaf * 1.1), tones.pith);
            canvas.fill(&fruit::lens(foot, (foot.0 + leaf, foot.1 - leaf), leaf * 1.1), tones.accent);
        }
    }
}

/// A frozen lake and its depth.
pub(super) fn depth(canvas: &mut Canvas, tones: &Tones, layers: u8) {
    let (surface, radius) = (230.0, 320.0);
    let fills = [tones.flesh, tones.skin];
    let step = radius / (f64::from(layers) + 0.4);
    for i in 0..layers {
        canvas.fill(&fruit::half((300.0, surface), radius - step * f64::from(i), 90.0), fills[usize::from(i % 2)]);
    }
    for (from, to) in [(-20.0, 262.0), (338.0, 620.0)] {
        canvas.rect((from, surface - 12.0), to - from, 24.0, tones.pith);
    }
    person(canvas, (232.0, surface - 12.0), 92.0, tones.accent, tones.skin);
    rod(canvas, (232.0, surface - 62.0), (300.0, surface - 76.0), 9.0, tones.skin);
    rod(canvas, (300.0, surface - 78.0), (300.0, surface + radius - 56.0), 5.0, tones.pith);
    canvas.fill(&fruit::pip((300.0, surface + radius - 46.0), 62.0, -90.0), tones.accent);
    // Firs on the far bank.
    for (x, size) in [(60.0, 70.0), (120.0, 100.0), (480.0, 112.0), (546.0, 76.0)] {
        let foot = surface - 12.0;
        canvas.fill(&polygon(&[(x - size * 0.32, foot), (x, foot - size), (x + size * 0.32, foot)]), tones.skin);
    }
}

/// A river that splits into mouths.
pub(super) fn delta(canvas: &mut Canvas, tones: &Tones, mouths: u8) {
    earth(canvas, 470.0, tones.skin);
    for i in 0..mouths {
        let x = spread(i, mouths, 560.0);
        let width = 150.0 / f64::from(mouths) + 8.0;
        let start = 300.0 + (f64::from(i) + 0.5 - f64::from(mouths) / 2.0) * width * 0.98;
        let path = Path::new().to((start, -10.0)).line((start, 120.0)).curve((start, 300.0), (x, 280.0), (x, 478.0));
        canvas.stroke(&path, width, if i % 2 == 0 { tones.flesh } else { tones.pith });
    }
    for i in 0..mouths {
        let x = spread(i, mouths, 560.0);
        let radius = (270.0 / f64::from(mouths)).min(60.0);
        canvas.fill(&fruit::half((x, 470.0), radius, 90.0), if i == mouths / 2 { tones.accent } else { tones.pith });
    }
}

/// A family tree.
pub(super) fn branching(canvas: &mut Canvas, tones: &Tones, generations: u8, alive: u8) {
    let rise = 430.0 / f64::from(generations);
    let mut lines = vec![(300.0, 560.0)];
    rod(canvas, (300.0, 600.0), (300.0, 556.0), 18.0, tones.skin);
    for generation in 0..generations {
        let half = 140.0 / 2.0_f64.powi(i32::from(generation));
        let width = (18.0 - 3.0 * f64::from(generation)).max(6.0);
        let mut next = Vec::new();
        for (i, (x, y)) in lines.iter().enumerate() {
            for (side, way) in [(-1.0, 0), (1.0, 1)] {
                // Most lineages die out: some branches of the later forks stop short.
                let ends = generation > 0 && (i * 2 + way) % 4 == 2;
                let top = y - rise * if ends { 0.55 } else { 1.0 };
                let (tip, bend) = (x + side * half, half.min(rise * 0.45));
                let path = Path::new()
                    .to((*x, *y))
                    .line((tip - side * bend, *y))
                    .arc(bend, false, side < 0.0, (tip, y - bend))
                    .line((tip, top));
                canvas.stroke(&path, width, tones.skin);
                if ends {
                    canvas.disc((tip, top), width * 0.95, tones.skin);
                } else {
                    next.push((tip, top));
                }
            }
        }
        lines = next;
    }
    let count = u8::try_from(lines.len()).unwrap_or(u8::MAX);
    for (i, (x, y)) in (0_u8..).zip(&lines) {
        let radius = (130.0 / 2.0_f64.powi(i32::from(generations) - 1)).clamp(13.0, 30.0);
        let living = i >= count.saturating_sub(alive);
        canvas.disc((*x, *y - radius * 0.7), radius, if living { tones.accent } else { tones.flesh });
        if living {
            canvas.fill(&fruit::half((*x, *y - radius * 0.7), radius + 0.5, 0.0), tones.flesh);
        }
    }
}

/// Pigeons on two perches.
pub(super) fn birds(canvas: &mut Canvas, tones: &Tones, tails: &[u8]) {
    let perches = [(170.0, 200.0), (440.0, 200.0), (170.0, 470.0), (440.0, 470.0)];
    for y in [258.0, 528.0] {
        canvas.rect((0.0, y), SIDE, 12.0, tones.skin);
    }
    for ((x, y), (i, feathers)) in perches.into_iter().zip(tails.iter().enumerate()) {
        let root = (x - 66.0, y - 18.0);
        let feathers = (*feathers).clamp(1, 9);
        let open = 13.0 * f64::from(feathers - 1);
        for feather in 0..feathers {
            let angle = 192.0 + open / 2.0 - 13.0 * f64::from(feather) + if feathers > 3 { 26.0 } else { 0.0 };
            canvas.fill(
                &fruit::lens(root, polar(root, 92.0, angle), 92.0),
                if i % 2 == 0 { tones.pith } else { tones.accent },
            );
        }
        let puffed = if i == 2 { 26.0 } else { 0.0 };
        canvas.fill(&fruit::half((x, y - 32.0), 76.0, 90.0), tones.flesh);
        canvas.fill(&fruit::lens((x - 92.0, y - 32.0), (x + 30.0, y - 30.0), 96.0), tones.skin);
        canvas.disc((x + 50.0 + puffed / 3.0, y - 46.0), 30.0 + puffed, tones.flesh);
        let head = (x + 58.0 + puffed / 2.0, y - 86.0 - puffed);
        canvas.disc(head, 27.0, tones.flesh);
        let beak = if i == 3 { 14.0 } else { 30.0 };
        canvas.fill(
            &polygon(&[
                (head.0 + 20.0, head.1 - 9.0),
                (head.0 + 25.0 + beak, head.1 + 3.0),
                (head.0 + 20.0, head.1 + 12.0),
            ]),
            tones.accent,
        );
        canvas.disc((head.0 + 7.0, head.1 - 4.0), 6.0, tones.skin);
        for leg in [-12.0, 16.0] {
            rod(canvas, (x + leg, y + 38.0), (x + leg, y + 60.0), 7.0, tones.accent);
        }
    }
}

/// A grid of seeds, some of them highlighted.
pub(super) fn seeds(canvas: &mut Canvas, tones: &Tones, across: u8, kept: u8) {
    let side = 520.0 / f64::from(across);
    let total = u32::from(across) * u32::from(across);
    for row in 0..across {
        for column in 0..across {
            let index = u32::from(row) * u32::from(across) + u32::from(column);
            let centre = (40.0 + side * (f64::from(column) + 0.5), 40.0 + side * (f64::from(row) + 0.5));
            // Spreads the highlighted ones: 17 is coprime to every possible total, so that they are distinct.
            let chosen = (0..u32::from(kept)).any(|i| (i * 17 + 9) % total == index);
            if chosen {
                canvas.disc(centre, side * 0.47, tones.skin);
                canvas.fill(&fruit::pip(centre, side * 0.66, -90.0), tones.accent);
                canvas.fill(&fruit::half_pip(centre, side * 0.66, -90.0), tones.pith);
            } else {
                canvas.fill(&fruit::pip(centre, side * 0.56, -90.0), tones.flesh);
            }
        }
    }
}

/// Eyes at all stages of evolution.
pub(super) fn eye(canvas: &mut Canvas, tones: &Tones, grades: u8) {
    let places: &[(Point, f64)] = match grades {
        1 => &[((300.0, 300.0), 1.0)],
        2 => &[((170.0, 300.0), 0.5), ((430.0, 300.0), 0.5)],
        3 => &[((160.0, 170.0), 0.5), ((440.0, 170.0), 0.5), ((300.0, 430.0), 0.62)],
        _ => &[((160.0, 160.0), 0.5), ((440.0, 160.0), 0.5), ((160.0, 440.0), 0.5), ((440.0, 440.0), 0.5)],
    };
    let first = 4 - usize::from(grades.min(4));
    for (i, (centre, scale)) in places.iter().enumerate() {
        let (x, y) = *centre;
        let unit = 240.0 * scale;
        match first + i {
            0 => {
                canvas.rect((x - unit, y), unit * 2.0, unit * 0.2, tones.skin);
                canvas.fill(&fruit::half((x, y), unit * 0.36, 90.0), tones.accent);
            }
            1 => {
                canvas.fill(&fruit::half((x, y - unit * 0.3), unit * 0.9, 90.0), tones.skin);
                canvas.fill(&fruit::half((x, y - unit * 0.3), unit * 0.62, 90.0), tones.pith);
                canvas.fill(&fruit::half((x, y - unit * 0.3), unit * 0.34, 90.0), tones.accent);
            }
            2 => {
                canvas.disc((x, y), unit * 0.9, tones.skin);
                canvas.disc((x, y), unit * 0.62, tones.pith);
                canvas.fill(&fruit::sector((x, y), unit * 0.95, -104.0, -76.0), tones.pith);
                canvas.disc((x, y), unit * 0.3, tones.accent);
            }
            _ => {
                canvas.fill(&fruit::lens((x - unit * 1.12, y), (x + unit * 1.12, y), unit * 1.24), tones.skin);
                canvas.fill(&fruit::lens((x - unit * 0.98, y), (x + unit * 0.98, y), unit * 1.12), tones.pith);
                canvas.disc((x, y), unit * 0.46, tones.flesh);
                canvas.disc((x, y), unit * 0.24, tones.skin);
                canvas.disc((x + unit * 0.13, y - unit * 0.13), unit * 0.1, tones.accent);
            }
        }
    }
}

/// Layers of earth and the shells in them.
pub(super) fn strata(canvas: &mut Canvas, tones: &Tones, layers: u8, shells: u8) {
    let fills = [tones.flesh, tones.pith, tones.skin, tones.panel];
    let height = 500.0 / f64::from(layers);
    for i in 0..layers {
        let top = 100.0 + height * f64::from(i);
        let lean = if i % 2 == 0 { 26.0 } else { -22.0 };
        let points = [(-10.0, top + lean), (150.0, top), (300.0, top - lean), (450.0, top), (610.0, top + lean)];
        let mut band = String::from(smooth(&points).data());
        band.push_str("L610 620L-10 620Z");
        canvas.fill(&Path::from_data(band), fills[usize::from(i % 4)]);
    }
    for (i, (x, y, size)) in [(400.0, 330.0, 1.0), (150.0, 470.0, 0.72), (470.0, 540.0, 0.5)].into_iter().enumerate() {
        if i >= usize::from(shells) {
            break;
        }
        canvas.disc((x, y), 112.0 * size, tones.accent);
        canvas.stroke(&spiral((x + 10.0 * size, y), 16.0 * size, 21.0 * size, 4), 11.0 * size, tones.skin);
    }
    sprout(canvas, (120.0, 118.0), 70.0, tones);
    sprout(canvas, (480.0, 116.0), 52.0, tones);
}

/// A fruit that rots, stage by stage.
pub(super) fn spoil(canvas: &mut Canvas, tones: &Tones, stages: u8) {
    let radius = (270.0 / f64::from(stages)).min(150.0);
    canvas.rect((0.0, 300.0 + radius + 10.0), SIDE, 14.0, tones.skin);
    for i in 0..stages {
        let centre = (spread(i, stages, 560.0), 310.0);
        let share = f64::from(i) / f64::from(stages - 1);
        canvas.disc(centre, radius, tones.accent);
        canvas.disc(centre, radius * 0.86, tones.pith);
        if share > 0.0 {
            // The rot spreads inwards from one spot on the skin.
            let spot = polar(centre, radius * (0.86 - 0.5 * share), 40.0);
            canvas.disc(spot, radius * (0.14 + 0.36 * share), tones.skin);
        }
        if share >= 1.0 {
            canvas.disc(centre, radius, tones.skin);
            canvas.disc(polar(centre, radius * 0.2, 220.0), radius * 0.62, tones.flesh);
        }
        for angle in [-90.0, 30.0, 150.0] {
            canvas.fill(&fruit::pip(polar(centre, radius * 0.3, angle), radius * 0.4, angle + 180.0), tones.skin);
        }
        rod(canvas, (centre.0, centre.1 - radius + 4.0), (centre.0 + 14.0, centre.1 - radius - 50.0), 10.0, tones.skin);
        if share < 1.0 {
            let from = (centre.0 + 10.0, centre.1 - radius - 28.0);
            let size = 74.0 * (1.0 - share * 0.5);
            canvas.fill(&fruit::lens(from, (from.0 + size, from.1 - size * 0.4), size * 0.8), tones.flesh);
        }
    }
}

/// A small house, for other scenes.
pub(super) fn cottage(canvas: &mut Canvas, tones: &Tones, foot: Point, size: f64) {
    house(canvas, foot, (size, size * 1.05), tones.accent, tones.skin);
    canvas.fill(&super::kit::doorway(foot, size * 0.28, size * 0.38), tones.skin);
}
