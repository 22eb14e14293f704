//! The frame of every page: head, header, footer, structured data, and the blocks of data that the web app starts from.
//! Knows no HTTP: the server reads what stands in a page and responds with it.

pub mod manifest;
mod shell;
pub mod structured;

pub use shell::{Banner, Page, Query, SITE_CARD, render};
