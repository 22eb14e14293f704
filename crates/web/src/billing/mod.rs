//! Billing over HTTP: prices, purchases, payment webhooks, and members' plans.

pub(crate) mod back_office;
mod errors;
mod membership;
pub(crate) mod pages;
mod purchase;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    purchase::configure(config);
    membership::configure(config);
}
