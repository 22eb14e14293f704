//! Pictures as pixels, in the widths that pages and programs need, each kept beside the picture that it is made of.
//!
//! `covers/walden-1a2b.svg` is drawn as `covers/walden-1a2b.512.png`: the same folder, so the same people may fetch it.
//! Of a drawing any form of [`WIDTHS`] is made when somebody first wants it; those of an uploaded picture are all made
//! when it is stored.

use artwork::raster;

use super::{Media, MediaError, error::PictureError, folders::SVG, place_of};

/// How wide pictures are made, in pixels.
pub const WIDTHS: [u32; 6] = [192, 320, 512, 640, 1024, 1280];

/// What a picture's pixels are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For programs that take nothing newer.
    Png,
    /// For browsers.
    Webp,
    /// For photographs, where WebP is not taken.
    Jpg,
}

impl Format {
    /// The ending of a file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Jpg => "jpg",
        }
    }
}

/// The key of a picture's form.
pub fn form_of(key: &str, width: u32, format: Format) -> String {
    let stem = key.rsplit_once('.').map_or(key, |(stem, _)| stem);
    format!("{stem}.{width}.{}", format.ending())
}

/// The keys of all forms that a picture may have; none when the key is no picture's.
pub(super) fn all_forms_of(key: &str) -> Vec<String> {
    let is_picture = place_of(key).is_some_and(|(_, kind)| kind.content_type.starts_with("image/"));
    let formats = [Format::Png, Format::Webp, Format::Jpg];
    let forms = WIDTHS.into_iter().flat_map(|width| formats.map(|format| form_of(key, width, format)));
    forms.filter(|form| is_picture && place_of(form).is_some()).collect()
}

/// The drawing of which a key is a form that can be made.
fn drawing_of(key: &str) -> Option<(String, u32, Format)> {
    let (rest, ending) = key.rsplit_once('.')?;
    let (stem, width) = rest.rsplit_once('.')?;
    let format = [Format::Png, Format::Webp].into_iter().find(|format| format.ending() == ending)?;
    let width = WIDTHS.into_iter().find(|one| one.to_string() == width)?;
    let drawing = format!("{stem}.svg");
    place_of(&drawing).is_some_and(|(_, kind)| kind == SVG).then_some((drawing, width, format))
}

impl Media {
    /// The address of a public picture in pixels, about 512 wide: of a drawing a form, of an uploaded picture one of its
    /// sizes.
    pub fn artwork(key: &str) -> String {
        Self::address(&match key.rsplit_once('.') {
            Some((_, "svg")) => form_of(key, 512, Format::Png),
            Some((_, "png")) => form_of(key, 640, Format::Png),
            _ => form_of(key, 640, Format::Jpg),
        })
    }

    /// A drawing as pixels, `width` (one of [`WIDTHS`]) wide: made when nobody has wanted it before. Gives the form's
    /// key; `None` when there is no such drawing.
    pub async fn raster(&self, drawing: &str, width: u32, format: Format) -> Result<Option<String>, MediaError> {
        let key = form_of(drawing, width, format);
        if drawing_of(&key).is_none_or(|(of, ..)| of != drawing) {
            return Err(MediaError::BadName(key));
        }
        Ok((self.exists(&key).await? || self.make_form(&key).await?).then_some(key))
    }

    /// Makes what is wanted under a key, when it is a form of a drawing that is there.
    pub(super) async fn make_form(&self, key: &str) -> Result<bool, MediaError> {
        let Some((drawing, width, format)) = drawing_of(key) else { return Ok(false) };
        // One at a time: drawing takes all of a core, and another may have made it while this one waited.
        let _turn = self.at_work.lock().await;
        if self.exists(key).await? {
            return Ok(true);
        }
        let Some(svg) = self.bytes(&drawing).await? else { return Ok(false) };
        let file = super::blocking(move || drawn(&svg, width, format)).await?;
        self.put_under(key, file).await?;
        Ok(true)
    }
}

fn drawn(svg: &[u8], width: u32, format: Format) -> Result<Vec<u8>, MediaError> {
    let not_drawn = |_| MediaError::Picture(PictureError::NotAPicture);
    let svg = std::str::from_utf8(svg).map_err(|_| MediaError::Picture(PictureError::NotAPicture))?;
    match format {
        Format::Png => raster::png(svg, width).map_err(not_drawn),
        // Flat colours are smaller, and exact, without loss.
        Format::Webp | Format::Jpg => {
            let pixels = raster::pixels(svg, width).map_err(not_drawn)?;
            Ok(webp::Encoder::from_rgba(&pixels.rgba, pixels.width, pixels.height).encode_lossless().to_vec())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_lies_beside_its_picture() {
        assert_eq!(form_of("covers/walden-1a2b.svg", 512, Format::Png), "covers/walden-1a2b.512.png");
        for width in WIDTHS {
            for format in [Format::Png, Format::Webp] {
                let key = form_of("visuals/walden-1a2b.svg", width, format);
                assert_eq!(drawing_of(&key), Some(("visuals/walden-1a2b.svg".to_owned(), width, format)));
            }
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
