//! Payment providers behind billing's port `billing::gateway::PaymentGateway`: Stripe, PayPal and the sandbox
//! (`billing.card-payments`).
//!
//! This crate contains everything specific to a provider: requests, responses, webhook signatures, and the mapping of
//! states to those of the port. It depends on neither a database nor an HTTP server; URLs, keys and secrets are passed
//! in.
//!
//! Invariants:
//!
//! - A call repeated with the same key acts once. The provider gets a hash of our key.
//! - A request that could act twice is retried only under its key, and only a bounded number of times.
//! - Secrets, payment tokens and client secrets never appear in logs, errors or `Debug` output.

mod config;
mod json;
mod key;
pub mod paypal;
pub mod sandbox;
mod signature;
pub mod stripe;

pub use config::{Gateways, PaymentsConfig};
pub use paypal::{PayPal, PayPalConfig};
pub use sandbox::Sandbox;
pub use signature::sign_webhook;
pub use stripe::{SetupError, Stripe, StripeConfig};
