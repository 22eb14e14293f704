//! Storage on Postgres, one program of all: the contracts that memory keeps too, and what happens when many come at the
//! same moment. One file for each domain.

mod admin;
mod backup;
mod billing;
mod catalogue;
mod challenge;
mod db;
mod delivery;
mod editorial;
mod harness;
mod identity;
mod jobs;
mod migrate;
mod paying;
mod reading_progress;
mod referral;
mod rights;
mod schema;
mod study;
mod summaries;
mod support;
