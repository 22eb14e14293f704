//! A gift as its giver sees it: recipient and delivery date, or its code (`billing.gift-delivery`).

use billing::{BillingQueries, Checkout, Code, Gift, StoredCode};
use kernel::{StoreError, Timestamp};

use crate::tx::Tx;

/// A gift as its giver sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenGift {
    /// The code, if the giver gets it instead of the recipient.
    pub code: Option<Code>,
    pub gift: Gift,
}

impl GivenGift {
    /// Combines a gift and its code, which is shown only if it goes to the giver.
    pub fn new(code: &StoredCode, gift: Gift) -> Self {
        Self { code: gift.recipient.is_none().then(|| code.code.clone()), gift }
    }

    /// The recipient's name and address, as far as they are known.
    pub fn recipient_text(&self) -> String {
        let name = self.gift.recipient_name.trim();
        match &self.gift.recipient {
            Some(email) if name.is_empty() => email.as_str().to_owned(),
            Some(email) => format!("{name} ({})", email.as_str()),
            None => name.to_owned(),
        }
    }

    /// When it was mailed, or will be.
    pub fn at(&self) -> Timestamp {
        self.gift.delivered_at.unwrap_or(self.gift.deliver_at)
    }
}

/// The gift that a checkout has paid for; `None` if it is not a gift, or is not paid yet.
pub fn gift_of<A>(tx: &mut Tx<'_, '_, A>, checkout: &Checkout) -> Result<Option<GivenGift>, StoreError> {
    for code in tx.pg.codes_of_purchase(&checkout.purchase())? {
        if let Some(gift) = tx.pg.find_gift(&code.code)? {
            return Ok(Some(GivenGift::new(&code, gift)));
        }
    }
    Ok(None)
}
