//! The catalogue: lists, search, authors and collections.

pub(crate) mod authors;
mod books;
pub(crate) mod collections;
pub(crate) mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(books::books).service(books::list).service(books::categories).service(books::front);
    config.service(authors::authors).service(authors::author).service(books::search);
    config.service(collections::collections).service(collections::collection);
}
