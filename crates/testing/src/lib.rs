//! Shared test infrastructure: a Postgres database for each test, a controllable mail server and OpenID provider,
//! an S3 server, doubles of Stripe, of PayPal and of a language model, and a way to kill a process at a chosen point.
//!
//! `TEST_DATABASE_URL` names a cluster in which databases may be created (`cargo xtask test` starts one). The first
//! test of a run migrates a template; each test gets a copy of it, which is dropped when the test ends.

// An invoice of Stripe has 80 fields.
#![recursion_limit = "512"]

mod database;
mod ec_key;
mod interruption;
mod language_model;
mod mail_server;
pub mod object_server;
pub mod openid;
pub mod paypal;
mod provider;
pub mod stripe;

pub use database::TestDatabase;
pub use ec_key::EcKey;
pub use interruption::{InterruptedDatabase, Interruption};
pub use language_model::{LanguageModelDouble, ModelAnswer, ModelRequest};
pub use mail_server::{MailServer, Manner, ReceivedMail, Step};
pub use paypal::PayPalDouble;
pub use provider::ProviderFault;
pub use stripe::StripeDouble;
