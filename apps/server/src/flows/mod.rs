//! Stories about reading a book, beside those of `crates/workflows`.

pub mod deliver;
pub mod download;
pub mod open_book;
pub mod reading;
pub mod recordings;
pub mod visuals;

pub use workflows::*;
