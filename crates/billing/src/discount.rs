//! What a coupon takes off a charge (`billing.coupon-rounding`).

use std::fmt;

use kernel::Money;

/// A whole percentage from 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u8);

/// The number is not a percentage from 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a percentage is a number from 1 to 100")]
pub struct InvalidPercent;

impl Percent {
    pub fn new(percent: u32) -> Result<Self, InvalidPercent> {
        match u8::try_from(percent) {
            Ok(percent @ 1..=100) => Ok(Self(percent)),
            Ok(_) | Err(_) => Err(InvalidPercent),
        }
    }

    /// The percentage as a number.
    pub const fn get(self) -> u32 {
        self.0 as u32
    }

    /// Reduces a non-negative sum by this percentage, rounded half up to a cent (`billing.coupon-rounding`). `None` on
    /// overflow.
    fn taken_off(self, sum: Money) -> Option<Money> {
        let hundredths = i128::from(sum.cents()) * i128::from(100 - self.0);
        i64::try_from((hundredths + 50) / 100).ok().map(Money::from_cents)
    }
}

/// What a coupon takes off a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discount {
    Percent(Percent),
    /// A positive amount.
    Amount(Money),
}

impl Discount {
    /// Reduces a non-negative sum, a percentage rounded half up to a cent (`billing.coupon-rounding`). Never below zero.
    /// `None` on overflow.
    pub fn taken_off(self, sum: Money) -> Option<Money> {
        match self {
            Self::Percent(percent) => percent.taken_off(sum),
            Self::Amount(amount) => Some(Money::from_cents(sum.cents().saturating_sub(amount.cents()).max(0))),
        }
    }
}

/// As receipts name it: '40% off', '$10.00 off'.
impl fmt::Display for Discount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(percent) => write!(f, "{}% off", percent.get()),
            Self::Amount(amount) => write!(f, "{amount} off"),
        }
    }
}

/// What a coupon takes off, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CouponTerms {
    pub discount: Discount,
    /// Whether each renewal is reduced too, not only the first charge.
    pub every_charge: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_1_to_100() {
        for wrong in [0, 101, 256, u32::MAX] {
            assert_eq!(Percent::new(wrong), Err(InvalidPercent));
        }
        assert_eq!((Percent::new(1).unwrap().get(), Percent::new(100).unwrap().get()), (1, 100));
    }

    #[test]
    fn an_amount_is_taken_off_down_to_zero() {
        let cents = Money::from_cents;
        let ten = Discount::Amount(cents(1_000));
        for (sum, left) in [(0, 0), (999, 0), (1_000, 0), (1_001, 1), (i64::MAX, i64::MAX - 1_000)] {
            assert_eq!(ten.taken_off(cents(sum)), Some(cents(left)), "{sum}");
        }
        assert_eq!(ten.to_string(), "$10.00 off");
        assert_eq!(Discount::Percent(Percent::new(40).unwrap()).to_string(), "40% off");
    }
}
