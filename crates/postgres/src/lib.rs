//! The product's data in Postgres: the only crate that knows Diesel.
//!
//! One file for each domain implements that domain's `…Store` trait on [`Pg`]; the domain's rules follow by
//! themselves. [`Db`] is the single door: `read` and `write`, each on a pool of its own. The crate knows no HTTP.

mod admin;
mod billing;
mod catalogue;
mod change;
mod db;
mod e_reader;
mod editorial;
mod error;
mod factors;
mod identity;
mod jobs;
mod listen;
mod migrate;
mod providers;
mod reading_progress;
mod referral;
mod schema;
mod site;
mod statement;
mod time;

pub use change::{Change, Heard};
pub use db::{Db, DbConfig, Pg};
pub use error::store_error;
pub use migrate::{is_migrated, migrate};
pub use site::Event;
