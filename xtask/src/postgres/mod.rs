//! A managed Postgres, for users without their own: finding it, setting it up, starting and stopping it.

mod account;
mod cluster;
mod database;
mod locate;
mod pidfile;
mod pooler;
mod psql;
mod replication;
mod urls;

pub(crate) use cluster::{Cluster, Kind};
pub(crate) use database::Database;
pub(crate) use pooler::Pooler;
pub(crate) use psql::psql;
pub(crate) use replication::{Replication, start_pair};
pub(crate) use urls::DatabaseUrls;
