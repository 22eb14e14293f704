//! Books on e-readers. The specification writes these paths without `/api` (`api.literal-paths`).

mod address;
mod deliveries;
pub(crate) mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config
        .service(address::has_kindle)
        .service(address::set_kindle)
        .service(deliveries::send_to_kindle)
        .service(deliveries::kindle_deliveries)
        .service(deliveries::retry_delivery);
}
