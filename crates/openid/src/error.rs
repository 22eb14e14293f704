//! Why a provider did not prove who a person is.

use identity::Provider;

/// Why a provider did not prove who a person is.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It can't be reached, or its response makes no sense. The cause is for the log.
    #[error("{0} can't be asked: {1}")]
    Down(Provider, String),
    /// The authorization code is invalid: expired, used, or never issued.
    #[error("{0} refuses the code")]
    CodeRefused(Provider),
    /// Its response fails a check. The cause is for the log.
    #[error("the answer of {0} fails a check: {1}")]
    Untrusted(Provider, String),
}
