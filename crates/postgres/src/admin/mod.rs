//! The back office in Postgres: the audit log, versions of what editors change, people and money as it lists them, the figures.

mod audit;
mod edits;
mod money;
mod people;
mod stats;
