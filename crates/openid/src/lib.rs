//! Sign-in providers: OpenID Connect and OAuth 2 clients for Google, Apple, Facebook and LinkedIn (`identity.provider-flow`).
//!
//! Contains the configuration of providers, their discovered metadata and keys, the authorization URL, the exchange of
//! an authorization code, and the checks of the id token. Contains no HTTP server, no database and no session:
//! `workflows` and `identity` decide what a profile leads to.
//!
//! Invariants:
//!
//! - An id token is accepted only with an asymmetric signature of the provider and the right issuer, audience, expiry
//!   and nonce.
//! - Browsers are redirected only to the configured origin of a provider; secrets are sent only over TLS, or to this
//!   machine.
//! - Responses of a provider are limited in time and size, and redirects are not followed.
//! - A provider that is down, or tokens with unknown keys, cause a limited number of requests.
//!
//! Words: a *provider* is a site that members sign in with (`identity::Provider`); its *metadata* are its published
//! endpoints and keys; a *profile* is what it reports about a person, verified.

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
