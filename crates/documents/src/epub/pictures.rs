//! The pictures of an EPUB and their files: the cover, and those within the text.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::{Picture, PictureKind, Summary};

/// The cover and its file name: the raster version if there is one, else the drawing.
pub(super) fn cover(summary: &Summary) -> Option<(String, &Picture)> {
    let picture = summary.cover_pixels.as_ref().or(summary.cover.as_ref())?;
    Some((format!("cover.{}", ending(picture.kind)), picture))
}

/// The pictures within the text, by their file names.
pub(super) fn text_pictures(summary: &Summary) -> BTreeMap<String, &Picture> {
    summary.pictures().map(|picture| (file_name(picture), picture)).collect()
}

/// The file name of a picture within the text: the same picture is one file.
pub(super) fn file_name(picture: &Picture) -> String {
    format!("picture-{}.{}", hex::encode(&Sha256::digest(&picture.bytes)[..6]), ending(picture.kind))
}

/// The MIME type of a picture.
pub(super) const fn media_type(kind: PictureKind) -> &'static str {
    match kind {
        PictureKind::Svg => "image/svg+xml",
        PictureKind::Png => "image/png",
        PictureKind::Jpeg => "image/jpeg",
    }
}

const fn ending(kind: PictureKind) -> &'static str {
    match kind {
        PictureKind::Svg => "svg",
        PictureKind::Png => "png",
        PictureKind::Jpeg => "jpg",
    }
}
