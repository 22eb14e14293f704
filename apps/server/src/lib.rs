//! The server: HTTP in front of the domains.
//!
//! `routes/` turn requests into calls of domain services and workflows (`crates/workflows`), and values into responses;
//! `pages/` is the HTML that browsers and crawlers get. What they stand on is `crates/http-core`; the back office's
//! calls are `crates/back-office`.
//! No state of a process is missed by another: any number of them run on one database and one object store.

pub mod command;
pub mod env;
pub mod pages;
pub mod routes;
pub mod serve;
pub mod upkeep;
pub mod worker;
