//! The cover of an EPUB.

use crate::{Picture, PictureKind, Summary};

/// The cover and its file name: the raster version if there is one, else the drawing.
pub(super) fn cover(summary: &Summary) -> Option<(&'static str, &Picture)> {
    let picture = summary.cover_pixels.as_ref().or(summary.cover.as_ref())?;
    let name = match picture.kind {
        PictureKind::Svg => "cover.svg",
        PictureKind::Png => "cover.png",
        PictureKind::Jpeg => "cover.jpg",
    };
    Some((name, picture))
}
