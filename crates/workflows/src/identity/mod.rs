//! Accounts: signing up and in, recovery, second factors, proofs, the data archive, and deletion.

pub mod account_import;
pub mod api_tokens;
pub mod archive;
pub mod delete_account;
pub mod email_address;
pub mod passkeys;
pub mod password_hashing;
pub mod passwords;
pub mod proof;
pub mod provider_sign_in;
pub mod recovery;
pub mod refresh_session;
pub mod second_factor;
pub mod secret_rotation;
pub mod security;
pub mod sign_in;
pub mod subscription_code;
