//! The sandbox's cards: Stripe's test cards and the ids by which Stripe knows them (`decisions.md` 38).

use billing::gateway::{CardFingerprint, PaymentMethod};

use crate::key::digest;

/// What a card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// Pays.
    Pays,
    /// Is declined at once, with this code.
    Declined(&'static str),
    /// Asks for authentication whenever the payer is present.
    Authenticates,
    /// Is stored, and declined when it is charged.
    FailsWhenCharged,
}

/// A test card.
#[derive(Debug)]
pub(super) struct Card {
    number: &'static str,
    brand: &'static str,
    /// What the name of its tokens ends with: `pm_card_…`.
    name: &'static str,
    pub(super) behaviour: Behaviour,
}

const fn card(number: &'static str, brand: &'static str, name: &'static str, behaviour: Behaviour) -> Card {
    Card { number, brand, name, behaviour }
}

const CARDS: [Card; 9] = [
    card("4242424242424242", "visa", "visa", Behaviour::Pays),
    card("4000000000000002", "visa", "chargeDeclined", Behaviour::Declined("card_declined")),
    card("4000002760003184", "visa", "authenticationRequired", Behaviour::Authenticates),
    card("5555555555554444", "mastercard", "mastercard", Behaviour::Pays),
    card("378282246310005", "amex", "amex", Behaviour::Pays),
    card("6011111111111117", "discover", "discover", Behaviour::Pays),
    card("4000056655665556", "visa", "visa_debit", Behaviour::Pays),
    card("4000000000009995", "visa", "chargeDeclinedInsufficientFunds", Behaviour::Declined("insufficient_funds")),
    card("4000000000000341", "visa", "chargeCustomerFail", Behaviour::FailsWhenCharged),
];

impl Card {
    /// The card of a token: `pm_card_visa`, or the legacy `tok_visa`.
    pub(super) fn of_token(token: &str) -> Option<&'static Self> {
        let name = token.strip_prefix("pm_card_").or_else(|| token.strip_prefix("tok_"))?;
        CARDS.iter().find(|card| card.name == name)
    }

    pub(super) fn method(&self) -> PaymentMethod {
        PaymentMethod {
            brand: self.brand.to_owned(),
            last4: Some(self.number[self.number.len() - 4..].to_owned()),
            expires: Some((12, 2034)),
            fingerprint: Some(CardFingerprint::new(digest(&["sandbox card", self.number]))),
        }
    }
}

/// The token of a test card's number, blanks ignored: what the sandbox's form sends.
pub fn token_of_number(number: &str) -> Option<String> {
    let digits: String = number.chars().filter(|c| !c.is_whitespace()).collect();
    CARDS.iter().find(|card| card.number == digits).map(|card| format!("pm_card_{}", card.name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_documented_numbers_have_the_providers_ids() {
        for (number, token) in [
            ("4242 4242 4242 4242", "pm_card_visa"),
            ("4000 0000 0000 0002", "pm_card_chargeDeclined"),
            ("4000 0027 6000 3184", "pm_card_authenticationRequired"),
        ] {
            assert_eq!(token_of_number(number).as_deref(), Some(token));
        }
        assert_eq!(token_of_number("4111 1111 1111 1111"), None);
        assert!(Card::of_token("tok_visa").is_some() && Card::of_token("pm_card_none").is_none());
        assert!(Card::of_token("visa").is_none());
    }

    #[test]
    fn each_card_number_has_its_own_fingerprint() {
        let fingerprints: BTreeSet<_> = CARDS.iter().map(|card| card.method().fingerprint).collect();
        assert_eq!(fingerprints.len(), CARDS.len());
        assert_eq!(Card::of_token("tok_visa").unwrap().method(), Card::of_token("pm_card_visa").unwrap().method());
    }
}
