//! Slides of a short film: a picture beside a few words, each in the site's design.

use crate::colour::{Palette, oklch};
use crate::face::{DISPLAY, Lettering, TEXT};
use crate::mark;
use crate::setting::{self, Area};
use crate::svg::Canvas;

/// Width of a slide, in pixels.
pub const SLIDE_WIDTH: u32 = 1280;
/// Height of a slide, in pixels.
pub const SLIDE_HEIGHT: u32 = 720;

/// The distance of everything from the edges.
const MARGIN: f64 = 80.0;
/// How high a picture stands.
const PICTURE: f64 = 560.0;
/// The line on which the mark and the site's name stand.
const FOOT: f64 = 640.0;

/// A drawing that stands on a slide.
#[derive(Clone, Copy, Debug)]
pub struct SlidePicture<'a> {
    /// An SVG document of this crate.
    pub svg: &'a str,
    /// Its width for a height of 1.
    pub ratio: f64,
}

/// What a slide is made from.
#[derive(Clone, Copy, Debug)]
pub struct SlideSpec<'a> {
    /// What it says, in a few words.
    pub title: &'a str,
    /// What stands below, in a line; may be empty.
    pub note: &'a str,
    /// What stands above, in small type, such as the number of an idea; may be empty.
    pub above: &'a str,
    /// What stands beside the words.
    pub picture: Option<SlidePicture<'a>>,
    /// The hue of the book's first category, in OKLCH degrees.
    pub hue: f64,
    /// The site's name.
    pub site: &'a str,
}

/// Draws a slide: an SVG document of 1280 by 720.
pub fn slide(spec: &SlideSpec<'_>) -> String {
    let palette = Palette::of(spec.hue, 0);
    let mut canvas = Canvas::new();
    let (width, height) = (f64::from(SLIDE_WIDTH), f64::from(SLIDE_HEIGHT));
    canvas.rect((0.0, 0.0), width, height, palette.paper);
    let mut left = MARGIN;
    if let Some(picture) = spec.picture {
        let across = (PICTURE * picture.ratio.clamp(0.4, 1.2)).round();
        let top = (height - PICTURE) / 2.0;
        // The side behind the picture is the category's, and the picture casts its shadow on both.
        canvas.rect((0.0, 0.0), (MARGIN + across / 2.0).round(), height, palette.flesh);
        canvas.rect((MARGIN + 12.0, top + 12.0), across, PICTURE, palette.deep);
        canvas.framed((MARGIN, top), (across, PICTURE), (across, PICTURE), &sized(picture.svg, across));
        left += across + 76.0;
    } else {
        canvas.rect((0.0, 0.0), 28.0, height, palette.flesh);
    }
    let room = width - left - MARGIN;
    let (ink, quiet) = (palette.ink, oklch(0.47, 0.025, 60.0));
    let mut lettering = Lettering::default();
    if let Some((line, size)) = setting::set_line(&TEXT, spec.above, room, 28.0, 20.0) {
        lettering.set(&TEXT, &line, (left, 132.0), size, quiet);
    }
    let area = Area { x: left, y: 170.0, width: room, height: 310.0 };
    let title = setting::set(&DISPLAY, spec.title, area);
    for (line, baseline) in &title.lines {
        lettering.set(&DISPLAY, line, (left, *baseline), title.size, ink);
    }
    let below = title.lines.last().map_or(area.y, |(_, baseline)| baseline + 0.22 * title.size) + 56.0;
    if let Some((line, size)) = setting::set_line(&TEXT, spec.note, room, 34.0, 22.0) {
        lettering.set(&TEXT, &line, (left, below), size, ink);
    }
    mark::imprint(&mut canvas, (left + 20.0, FOOT - 11.0), 20.0, oklch(0.64, 0.185, 48.0), palette.paper);
    if let Some((line, size)) = setting::set_line(&DISPLAY, spec.site, room - 60.0, 36.0, 20.0) {
        lettering.set(&DISPLAY, &line, (left + 54.0, FOOT), size, oklch(0.22, 0.018, 60.0));
    }
    canvas.raw(&lettering.markup());
    canvas.document(SLIDE_WIDTH, SLIDE_HEIGHT, spec.title)
}

/// A document of this crate as a part of another one, in this width and the height of pictures.
fn sized(svg: &str, across: f64) -> String {
    // What stands in the first tag only says how large it is by itself; the extent stays.
    let extent =
        svg.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"')).map_or("0 0 600 600", |at| at.0);
    let inner = svg.split_once('>').map_or("", |(_, rest)| rest);
    format!(
        r#"<svg width="{across}" height="{PICTURE}" viewBox="{extent}" preserveAspectRatio="xMidYMid slice">{inner}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CoverSpec, cover, raster};

    #[test]
    fn a_slide_is_a_drawing_with_its_picture_in_it() {
        let picture = cover(&CoverSpec { title: "Walden", author: "Thoreau", hue: 150.0, seed: 7 });
        let spec = SlideSpec {
            title: "What “happened” & what you <added>",
            note: "by Henry David Thoreau",
            above: "1 of 4",
            picture: Some(SlidePicture { svg: &picture, ratio: 2.0 / 3.0 }),
            hue: 150.0,
            site: "Pith",
        };
        let with = raster::pixels(&slide(&spec), SLIDE_WIDTH).expect("a drawing");
        assert_eq!((with.width, with.height), (SLIDE_WIDTH, SLIDE_HEIGHT));
        let without = raster::pixels(&slide(&SlideSpec { picture: None, ..spec }), SLIDE_WIDTH).expect("a drawing");
        assert_ne!(with.rgba, without.rgba);
        let other = cover(&CoverSpec { title: "Emma", author: "Austen", hue: 20.0, seed: 9 });
        let picture = Some(SlidePicture { svg: &other, ratio: 2.0 / 3.0 });
        let another = raster::pixels(&slide(&SlideSpec { picture, ..spec }), SLIDE_WIDTH).expect("a drawing");
        assert_ne!(with.rgba, another.rgba, "the picture is seen");
    }
}
