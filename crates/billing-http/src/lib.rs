//! Money over HTTP: prices, purchases, what providers report, and the plan that a member has.

mod membership;
mod purchase;

use utoipa_actix_web::service_config::ServiceConfig;

pub use purchase::claim_quietly;

/// The calls of this crate.
pub fn configure(config: &mut ServiceConfig) {
    purchase::configure(config);
    membership::configure(config);
}
