//! Scenes of people: faces, heads, groups, rank.

use super::kit::{SIDE, bow, earth, person, polygon, rod, spread};
use super::{Good, Mood, measure, nature};
use crate::fruit::{self, Tones};
use crate::svg::{Canvas, polar};

/// People around a table, seen from above: each sits before a segment.
pub(super) fn circle(canvas: &mut Canvas, tones: &Tones, people: u8, lit: u8) {
    let centre = (300.0, 300.0);
    let step = 360.0 / f64::from(people);
    let size = (1100.0 / f64::from(people)).min(150.0);
    for i in 0..people {
        let angle = -90.0 + step * f64::from(i);
        let (head, body) = if i < lit { (tones.accent, tones.skin) } else { (tones.pith, tones.skin) };
        let seat = polar(centre, 226.0, angle);
        canvas.fill(&fruit::half(polar(seat, -size * 0.08, angle), size * 0.5, angle), body);
        canvas.disc(seat, size * 0.25, head);
    }
    canvas.disc(centre, 158.0, tones.skin);
    canvas.disc(centre, 148.0, tones.pith);
    for i in 0..people {
        let from = -90.0 - step / 2.0 + step * f64::from(i);
        let fill = if i < lit { tones.accent } else { tones.flesh };
        fruit::segment(canvas, centre, 136.0, (from, from + step), 9.0, fill);
    }
}

/// A face of two halves.
pub(super) fn mask(canvas: &mut Canvas, tones: &Tones, left: Mood, right: Mood) {
    let centre = (300.0, 290.0);
    canvas.fill(&fruit::half(centre, 240.0, 180.0), tones.pith);
    canvas.fill(&fruit::half(centre, 240.0, 0.0), tones.skin);
    for (side, mood) in [(-1.0, left), (1.0, right)] {
        let ink = if side < 0.0 { tones.skin } else { tones.pith };
        let at = |x: f64, y: f64| (300.0 + side * x, y);
        let eye = at(108.0, 250.0);
        match mood {
            Mood::Glad => canvas.fill(&fruit::half((eye.0, eye.1 + 16.0), 42.0, -90.0), ink),
            Mood::Weeping => {
                canvas.fill(&fruit::half((eye.0, eye.1 - 14.0), 42.0, 90.0), ink);
                canvas.fill(&fruit::pip((eye.0, eye.1 + 100.0), 92.0, -90.0), tones.accent);
            }
            Mood::Watchful => {
                canvas.fill(&fruit::lens((eye.0 - 54.0, eye.1), (eye.0 + 54.0, eye.1), 70.0), ink);
                canvas.disc(eye, 17.0, tones.accent);
            }
        }
        rod(canvas, at(66.0, 180.0), at(150.0, if mood == Mood::Weeping { 196.0 } else { 176.0 }), 14.0, ink);
        let (from, to) = if side < 0.0 { (90.0, 150.0) } else { (30.0, 90.0) };
        match mood {
            Mood::Glad => canvas.stroke(&bow((300.0, 300.0), 150.0, from, to), 18.0, ink),
            Mood::Weeping => {
                let (from, to) = if side < 0.0 { (225.0, 270.0) } else { (270.0, 315.0) };
                canvas.stroke(&bow((300.0, 540.0), 92.0, from, to), 18.0, ink);
            }
            Mood::Watchful => rod(canvas, (300.0, 440.0), at(92.0, 440.0), 18.0, ink),
        }
        // Half of a nose.
        canvas.fill(&polygon(&[(300.0, 262.0), (300.0, 372.0), at(34.0, 372.0)]), ink);
    }
}

/// A head with a good inside.
pub(super) fn mind(canvas: &mut Canvas, tones: &Tones, inside: Good) {
    let centre = (300.0, 262.0);
    canvas.fill(&fruit::half((300.0, SIDE + 10.0), 250.0, -90.0), tones.flesh);
    canvas.rect((236.0, 400.0), 128.0, 130.0, tones.skin);
    canvas.fill(&fruit::half((300.0, 530.0), 64.0, 90.0), tones.skin);
    canvas.disc(centre, 222.0, tones.skin);
    canvas.disc(centre, 176.0, tones.pith);
    match inside {
        Good::House => {
            canvas.fill(&fruit::half((300.0, 330.0), 162.0, 90.0), tones.flesh);
            canvas.rect((124.0, 320.0), 352.0, 12.0, tones.flesh);
            nature::cottage(canvas, tones, (300.0, 330.0), 150.0);
            canvas.disc((404.0, 196.0), 22.0, tones.accent);
        }
        Good::Pin => {
            rod(canvas, (300.0, 190.0), (300.0, 350.0), 8.0, tones.skin);
            canvas.disc((300.0, 184.0), 18.0, tones.accent);
        }
        other => measure::good(canvas, tones, other, centre, 120.0),
    }
}

/// A person at the water's edge, and the reflection.
pub(super) fn reflection(canvas: &mut Canvas, tones: &Tones, bands: u8) {
    let line = 300.0;
    earth(canvas, line, tones.skin);
    person(canvas, (300.0, line), 240.0, tones.accent, tones.flesh);
    let height = 250.0 / f64::from(bands);
    for i in 0..bands {
        let (top, bottom) = (height * f64::from(i) + 3.0, height * f64::from(i + 1) - 5.0);
        let shift = if i % 2 == 0 { 12.0 } else { -12.0 };
        if let Some(band) = fruit::slice((300.0 + shift, line), 120.0, top, bottom.min(119.0)) {
            canvas.fill(&band, tones.pith);
        }
        let face = (300.0 + shift, line + 192.0);
        if let Some(band) = fruit::slice(face, 64.8, top - 192.0, bottom - 192.0) {
            canvas.fill(&band, tones.accent);
        }
    }
    rod(canvas, (0.0, line), (SIDE, line), 6.0, tones.pith);
}

/// Two people who talk: the share of each, and their common ground.
pub(super) fn talk(canvas: &mut Canvas, tones: &Tones, common: u8) {
    let near = 176.0 - 22.0 * f64::from(common);
    let (radius, y) = (170.0, 250.0);
    let (left, right) = ((300.0 - near, y), (300.0 + near, y));
    for (centre, side, fill) in [(left, -1.0, tones.skin), (right, 1.0, tones.flesh)] {
        canvas.disc(centre, radius, fill);
        let root = (centre.0 + side * 50.0, centre.1 + 120.0);
        canvas.fill(
            &polygon(&[(root.0 - 44.0, root.1), (root.0 + 44.0, root.1), (centre.0 + side * 110.0, 490.0)]),
            fill,
        );
    }
    let half = (radius * radius - near * near).max(0.0).sqrt();
    canvas.fill(&fruit::lens((300.0, y - half), (300.0, y + half), radius), tones.accent);
    for (centre, side) in [(left, -1.0), (right, 1.0)] {
        for (row, width) in [(-46.0, 108.0), (0.0, 84.0), (46.0, 108.0)] {
            let x = centre.0 + side * 44.0;
            rod(canvas, (x - width / 2.0, y + row), (x + width / 2.0, y + row), 14.0, tones.pith);
        }
    }
    for (x, fill) in [(70.0, tones.skin), (530.0, tones.flesh)] {
        canvas.fill(&fruit::half((x, SIDE), 74.0, -90.0), fill);
    }
}

/// Chairs in a row.
pub(super) fn chairs(canvas: &mut Canvas, tones: &Tones, count: u8, taken: u8) {
    let floor = 490.0;
    earth(canvas, floor, tones.skin);
    canvas.disc((300.0, 210.0), 170.0, tones.pith);
    let width = (460.0 / f64::from(count)).min(150.0);
    for i in 0..count {
        let x = spread(i, count, width * 1.22 * f64::from(count)) - width * 0.4;
        let fill = if i < taken { tones.accent } else { tones.flesh };
        let seat = floor - width * 0.78;
        for leg in [0.06, 0.74] {
            rod(canvas, (x + width * leg, seat), (x + width * leg, floor), width * 0.1, tones.skin);
        }
        canvas.rect((x, seat), width * 0.8, width * 0.15, fill);
        // The backrest: two posts and a splat, seen slightly from the side.
        canvas.fill(&super::kit::doorway((x + width * 0.19, seat + 1.0), width * 0.38, width), fill);
        canvas.fill(&super::kit::doorway((x + width * 0.19, seat - width * 0.2), width * 0.2, width * 0.6), tones.pith);
    }
}

/// A lion and a fox in one face.
pub(super) fn beasts(canvas: &mut Canvas, tones: &Tones) {
    let centre = (300.0, 310.0);
    // The lion: a mane like the segments of a fruit.
    for i in 0..7 {
        let from = 90.0 + 180.0 / 7.0 * f64::from(i);
        fruit::segment(canvas, centre, 258.0, (from, from + 180.0 / 7.0), 8.0, tones.skin);
    }
    canvas.fill(&fruit::half(centre, 168.0, 180.0), tones.accent);
    canvas.fill(&fruit::half((196.0, 190.0), 44.0, 225.0), tones.accent);
    canvas.disc((222.0, 282.0), 17.0, tones.skin);
    canvas.fill(&fruit::sector((300.0, 400.0), 70.0, 90.0, 180.0), tones.pith);
    canvas.fill(&polygon(&[(300.0, 352.0), (300.0, 400.0), (252.0, 352.0)]), tones.skin);
    // The fox: one ear, one cheek, one long side of a snout.
    canvas
        .fill(&polygon(&[(300.0, 200.0), (400.0, 190.0), (500.0, 60.0), (520.0, 320.0), (300.0, 520.0)]), tones.flesh);
    canvas.fill(&polygon(&[(420.0, 196.0), (484.0, 112.0), (496.0, 262.0)]), tones.skin);
    canvas.fill(&polygon(&[(520.0, 320.0), (300.0, 520.0), (300.0, 420.0), (390.0, 330.0)]), tones.pith);
    canvas.fill(&fruit::lens((352.0, 300.0), (424.0, 268.0), 50.0), tones.skin);
    canvas.fill(&fruit::half((300.0, 506.0), 30.0, 0.0), tones.skin);
    rod(canvas, (300.0, 52.0), (300.0, 574.0), 6.0, tones.panel);
}

/// A crown on a cushion.
pub(super) fn crown(canvas: &mut Canvas, tones: &Tones, points: u8) {
    canvas.fill(&fruit::lens((50.0, 490.0), (550.0, 490.0), 330.0), tones.flesh);
    canvas.fill(&fruit::half_lens((550.0, 490.0), (50.0, 490.0), 330.0), tones.skin);
    for x in [62.0, 538.0] {
        canvas.disc((x, 490.0), 24.0, tones.accent);
    }
    let (left, right, base) = (130.0, 470.0, 440.0);
    let step = (right - left) / f64::from(points);
    let mut outline = vec![(left, base)];
    for i in 0..points {
        let from = left + step * f64::from(i);
        let height = if i == points / 2 { 250.0 } else { 200.0 };
        outline.push((from, base - 110.0));
        outline.push((from + step / 2.0, base - height));
    }
    outline.extend([(right, base - 110.0), (right, base)]);
    canvas.fill(&polygon(&outline), tones.accent);
    canvas.rect((left, base - 60.0), right - left, 26.0, tones.skin);
    for i in 0..points {
        let x = left + step * (f64::from(i) + 0.5);
        let height = if i == points / 2 { 250.0 } else { 200.0 };
        canvas.disc((x, base - height - 14.0), 19.0, tones.skin);
        canvas.disc((x, base - 47.0), 13.0, tones.pith);
    }
    // The thread by which it hangs.
    rod(canvas, (300.0, 0.0), (300.0, 160.0), 4.0, tones.skin);
}
