//! Workflows that cross domains, each a function on one transaction: it happens whole or not at all.
//!
//! A workflow takes a [`Tx`](tx::Tx) and domain values, gives domain values, and fails with one error type. It knows no HTTP,
//! no wire type, no SQL, and no `…Store` trait: it calls the services of the domains. What needs the network, a file or
//! a password hash is done before or after it and comes as an argument, so that no transaction waits for it. A workflow of
//! several transactions with such work between them is an `async` function on [`Transactions`](tx::Transactions).
//!
//! [`Transactions`](tx::Transactions) runs workflows. One file is one workflow, or a few about one thing:
//!
//! - accounts: [`sign_in`], [`refresh_session`], [`recovery`], [`passwords`] with [`password_hashing`], [`email_address`],
//!   [`second_factor`], [`passkeys`], [`proof`], [`provider_sign_in`], [`security`], [`delete_account`], [`archive`]; what they share is [`account`],
//!   [`client`] and [`rate_limits`];
//! - the back office: [`people`], [`editing`], recorded by [`audit`];
//! - books: [`view_book`], [`reading`], [`recordings`], [`visuals`], [`download`], which share [`rights`]; [`book_lists`],
//!   [`suggestions`], [`book_files`], [`e_reader_delivery`], [`narration`], [`recording_files`];
//! - what brings people in: [`challenge`], [`quizzes`], [`onboarding`];
//! - texts: [`editorial_texts`], [`podcasts`], [`product_pages`], [`sitemap`];
//! - messages: [`inbox_message`], [`invite_friend`];
//! - money: [`checkout`], [`membership`], [`receipts`], [`refunds`], [`infographics`] and [`referral_links`], on [`payments`]; links that carry their own proof:
//!   [`sealed_link`].

pub mod account;
pub mod admin_money;
pub mod archive;
pub mod audit;
pub mod book_files;
pub mod book_lists;
pub mod calendar;
pub mod challenge;
pub mod challenge_calendar;
pub mod checkout;
pub mod client;
pub mod daily_mail;
pub mod delete_account;
pub mod download;
pub mod drawings;
pub mod e_reader_delivery;
pub mod editing;
pub mod editorial_texts;
pub mod email_address;
pub mod error;
pub mod events;
pub mod file_sweep;
pub mod given_gift;
pub mod housekeeping;
pub mod inbox_message;
pub mod infographics;
pub mod invite_friend;
pub mod ledger_check;
pub mod limits;
pub mod membership;
pub mod narration;
pub mod onboarding;
pub mod passkeys;
pub mod password_hashing;
pub mod passwords;
pub mod payments;
pub mod people;
pub mod podcasts;
pub mod product_pages;
pub mod proof;
pub mod provider_sign_in;
pub mod publication_notices;
pub mod quizzes;
pub mod rate_limits;
pub mod reading;
pub mod receipts;
pub mod recording_files;
pub mod recordings;
pub mod recovery;
pub mod referral_links;
pub mod refresh_session;
pub mod refunds;
pub mod rights;
pub mod sealed_link;
pub mod second_factor;
pub mod security;
pub mod sign_in;
pub mod sitemap;
pub mod suggestions;
pub mod summarise;
pub mod tx;
pub mod view_book;
pub mod visuals;
