//! The HTTP infrastructure that all features share: extractors, error responses, wire helpers, OpenAPI helpers, uploads, and
//! client connections.
//!
//! It depends on no feature and not on [`crate::app::App`]: `tidy` checks that.

pub mod connections;
pub mod error;
pub mod input;
pub mod openapi;
mod storable_text;
pub mod upload;
pub mod whole;
pub mod wire;
