//! Payment providers behind billing's port `billing::gateway::PaymentGateway`: Stripe, PayPal and the sandbox (`billing.card-payments`).
//!
//! It owns what is a provider's: requests, answers, signatures of webhooks, and how a provider's states become those of the
//! port. It knows no database and no HTTP server. Addresses, keys and secrets are handed in.
//!
//! Invariants:
//!
//! - The same call with the same key acts once. The key that a provider sees is a hash of ours.
//! - A request is repeated by itself only under its key, a bounded number of times.
//! - Secrets, payment tokens and client secrets stand in no log, no error and no `Debug`.

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
