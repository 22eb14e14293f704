//! Signing in with an account elsewhere: Google, Apple, Facebook, LinkedIn (`identity.provider-flow`).
//!
//! A provider proves who a person is; which account of ours that opens is decided by [`crate::Providers`]. A **profile** is what the
//! provider says of a person who has just signed in there. A **connection** remembers that one person there is one
//! account here.
//!
//! # Invariants
//!
//! - A person at a provider opens one account at most, and an account has one person at each provider at most.
//! - An address joins an existing account only when the provider says that it is verified.
//! - An account with an unconfirmed address loses its sessions and credentials when the owner signs in with that address verified.
//! - Nobody loses their last way in by disconnecting a provider.

mod error;
mod model;
mod store;

pub use error::ProviderError;
pub use model::{InvalidProvider, Provider, ProviderArrival, ProviderConnection, ProviderProfile, SignInMethods};
pub use store::{ProviderCommands, ProviderQueries, ProviderStore};
