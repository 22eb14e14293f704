//! Workflows that cross domains. Each is a function on one transaction: all of it happens, or nothing.
//!
//! A workflow takes a [`Tx`](tx::Tx) and domain values, returns domain values, and fails with one error type. It knows no HTTP,
//! no wire types, no SQL and no `…Store` trait: it calls the services of the domains. Work on the network, on files or on
//! password hashes is done before or after it and passed as an argument, so that no transaction waits for it. A workflow of
//! several transactions with such work in between is an `async` function on [`Transactions`](tx::Transactions).
//!
//! [`Transactions`](tx::Transactions) runs workflows. Each feature has a folder; a file contains one workflow, or a few closely
//! related ones. Shared modules are next to the folders: the viewer ([`account`], [`client`]), [`rights`] and [`rate_limits`];
//! the days of a streak ([`streak_days`]); links that contain their own proof ([`sealed_link`]) or end a series of mails
//! ([`unsubscribe`]); editing ([`editing`], [`audit`]); making and sweeping files
//! ([`narration`], [`recording_files`], [`file_sweep`]); and site-wide tasks ([`setup`], [`housekeeping`],
//! [`events`], [`sitemap`]).

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
pub mod setup;
pub mod sitemap;
pub mod streak_days;
pub mod study;
pub mod summaries;
pub mod support;
pub mod tx;
pub mod unsubscribe;
mod unsubscribe_link;
mod zip_file;
