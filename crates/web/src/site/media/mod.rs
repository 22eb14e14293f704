//! Media files (`/media/…`) and sharing cards (`/cards/…`). They are not part of the OpenAPI document.

mod cards;
mod serve;

use actix_web::web::ServiceConfig;

/// Registers the routes of files and cards.
pub fn configure(config: &mut ServiceConfig) {
    config.service(serve::serve).service(cards::book_card).service(cards::site_card);
}
