//! Sign-in providers: OpenID Connect and OAuth 2 clients for Google, Apple, Facebook and LinkedIn (`identity.provider-flow`).
//!
//! It owns the configuration of providers, their discovered metadata and keys, the URL to which a browser is redirected, the
//! exchange of an authorization code, and the checks of the id token. It knows no HTTP server, no database and no session:
//! what a proven profile leads to is decided by `workflows` and `identity`.
//!
//! Invariants:
//!
//! - An id token counts only under an asymmetric signature of the provider, with the right issuer, audience, expiry and
//!   nonce.
//! - Browsers are redirected only to the configured origin of a provider; secrets are sent only over TLS, or to this
//!   machine.
//! - A response of a provider is bounded in time and size, and no redirect is followed.
//! - A provider that is down, or tokens with unknown keys, cause a bounded number of requests.
//!
//! Words: a *provider* is what members know (`identity::Provider`); *metadata* is what it publishes of itself; a *profile* is
//! what it says of a person, checked.

mod apple;
mod claims;
mod client;
mod config;
mod error;
mod http;
mod id_token;
mod metadata;
mod userinfo;

pub use apple::AppleUser;
pub use client::{AuthorizationSecrets, ProviderClient, SetupError, SignInProviders};
pub use config::{Credential, Endpoints, Protocol, ProviderConfig, read_providers};
pub use error::ProviderError;
