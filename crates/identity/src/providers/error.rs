//! How signing in with a provider is refused.

use kernel::StoreError;

use super::Provider;

/// Why a person does not come in by a provider, or keeps one. The texts are for the person.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider told no address, without which there is no account.
    #[error("{0} did not share your email address with us. Please allow it, or sign up with a password.")]
    NoEmail(Provider),
    /// There is an account with the address, and the provider does not say that it is the person's (`identity.provider-account`).
    #[error(
        "There is already an account with this address: log in with your password first, then connect it in your account."
    )]
    ConnectFirst,
    /// The person at the provider is connected to another account.
    #[error("This {0} account is connected to another account here.")]
    ConnectedElsewhere(Provider),
    /// The account is connected to another person at the provider.
    #[error("Another {0} account is already connected. Please disconnect it in your account first.")]
    AnotherConnected(Provider),
    /// Nothing else would let the person in.
    #[error("{0} is your only way to log in. Please set a password first.")]
    LastSignInMethod(Provider),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
