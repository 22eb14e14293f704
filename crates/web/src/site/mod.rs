//! Site-wide routes: assets and media, sitemap, the demo's outbox, analytics events, health and metrics.

mod assets;
mod events;
mod media;
mod not_found;
pub mod ops;
mod outbox;
mod screens;
mod sitemap;
mod unsubscribe;

pub use not_found::not_found;

use actix_web::web;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    events::configure(config);
    config.service(unsubscribe::end_mails);
    config.service(ops::openapi).service(ops::healthz).service(ops::readyz);
}

/// Registers the routes of this module that are not part of the API.
pub(crate) fn configure_addresses(config: &mut web::ServiceConfig) {
    config.service(sitemap::robots).service(sitemap::index).service(sitemap::one_part);
    outbox::configure(config);
    screens::configure(config);
}
