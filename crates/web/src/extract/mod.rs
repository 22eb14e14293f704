//! Extractors: the caller, the client, and bodies, paths and queries that fail with API errors.

mod acting;
mod address;
mod api_member;
mod client;
mod viewer;

pub use acting::{ActingAdmin, ActingEditor};
pub use address::ClientAddress;
pub use api_member::{StudyReader, StudyWriter};
pub use client::{Client, DEVICE_COOKIE, REFRESH_COOKIE};

pub use crate::http::input::{Body, Form, LargeBody, OptionalBody, Path, Query, RawBody};
pub use viewer::{Admin, Editor, Member, Subject, Viewer, bearer};
