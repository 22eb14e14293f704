//! Books as files over HTTP: downloads, and deliveries to e-readers.

mod downloads;
pub(crate) mod e_reader;
mod errors;

use utoipa_actix_web::service_config::ServiceConfig;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.configure(downloads::configure).configure(e_reader::configure);
}
