//! Bringing friends.

mod errors;
mod invite;
mod links;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(invite::invite).service(links::refers).service(links::click);
    config.service(links::affiliate).service(links::join);
}
