//! The back office in Postgres: the audit log, versions of what editors change, its lists of people and money, and statistics.

mod audit;
mod edits;
mod money;
mod people;
mod stats;
