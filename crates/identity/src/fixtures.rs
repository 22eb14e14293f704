//! Test accounts, for the contract suites and the tests of a real database.

use kernel::Timestamp;

use crate::{Identity, IdentityError, PasswordHash, Registration, RegistrationForm, User};

/// A stored hash that no password matches.
pub fn stored_hash() -> PasswordHash {
    PasswordHash::from_store("$argon2id$…".to_owned())
}

/// Registers Ada Lovelace with this address, and with [`stored_hash`] as her password hash.
pub fn try_register(
    store: &mut (impl Identity + ?Sized),
    address: &str,
    now: Timestamp,
) -> Result<User, IdentityError> {
    let form = RegistrationForm {
        email: address,
        password: "correct horse",
        first_name: "Ada",
        last_name: "Lovelace",
        timezone: Some("Europe/London"),
    };
    store.register(&Registration::read(form)?, &stored_hash(), now)
}

/// [`try_register`] under an address that is free.
///
/// # Panics
/// If the address is taken.
pub fn register(store: &mut (impl Identity + ?Sized), address: &str, now: Timestamp) -> User {
    try_register(store, address, now).expect("the address is free")
}
