//! What handlers ask for: who is there, and bodies, paths and queries whose failures are the API's own.

mod address;
mod doorway;
mod input;
mod viewer;

pub use actix_web::web::{Path, Query};
pub use address::{ClientAddress, Network};
pub use doorway::{DEVICE_COOKIE, Doorway};
pub use input::{Body, path_config, query_config};
pub use viewer::{Admin, Editor, Member, Viewer, bearer};
