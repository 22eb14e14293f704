//! Drawings (SVG): stored after a test rendering, and rasterized in the renditions that pages request.
//!
//! An SVG is rasterized in a separate process with limits (`text_extraction::Drawer`), because an editor may have uploaded it.

use std::{io::Cursor, sync::Arc, time::Duration};

use artwork::raster::{Pixels, RasterError};
use image::{DynamicImage, ImageFormat, RgbaImage, imageops::FilterType};
use sha2::{Digest, Sha256};
use text_extraction::{DrawError, Drawer};

use crate::{
    error::{MediaError, PictureError},
    keys::key_of,
    renditions::{Format, RENDITION_WIDTHS, drawing_of, rendition_key},
    store::Media,
    upload::{blocking, on_own_thread},
};

/// How long a request waits for a drawing. Drawing continues after the timeout, and a later request finds the result.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// The width at which an uploaded drawing is rasterized, in pixels. Its smaller renditions are scaled from that.
const WIDEST: u32 = RENDITION_WIDTHS[RENDITION_WIDTHS.len() - 1];

impl Media {
    /// Rasterizes a sanitized drawing at the largest width, then stores it under a name such as `covers/walden.svg`. Returns the
    /// key.
    ///
    /// # Errors
    /// [`PictureError::TooComplex`] when drawing exceeds the limits on time or memory, [`PictureError::NotADrawing`],
    /// [`MediaError::Busy`].
    pub async fn put_drawing(self: &Arc<Self>, name: &str, svg: Vec<u8>) -> Result<String, MediaError> {
        let key = key_of(name, &Sha256::digest(&svg).into())?;
        let (media, of) = (Arc::clone(self), key.clone());
        self.in_time(async move {
            let _turn = media.turns.lock(&of).await;
            let rendition = rendition_key(&of, WIDEST, Format::Png);
            if !(media.exists(&of).await? && media.exists(&rendition).await?) {
                media.check_drawable(&of)?;
                let drawing = Drawing { key: &of, svg: svg.clone() };
                let file = media.draw(drawing, move |drawer, svg| drawer.png(svg, WIDEST)).await?;
                media.put_under(&rendition, file).await?;
                media.put_under(&of, svg).await?;
            }
            Ok(())
        })
        .await?;
        Ok(key)
    }

    /// Returns the key of a drawing's rendition, `width` pixels wide (one of [`RENDITION_WIDTHS`]), and makes it when it is
    /// missing. `None` when there is no such drawing.
    ///
    /// # Errors
    /// [`MediaError::Picture`] when it can't be drawn, or failed within the last 6 hours; [`MediaError::Busy`] when drawing takes
    /// longer than the caller waits.
    pub async fn raster(
        self: &Arc<Self>,
        drawing: &str,
        width: u32,
        format: Format,
    ) -> Result<Option<String>, MediaError> {
        let key = rendition_key(drawing, width, format);
        if drawing_of(&key).is_none_or(|(of, ..)| of != drawing) {
            return Err(MediaError::BadName(key));
        }
        Ok((self.exists(&key).await? || self.make_form(&key).await?).then_some(key))
    }

    /// Makes the rendition with this key. `false` when the key is not a drawing's rendition, or the drawing does not exist. The
    /// errors are those of [`Media::raster`].
    pub async fn make_form(self: &Arc<Self>, key: &str) -> Result<bool, MediaError> {
        let Some((drawing, width, format)) = drawing_of(key) else { return Ok(false) };
        self.check_drawable(&drawing)?;
        let (media, key) = (Arc::clone(self), key.to_owned());
        self.in_time(async move { media.make(&key, &drawing, width, format).await }).await
    }

    /// Makes a rendition, unless another request made it while this one waited for the lock.
    async fn make(&self, key: &str, drawing: &str, width: u32, format: Format) -> Result<bool, MediaError> {
        let _turn = self.turns.lock(drawing).await;
        if self.exists(key).await? {
            return Ok(true);
        }
        self.check_drawable(drawing)?;
        let Some(svg) = self.bytes(drawing).await? else { return Ok(false) };
        // An uploaded drawing was rasterized when it was stored: scale that.
        let uploaded = self.bytes(&rendition_key(drawing, WIDEST, Format::Png)).await?;
        let file = match (uploaded, format) {
            (Some(large), format) => {
                let _start = self.turns.start().await;
                blocking(move || Ok(encode(&scale(&large, width)?, format)?)).await?
            }
            (None, Format::Png) => {
                self.draw(Drawing { key: drawing, svg: svg.into() }, move |drawer, svg| drawer.png(svg, width)).await?
            }
            (None, Format::Webp | Format::Jpg) => {
                let drawing = Drawing { key: drawing, svg: svg.into() };
                let pixels = self.draw(drawing, move |drawer, svg| drawer.pixels(svg, width)).await?;
                blocking(move || Ok(encode(&picture(pixels)?, format)?)).await?
            }
        };
        self.put_under(key, file).await?;
        Ok(true)
    }

    /// Rasterizes a stored drawing; `None` when it does not exist.
    pub(crate) async fn pixels_of(&self, drawing: &str, width: u32) -> Result<Option<DynamicImage>, MediaError> {
        let _turn = self.turns.lock(drawing).await;
        self.check_drawable(drawing)?;
        if let Some(large) = self.bytes(&rendition_key(drawing, WIDEST, Format::Png)).await? {
            return Ok(Some(blocking(move || Ok(scale(&large, width)?)).await?));
        }
        let Some(svg) = self.bytes(drawing).await? else { return Ok(None) };
        let drawing = Drawing { key: drawing, svg: svg.into() };
        let pixels = self.draw(drawing, move |drawer, svg| drawer.pixels(svg, width)).await?;
        Ok(Some(picture(pixels)?))
    }

    /// Draws an SVG as a PNG file without storing it. The SVG may embed stored drawings. For jobs: it waits without a timeout.
    pub async fn draw_png(&self, svg: String, width: u32) -> Result<Vec<u8>, MediaError> {
        let _start = self.turns.start().await;
        let drawer = self.drawer.clone();
        on_own_thread(move || drawer.png(svg, width).map_err(media_error)).await
    }

    fn check_drawable(&self, drawing: &str) -> Result<(), MediaError> {
        if self.turns.has_failed(drawing, self.env.now()) {
            return Err(PictureError::TooComplex.into());
        }
        Ok(())
    }

    /// Draws in a separate process with limits; remembers a failure.
    async fn draw<T: Send + 'static>(
        &self,
        drawing: Drawing<'_>,
        work: impl FnOnce(&Drawer, Vec<u8>) -> Result<T, DrawError> + Send + 'static,
    ) -> Result<T, MediaError> {
        let Drawing { key, svg } = drawing;
        let _start = self.turns.start().await;
        let drawer = self.drawer.clone();
        let drawn = on_own_thread(move || work(&drawer, svg).map_err(media_error)).await;
        if let Err(MediaError::Picture(error)) = &drawn {
            tracing::warn!(key, %error, "a drawing can't be drawn");
            self.turns.remember_failure(key, self.env.now());
        }
        drawn
    }

    /// Runs a drawing in the background and waits for it at most as long as a request may.
    pub(crate) async fn in_time<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, MediaError>> + Send + 'static,
    ) -> Result<T, MediaError> {
        match tokio::time::timeout(self.patience, tokio::spawn(work)).await {
            Ok(done) => done.map_err(|error| MediaError::Disk(std::io::Error::other(error)))?,
            Err(_) => Err(MediaError::Busy),
        }
    }
}

/// A drawing, and the key under which a failure is remembered.
struct Drawing<'a> {
    key: &'a str,
    svg: Vec<u8>,
}

fn media_error(error: DrawError) -> MediaError {
    match error {
        DrawError::Drawing(RasterError::NotADrawing) => PictureError::NotADrawing.into(),
        DrawError::Drawing(RasterError::Size) => PictureError::TooComplex.into(),
        DrawError::TooMuch(cause) => {
            tracing::warn!(cause, "a drawing takes too much to draw");
            PictureError::TooComplex.into()
        }
        DrawError::Interrupted => MediaError::Busy,
        DrawError::Unavailable(error) => MediaError::Disk(error),
    }
}

pub(crate) fn picture(pixels: Pixels) -> Result<DynamicImage, PictureError> {
    let picture = RgbaImage::from_raw(pixels.width, pixels.height, pixels.rgba).ok_or(PictureError::NotAPicture)?;
    Ok(DynamicImage::ImageRgba8(picture))
}

/// Scales the largest rendition of a drawing to another width.
fn scale(large: &[u8], width: u32) -> Result<DynamicImage, PictureError> {
    let large = image::load_from_memory_with_format(large, ImageFormat::Png).map_err(|_| PictureError::NotAPicture)?;
    if large.width() == width {
        return Ok(large);
    }
    let height = (u64::from(large.height()) * u64::from(width)).div_ceil(u64::from(large.width()));
    let height = u32::try_from(height).map_err(|_| PictureError::NotAPicture)?;
    Ok(large.resize_exact(width, height.max(1), FilterType::CatmullRom))
}

fn encode(picture: &DynamicImage, format: Format) -> Result<Vec<u8>, PictureError> {
    match format {
        Format::Png => {
            let mut file = Cursor::new(Vec::new());
            picture.write_to(&mut file, ImageFormat::Png).map_err(|_| PictureError::NotAPicture)?;
            Ok(file.into_inner())
        }
        // Lossless: flat colours take fewer bytes that way, and stay exact.
        Format::Webp | Format::Jpg => {
            let pixels = picture.to_rgba8();
            Ok(webp::Encoder::from_rgba(&pixels, pixels.width(), pixels.height()).encode_lossless().to_vec())
        }
    }
}
