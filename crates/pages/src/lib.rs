//! Pages: the shell of every page (head, header, footer, initial data for the web app), its metadata (title, structured data,
//! sharing card), and complete pages that only the server renders; the files of the built web app; feeds and sitemaps.
//! Knows no HTTP: the server reads the content and sends the response. The templates of pages that show API results are in
//! `crates/web/templates`.

pub mod blog;
pub mod cards;
pub mod feeds;
pub mod filters;
pub mod lists;
pub mod manifest;
pub mod opds;
pub mod outbox;
pub mod receipt;
pub mod screens;
mod shell;
pub mod sitemap;
pub mod structured;
pub mod text;
pub mod web_app;
pub mod web_manifest;

pub use shell::{Banner, Page, Query, render};
