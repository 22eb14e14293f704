//! Rasterization of SVGs, for clients that don't support SVG: link previews, media players, e-readers.

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{ImageHrefResolver, Options, Tree},
};

/// The maximum number of pixels of a result: 80 MB of memory.
pub const MOST_PIXELS: u32 = 20_000_000;

/// Why a drawing could not be rasterized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RasterError {
    /// The text is not an SVG document with a size.
    NotADrawing,
    /// The result would have no pixels, or more than [`MOST_PIXELS`].
    Size,
}

impl std::fmt::Display for RasterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotADrawing => "this is not an SVG document with a size",
            Self::Size => "the drawing would have no pixels or too many",
        })
    }
}

impl std::error::Error for RasterError {}

/// An image in straight (not premultiplied) RGBA, 8 bits per channel, row by row from the top left.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// The pixels: `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({} x {})", self.width, self.height)
    }
}

/// Rasterizes an SVG document to `width` pixels; the height follows from the aspect ratio. External references are not fetched
/// and `<text>` is not drawn, so that the result is the same on every machine. Blocks for milliseconds up to a second: don't
/// call it on an async thread.
pub fn pixels(svg: &str, width: u32) -> Result<Pixels, RasterError> {
    let pixmap = draw(svg, width)?;
    let rgba = pixmap.pixels().iter().flat_map(|pixel| {
        let colour = pixel.demultiply();
        [colour.red(), colour.green(), colour.blue(), colour.alpha()]
    });
    Ok(Pixels { width: pixmap.width(), height: pixmap.height(), rgba: rgba.collect() })
}

/// [`pixels`] as a PNG file.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, RasterError> {
    draw(svg, width)?.encode_png().map_err(|_| RasterError::Size)
}

fn draw(svg: &str, width: u32) -> Result<Pixmap, RasterError> {
    let options = Options {
        resources_dir: None,
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|_| RasterError::NotADrawing)?;
    let scale = f64::from(width) / f64::from(tree.size().width());
    let height = (f64::from(tree.size().height()) * scale).round();
    if width == 0 || height < 1.0 || f64::from(width) * height > f64::from(MOST_PIXELS) {
        return Err(RasterError::Size);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1, at most MOST_PIXELS")]
    let mut pixmap = Pixmap::new(width, height as u32).ok_or(RasterError::Size)?;
    #[allow(clippy::cast_possible_truncation, reason = "a scale needs no more digits")]
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALVES: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10"><rect width="10" height="10" fill="#ff8800"/><text x="12" y="8">no</text><image x="10" width="10" height="10" href="/etc/passwd"/></svg>"##;

    #[test]
    fn a_drawing_fills_the_width_and_keeps_its_shape() {
        let pixels = pixels(HALVES, 40).unwrap();
        assert_eq!((pixels.width, pixels.height, pixels.rgba.len()), (40, 20, 3_200));
        let at = |x: usize, y: usize| &pixels.rgba[4 * (y * 40 + x)..][..4];
        assert_eq!(at(0, 0), [0xff, 0x88, 0, 0xff]);
        assert_eq!(at(19, 19), [0xff, 0x88, 0, 0xff]);
        // `<text>` and external pictures are not drawn.
        assert!((20..40).all(|x| (0..20).all(|y| at(x, y)[3] == 0)));
    }

    #[test]
    fn a_file_begins_as_png_files_do() {
        let file = png(HALVES, 64).unwrap();
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!((&file[16..20], &file[20..24]), (&64_u32.to_be_bytes()[..], &32_u32.to_be_bytes()[..]));
        assert_eq!(file, png(HALVES, 64).unwrap(), "always the same");
    }

    #[test]
    fn what_is_no_drawing_or_too_large_is_refused() {
        assert_eq!(png("<html></html>", 10), Err(RasterError::NotADrawing));
        assert_eq!(png("", 10), Err(RasterError::NotADrawing));
        assert_eq!(png(HALVES, 0), Err(RasterError::Size));
        assert_eq!(png(HALVES, 100_000), Err(RasterError::Size));
        let thin = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10000" height="1"/>"#;
        assert_eq!(pixels(thin, 10), Err(RasterError::Size));
    }
}
