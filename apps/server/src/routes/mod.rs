//! The API's calls, one folder for each domain. A handler turns a request into domain values, calls one service or
//! flow, and turns the outcome into an answer.

pub mod admin;
pub mod assets;
pub mod books;
pub mod catalogue;
pub mod downloads;
pub mod e_reader;
pub mod editorial;
pub mod events;
pub mod identity;
pub mod media;
pub mod ops;
pub mod reading_progress;
pub mod recordings;
pub mod referral;
pub mod support;
pub mod visuals;

use utoipa_actix_web::service_config::ServiceConfig;

/// Everything that stands in the OpenAPI document.
pub fn configure(config: &mut ServiceConfig) {
    identity::configure(config);
    catalogue::configure(config);
    books::configure(config);
    downloads::configure(config);
    recordings::configure(config);
    editorial::configure(config);
    reading_progress::configure(config);
    referral::configure(config);
    visuals::configure(config);
    e_reader::configure(config);
    support::configure(config);
    admin::configure(config);
    events::configure(config);
    config.service(ops::openapi).service(ops::healthz).service(ops::readyz);
}
