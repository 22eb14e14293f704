//! Replaces the operator's secret: everything that is sealed with the other one is sealed with the present one.

use identity::{SealError, root_key_purpose, totp_purpose};
use kernel::{StoreError, UserId};
use postgres::{SealedPlace, SealedValue};

use crate::{billing::checkout::details, delivery::e_reader, identity::recovery, tx::Tx};

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// Values that are sealed with the present secret now.
    pub resealed: u64,
    /// Values that neither secret opens. They are left as they are.
    pub unreadable: u64,
}

/// Seals everything in the database with the present secret.
pub fn reseal_everything(tx: &mut Tx<'_, '_>) -> Result<Rotation, StoreError> {
    let mut rotation = Rotation::default();
    for place in SealedPlace::ALL {
        for value in tx.pg.lock_sealed_values(place)? {
            let Some(purpose) = purpose_of(place, &value) else { continue };
            match tx.seal.reseal(&value.sealed, &purpose, tx.env) {
                Ok(Some(sealed)) => {
                    tx.pg.update_sealed_value(place, &value.key, &sealed)?;
                    rotation.resealed += 1;
                }
                Ok(None) => {}
                Err(SealError::OtherSecret | SealError::Damaged | SealError::SecretTooShort) => {
                    rotation.unreadable += 1;
                }
            }
        }
    }
    Ok(rotation)
}

/// What a value is sealed for; `None` if it is not sealed.
fn purpose_of(place: SealedPlace, value: &SealedValue) -> Option<Vec<u8>> {
    Some(match place {
        SealedPlace::RootKeys => root_key_purpose(&value.bound_to),
        SealedPlace::ServerKeys => value.bound_to.clone(),
        SealedPlace::AuthenticatorApps => totp_purpose(UserId::from_store(value.key.parse().ok()?)),
        SealedPlace::Checkouts => details::PURPOSE.to_vec(),
        SealedPlace::Jobs => {
            let sealed_kinds = [
                (mail::SEND_MAIL, mail::PURPOSE),
                (recovery::ANSWER_RECOVERY, recovery::PURPOSE),
                (e_reader::DELIVER_BOOK, e_reader::PURPOSE),
            ];
            let (_, purpose) = sealed_kinds.iter().find(|(kind, _)| kind.name.as_bytes() == value.bound_to)?;
            purpose.to_vec()
        }
    })
}
