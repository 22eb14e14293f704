//! What a checkout needs besides its order when it went through: stored sealed until it is decided.

use billing::Checkout;
use kernel::{Email, StoreError};
use serde::{Deserialize, Serialize};

use crate::tx::Tx;

/// What the details are sealed for.
const PURPOSE: &[u8] = b"checkout details";

/// Whom a gift is for. Without an address the code goes to the buyer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiftDetails {
    /// The giver, as the recipient is to read it.
    pub sender_name: String,
    pub recipient_name: String,
    /// Their address.
    pub recipient_email: Option<String>,
    pub message: String,
    /// When the code is mailed, in milliseconds; `None`: at once.
    #[serde(default)]
    pub deliver_at: Option<i64>,
}

/// What is sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Details {
    /// The address for the receipt, when the buyer typed one.
    pub(super) email: Option<String>,
    /// Whom a gift is for.
    pub(super) gift: GiftDetails,
}

impl Details {
    pub(super) fn seal(&self, tx: &Tx<'_, '_>) -> Result<Vec<u8>, StoreError> {
        let text = serde_json::to_vec(self).map_err(StoreError::new)?;
        Ok(tx.seal.close(&text, PURPOSE, tx.env))
    }

    /// The details of a checkout; empty when it was decided before, or was sealed with an earlier secret.
    pub(super) fn of(tx: &Tx<'_, '_>, checkout: &Checkout) -> Self {
        let sealed = checkout.order.sealed_details.as_deref().unwrap_or_default();
        let opened = tx.seal.open(sealed, PURPOSE).ok();
        opened.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    pub(super) fn receipt_address(&self) -> Option<Email> {
        self.email.as_deref().and_then(|text| Email::parse(text).ok())
    }
}
