//! Finding books.

pub(crate) mod authors;
mod books;
mod categories;
pub(crate) mod collections;
mod front;
mod list;
mod search;

use utoipa_actix_web::service_config::ServiceConfig;

pub(super) use crate::cache::{cached as remembered, cached_within as remembered_within};

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(books::books).service(list::list).service(categories::categories).service(front::front);
    config.service(authors::authors).service(authors::author).service(search::search);
    config.service(collections::collections).service(collections::collection);
}
