//! Sign-in with Google, Apple, Facebook and LinkedIn (`identity.provider-flow`).
//!
//! A provider authenticates a person; [`crate::Providers`] decides which account that opens. A **profile** is what the
//! provider sends about a person who has just signed in there. A **connection** links one account at a provider with
//! one account here.
//!
//! # Invariants
//!
//! - An account at a provider is connected to at most one account here, and an account here to at most one at each
//!   provider.
//! - A sign-in joins an existing account by its address only if the provider says that the address is verified.
//! - An account with an unconfirmed address loses its sessions and credentials when the owner signs in with that
//!   address verified.
//! - The last sign-in method can't be disconnected.

mod error;
mod model;
mod store;

pub use error::ProviderError;
pub use model::{InvalidProvider, Provider, ProviderArrival, ProviderConnection, ProviderProfile, SignInMethods};
pub use store::{ProviderCommands, ProviderQueries, ProviderStore};
