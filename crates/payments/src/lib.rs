//! Payment providers behind billing's port `billing::gateway::PaymentGateway`: Stripe and the sandbox (`decisions.md` 36 to 38).
//!
//! It owns what is a provider's: requests, answers, signatures of webhooks, and how a provider's states become those of the
//! port. It knows no database and no HTTP server, and reads no environment: addresses, keys and secrets are handed in.
//!
//! Invariants:
//!
//! - The same call with the same key acts once. The key that a provider sees is a hash of ours.
//! - A request is repeated by itself only under its key, a bounded number of times.
//! - Secrets, payment tokens and client secrets stand in no log, no error and no `Debug`.

mod calendar;
mod json;
mod key;
pub mod sandbox;
mod signature;
pub mod stripe;

pub use sandbox::Sandbox;
pub use signature::sign_webhook;
pub use stripe::{Stripe, StripeConfig};
