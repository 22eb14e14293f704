//! `/cards/…`: sharing cards (Open Graph images).

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use catalogue::{BookRef, CatalogueQueries};
use kernel::StoreError;
use media::{CARD_KIND, Card, MediaError};
use pages::cards::card_of_book;

use crate::{app::App, extract, http::error::ApiError, site::media::serve::File};

/// `Cache-Control` of cards: after one day, sites that show a shared link get a changed title or cover.
const ONE_DAY: &str = "public, max-age=86400";

/// The card of a book.
#[get("/cards/books/{id}.png")]
pub(super) async fn book_card(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let not_found = || ApiError::not_found("book");
    let id = BookRef::parse(id.as_str()).ok_or_else(not_found)?;
    let book = app.db.read::<_, StoreError, _>(move |pg| pg.book(&id)).await?.ok_or_else(not_found)?;
    respond(&app, card_of_book(&book.card, &app.config.site.name), &request).await
}

/// The card of pages that are not about a book.
#[get("/cards/site.png")]
pub(super) async fn site_card(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    respond(&app, Card::of_site(&app.config.site.name), &request).await
}

async fn respond(app: &App, card: Card, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let key = match app.media.put_card(card).await {
        // The cover can't be drawn: fall back to the site's card.
        Err(MediaError::Picture(_)) => app.media.put_card(Card::of_site(&app.config.site.name)).await?,
        put => put?,
    };
    let file = File { key: &key, kind: CARD_KIND, cache_control: ONE_DAY, is_public: true };
    file.answer(&app.media, request).await?.ok_or_else(|| ApiError::not_found("file"))
}
