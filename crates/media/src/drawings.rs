//! Rasterising drawings (SVG) into the forms that pages ask for.

use artwork::raster;

use crate::{
    error::{MediaError, PictureError},
    forms::{Format, drawing_of, form_of},
    store::Media,
    upload::blocking,
};

impl Media {
    /// A drawing as pixels, `width` (one of [`WIDTHS`]) wide; made when it is not there yet. Returns the form's key; `None`
    /// when there is no such drawing.
    ///
    /// [`WIDTHS`]: crate::WIDTHS
    pub async fn raster(&self, drawing: &str, width: u32, format: Format) -> Result<Option<String>, MediaError> {
        let key = form_of(drawing, width, format);
        if drawing_of(&key).is_none_or(|(of, ..)| of != drawing) {
            return Err(MediaError::BadName(key));
        }
        Ok((self.exists(&key).await? || self.make_form(&key).await?).then_some(key))
    }

    /// Makes the form that a key names, when its drawing is there; `false` otherwise.
    pub async fn make_form(&self, key: &str) -> Result<bool, MediaError> {
        let Some((drawing, width, format)) = drawing_of(key) else { return Ok(false) };
        // One at a time: drawing takes all of a core, and another may have made it while this one waited.
        let _turn = self.rendering.lock().await;
        if self.exists(key).await? {
            return Ok(true);
        }
        let Some(svg) = self.bytes(&drawing).await? else { return Ok(false) };
        let file = blocking(move || draw(&svg, width, format)).await?;
        self.put_under(key, file).await?;
        Ok(true)
    }
}

/// The file of a drawing in pixels.
fn draw(svg: &[u8], width: u32, format: Format) -> Result<Vec<u8>, MediaError> {
    let undrawable = |_| MediaError::Picture(PictureError::NotAPicture);
    let svg = std::str::from_utf8(svg).map_err(|_| MediaError::Picture(PictureError::NotAPicture))?;
    match format {
        Format::Png => raster::png(svg, width).map_err(undrawable),
        // Flat colours are smaller, and exact, without loss.
        Format::Webp | Format::Jpg => {
            let pixels = raster::pixels(svg, width).map_err(undrawable)?;
            Ok(webp::Encoder::from_rgba(&pixels.rgba, pixels.width, pixels.height).encode_lossless().to_vec())
        }
    }
}
