//! What handlers ask for: who is there, and bodies, paths and queries whose failures are the API's own.

mod address;
mod client;
mod device;

mod input;
mod place;
mod viewer;

pub use actix_web::web::{Path, Query};
pub use address::{ClientAddress, Network};
pub use client::{Client, DEVICE_COOKIE};
pub use device::device_of;

pub use input::{Body, Form, OptionalBody, path_config, query_config};
pub use place::place_of;
pub use viewer::{Admin, Editor, Member, Viewer, bearer};
