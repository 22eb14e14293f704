//! Storage on Postgres, one program of all: the contracts that memory keeps too, and what happens when many come at the
//! same moment. One file for each domain.

mod audit;
mod backup;
mod billing;
mod catalogue;
mod challenge;
mod db;
mod e_reader;
mod editorial;
mod factors;
mod identity;
mod inbox;
mod jobs;
mod member_summaries;
mod providers;
mod reading_progress;
mod recovery;
mod referral;
mod rights;
mod schema;
mod support;
