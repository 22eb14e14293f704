//! The site as a whole: its files and media, the sitemap, the outbox of a demo, events, health and metrics.

mod assets;
mod events;
mod media;
mod not_found;
pub mod ops;
mod outbox;
mod screens;
mod sitemap;

pub use not_found::not_found;

use actix_web::web;
use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.configure(events::configure);
    config.service(ops::openapi).service(ops::healthz).service(ops::readyz);
}

/// The addresses of this folder that are no calls of the API.
pub(crate) fn configure_addresses(config: &mut web::ServiceConfig) {
    config.service(sitemap::robots).service(sitemap::index).service(sitemap::one_part);
    outbox::configure(config);
    screens::configure(config);
}
