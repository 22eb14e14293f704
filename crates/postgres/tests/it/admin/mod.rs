//! The back office on Postgres.

mod audit;
