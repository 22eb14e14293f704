//! Sharing cards (Open Graph images): the preview picture of a page where its URL is shared.

use catalogue::BookCard;
use media::{BookCardSpec, Card};

/// The URL path of the site's card, 1200 by 630 pixels.
pub const SITE_CARD: &str = "/cards/site.png";
/// The hue of a book without a category, in degrees.
const DEFAULT_HUE: u16 = 45;

/// The URL path of a book's card.
pub fn url_of_book(subid: &str) -> String {
    format!("/cards/books/{subid}.png")
}

/// The content of a book's sharing card.
pub fn card_of_book(book: &BookCard, site: &str) -> Card {
    let minutes = format!("{} min", book.minutes());
    let category = book.categories.first();
    let spec = BookCardSpec {
        subid: book.subid.as_str(),
        title: &book.title,
        author: &book.author.name,
        note: &category.map_or_else(|| minutes.clone(), |category| format!("{} · {minutes}", category.name)),
        hue: category.map_or(DEFAULT_HUE, |category| category.hue),
        cover: book.image.as_deref(),
    };
    Card::of_book(spec, site)
}
