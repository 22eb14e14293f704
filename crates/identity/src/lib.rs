//! Identity: accounts, passwords, roles, sessions, the keys that sign tokens, and rate limits (`identity.rate-limits`).
//!
//! # Words
//!
//! - A **session** is a signed-in device. It lives for 30 days from its last refresh, or until it is revoked.
//! - A **refresh token** is kept by a device to renew its access. Only its hash is stored.
//! - An **access token** is a biscuit valid for one hour with user, session and role; its signature is verified without
//!   a store.
//! - A **single-use secret** is part of a mailed link, or connects two steps of a sign-in. It works once, for a limited
//!   time.
//! - A **provider** is a site that authenticates people: Google, Apple, Facebook, LinkedIn ([`providers`]).
//! - A **root key** signs access tokens. One is current; a retired one still verifies until its tokens have expired.
//! - A **strong** session was authenticated with more than a password or a mailed link: an authenticator app, a
//!   passkey.
//! - An **API token** lets a program of the member call the API, within its scopes. Only its hash is stored.
//! - The **seal** encrypts keys, so that they can't be read from the database without the operator's secret.
//!
//! # Invariants
//!
//! - An e-mail address, compared case-insensitively, belongs to at most one person, also when two sign up at once.
//! - Passwords and refresh tokens are stored only as hashes.
//! - A session has exactly one refresh token that is not replaced. A replaced one that is used late ends the session.
//! - A code of an authenticator app and a recovery code work once, also under concurrent attempts.
//! - A role change ends the person's sessions, so that no token carries an outdated role.
//! - The first proof of an address ends every earlier session and removes every earlier sign-in method, except the
//!   session that gives the proof and what was added in it ([`ProofOfAddress`]).
//! - A session ends at most a year after its sign-in.
//! - A deleted account leaves no personal data, and its address can be used again.
//! - Once there is a root key, exactly one is current.
//!
//! Hashing a password is slow and CPU-bound: callers of [`Password::hash`] and [`verify_password`] limit how many run
//! at once, and call them before they take a database connection. The crate does no I/O: [`IdentityStore`] is its
//! storage interface, [`Identity`] has its operations.

mod account_import;
mod api_token;
mod api_tokens;
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

pub use account_import::{
    AccountImport, BegunImport, IMPORT_MAX_BYTES, ImportCommands, ImportFigure, ImportKind, ImportQueries, ImportState,
    KEPT_BYTES, KEPT_ENTRIES, KeptCount, KeptEntry, KeptSize, NamedBook,
};
pub use api_token::{API_TOKEN_NAME_CHARS, ApiScope, ApiToken, MAX_API_TOKENS, NewApiToken, is_api_token, sync_key};
pub use api_tokens::ApiTokens;
pub use devices::Devices;
pub use error::{Field, IdentityError};
pub use factors::{FactorCommands, FactorQueries, FactorStore, FactorUsed, Factors, RemovedMethods};
pub use hash_memory::trim_hash_memory;
pub use key_ring::{KeyRing, TOKEN_KEY_GRACE, root_key_purpose};
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
    totp_purpose,
};
pub use service::{Identity, RefreshedSession, SESSION_KEPT};
pub use single_use::{
    CODE_TRIES, FoundSecret, Issue, IssuedSecret, Purpose, generate_token, hash_of_text, is_single_use_token,
};
pub use store::{IdentityCommands, IdentityQueries, IdentityStore, NewSecret, NewUser, RefreshPlace, RootKey};
pub use token::{Claims, TOKEN_LIFETIME, TokenError};
