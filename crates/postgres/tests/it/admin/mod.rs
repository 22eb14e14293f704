//! The back office on Postgres.

mod audit;
mod money;
