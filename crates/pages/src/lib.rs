//! Pages: the frame of every page (head, header, footer, the blocks of data that the web app starts from), what it says of
//! itself (title, structured data, sharing card), and whole pages whose text is the server's alone; the files of the built
//! web app; feeds and sitemaps.
//! Knows no HTTP: the server reads what stands in a page and responds with it. The templates of pages that show what the API
//! responds with lie beside it.

pub mod blog;
pub mod cards;
pub mod feeds;
pub mod filters;
pub mod lists;
pub mod manifest;
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
