//! Test cards of the sandbox: Stripe's, with the token names that Stripe uses (`billing.sandbox-cards`).

use billing::gateway::{CardFingerprint, PaymentMethod};

use crate::key::digest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    Pays,
    /// Declined at once, with this decline code.
    Declined(&'static str),
    /// Requires authentication when the payer is present.
    Authenticates,
    /// Accepted when stored, declined when charged.
    FailsWhenCharged,
}

/// One of Stripe's test cards.
#[derive(Debug)]
struct TestCard {
    number: &'static str,
    brand: &'static str,
    /// The suffix of its tokens: `pm_card_{name}`.
    name: &'static str,
    behaviour: Behaviour,
}

/// A card, resolved from a token.
#[derive(Debug)]
pub(super) struct Card {
    brand: &'static str,
    last4: String,
    /// Identifies the card: the number of a test card, otherwise the name in the token.
    identity: String,
    pub(super) behaviour: Behaviour,
}

/// The prefix of other card numbers that pay (`billing.sandbox-cards`).
const PAYING_PREFIX: &str = "4242";
/// The number of digits of a card number.
const NUMBER_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
/// The prefix of the token name of such a card, followed by its last four digits and a hash of the number.
const PAYING_NAME: &str = "visa_";

const fn card(number: &'static str, brand: &'static str, name: &'static str, behaviour: Behaviour) -> TestCard {
    TestCard { number, brand, name, behaviour }
}

const CARDS: [TestCard; 9] = [
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

impl TestCard {
    fn last4(&self) -> &'static str {
        &self.number[self.number.len() - 4..]
    }
}

impl Card {
    /// The card of a token: `pm_card_visa`, or the legacy `tok_visa`. The token alone determines the card's behavior.
    /// `None` if it is unknown.
    pub(super) fn of_token(token: &str) -> Option<Self> {
        let name = token.strip_prefix("pm_card_").or_else(|| token.strip_prefix("tok_"))?;
        if let Some(card) = CARDS.iter().find(|card| card.name == name) {
            let (last4, identity) = (card.last4().to_owned(), card.number.to_owned());
            return Some(Self { brand: card.brand, last4, identity, behaviour: card.behaviour });
        }
        let (last4, digest) = name.strip_prefix(PAYING_NAME)?.split_once('_')?;
        let is_digest = digest.len() == 16 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let fits = last4.len() == 4 && last4.bytes().all(|byte| byte.is_ascii_digit()) && is_digest;
        let (last4, identity) = (last4.to_owned(), name.to_owned());
        fits.then_some(Self { brand: "visa", last4, identity, behaviour: Behaviour::Pays })
    }

    pub(super) fn method(&self) -> PaymentMethod {
        PaymentMethod {
            brand: self.brand.to_owned(),
            last4: Some(self.last4.clone()),
            expires: Some((12, 2034)),
            fingerprint: Some(CardFingerprint::new(digest(&["sandbox card", &self.identity]))),
        }
    }
}

/// The token of a card number, ignoring whitespace, as the sandbox's form sends it (`sandboxCard.ts` computes the same).
/// A number that is not a test card's pays if it begins with 4242 and its check digit is right; its token does not
/// contain the number. `None` for all other numbers.
pub fn token_of_number(number: &str) -> Option<String> {
    let digits: String = number.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(card) = CARDS.iter().find(|card| card.number == digits) {
        return Some(format!("pm_card_{}", card.name));
    }
    let is_number = NUMBER_DIGITS.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let pays = is_number && digits.starts_with(PAYING_PREFIX) && has_check_digit(&digits);
    pays.then(|| format!("pm_card_{PAYING_NAME}{}_{:016x}", &digits[digits.len() - 4..], fnv1a(&digits)))
}

/// Whether the last digit is the check digit of the others (Luhn).
fn has_check_digit(digits: &str) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let weigh = |(place, digit): (usize, u32)| if place % 2 == 1 { doubled(digit) } else { digit };
    digits.chars().rev().filter_map(|c| c.to_digit(10)).enumerate().map(weigh).sum::<u32>().is_multiple_of(10)
}

/// A short hash that the client computes too (FNV-1a, 64 bits).
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
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
        for number in ["4111 1111 1111 1111", "4242 4242 4242 4243", "4242", "4242 4242 4242", "4242x2424242424242", ""]
        {
            assert_eq!(token_of_number(number), None, "{number}");
        }
        assert!(Card::of_token("tok_visa").is_some() && Card::of_token("pm_card_none").is_none());
        assert!(Card::of_token("visa").is_none());
    }

    #[test]
    fn any_valid_number_that_begins_with_4242_is_a_card_of_its_own_that_pays() {
        let token = token_of_number("4242 4200 0000 0018").unwrap();
        assert_eq!(token, "pm_card_visa_0018_6ecc8baec736752a");
        assert!(!token.contains("42424200"), "the token does not carry the number");
        let card = Card::of_token(&token).unwrap();
        assert_eq!((card.behaviour, card.method().last4.as_deref()), (Behaviour::Pays, Some("0018")));
        let numbers = ["4242424242424242", "4242420000000018", "4242420000010009", "4242424200000000"];
        let fingerprint = |number| Card::of_token(&token_of_number(number)?)?.method().fingerprint;
        let fingerprints: BTreeSet<_> = numbers.into_iter().map(|number| fingerprint(number).unwrap()).collect();
        assert_eq!(fingerprints.len(), numbers.len());
        for token in ["pm_card_visa_0018", "pm_card_visa_0018_12", "pm_card_visa_001x_6ecc8baec736752a"] {
            assert!(Card::of_token(token).is_none(), "{token}");
        }
    }

    #[test]
    fn each_card_number_has_its_own_fingerprint() {
        let of_name = |name: &str| Card::of_token(&format!("pm_card_{name}")).unwrap().method().fingerprint;
        let fingerprints: BTreeSet<_> = CARDS.iter().map(|card| of_name(card.name)).collect();
        assert_eq!(fingerprints.len(), CARDS.len());
        assert_eq!(Card::of_token("tok_visa").unwrap().method(), Card::of_token("pm_card_visa").unwrap().method());
    }
}
