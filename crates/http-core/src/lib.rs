//! What every HTTP handler stands on, whichever domain it serves: the wiring of a process (`app`), extractors (who asks,
//! with what), middleware, cached responses, errors as responses, the frame of bodies and of the API's description.
//!
//! No routes and no pages. Handlers stand in `apps/server` (members and visitors) and in `crates/back-office`.

pub mod app;
pub mod cache;
pub mod connections;
pub mod error;
pub mod extract;
pub mod middleware;
pub mod openapi;
pub mod site_policy;
pub mod wire;
