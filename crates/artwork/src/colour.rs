//! Colours: conversion from OKLCH to sRGB, contrast, and the palette of a category's hue.

use std::fmt;

/// An opaque sRGB colour. `Display` writes it as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Converts OKLCH (lightness 0 to 1, chroma, hue in degrees) to sRGB.
///
/// A colour outside the sRGB gamut keeps its lightness and hue and loses chroma, so that all hues look equally light.
pub(crate) fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let hue = if hue.is_finite() { hue.rem_euclid(360.0).to_radians() } else { 0.0 };
    let mut kept = chroma;
    let mut linear = linear_srgb(lightness, kept, hue);
    // Steps of 0.002 are invisible. The loop ends, because every sRGB colour has a chroma below 0.4.
    while kept > 0.0 && linear.iter().any(|c| !(-0.0005..=1.0005).contains(c)) {
        kept -= 0.002;
        linear = linear_srgb(lightness, kept.max(0.0), hue);
    }
    let [r, g, b] = linear.map(encode);
    Rgb(r, g, b)
}

/// Linear-light sRGB of an `OKLab` colour in polar form (Ottosson 2020).
fn linear_srgb(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ]
}

/// One linear channel as an sRGB byte.
fn encode(linear: f64) -> u8 {
    let c = linear.clamp(0.0, 1.0);
    let s = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=255 just here")]
    let byte = (s * 255.0).round().clamp(0.0, 255.0) as u8;
    byte
}

/// The WCAG 2 contrast ratio of two colours, 1 to 21.
#[cfg(test)]
pub(crate) fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (x, y) = (luminance(a), luminance(b));
    (x.max(y) + 0.05) / (x.min(y) + 0.05)
}

/// WCAG relative luminance.
#[cfg(test)]
fn luminance(colour: Rgb) -> f64 {
    let channel = |byte: u8| {
        let s = f64::from(byte) / 255.0;
        if s <= 0.040_45 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(colour.0) + 0.7152 * channel(colour.1) + 0.0722 * channel(colour.2)
}

/// The palette of a hue. Each colour has the same lightness for all hues, so that covers look uniform next to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Warm paper, the same for all hues.
    pub(crate) paper: Rgb,
    /// A very light tint of the hue, for backgrounds.
    pub(crate) tint: Rgb,
    /// The saturated hue.
    pub(crate) flesh: Rgb,
    /// A dark shade of the hue: for rind, and as a background of paper-coloured text.
    pub(crate) deep: Rgb,
    /// A warm near-black, the same for all hues.
    pub(crate) ink: Rgb,
    /// The accent: a warm, bright hue at a distance from the palette's hue.
    pub(crate) zest: Rgb,
}

impl Palette {
    /// The palette of a hue. `choice` selects the accent among the warm hues that are distant enough.
    pub(crate) fn of(hue: f64, choice: usize) -> Self {
        let apart = |warm: &f64| {
            let distance = (warm - hue).rem_euclid(360.0);
            distance.min(360.0 - distance) >= 32.0
        };
        // Accents: apricot, marigold, coral, rose.
        let fitting: Vec<f64> = [62.0, 88.0, 30.0, 5.0].into_iter().filter(apart).collect();
        let warm = fitting.get(choice % fitting.len().max(1)).copied().unwrap_or(62.0);
        Self {
            paper: oklch(0.948, 0.021, 85.0),
            tint: oklch(0.90, 0.04, hue),
            flesh: oklch(0.69, 0.135, hue),
            deep: oklch(0.33, 0.08, hue),
            ink: oklch(0.22, 0.018, 60.0),
            zest: oklch(0.82, 0.125, warm),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_come_out_as_css_has_them() {
        assert_eq!(oklch(1.0, 0.0, 0.0), Rgb(255, 255, 255));
        assert_eq!(oklch(0.0, 0.0, 0.0), Rgb(0, 0, 0));
        // sRGB red and blue in OKLCH, as the CSS Color 4 draft's sample code computes them.
        assert_eq!(oklch(0.627_955, 0.257_683, 29.234), Rgb(255, 0, 0));
        assert_eq!(oklch(0.452_014, 0.313_214, 264.052), Rgb(0, 0, 255));
        assert_eq!(oklch(0.7, 0.1, 40.0).to_string(), oklch(0.7, 0.1, 400.0).to_string());
    }

    #[test]
    fn a_hue_that_is_no_number_is_still_a_colour() {
        assert_eq!(oklch(0.7, 0.1, f64::NAN), oklch(0.7, 0.1, 0.0));
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast(Rgb(0, 0, 0), Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
        assert!((contrast(Rgb(119, 119, 119), Rgb(255, 255, 255)) - 4.48).abs() < 0.01);
    }

    #[test]
    fn tones_are_equally_light_over_all_hues() {
        let of = |pick: fn(&Palette) -> Rgb| {
            let all: Vec<f64> = (0..360).map(|h| luminance(pick(&Palette::of(f64::from(h), 0)))).collect();
            let (low, high) = all.iter().fold((1.0_f64, 0.0_f64), |(l, h), v| (l.min(*v), h.max(*v)));
            (high + 0.05) / (low + 0.05)
        };
        assert!(of(|p| p.flesh) < 1.4, "{}", of(|p| p.flesh));
        assert!(of(|p| p.deep) < 1.4, "{}", of(|p| p.deep));
        assert!(of(|p| p.tint) < 1.15, "{}", of(|p| p.tint));
    }
}
