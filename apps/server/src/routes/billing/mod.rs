//! Prices, checkouts and what providers report.

mod settings;
mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(settings::settings);
}
