//! Who members are: signing up, in and out, proofs, devices, and leaving.

mod account_import;
mod api_tokens;
mod archive;
mod devices;
mod first_proof;
mod fresh_proof;
mod guessing;
mod leaving;
mod passkeys;
mod profile;
mod providers;
mod recovery;
mod second_factor;
mod sign_in;
