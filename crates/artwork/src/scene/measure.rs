//! Scenes of numbers and relations: weighing, counting, exchanging, linking, dividing.

use super::kit::{SIDE, bow, earth, house, person, polygon, rod, slab};
use super::{Good, Load};
use crate::face::{DISPLAY, Lettering};
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, Path, Point, polar};

/// Scales.
pub(super) fn balance(canvas: &mut Canvas, tones: &Tones, left: Load, right: Load, tilt: i8) {
    let pivot = (300.0, 150.0);
    canvas.fill(&fruit::half((300.0, 560.0), 110.0, -90.0), tones.skin);
    rod(canvas, (300.0, 540.0), pivot, 22.0, tones.skin);
    let angle = 5.0 * f64::from(tilt.clamp(-3, 3));
    let ends = [polar(pivot, 184.0, 180.0 + angle), polar(pivot, 184.0, angle)];
    rod(canvas, ends[0], ends[1], 20.0, tones.skin);
    canvas.disc(pivot, 30.0, tones.accent);
    canvas.disc(pivot, 11.0, tones.skin);
    for (end, load, fill) in [(ends[0], left, tones.accent), (ends[1], right, tones.flesh)] {
        let pan = (end.0, end.1 + 190.0);
        for side in [-88.0, 88.0] {
            rod(canvas, end, (pan.0 + side, pan.1), 5.0, tones.skin);
        }
        canvas.disc(end, 13.0, tones.skin);
        let radius = 12.0 + 11.0 * f64::from(load.size.clamp(1, 4));
        let mut left_over = load.count.clamp(1, 6);
        let mut row = 0_u8;
        let widest = if load.count > 3 { 3 } else { load.count.max(1) };
        while left_over > 0 && row < 4 {
            let here = widest.saturating_sub(row).max(1).min(left_over);
            for i in 0..here {
                let x = pan.0 + (f64::from(i) - f64::from(here - 1) / 2.0) * radius * 2.0;
                let y = pan.1 - radius - f64::from(row) * radius * 1.74;
                canvas.disc((x, y), radius - 1.5, fill);
                canvas.fill(&fruit::half((x, y), radius - 1.0, 0.0), tones.skin);
            }
            left_over -= here;
            row += 1;
        }
        canvas.fill(&fruit::half(pan, 96.0, 90.0), tones.pith);
        canvas.rect((pan.0 - 100.0, pan.1 - 7.0), 200.0, 14.0, tones.skin);
    }
}

/// Coins in piles.
pub(super) fn stacks(canvas: &mut Canvas, tones: &Tones, heights: &[u8]) {
    let count = u8::try_from(heights.len().clamp(1, 7)).unwrap_or(1);
    let floor = 540.0;
    earth(canvas, floor, tones.skin);
    let width = 520.0 / f64::from(count);
    let tallest = heights.iter().copied().max().unwrap_or(1).max(1);
    let coin = (440.0 / f64::from(tallest)).min(44.0);
    for (i, height) in (0..count).zip(heights) {
        let x = 40.0 + width * f64::from(i);
        for level in 0..*height {
            let y = floor - coin * f64::from(level + 1);
            let last = i + 1 == count;
            let fill = match (last, level % 2) {
                (true, 0) => tones.accent,
                (false, 0) => tones.flesh,
                _ => tones.pith,
            };
            let slip = [0.0, 4.0, -3.0, 2.0][usize::from((level + i) % 4)];
            slab(canvas, (x + 8.0 + slip, y + 2.0), width - 16.0, coin - 4.0, fill);
        }
    }
}

/// Twelve hours as the segments of a fruit; spent ones are eaten.
pub(super) fn hours(canvas: &mut Canvas, tones: &Tones, spent: u8) {
    let centre = (300.0, 300.0);
    canvas.disc(centre, 256.0, tones.skin);
    canvas.disc(centre, 236.0, tones.pith);
    for i in 0..12_u8 {
        let from = -90.0 + 30.0 * f64::from(i);
        if i < spent {
            canvas.disc(polar(centre, 198.0, from + 15.0), 9.0, tones.skin);
        } else {
            fruit::segment(canvas, centre, 218.0, (from, from + 30.0), 11.0, tones.flesh);
        }
    }
    let angle = -90.0 + 30.0 * f64::from(spent);
    canvas.fill(&fruit::pip(polar(centre, 92.0, angle), 190.0, angle), tones.accent);
    canvas.fill(&fruit::half_pip(polar(centre, 92.0, angle), 190.0, angle), tones.skin);
    canvas.disc(centre, 26.0, tones.accent);
}

/// An hourglass made of two halves of a fruit.
pub(super) fn hourglass(canvas: &mut Canvas, tones: &Tones, left: u8) {
    let radius = 196.0;
    let (top, bottom) = ((300.0, 104.0), (300.0, 496.0));
    canvas.fill(&fruit::half(top, radius, 90.0), tones.pith);
    canvas.fill(&fruit::half(bottom, radius, -90.0), tones.pith);
    let share = f64::from(left) / 5.0;
    if let Some(sand) = fruit::slice(top, radius - 16.0, (radius - 16.0) * (1.0 - share * 0.92), radius - 16.0) {
        canvas.fill(&sand, tones.accent);
    }
    if left > 0 {
        rod(canvas, (300.0, 270.0), (300.0, 490.0), 9.0, tones.accent);
    }
    let fallen = (radius - 16.0) * (1.0 - share * 0.8);
    canvas.fill(&fruit::half(bottom, fallen, -90.0), tones.accent);
    for y in [70.0, 496.0] {
        slab(canvas, (70.0, y), 460.0, 36.0, tones.skin);
    }
    for x in [92.0, 492.0] {
        canvas.rect((x, 100.0), 16.0, 400.0, tones.skin);
    }
}

/// Discs of decreasing size.
pub(super) fn sizes(canvas: &mut Canvas, tones: &Tones, count: u8) {
    let ratio = 0.6_f64;
    let floor = 450.0;
    earth(canvas, floor, tones.skin);
    let total: f64 = (0..count).map(|i| ratio.powi(i32::from(i))).sum();
    let first = 560.0 / total / 2.0;
    let mut x = 20.0;
    for i in 0..count {
        let radius = first * ratio.powi(i32::from(i));
        let centre = (x + radius, floor - radius);
        let last = i + 1 == count;
        canvas.disc(centre, radius, if last { tones.accent } else { tones.flesh });
        if !last {
            canvas.fill(&fruit::half(centre, radius + 0.5, 180.0), tones.skin);
        }
        // The shadow shrinks with the disc.
        canvas.fill(
            &fruit::half((centre.0, floor + 8.0), radius * 0.62, 90.0),
            if last { tones.accent } else { tones.flesh },
        );
        x += radius * 2.0;
    }
}

/// A small event and the growing rings around it.
pub(super) fn ripple(canvas: &mut Canvas, tones: &Tones, rings: u8) {
    let centre = (210.0, 300.0);
    let fills = [tones.skin, tones.pith, tones.flesh];
    let step = 300.0 / f64::from(rings);
    for i in 0..rings {
        let radius = 340.0 - step * f64::from(i);
        canvas.fill(&fruit::half(centre, radius, 0.0), fills[usize::from(i % 3)]);
    }
    canvas.disc(centre, 46.0, tones.accent);
    rod(canvas, (centre.0, 0.0), (centre.0, SIDE), 6.0, tones.skin);
    canvas.disc(centre, 40.0, tones.accent);
}

/// Pips that point at one place from all sides.
pub(super) fn gather(canvas: &mut Canvas, tones: &Tones, count: u8) {
    let centre = (300.0, 300.0);
    let step = 360.0 / f64::from(count);
    for i in 0..count {
        let angle = -90.0 + step * f64::from(i);
        let at = polar(centre, 202.0, angle);
        canvas.fill(&fruit::pip(at, 150.0, angle + 180.0), tones.flesh);
        canvas.fill(&fruit::half_pip(at, 150.0, angle + 180.0), tones.skin);
    }
    canvas.disc(centre, 96.0, tones.skin);
    canvas.disc(centre, 82.0, tones.pith);
    canvas.disc(centre, 48.0, tones.accent);
}

/// A road that forks among hills.
pub(super) fn fork(canvas: &mut Canvas, tones: &Tones, ways: u8, taken: u8) {
    canvas.fill(&fruit::half((90.0, 330.0), 210.0, -90.0), tones.flesh);
    canvas.fill(&fruit::half((470.0, 330.0), 260.0, -90.0), tones.flesh);
    earth(canvas, 300.0, tones.skin);
    let goals: &[f64] = if ways == 2 { &[120.0, 480.0] } else { &[80.0, 300.0, 520.0] };
    // The taken way is drawn last, on top of the others.
    let order = |i: usize| i + 1 == usize::from(taken);
    for pass in [false, true] {
        for (_, goal) in goals.iter().enumerate().filter(|(i, _)| order(*i) == pass) {
            let near = 300.0 + (goal - 300.0) * 0.1;
            let road = |spread_low: f64, spread_high: f64| {
                Path::new()
                    .to((300.0 - spread_low, SIDE + 10.0))
                    .curve((300.0 - spread_low, 480.0), (near - spread_high * 2.0, 440.0), (goal - spread_high, 300.0))
                    .line((goal + spread_high, 300.0))
                    .curve(
                        (near + spread_high * 2.4, 440.0),
                        (300.0 + spread_low, 480.0),
                        (300.0 + spread_low, SIDE + 10.0),
                    )
                    .close()
            };
            let fill = if pass { tones.accent } else { tones.pith };
            canvas.fill(&road(84.0, 9.0), fill);
            if pass {
                canvas.disc((*goal, 214.0), 58.0, tones.accent);
            }
        }
    }
    person(canvas, (300.0, 570.0), 104.0, tones.pith, tones.flesh);
}

/// A dial with a needle.
pub(super) fn compass(canvas: &mut Canvas, tones: &Tones, bearing: u16) {
    let centre = (300.0, 300.0);
    canvas.disc(centre, 256.0, tones.skin);
    canvas.disc(centre, 228.0, tones.pith);
    for i in 0..16_u8 {
        let angle = 22.5 * f64::from(i);
        let inner = if i % 4 == 0 { 168.0 } else { 198.0 };
        rod(
            canvas,
            polar(centre, inner, angle),
            polar(centre, 216.0, angle),
            if i % 4 == 0 { 12.0 } else { 6.0 },
            tones.flesh,
        );
    }
    let angle = f64::from(bearing % 360) - 90.0;
    for (turn, lit, dark) in [(0.0, tones.accent, tones.skin), (180.0, tones.pith, tones.flesh)] {
        let tip = polar(centre, 206.0, angle + turn);
        for (side, fill) in [(90.0, lit), (-90.0, dark)] {
            canvas.fill(&polygon(&[centre, polar(centre, 42.0, angle + side), tip]), fill);
        }
    }
    canvas.disc(centre, 20.0, tones.skin);
}

/// A magnifying glass over rows of leaves.
pub(super) fn lens(canvas: &mut Canvas, tones: &Tones, across: u8) {
    let side = 540.0 / f64::from(across);
    let leaf = |canvas: &mut Canvas, centre: Point, size: f64| {
        let (p, q) = ((centre.0 - size, centre.1 + size), (centre.0 + size, centre.1 - size));
        canvas.fill(&fruit::half_lens(p, q, size * 2.0), tones.skin);
        canvas.fill(&fruit::half_lens(q, p, size * 2.0), tones.flesh);
    };
    for row in 0..across {
        for column in 0..across {
            let centre = (30.0 + side * (f64::from(column) + 0.5), 30.0 + side * (f64::from(row) + 0.5));
            leaf(canvas, centre, side * 0.34);
        }
    }
    let centre = (270.0, 250.0);
    rod(canvas, polar(centre, 180.0, 45.0), polar(centre, 400.0, 45.0), 46.0, tones.skin);
    canvas.disc(centre, 196.0, tones.skin);
    canvas.disc(centre, 172.0, tones.pith);
    let (p, q) = (polar(centre, 150.0, 135.0), polar(centre, 150.0, -45.0));
    canvas.fill(&fruit::half_lens(p, q, 214.0), tones.flesh);
    canvas.fill(&fruit::half_lens(q, p, 214.0), tones.accent);
    rod(canvas, polar(centre, 170.0, 135.0), q, 7.0, tones.skin);
    for along in [-70.0, -10.0, 50.0] {
        let root = polar(centre, along, -45.0);
        for (turn, reach) in [(-45.0, 62.0), (45.0, 62.0)] {
            rod(canvas, root, polar(root, reach * (1.0 - along.abs() / 260.0), -45.0 + turn), 5.0, tones.skin);
        }
    }
}

/// Bodies that orbit a centre.
pub(super) fn orbit(canvas: &mut Canvas, tones: &Tones, bodies: u8) {
    let centre = (300.0, 300.0);
    for (i, radius) in [262.0, 196.0, 130.0].into_iter().enumerate() {
        canvas.disc(centre, radius, [tones.skin, tones.flesh, tones.skin][i]);
        canvas.disc(centre, radius - 14.0, tones.panel);
    }
    for i in 0..bodies {
        let radius = [255.0, 189.0, 123.0][usize::from(i % 3)];
        let angle = 137.5 * f64::from(i) - 60.0;
        let at = polar(centre, radius, angle);
        let size = 36.0 - 5.0 * f64::from(i % 3);
        canvas.fill(&fruit::lens(at, polar(centre, 66.0, angle), 900.0), tones.pith);
        canvas.disc(at, size, tones.skin);
        canvas.fill(&fruit::half(at, size + 0.5, angle), tones.flesh);
    }
    canvas.disc(centre, 66.0, tones.accent);
}

/// A page with marks in its columns.
pub(super) fn scorecard(canvas: &mut Canvas, tones: &Tones, rows: u8, columns: u8, marks: u8) {
    slab(canvas, (96.0, 36.0), 408.0, 528.0, tones.skin);
    slab(canvas, (106.0, 46.0), 388.0, 508.0, tones.pith);
    let (left, top) = (186.0, 116.0);
    let (wide, tall) = (288.0 / f64::from(columns), 412.0 / f64::from(rows));
    canvas.rect((130.0, 74.0), 220.0, 16.0, tones.accent);
    for row in 0..rows {
        let y = top + tall * (f64::from(row) + 0.5);
        rod(canvas, (130.0, y + tall / 2.0), (474.0, y + tall / 2.0), 2.5, tones.flesh);
        canvas.rect((130.0, y - 5.0), 38.0, 10.0, tones.flesh);
    }
    for column in 0..=columns {
        let x = left + wide * f64::from(column);
        rod(canvas, (x, top), (x, top + 412.0), 2.5, tones.flesh);
    }
    let cells = u16::from(rows) * u16::from(columns);
    for i in 0..u16::from(marks).min(cells) {
        // Scatters the marks over the cells; two marks may share one. The first mark is highlighted.
        let cell = (i * 23 + i * i * 7 + 5) % cells;
        let (row, column) = (cell / u16::from(columns), cell % u16::from(columns));
        let centre = (left + wide * (f64::from(column) + 0.5), top + tall * (f64::from(row) + 0.5));
        canvas.disc(centre, wide.min(tall) * 0.32, if i == 0 { tones.accent } else { tones.skin });
    }
}

/// One large dose next to many small drops.
pub(super) fn doses(canvas: &mut Canvas, tones: &Tones, drops: u8) {
    canvas.rect((0.0, 0.0), 300.0, SIDE, tones.skin);
    canvas.fill(&fruit::half((300.0, 300.0), 216.0, 180.0), tones.flesh);
    canvas.fill(&fruit::half((300.0, 300.0), 120.0, 180.0), tones.pith);
    let columns = if drops > 9 { 4 } else { 3 };
    let rows = drops.div_ceil(columns);
    for i in 0..drops {
        let (column, row) = (i % columns, i / columns);
        let side = 264.0 / f64::from(columns);
        let x = 318.0 + side * (f64::from(column) + 0.5);
        let y = 300.0 + (f64::from(row) - f64::from(rows - 1) / 2.0) * 104.0 + if column % 2 == 0 { 0.0 } else { 26.0 };
        let length = side * 0.8;
        canvas.fill(&fruit::pip((x, y), length, -90.0), tones.accent);
        canvas.fill(&fruit::half_pip((x, y), length, -90.0), tones.skin);
    }
}

/// Two goods that are exchanged.
pub(super) fn exchange(canvas: &mut Canvas, tones: &Tones, give: Good, take: Good) {
    let centre = (300.0, 300.0);
    for (from, to) in [(205.0, 312.0), (25.0, 132.0)] {
        canvas.stroke(&bow(centre, 226.0, from, to), 26.0, tones.skin);
        let point = polar(polar(centre, 226.0, to), 66.0, to + 96.0);
        canvas.fill(&polygon(&[point, polar(centre, 226.0 + 46.0, to), polar(centre, 226.0 - 46.0, to)]), tones.skin);
    }
    for (x, thing, fill) in [(148.0, give, tones.pith), (452.0, take, tones.pith)] {
        canvas.disc((x, 300.0), 136.0, tones.skin);
        canvas.disc((x, 300.0), 124.0, fill);
        good(canvas, tones, thing, (x, 300.0), 84.0);
    }
}

/// Draws a good around a centre, about twice `size` wide.
pub(super) fn good(canvas: &mut Canvas, tones: &Tones, good: Good, centre: Point, size: f64) {
    let (x, y) = centre;
    match good {
        Good::Bread => {
            let base = y + size * 0.5;
            canvas.fill(&fruit::half((x, base - size * 0.1), size, -90.0), tones.accent);
            slab(canvas, (x - size, base - size * 0.16), size * 2.0, size * 0.3, tones.skin);
            for i in -1..=1_i8 {
                let at = (x + f64::from(i) * size * 0.5, base - size * (0.5 + if i == 0 { 0.12 } else { 0.0 }));
                canvas.fill(
                    &fruit::lens(
                        (at.0 - size * 0.1, at.1 + size * 0.2),
                        (at.0 + size * 0.1, at.1 - size * 0.2),
                        size * 0.3,
                    ),
                    tones.skin,
                );
            }
        }
        Good::Coin => {
            canvas.disc(centre, size * 0.86, tones.skin);
            canvas.disc(centre, size * 0.76, tones.accent);
            canvas.disc(centre, size * 0.56, tones.skin);
            canvas.disc(centre, size * 0.5, tones.accent);
            canvas.fill(&fruit::lens((x, y - size * 0.36), (x, y + size * 0.36), size * 0.44), tones.skin);
        }
        Good::Letter => {
            slab(canvas, (x - size * 0.62, y - size * 0.8), size * 1.24, size * 1.6, tones.flesh);
            let line = DISPLAY.line("A", 0.0);
            let type_size = size * 1.4;
            let mut lettering = Lettering::default();
            let at = (x - line.width() * type_size / 2.0, y + DISPLAY.cap_height * type_size / 2.0);
            lettering.set(&DISPLAY, &line, at, type_size, tones.pith);
            canvas.raw(&lettering.markup());
        }
        Good::Book => {
            for side in [-1.0, 1.0] {
                let at = |dx: f64, dy: f64| (x + side * dx * size, y + dy * size);
                canvas.fill(&polygon(&[at(0.0, -0.42), at(0.98, -0.66), at(0.98, 0.52), at(0.0, 0.76)]), tones.skin);
                let page = if side < 0.0 { tones.accent } else { tones.flesh };
                canvas.fill(&polygon(&[at(0.05, -0.36), at(0.88, -0.56), at(0.88, 0.42), at(0.05, 0.62)]), page);
                for row in 0..3_u8 {
                    let dy = -0.2 + 0.24 * f64::from(row);
                    rod(canvas, at(0.2, dy), at(0.72, dy - 0.12), size * 0.06, tones.skin);
                }
            }
        }
        Good::House => {
            house(canvas, (x, y + size * 0.72), (size * 1.3, size * 1.4), tones.accent, tones.skin);
            canvas.fill(&super::kit::doorway((x, y + size * 0.72), size * 0.34, size * 0.5), tones.skin);
        }
        Good::Pin => {
            rod(canvas, (x, y - size * 0.7), (x, y + size * 0.8), size * 0.08, tones.skin);
            canvas.disc((x, y - size * 0.7), size * 0.18, tones.accent);
        }
        Good::Seed => {
            canvas.fill(&fruit::pip(centre, size * 1.7, -90.0), tones.accent);
            canvas.fill(&fruit::half_pip(centre, size * 1.7, -90.0), tones.skin);
        }
    }
}

/// A whole, cut into separated parts.
pub(super) fn divided(canvas: &mut Canvas, tones: &Tones, parts: u8) {
    let centre = (300.0, 300.0);
    let step = 360.0 / f64::from(parts);
    for i in 0..parts {
        let from = -90.0 - step / 2.0 + step * f64::from(i);
        let moved = polar(centre, 34.0 + 90.0 / f64::from(parts), from + step / 2.0);
        let (outer, inner) = (212.0, 194.0);
        canvas.fill(&fruit::sector(moved, inner + 1.0, from, from + step), tones.pith);
        canvas.fill(&fruit::rind(moved, outer, inner, from, from + step), tones.skin);
        let fill = if i == 0 { tones.accent } else { tones.flesh };
        fruit::segment(canvas, moved, 178.0, (from, from + step), 16.0, fill);
    }
}

/// A chain from the upper left to the lower right.
pub(super) fn chain(canvas: &mut Canvas, tones: &Tones, links: u8, open: u8) {
    let radius = 420.0 / (f64::from(links) + 1.0);
    let width = radius * 0.3;
    let place = |i: u8| {
        let t = (f64::from(i) + 0.5) / f64::from(links) - 0.5;
        let stretch = 1.26 * radius * f64::from(links);
        (300.0 + t * stretch * 0.86, 300.0 + t * stretch * 0.62)
    };
    let line = 35.8;
    for i in 0..links {
        let centre = place(i);
        let broken = i + 1 == open;
        let colour = if broken {
            tones.accent
        } else if i % 2 == 0 {
            tones.skin
        } else {
            tones.flesh
        };
        if broken {
            // The opening is on the side that no other link covers.
            canvas.stroke(&bow(centre, radius * 0.84, line - 56.0, line + 236.0), width, colour);
        } else {
            canvas.stroke(&bow(centre, radius * 0.84, 0.0, 180.0), width, colour);
            canvas.stroke(&bow(centre, radius * 0.84, 180.0, 360.0), width, colour);
        }
        if i > 0 {
            // Where a link passes under the previous one, that one is drawn again on top.
            let before = place(i - 1);
            let colour = if i == open {
                tones.accent
            } else if (i - 1) % 2 == 0 {
                tones.skin
            } else {
                tones.flesh
            };
            canvas.stroke(&bow(before, radius * 0.84, line + 12.0, line + 80.0), width, colour);
        }
    }
}

/// A network of connected nodes.
pub(super) fn web(canvas: &mut Canvas, tones: &Tones, nodes: u8, touched: u8) {
    let centre = (300.0, 300.0);
    let place = |i: u8| polar(centre, 214.0, -90.0 + 360.0 / f64::from(nodes) * f64::from(i));
    for i in 0..nodes {
        for j in i + 1..nodes {
            let lit = i + 1 == touched || j + 1 == touched;
            rod(canvas, place(i), place(j), if lit { 10.0 } else { 5.0 }, if lit { tones.accent } else { tones.skin });
        }
    }
    for i in 0..nodes {
        let lit = i + 1 == touched;
        let size = if lit { 74.0 } else { 34.0 + 9.0 * f64::from(i * 3 % 4) };
        canvas.disc(place(i), size, tones.skin);
        canvas.disc(place(i), size * 0.84, if lit { tones.accent } else { tones.pith });
        if !lit {
            canvas.fill(&fruit::half(place(i), size * 0.84 + 0.5, 180.0), tones.flesh);
        }
    }
}
