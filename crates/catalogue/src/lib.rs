//! catalogue
mod html;
mod sections;
pub use sections::{Body, Section};
