//! Bringing friends.

mod invite;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(invite::invite);
}
