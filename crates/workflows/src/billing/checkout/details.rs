//! Details of a checkout that are needed only when it is paid: stored sealed until it is decided.

use billing::Checkout;
use kernel::{Email, StoreError};
use serde::{Deserialize, Serialize};

use crate::tx::Tx;

/// The purpose for which the details are sealed.
pub(crate) const PURPOSE: &[u8] = b"checkout details";

/// A gift's giver and recipient. Without an e-mail address the code goes to the buyer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiftDetails {
    /// The giver's name, as the recipient reads it.
    pub sender_name: String,
    pub recipient_name: String,
    /// `None`: the code goes to the buyer.
    pub recipient_email: Option<String>,
    pub message: String,
    /// When to mail the code, in milliseconds since the Unix epoch; `None`: at once.
    #[serde(default)]
    pub deliver_at: Option<i64>,
}

/// The sealed details.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Details {
    /// The address for the receipt; `None` if the buyer typed none.
    pub(super) email: Option<String>,
    /// Empty for purchases that are not gifts.
    pub(super) gift: GiftDetails,
}

impl Details {
    pub(super) fn seal(&self, tx: &Tx<'_, '_>) -> Result<Vec<u8>, StoreError> {
        let text = serde_json::to_vec(self).map_err(StoreError::new)?;
        Ok(tx.seal.close(&text, PURPOSE, tx.env))
    }

    /// Opens a checkout's details. Empty if the checkout is decided, or if they were sealed with an earlier secret.
    pub(super) fn of(tx: &Tx<'_, '_>, checkout: &Checkout) -> Self {
        let sealed = checkout.order.sealed_details.as_deref().unwrap_or_default();
        let opened = tx.seal.open(sealed, PURPOSE).ok();
        opened.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    pub(super) fn receipt_address(&self) -> Option<Email> {
        self.email.as_deref().and_then(|text| Email::parse(text).ok())
    }
}
