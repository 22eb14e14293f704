//! Stories that still need the whole application, beside those of `crates/workflows`.

pub mod deliver;
pub mod download;

pub use workflows::*;
