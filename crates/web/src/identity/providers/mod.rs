//! Signing in with providers (`identity.provider-flow`).

mod apple;
mod callback;
mod disconnect;
mod params;
mod start;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(super) fn configure(config: &mut impl Routes) {
    config
        .service(start::start_with_google)
        .service(start::start_with_provider)
        .service(callback::back_from_google)
        .service(callback::back_from_provider)
        .service(apple::back_from_apple)
        .service(disconnect::disconnect);
}
