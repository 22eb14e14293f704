//! The `pith` process: its commands, the web server, the worker, and the maintenance timers of a node. The routes are in
//! `crates/web`.
//!
//! Processes share no state but the database and the object store, so any number of them can run on those.

pub mod arguments;
pub mod backups;
mod certificate;
pub mod command;
pub mod env;
pub mod healthcheck;
pub mod report;
pub mod serve;
pub mod startup;
pub mod upkeep;
pub mod worker;
