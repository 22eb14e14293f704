//! Keys of renditions: pictures in the widths and file formats that pages need, stored next to the original.
//!
//! `covers/walden-1a2b.svg` has the rendition `covers/walden-1a2b.512.png`: the same folder, so the same audience. The
//! renditions of a drawing are made at the first request; those of an uploaded picture are all made when it is stored.

use crate::folders::{SVG, place_of};

/// The widths of a drawing's renditions, in pixels.
pub const RENDITION_WIDTHS: [u32; 6] = [192, 320, 512, 640, 1024, 1280];
/// The widths of an uploaded picture's renditions, in pixels. A picture is never scaled up.
pub const PICTURE_WIDTHS: [u32; 3] = [RENDITION_WIDTHS[1], RENDITION_WIDTHS[3], RENDITION_WIDTHS[5]];

/// The file format of a rendition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For clients without WebP, and for transparent pictures.
    Png,
    Webp,
    /// For photographs, on clients without WebP.
    Jpg,
}

impl Format {
    /// The file extension, without the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Jpg => "jpg",
        }
    }
}

/// The key of a picture's rendition.
pub fn rendition_key(key: &str, width: u32, format: Format) -> String {
    let stem = key.rsplit_once('.').map_or(key, |(stem, _)| stem);
    format!("{stem}.{width}.{}", format.ending())
}

/// The `srcset` of an uploaded picture at this URL, as WebP in [`PICTURE_WIDTHS`]; `None` for a drawing, which scales itself.
pub fn srcset_of(url: &str) -> Option<String> {
    [Format::Jpg, Format::Png].into_iter().find_map(|format| url.strip_suffix(format.ending())?.strip_suffix('.'))?;
    let candidates = PICTURE_WIDTHS.map(|width| format!("{} {width}w", rendition_key(url, width, Format::Webp)));
    Some(candidates.join(", "))
}

/// The keys of all renditions that a picture may have. Empty when the key is not a picture's.
pub fn rendition_keys(key: &str) -> Vec<String> {
    let is_picture = place_of(key).is_some_and(|(_, kind)| kind.content_type.starts_with("image/"));
    let formats = [Format::Png, Format::Webp, Format::Jpg];
    let renditions =
        RENDITION_WIDTHS.into_iter().flat_map(|width| formats.map(|format| rendition_key(key, width, format)));
    renditions.filter(|rendition| is_picture && place_of(rendition).is_some()).collect()
}

/// Whether a key names a rendition of a picture.
pub fn is_rendition(key: &str) -> bool {
    let width = key.rsplit_once('.').and_then(|(rest, _)| rest.rsplit_once('.')).map(|(_, width)| width);
    width.is_some_and(|width| RENDITION_WIDTHS.iter().any(|one| one.to_string() == width))
}

/// The drawing, width and format of a rendition's key; `None` when the key names no rendition that can be made.
pub(crate) fn drawing_of(key: &str) -> Option<(String, u32, Format)> {
    let (rest, ending) = key.rsplit_once('.')?;
    let (stem, width) = rest.rsplit_once('.')?;
    let format = [Format::Png, Format::Webp].into_iter().find(|format| format.ending() == ending)?;
    let width = RENDITION_WIDTHS.into_iter().find(|one| one.to_string() == width)?;
    let drawing = format!("{stem}.svg");
    place_of(&drawing).is_some_and(|(_, kind)| kind == SVG).then_some((drawing, width, format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_stored_beside_its_picture() {
        assert_eq!(rendition_key("covers/walden-1a2b.svg", 512, Format::Png), "covers/walden-1a2b.512.png");
        for width in RENDITION_WIDTHS {
            for format in [Format::Png, Format::Webp] {
                let key = rendition_key("visuals/walden-1a2b.svg", width, format);
                assert_eq!(drawing_of(&key), Some(("visuals/walden-1a2b.svg".to_owned(), width, format)));
            }
        }
    }

    #[test]
    fn a_page_chooses_among_the_widths_of_an_uploaded_picture() {
        let expected = "/media/goals/calm-1a.320.webp 320w, /media/goals/calm-1a.640.webp 640w, /media/goals/calm-1a.1280.webp 1280w";
        for url in ["/media/goals/calm-1a.jpg", "/media/goals/calm-1a.png"] {
            assert_eq!(srcset_of(url).as_deref(), Some(expected));
        }
        for url in ["/media/goals/calm-1a.svg", "/media/goals/calm-1a.webp", "/media/goals/jpg", ""] {
            assert_eq!(srcset_of(url), None, "{url}");
        }
    }

    #[test]
    fn only_forms_of_the_table_are_made() {
        for key in [
            "covers/walden-1a2b.png",
            "covers/walden-1a2b.513.png",
            "covers/walden-1a2b.0512.png",
            "covers/walden-1a2b.+512.png",
            "covers/walden-1a2b.512.jpg",
            "covers/walden-1a2b.512.svg",
            "audio/walden-1a2b.512.png",
            "covers/../walden.512.png",
            "walden.512.png",
        ] {
            assert_eq!(drawing_of(key), None, "{key}");
        }
    }
}
