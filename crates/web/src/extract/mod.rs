//! Extractors: the caller, the client, and bodies, paths and queries that fail with API errors.

mod acting;
mod address;
mod client;
mod viewer;

pub use acting::{ActingAdmin, ActingEditor};
pub use address::ClientAddress;
pub use client::{Client, DEVICE_COOKIE, REFRESH_COOKIE};

pub use crate::http::input::{Body, Form, LargeBody, OptionalBody, Path, Query, RawBody};
pub use viewer::{Admin, Editor, Member, Subject, Viewer, bearer};
