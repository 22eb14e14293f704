//! Illustrated key ideas, and the infographics made of them.

mod book;
mod download;
mod infographics;
mod list;
pub(crate) mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(list::visuals_list)
        .service(book::book_visuals)
        .service(infographics::infographics)
        .service(download::download_infographic);
}
