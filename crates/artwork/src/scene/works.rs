//! Scenes of things that people build: walls, bridges, stairs, streets, tools, books.

use super::kit::{SIDE, bow, doorway, earth, house, person, polygon, rod, slab, spread, sprout};
use crate::face::{DISPLAY, Lettering};
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, Path, polar};

/// A wall of bricks.
pub(super) fn wall(canvas: &mut Canvas, tones: &Tones, ladders: u8, door: bool) {
    let (top, course) = (190.0, 58.0);
    // Battlements.
    for i in 0..5_u8 {
        canvas.rect((120.0 * f64::from(i) + 24.0, top - 62.0), 72.0, 70.0, tones.skin);
    }
    canvas.rect((0.0, top), SIDE, SIDE - top, tones.skin);
    for row in 0..7_u8 {
        let y = top + course * f64::from(row) + 7.0;
        let shift = if row % 2 == 0 { 0.0 } else { -60.0 };
        for brick in 0..6_u8 {
            let x = shift + 120.0 * f64::from(brick);
            let odd = (row * 5 + brick * 3) % 11 == 4;
            canvas.rect((x + 4.0, y), 112.0, course - 8.0, if odd { tones.pith } else { tones.flesh });
        }
    }
    if door {
        canvas.fill(&doorway((300.0, SIDE), 190.0, 300.0), tones.skin);
        canvas.fill(&doorway((300.0, SIDE), 158.0, 284.0), tones.accent);
        canvas.fill(&polygon(&[(379.0, SIDE), (379.0, 395.0), (320.0, 430.0), (320.0, SIDE)]), tones.pith);
    }
    for i in 0..ladders {
        let x = spread(i, ladders, 520.0);
        let lean = 46.0;
        for side in [-24.0, 24.0] {
            rod(canvas, (x + side - lean, SIDE + 10.0), (x + side + lean * 0.3, top - 20.0), 9.0, tones.accent);
        }
        for rung in 0..8_u8 {
            let share = (f64::from(rung) + 0.6) / 8.0;
            let (mx, y) = (x - lean + lean * 1.3 * share, SIDE - (SIDE - top + 10.0) * share);
            rod(canvas, (mx - 24.0, y), (mx + 24.0, y), 8.0, tones.accent);
        }
    }
}

/// A bridge of wedge stones.
pub(super) fn bridge(canvas: &mut Canvas, tones: &Tones, stones: u8, missing: u8) {
    let (centre, outer, inner) = ((300.0, 470.0), 262.0, 176.0);
    earth(canvas, 520.0, tones.flesh);
    for (x, y) in [(90.0, 546.0), (300.0, 566.0), (470.0, 544.0)] {
        canvas.fill(&fruit::lens((x - 60.0, y), (x + 60.0, y), 190.0), tones.pith);
    }
    canvas.rect((0.0, 468.0), 136.0, 132.0, tones.skin);
    canvas.rect((464.0, 468.0), 136.0, 132.0, tones.skin);
    let step = 180.0 / f64::from(stones);
    let first = (stones - missing.min(stones)) / 2;
    for i in 0..stones {
        let from = 180.0 + step * f64::from(i);
        if i >= first && i < first + missing {
            continue;
        }
        let fill = if i % 2 == 0 { tones.skin } else { tones.flesh };
        let lit = missing == 0 && i == stones / 2;
        canvas.fill(
            &fruit::rind(centre, outer, inner, from + 0.9, from + step - 0.9),
            if lit { tones.accent } else { fill },
        );
    }
    if missing > 0 {
        // The missing stones float above their positions.
        for i in first..first + missing {
            let from = 180.0 + step * f64::from(i);
            let lifted = (centre.0, centre.1 - 120.0);
            canvas.fill(&fruit::rind(lifted, outer, inner, from + 0.9, from + step - 0.9), tones.accent);
        }
    }
}

/// A dyke that protects fields from a flood.
pub(super) fn dyke(canvas: &mut Canvas, tones: &Tones, level: u8) {
    let surface = 470.0 - 62.0 * f64::from(level);
    canvas.rect((0.0, surface), 330.0, SIDE - surface, tones.flesh);
    for row in 0..5_u8 {
        let y = surface + 66.0 * f64::from(row);
        let fill = if row == 0 { tones.flesh } else { tones.pith };
        for i in 0..4_u8 {
            let x = 40.0 + 80.0 * f64::from(i) - if row % 2 == 0 { 0.0 } else { 40.0 };
            if row == 0 {
                canvas.fill(&fruit::half((x, y), 40.0, -90.0), fill);
            } else if y < 590.0 {
                canvas.fill(&fruit::lens((x - 30.0, y), (x + 30.0, y), 70.0), fill);
            }
        }
    }
    canvas.fill(&polygon(&[(230.0, SIDE), (290.0, 110.0), (350.0, 110.0), (440.0, SIDE)]), tones.skin);
    for (y, width) in [(200.0, 70.0), (300.0, 96.0), (400.0, 122.0), (500.0, 150.0)] {
        rod(canvas, (322.0 - width / 2.0 + 6.0, y), (322.0 + width / 2.0, y), 8.0, tones.panel);
    }
    canvas.rect((400.0, 540.0), 200.0, 60.0, tones.skin);
    house(canvas, (520.0, 540.0), (100.0, 112.0), tones.accent, tones.skin);
    canvas.fill(&doorway((520.0, 540.0), 28.0, 42.0), tones.skin);
    sprout(canvas, (444.0, 542.0), 60.0, tones);
}

/// Houses at night.
pub(super) fn street(canvas: &mut Canvas, tones: &Tones, houses: u8, lit: u8) {
    canvas.disc((470.0, 120.0), 62.0, tones.pith);
    canvas.disc((498.0, 104.0), 54.0, tones.panel);
    let width = SIDE / f64::from(houses);
    for i in 0..houses {
        let x = width * (f64::from(i) + 0.5);
        let height = [250.0, 320.0, 220.0, 290.0, 350.0, 240.0, 300.0][usize::from(i % 7)];
        let (walls, roof) = if i % 2 == 0 { (tones.skin, tones.flesh) } else { (tones.flesh, tones.skin) };
        house(canvas, (x, 520.0), (width + 0.5, height), walls, roof);
        let eaves = 520.0 - height * 0.64;
        let pane = (width * 0.26).min(40.0);
        for (row, y) in (0_u8..).zip([eaves + 26.0, eaves + 40.0 + pane * 1.3]) {
            for (column, dx) in [(0_u8, -0.24), (1, 0.24)] {
                if y + pane * 1.3 > 512.0 {
                    continue;
                }
                let shines = i + 1 == lit && row == 0 && column == 1;
                let dark = if i % 2 == 0 { tones.panel } else { tones.skin };
                canvas.fill(
                    &doorway((x + width * dx, y + pane * 1.3), pane, pane * 1.3),
                    if shines { tones.accent } else { dark },
                );
                if shines {
                    let to = SIDE;
                    let wx = x + width * dx;
                    canvas.fill(
                        &polygon(&[
                            (wx - pane / 2.0, 520.0),
                            (wx + pane / 2.0, 520.0),
                            (wx + pane * 2.0, to),
                            (wx - pane, to),
                        ]),
                        tones.accent,
                    );
                }
            }
        }
    }
    // The street is drawn over the houses and the light.
    rod(canvas, (0.0, 522.0), (SIDE, 522.0), 8.0, tones.skin);
    if lit > 0 {
        person(canvas, (110.0, 592.0), 74.0, tones.pith, tones.skin);
    }
}

/// Planks with a letter each.
pub(super) fn planks(canvas: &mut Canvas, tones: &Tones, letters: &str) {
    let shown: Vec<char> = letters.chars().filter(|c| c.is_alphanumeric()).take(4).collect();
    let count = u8::try_from(shown.len().max(1)).unwrap_or(1);
    let height = (480.0 / f64::from(count)).min(160.0);
    let top = 300.0 - height * f64::from(count) / 2.0;
    let mut lettering = Lettering::default();
    for (i, letter) in (0_u8..).zip(&shown) {
        let y = top + height * f64::from(i);
        let shift = [-14.0, 26.0, -6.0, 36.0][usize::from(i % 4)];
        let fill = if i % 2 == 0 { tones.flesh } else { tones.skin };
        slab(canvas, (24.0 + shift, y + 5.0), 530.0, height - 10.0, fill);
        canvas.disc((60.0 + shift, y + height / 2.0), 8.0, tones.panel);
        canvas.disc((518.0 + shift, y + height / 2.0), 8.0, tones.panel);
        // Grain.
        for (from, to, dy) in [(100.0, 190.0, -0.2), (330.0, 480.0, 0.24), (360.0, 470.0, -0.26)] {
            rod(
                canvas,
                (from + shift, y + height * (0.5 + dy)),
                (to + shift, y + height * (0.5 + dy)),
                4.0,
                tones.panel,
            );
        }
        let size = height * 0.84;
        let line = DISPLAY.line(&letter.to_string(), 0.0);
        let colour = if i == 0 { tones.accent } else { tones.pith };
        let x = 266.0 + shift - line.width() * size / 2.0;
        lettering.set(&DISPLAY, &line, (x, y + height / 2.0 + DISPLAY.cap_height * size / 2.0), size, colour);
    }
    canvas.raw(&lettering.markup());
}

/// A lock with light behind it.
pub(super) fn keyhole(canvas: &mut Canvas, tones: &Tones) {
    slab(canvas, (130.0, 40.0), 340.0, 400.0, tones.skin);
    for (x, y) in [(160.0, 70.0), (440.0, 70.0), (160.0, 410.0), (440.0, 410.0)] {
        canvas.disc((x, y), 9.0, tones.flesh);
    }
    canvas.disc((300.0, 210.0), 122.0, tones.flesh);
    canvas.disc((300.0, 180.0), 50.0, tones.accent);
    canvas.fill(&polygon(&[(278.0, 200.0), (322.0, 200.0), (348.0, 310.0), (252.0, 310.0)]), tones.accent);
    // The light that falls through the keyhole.
    canvas.fill(&polygon(&[(210.0, 470.0), (390.0, 470.0), (520.0, SIDE), (80.0, SIDE)]), tones.accent);
}

/// A pit with a ladder that is too short.
pub(super) fn ladder(canvas: &mut Canvas, tones: &Tones, rungs: u8) {
    canvas.disc((300.0, 92.0), 58.0, tones.accent);
    for (x, y, r) in [(110.0, 80.0, 7.0), (190.0, 140.0, 5.0), (430.0, 60.0, 6.0), (500.0, 130.0, 8.0)] {
        canvas.disc((x, y), r, tones.pith);
    }
    canvas.rect((0.0, 210.0), 150.0, 390.0, tones.skin);
    canvas.rect((450.0, 210.0), 150.0, 390.0, tones.skin);
    earth(canvas, 556.0, tones.skin);
    for (x, w, y) in [(0.0, 150.0, 280.0), (0.0, 150.0, 390.0), (450.0, 150.0, 330.0), (450.0, 150.0, 450.0)] {
        rod(canvas, (x, y), (x + w, y), 10.0, tones.flesh);
    }
    let step = 44.0;
    let top = 556.0 - step * (f64::from(rungs) + 0.6);
    for x in [352.0, 416.0] {
        rod(canvas, (x, 556.0), (x, top), 12.0, tones.pith);
    }
    for i in 0..rungs {
        let y = 556.0 - step * (f64::from(i) + 0.8);
        rod(canvas, (352.0, y), (416.0, y), 11.0, tones.pith);
    }
    person(canvas, (246.0, 556.0), 130.0, tones.accent, tones.flesh);
}

/// Stairs of quarter discs, with a person at the top.
pub(super) fn steps(canvas: &mut Canvas, tones: &Tones, count: u8) {
    let side = SIDE / (f64::from(count) + 0.5);
    let rise = 400.0 / f64::from(count);
    for i in 0..count {
        let (x, y) = (side * (f64::from(i) + 0.5), SIDE - rise * f64::from(i + 1));
        let fill = if i % 2 == 0 { tones.skin } else { tones.flesh };
        canvas.rect((x, y), SIDE - x, rise + 0.5, fill);
        if i + 1 < count {
            canvas.fill(&fruit::sector((x + side, y), rise.min(side) * 0.92, 180.0, 270.0), tones.pith);
        }
    }
    let top = (side * (f64::from(count) + 0.0), SIDE - rise * f64::from(count));
    person(canvas, (top.0, top.1), (side * 0.9).min(104.0), tones.accent, tones.skin);
}

/// Poles with wires and birds on them.
pub(super) fn wires(canvas: &mut Canvas, tones: &Tones, poles: u8, birds: u8) {
    earth(canvas, 520.0, tones.skin);
    canvas.disc((430.0, 400.0), 96.0, tones.accent);
    canvas.rect((0.0, 430.0), SIDE, 90.0, tones.flesh);
    earth(canvas, 520.0, tones.skin);
    let gap = SIDE / f64::from(poles - 1).max(1.0);
    let place = |i: u8| 64.0 + (gap - 128.0 / f64::from(poles - 1).max(1.0)) * f64::from(i);
    for arm in [140.0, 196.0, 252.0] {
        for i in 0..poles.saturating_sub(1) {
            let (from, to) = (place(i), place(i + 1));
            let sag = (to - from) * 0.16;
            canvas.stroke(
                &super::kit::smooth(&[
                    (from, arm),
                    (from + (to - from) * 0.25, arm + sag * 0.75),
                    (f64::midpoint(from, to), arm + sag),
                    (from + (to - from) * 0.75, arm + sag * 0.75),
                    (to, arm),
                ]),
                5.0,
                tones.skin,
            );
        }
    }
    for i in 0..poles {
        let x = place(i);
        rod(canvas, (x, 90.0), (x, 524.0), 16.0, tones.skin);
        for arm in [140.0, 196.0, 252.0] {
            rod(canvas, (x - 46.0, arm), (x + 46.0, arm), 10.0, tones.skin);
            for side in [-40.0, 40.0] {
                canvas.disc((x + side, arm - 12.0), 8.0, tones.accent);
            }
        }
    }
    let (from, to) = (place(0), place(1));
    for i in 0..birds {
        let share = 0.2 + 0.62 * (f64::from(i) + 0.5) / f64::from(birds.max(1));
        let sag = (to - from) * 0.16 * (1.0 - (2.0 * share - 1.0).powi(2));
        let (x, y) = (from + (to - from) * share, 140.0 + sag);
        canvas.fill(&fruit::half((x, y - 20.0), 20.0, 90.0), if i == 0 { tones.accent } else { tones.flesh });
        canvas.fill(&fruit::lens((x - 38.0, y - 12.0), (x, y - 18.0), 30.0), tones.skin);
        canvas.disc((x + 14.0, y - 28.0), 11.0, if i == 0 { tones.accent } else { tones.flesh });
    }
}

/// An axe.
pub(super) fn axe(canvas: &mut Canvas, tones: &Tones, speckles: u8) {
    // A haft, from the lower left to the upper right.
    let along = |share: f64| (110.0 + 200.0 * share, 570.0 - 500.0 * share);
    rod(canvas, along(-0.04), along(1.0), 40.0, tones.skin);
    for share in [0.04, 0.1, 0.16] {
        let at = along(share);
        rod(canvas, (at.0 - 19.0, at.1 - 7.6), (at.0 + 19.0, at.1 + 7.6), 9.0, tones.accent);
    }
    let eye = along(0.78);
    let facing = 21.8;
    let centre = polar(eye, 20.0, facing);
    // The head: a wedge that widens towards the edge, and a poll behind the haft.
    let at = |reach: f64, turn: f64| polar(centre, reach, facing + turn);
    let wedge = Path::new()
        .to(polar(eye, 70.0, facing - 90.0))
        .line(at(230.0, -40.0))
        .arc(230.0, false, true, at(230.0, 40.0))
        .line(polar(eye, 70.0, facing + 90.0))
        .close();
    canvas.fill(&wedge, tones.flesh);
    canvas.fill(&fruit::rind(centre, 262.0, 216.0, facing - 42.0, facing + 42.0), tones.pith);
    let poll = polar(eye, -30.0, facing);
    canvas.fill(
        &polygon(&[
            polar(eye, 70.0, facing - 90.0),
            polar(poll, 60.0, facing - 90.0),
            polar(poll, 60.0, facing + 90.0),
            polar(eye, 70.0, facing + 90.0),
        ]),
        tones.flesh,
    );
    rod(canvas, along(0.6), along(0.98), 40.0, tones.skin);
    let spots = [
        (150.0, -20.0),
        (110.0, 14.0),
        (178.0, 8.0),
        (140.0, 30.0),
        (184.0, -30.0),
        (96.0, -18.0),
        (186.0, 26.0),
        (134.0, -4.0),
        (122.0, -36.0),
        (70.0, 8.0),
        (176.0, -10.0),
        (150.0, 12.0),
    ];
    for (reach, turn) in spots.into_iter().take(usize::from(speckles)) {
        let size = if turn > 10.0 { 11.0 } else { 8.0 };
        canvas.disc(polar(centre, reach, facing + turn), size, tones.skin);
    }
    for (reach, from, to) in [(290.0, -34.0, 12.0), (312.0, -20.0, 26.0)] {
        canvas.stroke(&bow(centre, reach, facing + from, facing + to), 8.0, tones.accent);
    }
}

/// A pile of books.
pub(super) fn books(canvas: &mut Canvas, tones: &Tones, count: u8, candle: bool) {
    let floor = 540.0;
    earth(canvas, floor, tones.skin);
    let height = (300.0 / f64::from(count)).min(66.0);
    for i in 0..count {
        let y = floor - height * f64::from(i + 1);
        let width = [400.0, 340.0, 370.0, 300.0, 350.0, 280.0, 320.0][usize::from(i % 7)];
        let x = 226.0 - width / 2.0 + [0.0, 24.0, -16.0, 12.0, -24.0, 8.0, 0.0][usize::from(i % 7)] + 40.0;
        let fill = [tones.flesh, tones.accent, tones.pith][usize::from(i % 3)];
        canvas.rect((x, y), width, height - 5.0, fill);
        // The pages at one end, the bands of the spine at the other.
        canvas.rect(
            (x + width - 30.0, y + 7.0),
            30.0,
            height - 19.0,
            if fill == tones.pith { tones.flesh } else { tones.pith },
        );
        for band in [30.0, 46.0] {
            canvas.rect((x + band, y), 7.0, height - 5.0, tones.skin);
        }
    }
    let top = floor - height * f64::from(count);
    // An open book on top.
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64| (270.0 + side * x, top - 4.0 - y);
        canvas.fill(
            &polygon(&[at(0.0, 0.0), at(150.0, 20.0), at(150.0, 92.0), at(0.0, 66.0)]),
            if side < 0.0 { tones.pith } else { tones.flesh },
        );
    }
    if candle {
        canvas.rect((490.0, 380.0), 46.0, 160.0, tones.pith);
        canvas.rect((466.0, 520.0), 94.0, 22.0, tones.accent);
        canvas.disc((513.0, 310.0), 84.0, tones.flesh);
        canvas.fill(&fruit::pip((513.0, 322.0), 104.0, -90.0), tones.accent);
        rod(canvas, (513.0, 384.0), (513.0, 362.0), 5.0, tones.skin);
    }
}

/// Cloth that is dyed in several dips.
pub(super) fn vat(canvas: &mut Canvas, tones: &Tones, dips: u8) {
    let width = 380.0 / f64::from(dips);
    rod(canvas, (60.0, 60.0), (540.0, 60.0), 14.0, tones.skin);
    for i in 0..dips {
        let x = 110.0 + width * f64::from(i);
        let share = f64::from(i + 1) / f64::from(dips);
        canvas.rect((x + 7.0, 60.0), width - 14.0, 350.0, tones.pith);
        let dyed = 340.0 * share;
        canvas.rect((x + 7.0, 410.0 - dyed), width - 14.0, dyed, tones.flesh);
        let twice = 340.0 * (share - 0.34).max(0.0);
        canvas.rect((x + 7.0, 410.0 - twice), width - 14.0, twice, tones.accent);
    }
    canvas.fill(&fruit::half((300.0, 380.0), 224.0, 90.0), tones.skin);
    canvas.rect((52.0, 366.0), 496.0, 26.0, tones.skin);
    canvas.stroke(&bow((300.0, 380.0), 176.0, 24.0, 80.0), 12.0, tones.flesh);
}
