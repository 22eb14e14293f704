//! Books as files over HTTP: downloads, and what is sent to e-readers.

mod downloads;
pub(crate) mod e_reader;
mod errors;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.configure(downloads::configure).configure(e_reader::configure);
}
