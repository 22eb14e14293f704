//! What HTTP takes whatever is served: bodies, paths and queries, errors as responses, the frame of bodies and of the API's description,
//! uploads, and the clients' connections.
//!
//! It knows no feature and no part of a process: `tidy` proves it.

pub mod connections;
pub mod error;
pub mod input;
pub mod openapi;
mod storable_text;
pub mod upload;
pub mod wire;
