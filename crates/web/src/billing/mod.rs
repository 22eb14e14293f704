//! Money over HTTP: prices, purchases, what providers report, and the plan that a member has.

pub(crate) mod back_office;
mod errors;
mod membership;
pub(crate) mod pages;
mod purchase;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    purchase::configure(config);
    membership::configure(config);
}
