//! Workflows that cross domains, each a function on one transaction: it happens whole or not at all.
//!
//! A workflow takes a [`Tx`](tx::Tx) and domain values, gives domain values, and fails with one error type. It knows no HTTP,
//! no wire type, no SQL, and no `…Store` trait: it calls the services of the domains. What needs the network, a file or
//! a password hash is done before or after it and comes as an argument, so that no transaction waits for it. A workflow of
//! several transactions with such work between them is an `async` function on [`Transactions`](tx::Transactions).
//!
//! [`Transactions`](tx::Transactions) runs workflows. Each feature has a folder; one file is one workflow, or a few about one thing.
//! What features share stands beside the folders: who asks ([`account`], [`client`]) and with which [`rights`], [`rate_limits`], links that
//! carry their own proof ([`sealed_link`]), what all edits have in common ([`editing`], [`audit`]), files that are made and swept
//! ([`narration`], [`recording_files`], [`file_sweep`]), and what looks after the whole ([`housekeeping`], [`events`], [`sitemap`]).

pub mod account;
pub mod admin;
pub mod audit;
pub mod billing;
pub mod calendar;
pub mod catalogue;
pub mod challenge;
pub mod client;
pub mod delivery;
pub mod editing;
pub mod editorial;
pub mod error;
pub mod events;
pub mod file_sweep;
pub mod housekeeping;
pub mod identity;
pub mod limits;
pub mod narration;
pub mod rate_limits;
pub mod reading_progress;
pub mod recording_files;
pub mod referral;
pub mod rights;
pub mod sealed_link;
pub mod sitemap;
pub mod summaries;
pub mod support;
pub mod tx;
