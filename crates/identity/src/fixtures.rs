//! Accounts for tests: one way to set them up, for the contract suites and for those of a real database.

use kernel::Timestamp;

use crate::{Identity, IdentityError, PasswordHash, Registration, RegistrationForm, User};

/// A stored hash that no password has.
pub fn stored_hash() -> PasswordHash {
    PasswordHash::from_store("$argon2id$…".to_owned())
}

/// Signs Ada Lovelace up under this address, with [`stored_hash`] as her password's.
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
/// When it is not.
pub fn register(store: &mut (impl Identity + ?Sized), address: &str, now: Timestamp) -> User {
    try_register(store, address, now).expect("the address is free")
}
