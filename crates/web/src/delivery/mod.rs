//! Books as files over HTTP: downloads, and deliveries to e-readers.

mod downloads;
pub(crate) mod e_reader;
mod errors;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    downloads::configure(config);
    e_reader::configure(config);
}
