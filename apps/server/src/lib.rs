//! A process of Pith: commands, the web server, the worker, and what a node looks after. What it serves is `crates/web`.
//!
//! No state of a process is missed by another: any number of them run on one database and one object store.

pub mod command;
pub mod env;
pub mod serve;
pub mod upkeep;
pub mod worker;
