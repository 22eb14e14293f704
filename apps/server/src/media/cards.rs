//! Pictures that stand for a page where its address is shared, drawn when somebody first shares it.

use std::io::Cursor;

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use artwork::{CARD_COVER, CARD_WIDTH, CardSpec, raster};
use bytes::Bytes;
use catalogue::{BookCard, BookRef, Catalogue};
use image::{DynamicImage, ImageFormat, RgbaImage, imageops};
use kernel::StoreError;
use sha2::{Digest, Sha256};

use super::{Media, MediaError, error::PictureError, folders::PNG, is_drawing, serve::File};
use crate::{app::App, error::ApiError, extract};

/// A day: what shares an address asks again then, and sees a new title or cover.
const A_DAY: &str = "public, max-age=86400";
/// Says which drawing the kept cards are of; another number draws all of them anew.
const DRAWING: u32 = 2;
/// What the house is, on its own card.
const LINE: &str = "Summaries of the non-fiction that lasts";
/// The hue of a book without a category.
const NO_HUE: u16 = 45;

/// The address of a book's card.
pub(crate) fn address_of_book(subid: &str) -> String {
    format!("/cards/books/{subid}.png")
}

/// The address of the house's own card.
pub(crate) const SITE_ADDRESS: &str = "/cards/site.png";

/// The card of a book.
#[get("/cards/books/{id}.png")]
pub(crate) async fn book_card(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let not_found = || ApiError::not_found("book");
    let id = BookRef::parse(id.as_str()).ok_or_else(not_found)?;
    let book = app.db.read::<_, StoreError, _>(move |pg| pg.book(&id)).await?.ok_or_else(not_found)?;
    let card = Card::of_book(&book.card, &app.config.site.name);
    let key = app.media.put_card(card).await?;
    answer(&app, &key, &request).await
}

/// The card of pages that are no book's.
#[get("/cards/site.png")]
pub(crate) async fn site_card(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let key = app.media.put_card(Card::of_site(&app.config.site.name)).await?;
    answer(&app, &key, &request).await
}

async fn answer(app: &App, key: &str, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let file = File { key, kind: PNG, kept: A_DAY, is_public: true };
    file.answer(&app.media, request).await?.ok_or_else(|| ApiError::not_found("file"))
}

/// A card before it is drawn.
struct Card {
    /// Where it is kept.
    key: String,
    /// Draws all of it but the cover.
    draw: Box<dyn FnOnce() -> String + Send>,
    /// The cover's key.
    cover: Option<String>,
}

impl Card {
    fn of_book(book: &BookCard, house: &str) -> Self {
        let minutes = format!("{} min", book.minutes());
        let category = book.categories.first();
        let note = category.map_or_else(|| minutes.clone(), |category| format!("{} · {minutes}", category.name));
        let hue = category.map_or(NO_HUE, |category| category.hue);
        let (title, author, house) = (book.title.clone(), book.author.name.clone(), house.to_owned());
        let cover = book.image.clone();
        let parts = [&title, &author, &note, &hue.to_string(), &house, cover.as_deref().unwrap_or_default()];
        let key = key_of_card(book.subid.as_str(), &parts);
        let draw = Box::new(move || {
            artwork::card(&CardSpec { title: &title, author: &author, note: &note, hue: f64::from(hue), house: &house })
        });
        Self { key, draw, cover }
    }

    fn of_site(house: &str) -> Self {
        let (key, house) = (key_of_card("pith", &[house, LINE]), house.to_owned());
        Self { key, draw: Box::new(move || artwork::site_card(&house, LINE)), cover: None }
    }
}

/// What goes into a card names it: the same again is the same file.
fn key_of_card(name: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new().chain_update(DRAWING.to_be_bytes());
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    // A book's name may be longer than what a file's may be.
    let name: String = name.chars().take(80).collect();
    format!("cards/{name}-{}.png", hex::encode(&hash.finalize()[..6]))
}

impl Media {
    /// Draws a card unless it is there; gives its key.
    async fn put_card(&self, card: Card) -> Result<String, MediaError> {
        if self.exists(&card.key).await? {
            return Ok(card.key);
        }
        let _turn = self.at_work.lock().await;
        if self.exists(&card.key).await? {
            return Ok(card.key);
        }
        let cover = match &card.cover {
            Some(key) => self.bytes(key).await?.map(|bytes| (is_drawing(key), bytes)),
            None => None,
        };
        let draw = card.draw;
        let file = super::blocking(move || Ok(drawn(&draw(), cover.as_ref())?)).await?;
        self.put_under(&card.key, file).await?;
        Ok(card.key)
    }
}

/// A card's file: the drawing with the cover on it.
fn drawn(drawing: &str, cover: Option<&(bool, Bytes)>) -> Result<Vec<u8>, PictureError> {
    let mut card = pixels(drawing, CARD_WIDTH)?;
    if let Some((is_drawing, bytes)) = cover {
        let (left, top, width, height) = CARD_COVER;
        let cover = if *is_drawing {
            pixels(std::str::from_utf8(bytes).map_err(|_| PictureError::NotAPicture)?, width)?
        } else {
            image::load_from_memory(bytes).map_err(|_| PictureError::NotAPicture)?
        };
        let cover = cover.resize_to_fill(width, height, imageops::FilterType::CatmullRom);
        imageops::overlay(&mut card, &cover, i64::from(left), i64::from(top));
    }
    let mut file = Cursor::new(Vec::new());
    // A card covers all of itself: nothing is seen through it.
    card.into_rgb8().write_to(&mut file, ImageFormat::Png).map_err(|_| PictureError::NotAPicture)?;
    Ok(file.into_inner())
}

fn pixels(svg: &str, width: u32) -> Result<DynamicImage, PictureError> {
    let pixels = raster::pixels(svg, width).map_err(|_| PictureError::NotAPicture)?;
    let picture = RgbaImage::from_raw(pixels.width, pixels.height, pixels.rgba).ok_or(PictureError::NotAPicture)?;
    Ok(DynamicImage::ImageRgba8(picture))
}
