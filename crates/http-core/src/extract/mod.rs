//! Extractors: the caller, the client, and bodies, paths and queries whose failures are the API's own.

mod address;
mod client;
mod input;
mod text;
mod viewer;

pub use address::ClientAddress;
pub use client::{Client, DEVICE_COOKIE, REFRESH_COOKIE};

pub use input::{Body, Form, LargeBody, OptionalBody, Path, Query, RawBody};
pub use viewer::{Admin, Editor, Member, Subject, Viewer, bearer};
