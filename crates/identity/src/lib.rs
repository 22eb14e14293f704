//! Who a person is: people with an account, their passwords and roles, the devices that they are signed in on, the
//! keys that sign tokens, and how often a stranger may try (`identity.rate-limits`).
//!
//! # Words
//!
//! - A **session** is a signed-in device. It lives for 30 days from its last refresh, or until it is revoked.
//! - A **refresh token** is what the device keeps to renew its access. Only its hash is stored.
//! - An **access token** is a biscuit of one hour that bears user, session and role; it is verified without a store.
//! - A **single-use secret** stands in a mailed link or between two steps of a sign-in. It is good once, for a while.
//! - A **provider** is a site that shows who a person is: Google, Apple, Facebook, LinkedIn ([`providers`]).
//! - A **root key** signs access tokens. One is current; a retired one is honoured until its tokens have expired.
//! - A **strong** session was entered with more than a password or a mailed link: an authenticator app, a passkey.
//! - The **seal** encrypts keys, so that the database alone, without the operator's secret, does not reveal them.
//!
//! # Invariants
//!
//! - An e-mail address, without regard to case, belongs to one person at most, also when two sign up at once.
//! - No password and no refresh token is stored, only what can't be turned back into one.
//! - Of the refresh tokens of a session one is not replaced yet. A replaced one that comes back late ends the session.
//! - A code of an authenticator app and a recovery code are good once, also when two come at the same moment.
//! - A change of role ends the person's sessions, so that no token says something that is not so any more.
//! - The first proof of an address ends every session and removes every sign-in method that came before it, except what
//!   was made in the session that gives the proof ([`ProofOfAddress`]).
//! - A session ends a year after its sign-in at the latest.
//! - A deleted account leaves nothing personal, and its address is free.
//! - Of the root keys exactly one is current once there is any.
//!
//! Hashing a password is a long piece of work of the processor: [`Password::hash`] and [`verify_password`] are
//! called by callers that limit how many run at once, before a store is borrowed. The crate does no I/O of its own;
//! what it needs from storage is [`IdentityStore`], what it offers is [`Identity`].

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod devices;
mod error;
mod factors;
#[cfg(any(test, feature = "testing"))]
pub mod factors_contract;
#[cfg(any(test, feature = "testing"))]
pub mod fixtures;
#[cfg(test)]
mod forged_tokens;
mod hash_memory;
mod key_ring;
mod leaving;
mod mac;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod model;
mod passkey;
mod password;
mod profile;
mod proof_of_address;
mod provider_sign_in;
pub mod providers;
#[cfg(any(test, feature = "testing"))]
pub mod providers_contract;
mod rate_limit;
mod recovery;
mod redirect;
mod refresh;
mod registration;
mod seal;
mod second_factor;
mod service;
mod single_use;
mod store;
mod token;

pub use devices::Devices;
pub use error::{Field, IdentityError};
pub use factors::{FactorCommands, FactorQueries, FactorStore, FactorUsed, Factors, RemovedMethods};
pub use hash_memory::trim_hash_memory;
pub use key_ring::{KeyRing, TOKEN_KEY_GRACE};
pub use leaving::Leaving;
#[cfg(any(test, feature = "testing"))]
pub use memory::Memory;
pub use model::{
    Account, Device, DeviceDescription, FRESH_PROOF_LIFETIME, InvalidRole, NewSession, Role, Session, Suspension, User,
};
pub use passkey::{MAX_PASSKEYS, NewPasskey, Passkey, PasskeyName, StoredPasskey};
pub use password::{Password, PasswordHash, verify_password};
pub use profile::{Profile, ProfileForm};
pub use proof_of_address::{FirstProof, ProofOfAddress};
pub use provider_sign_in::Providers;
pub use providers::{
    InvalidProvider, Provider, ProviderArrival, ProviderCommands, ProviderConnection, ProviderError, ProviderProfile,
    ProviderQueries, ProviderStore, SignInMethods,
};
pub use rate_limit::{Attempt, InvalidLimits, Limits, RateLimit, RateLimitBucket, RetryAfter};
pub use recovery::{Confirmation, MailedSignIn, PasswordReset, Recovery, RedeemedArrival};
pub use redirect::{MAX_REDIRECT_BYTES, redirect_path};
pub use refresh::{REFRESH_GRACE, RefreshKey, RefreshToken, SESSION_LIFETIME, SESSION_MAX_LIFETIME, SecretHash};
pub use registration::{Registration, RegistrationForm};
pub use seal::{Seal, SealError};
pub use second_factor::{
    Protection, RECOVERY_CODES, RecoveryCode, StoredTotp, TOTP_BEGUN, TOTP_DIGITS, TOTP_SKEW, TOTP_STEP, TotpSecret,
};
pub use service::{Identity, RefreshedSession, SESSION_KEPT};
pub use single_use::{CODE_TRIES, FoundSecret, Issue, IssuedSecret, Purpose, hash_of_text, is_single_use_token};
pub use store::{IdentityCommands, IdentityQueries, IdentityStore, NewSecret, NewUser, RefreshPlace, RootKey};
pub use token::{Claims, TOKEN_LIFETIME, TokenError};
