//! Uploaded pictures: decoded, turned upright, and re-encoded in the sizes that pages need (`catalogue.picture-encoding`).
//!
//! The uploaded file itself is never stored: a re-encoded picture carries no location metadata and hides no other file
//! format.

use std::{io::Cursor, sync::Arc};

use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder,
    imageops::FilterType,
};
use sha2::{Digest, Sha256};

use crate::{
    error::{MediaError, PictureError},
    keys::{is_drawing, key_of},
    renditions::{Format, PICTURE_WIDTHS, rendition_key},
    store::Media,
    upload::blocking,
};

/// The largest accepted file, in bytes.
pub const MOST_BYTES: usize = 20 * 1024 * 1024;
/// The maximum number of pixels: decoded, they take about 160 MB.
pub const MOST_PIXELS: u64 = 40_000_000;
/// The memory limit for decoding a picture, in bytes.
const MEMORY: u64 = 400 * 1024 * 1024;
/// Version of the encoding. Changing it gives new uploads of the same file new keys.
const MAKING: &str = "picture, 1: ";
/// JPEG quality, out of 100: no visible loss at a quarter of the bytes.
const QUALITY: u8 = 82;

impl Media {
    /// Stores an uploaded picture (JPEG, PNG or WebP, detected by its content) under a name without an extension and returns
    /// the key: `covers/walden` becomes `covers/walden-1a2b3c4d.jpg`, at most 1280 pixels wide. Its renditions in
    /// [`PICTURE_WIDTHS`], as WebP and JPEG (PNG for a transparent picture), are stored under the keys of [`rendition_key`].
    pub async fn put_picture(&self, name: &str, bytes: Vec<u8>) -> Result<String, MediaError> {
        // Not the plain hash of the uploaded file: the file itself may be stored under that.
        let hash: [u8; 32] = Sha256::new().chain_update(MAKING).chain_update(&bytes).finalize().into();
        for format in [Format::Jpg, Format::Png] {
            let key = key_of(&format!("{name}.{}", format.ending()), &hash)?;
            if self.exists(&key).await? {
                return Ok(key);
            }
        }
        // One at a time: each may take 400 MB and a full core.
        let turn = self.encoding.lock().await;
        let renditions = blocking(move || Ok(renditions(&bytes)?)).await?;
        drop(turn);
        let key = key_of(&format!("{name}.{}", renditions.format.ending()), &hash)?;
        for (width, format, file) in renditions.smaller {
            self.put_under(&rendition_key(&key, width, format), file).await?;
        }
        // Stored last: its existence implies that of its renditions.
        self.put_under(&key, renditions.main).await?;
        Ok(key)
    }
}

impl Media {
    /// Copies a rendition of an uploaded picture, `width` pixels wide (one of [`PICTURE_WIDTHS`]), to another key, such as a
    /// public one. `false` when there is no such picture.
    pub async fn put_small_form(&self, picture: &str, width: u32, key: &str) -> Result<bool, MediaError> {
        let is_transparent = picture.rsplit('.').next() == Some(Format::Png.ending());
        let format = if is_transparent { Format::Png } else { Format::Jpg };
        let Some(small) = self.bytes(&rendition_key(picture, width, format)).await? else { return Ok(false) };
        self.put_under(key, small.to_vec()).await?;
        Ok(true)
    }
}

impl Media {
    /// The width and height of a stored picture, in pixels: of a drawing, those of its widest rendition. `None` when there is no
    /// such picture.
    pub async fn picture_size(self: &Arc<Self>, key: &str) -> Result<Option<(u32, u32)>, MediaError> {
        let widest = PICTURE_WIDTHS[PICTURE_WIDTHS.len() - 1];
        let pixels = if is_drawing(key) { self.raster(key, widest, Format::Png).await? } else { Some(key.to_owned()) };
        let Some(pixels) = pixels else { return Ok(None) };
        let Some(bytes) = self.bytes(&pixels).await? else { return Ok(None) };
        let reader =
            ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| PictureError::NotAPicture)?;
        Ok(Some(reader.into_dimensions().map_err(|_| PictureError::NotAPicture)?))
    }
}

/// An encoded picture with all its renditions.
struct Renditions {
    format: Format,
    main: Vec<u8>,
    smaller: Vec<(u32, Format, Vec<u8>)>,
}

fn renditions(bytes: &[u8]) -> Result<Renditions, PictureError> {
    let picture = decode(bytes)?;
    let format = if picture.color().has_alpha() { Format::Png } else { Format::Jpg };
    let widest = PICTURE_WIDTHS[PICTURE_WIDTHS.len() - 1];
    let largest = fit(picture, widest);
    let mut smaller = Vec::new();
    for width in PICTURE_WIDTHS {
        let rendition = if largest.width() > width { scale(&largest, width) } else { largest.clone() };
        smaller.push((width, Format::Webp, encode(&rendition, Format::Webp)?));
        smaller.push((width, format, encode(&rendition, format)?));
    }
    Ok(Renditions { format, main: encode(&largest, format)?, smaller })
}

/// Decodes a file and turns the picture upright; fails when the format is not accepted or the picture is too large.
fn decode(bytes: &[u8]) -> Result<DynamicImage, PictureError> {
    if bytes.len() > MOST_BYTES {
        return Err(PictureError::TooLarge);
    }
    let broken = |_| PictureError::NotAPicture;
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| PictureError::NotAPicture)?;
    if !matches!(reader.format(), Some(ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) {
        return Err(PictureError::NotAPicture);
    }
    let mut decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(PictureError::TooLarge);
    }
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY);
    decoder.set_limits(limits).map_err(broken)?;
    let turned = decoder.orientation().map_err(broken)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(broken)?;
    picture.apply_orientation(turned);
    Ok(picture)
}

/// Converts a picture to 8 bits per channel, drops an unused alpha channel, and scales it down to the width `widest`.
fn fit(picture: DynamicImage, widest: u32) -> DynamicImage {
    let picture = if picture.width() > widest { scale(&picture, widest) } else { picture };
    if picture.color().has_alpha() {
        DynamicImage::ImageRgba8(picture.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(picture.into_rgb8())
    }
}

fn scale(picture: &DynamicImage, width: u32) -> DynamicImage {
    let (from, height) = picture.dimensions();
    let height = (u64::from(height) * u64::from(width) / u64::from(from)).max(1);
    picture.resize_exact(width, u32::try_from(height).unwrap_or(u32::MAX), FilterType::CatmullRom)
}

fn encode(picture: &DynamicImage, format: Format) -> Result<Vec<u8>, PictureError> {
    let mut file = Vec::new();
    let unwritten = |_| PictureError::NotAPicture;
    match format {
        Format::Webp => {
            let (width, height) = picture.dimensions();
            let encoder = match picture {
                DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels, width, height),
                DynamicImage::ImageRgb8(pixels) => webp::Encoder::from_rgb(pixels, width, height),
                _ => return Err(PictureError::NotAPicture),
            };
            file = encoder.encode(f32::from(QUALITY)).to_vec();
        }
        Format::Jpg => {
            picture.write_with_encoder(JpegEncoder::new_with_quality(&mut file, QUALITY)).map_err(unwritten)?;
        }
        Format::Png => picture.write_to(&mut Cursor::new(&mut file), ImageFormat::Png).map_err(unwritten)?,
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use image::{ImageBuffer, Rgb, Rgba};

    use super::*;

    /// A picture of this size whose left half is red and whose right half is blue.
    fn halves(width: u32, height: u32) -> DynamicImage {
        let colour = |x, _| if x < width / 2 { Rgb([220_u8, 30, 30]) } else { Rgb([30, 30, 220]) };
        DynamicImage::ImageRgb8(ImageBuffer::from_fn(width, height, colour))
    }

    fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    fn size(bytes: &[u8]) -> (u32, u32) {
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().unwrap().into_dimensions().unwrap()
    }

    #[test]
    fn a_picture_gets_all_sizes_and_none_wider_than_itself() {
        let made = renditions(&file(&halves(2_000, 1_000), ImageFormat::Png)).unwrap();
        assert_eq!((made.format, size(&made.main)), (Format::Jpg, (1_280, 640)));
        let sizes: Vec<_> = made.smaller.iter().map(|(width, format, file)| (*width, *format, size(file))).collect();
        let expected: Vec<_> = [(320, (320, 160)), (640, (640, 320)), (1_280, (1_280, 640))]
            .into_iter()
            .flat_map(|(width, size)| [(width, Format::Webp, size), (width, Format::Jpg, size)])
            .collect();
        assert_eq!(sizes, expected);
        let small = renditions(&file(&halves(100, 50), ImageFormat::Jpeg)).unwrap();
        assert!(small.smaller.iter().all(|(_, _, file)| size(file) == (100, 50)));
        let narrow = image::load_from_memory(&made.smaller[0].2).unwrap().into_rgb8();
        assert!(narrow.get_pixel(10, 80).0[0] > 180 && narrow.get_pixel(310, 80).0[2] > 180);
    }

    #[test]
    fn transparency_is_kept() {
        let picture = DynamicImage::ImageRgba8(ImageBuffer::from_pixel(400, 400, Rgba([10, 20, 30, 0])));
        let made = renditions(&file(&picture, ImageFormat::WebP)).unwrap();
        assert_eq!(made.format, Format::Png);
        assert!(image::load_from_memory(&made.main).unwrap().into_rgba8().pixels().all(|pixel| pixel.0[3] == 0));
    }

    #[test]
    fn a_picture_is_turned_upright_and_loses_its_metadata() {
        // EXIF with orientation 6: the camera was turned by 90 degrees.
        let exif: &[u8] = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let mut bytes = file(&halves(60, 40), ImageFormat::Jpeg);
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        bytes.splice(2..2, [&[0xff, 0xe1], &length[..], exif].concat());
        let made = renditions(&bytes).unwrap();
        assert_eq!(size(&made.main), (40, 60));
        assert!(!made.main.windows(4).any(|part| part == b"Exif"));
    }

    #[test]
    fn a_file_that_is_no_picture_or_too_large_is_refused() {
        let error = |bytes: &[u8]| renditions(bytes).err();
        for bytes in [
            &b""[..],
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"GIF89a\x01\0\x01\0",
            b"%PDF-1.7",
            b"\x89PNG\r\n\x1a\n",
        ] {
            assert_eq!(error(bytes), Some(PictureError::NotAPicture));
        }
        let whole = file(&halves(300, 300), ImageFormat::Png);
        assert_eq!(error(&whole[..whole.len() / 2]), Some(PictureError::NotAPicture), "cut");
        assert_eq!(error(&vec![0; MOST_BYTES + 1]), Some(PictureError::TooLarge));
        // A decompression bomb: a few bytes whose header claims 60,000 x 60,000 pixels.
        let mut bomb = file(&halves(4, 4), ImageFormat::Png);
        bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        let checksum = crc32(&bomb[12..29]).to_be_bytes();
        bomb[29..33].copy_from_slice(&checksum);
        assert_eq!(error(&bomb), Some(PictureError::TooLarge));
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    }

    #[test]
    fn the_limits_are_stated() {
        assert_eq!((PICTURE_WIDTHS, MOST_BYTES, MOST_PIXELS), ([320, 640, 1_280], 20_971_520, 40_000_000));
    }
}
