//! A Postgres without a server of one's own: found, set up, started and stopped.

mod account;
mod cluster;
mod database;
mod locate;
mod pidfile;
mod urls;

pub(crate) use cluster::{Cluster, Kind};
pub(crate) use database::Database;
pub(crate) use urls::DatabaseUrls;
