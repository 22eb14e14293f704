//! The server: HTTP in front of the domains.
//!
//! `routes/` turn requests into calls of domain services and stories (`crates/workflows`), and values into responses;
//! `wire/` is what stands in bodies; `pages/` is the HTML that browsers and crawlers get.
//! No state of a process is missed by another: any number of them run on one database and one object store.

pub mod app;
pub mod cache;
pub mod command;
pub mod env;
pub mod error;
pub mod extract;
pub mod middleware;
pub mod openapi;
pub mod pages;
pub mod routes;
pub mod serve;
pub mod site_policy;
pub mod wire;
pub mod worker;
