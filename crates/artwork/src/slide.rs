//! Slides of a book's short film: a picture next to a short text.

use crate::colour::{Palette, oklch};
use crate::face::{DISPLAY, Lettering, TEXT};
use crate::mark;
use crate::setting::{self, Area};
use crate::svg::Canvas;

/// Width of a slide, in pixels.
pub const SLIDE_WIDTH: u32 = 1280;
/// Height of a slide, in pixels.
pub const SLIDE_HEIGHT: u32 = 720;

/// The margin on all sides.
const MARGIN: f64 = 80.0;
/// The height of a picture.
const PICTURE: f64 = 560.0;
/// The baseline of the logo and the site's name.
const FOOT: f64 = 640.0;

/// A drawing on a slide.
#[derive(Clone, Copy, Debug)]
pub struct SlidePicture<'a> {
    /// An SVG document of this crate.
    pub svg: &'a str,
    /// The aspect ratio: width divided by height.
    pub ratio: f64,
}

/// The content of a slide.
#[derive(Clone, Copy, Debug)]
pub struct SlideSpec<'a> {
    /// The main text, a few words.
    pub title: &'a str,
    /// A line below the title; may be empty.
    pub note: &'a str,
    /// A small line above the title, such as the number of an idea; may be empty.
    pub above: &'a str,
    /// The picture next to the text; `None` for a slide with text only.
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
        // The left part has the category's colour. The picture overlaps both parts, with a shadow.
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

/// Nests a document of this crate into another one, `across` wide and [`PICTURE`] high.
fn sized(svg: &str, across: f64) -> String {
    // The size in the root element is replaced; the `viewBox` stays.
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
