//! The frame of every page: head, header, footer, structured data, and the blocks of data that the web app starts from; the
//! files of the built web app; feeds and sitemaps.
//! Knows no HTTP: the server reads what stands in a page and responds with it.

pub mod feeds;
pub mod manifest;
mod shell;
pub mod sitemap;
pub mod structured;
pub mod web_app;
pub mod web_manifest;

pub use shell::{Banner, Page, Query, SITE_CARD, render};
