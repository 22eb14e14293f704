//! The story of e-reader deliveries, which needs the whole application, beside those of `crates/workflows`.

pub mod deliver;
