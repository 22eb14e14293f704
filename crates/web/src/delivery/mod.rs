//! Books as files over HTTP: downloads, deliveries to e-readers, and what e-reader programs call.

mod downloads;
pub(crate) mod e_reader;
mod errors;
mod koreader;
mod opds;
mod refusal;

use actix_web::web::ServiceConfig;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    downloads::configure(config);
    e_reader::configure(config);
}

/// Registers what e-reader programs call, which is not part of the OpenAPI document: the forms of others.
pub(crate) fn configure_e_reader_programs(config: &mut ServiceConfig) {
    opds::configure(config);
    koreader::configure(config);
}
