//! Sharing cards (Open Graph images): the preview picture of a page where its URL is shared. Drawn at the first request.

use std::{io::Cursor, sync::Arc};

use artwork::{CARD_COVER, CARD_WIDTH, CardSpec, raster};
use image::{DynamicImage, ImageFormat, imageops};
use sha2::{Digest, Sha256};

use crate::{
    drawings::picture,
    error::{MediaError, PictureError},
    folders::{Kind, PNG},
    keys::is_drawing,
    store::Media,
    upload::blocking,
};

/// The file type of a card.
pub const CARD_KIND: Kind = PNG;
/// Version of the drawing, part of every card's key. Changing it redraws all cards.
const DRAWING: u32 = 2;
/// The tagline on the site's own card.
const LINE: &str = "Summaries of the non-fiction that lasts";

/// The content of a book's card.
#[derive(Clone, Copy, Debug)]
pub struct BookCardSpec<'a> {
    /// The book's slug.
    pub subid: &'a str,
    pub title: &'a str,
    pub author: &'a str,
    /// A short line below the title: category and reading time.
    pub note: &'a str,
    /// The hue of the background, in degrees.
    pub hue: u16,
    /// The key of the cover in the object store; `None` for a card without one.
    pub cover: Option<&'a str>,
}

/// A card that has not been drawn yet. Its key is known already.
pub struct Card {
    key: String,
    /// Draws everything except the cover.
    draw: Box<dyn FnOnce() -> String + Send>,
    /// The key of the cover in the object store.
    cover: Option<String>,
}

impl std::fmt::Debug for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Card").field("key", &self.key).finish_non_exhaustive()
    }
}

impl Card {
    /// The card of a book. `site` is the site's name.
    pub fn of_book(book: BookCardSpec<'_>, site: &str) -> Self {
        let BookCardSpec { subid, title, author, note, hue, cover } = book;
        let parts = [title, author, note, &hue.to_string(), site, cover.unwrap_or_default()];
        let key = key_of_card(subid, &parts);
        let [title, author, note, site] = [title, author, note, site].map(str::to_owned);
        let draw = Box::new(move || {
            artwork::card(&CardSpec { title: &title, author: &author, note: &note, hue: f64::from(hue), site: &site })
        });
        Self { key, draw, cover: cover.map(str::to_owned) }
    }

    /// The site's own card, for all pages that are not about a book.
    pub fn of_site(site: &str) -> Self {
        let (key, site) = (key_of_card("pith", &[site, LINE]), site.to_owned());
        Self { key, draw: Box::new(move || artwork::site_card(&site, LINE)), cover: None }
    }
}

/// The key of a card. It contains a hash of everything that the card shows, so equal content has one file.
fn key_of_card(name: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new().chain_update(DRAWING.to_be_bytes());
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    // A slug may be longer than a file name may be.
    let name: String = name.chars().take(80).collect();
    format!("cards/{name}-{}.png", hex::encode(&hash.finalize()[..6]))
}

impl Media {
    /// Draws and stores a card unless it exists; returns its key.
    ///
    /// # Errors
    /// [`MediaError::Picture`] when the cover can't be drawn; [`MediaError::Busy`] when that takes longer than a request waits.
    pub async fn put_card(self: &Arc<Self>, card: Card) -> Result<String, MediaError> {
        if self.exists(&card.key).await? {
            return Ok(card.key);
        }
        let (media, key) = (Arc::clone(self), card.key.clone());
        self.in_time(async move {
            let _turn = media.turns.lock(&card.key).await;
            if media.exists(&card.key).await? {
                return Ok(());
            }
            let cover = match card.cover {
                Some(key) => media.cover(&key).await?,
                None => None,
            };
            let draw = card.draw;
            let start = media.turns.start().await;
            let file = blocking(move || Ok(draw_card(&draw(), cover.as_ref())?)).await?;
            drop(start);
            media.put_under(&card.key, file).await
        })
        .await?;
        Ok(key)
    }

    async fn cover(&self, key: &str) -> Result<Option<DynamicImage>, MediaError> {
        if is_drawing(key) {
            return self.pixels_of(key, CARD_COVER.2).await;
        }
        let Some(bytes) = self.bytes(key).await? else { return Ok(None) };
        let read = move || Ok(Some(image::load_from_memory(&bytes).map_err(|_| PictureError::NotAPicture)?));
        blocking(read).await
    }

    /// Draws an SVG of a card's size as a PNG without storing it: there may be very many, and few are requested twice.
    ///
    /// # Errors
    /// [`MediaError::Busy`] when drawing takes longer than a request waits.
    pub async fn draw_unkept(
        self: &Arc<Self>,
        draw: impl FnOnce() -> String + Send + 'static,
    ) -> Result<Vec<u8>, MediaError> {
        // A caller that times out leaves the queue: no other request waits for this drawing.
        let Ok(start) = tokio::time::timeout(self.patience, self.turns.start()).await else {
            return Err(MediaError::Busy);
        };
        let drawn = blocking(move || Ok(draw_card(&draw(), None)?)).await;
        drop(start);
        drawn
    }
}

/// The PNG file of a card: the drawing with the cover on top. The drawing comes from the crate `artwork`, so it needs no limits.
fn draw_card(drawing: &str, cover: Option<&DynamicImage>) -> Result<Vec<u8>, PictureError> {
    let mut card = picture(raster::pixels(drawing, CARD_WIDTH).map_err(|_| PictureError::NotAPicture)?)?;
    if let Some(cover) = cover {
        let (left, top, width, height) = CARD_COVER;
        let cover = cover.resize_to_fill(width, height, imageops::FilterType::CatmullRom);
        imageops::overlay(&mut card, &cover, i64::from(left), i64::from(top));
    }
    let mut file = Cursor::new(Vec::new());
    // A card is opaque.
    card.into_rgb8().write_to(&mut file, ImageFormat::Png).map_err(|_| PictureError::NotAPicture)?;
    Ok(file.into_inner())
}
