//! Errors of signing in with a provider.

use kernel::StoreError;

use super::Provider;

/// Why a sign-in with a provider, a connection or a disconnection is refused. The messages are shown to the member.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider sent no address, and an account requires one.
    #[error("{0} did not share your email address with us. Please allow it, or sign up with a password.")]
    NoEmail(Provider),
    /// An account with the address exists, and the provider does not vouch for the address
    /// (`identity.provider-account`).
    #[error(
        "There is already an account with this address: log in with your password first, then connect it in your account."
    )]
    ConnectFirst,
    /// The provider's account is connected to another account here.
    #[error("This {0} account is connected to another account here.")]
    ConnectedElsewhere(Provider),
    /// The account here is connected to another account at the provider.
    #[error("Another {0} account is already connected. Please disconnect it in your account first.")]
    AnotherConnected(Provider),
    /// The provider is the last sign-in method.
    #[error("{0} is your only way to log in. Please set a password first.")]
    LastSignInMethod(Provider),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
