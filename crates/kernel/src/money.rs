//! Amounts of money: integer US cents (`api.money-format`).

use std::fmt;

/// An amount in US cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i64);

impl Money {
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    pub const fn cents(self) -> i64 {
        self.0
    }

    /// Dollars with two decimals and no currency sign, for structured data: `149.00`.
    pub fn decimal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        format!("{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

/// As people read it, with currency sign and grouping: `$1,499.00`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = self.0.unsigned_abs();
        let whole = (cents / 100).to_string();
        let mut grouped = String::new();
        for (i, digit) in whole.chars().enumerate() {
            if i > 0 && (whole.len() - i).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        write!(f, "{}${grouped}.{:02}", if self.0 < 0 { "-" } else { "" }, cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[test]
    fn sums_are_written_as_people_read_them() {
        for (cents, text) in [
            (0, "$0.00"),
            (5, "$0.05"),
            (999, "$9.99"),
            (14_900, "$149.00"),
            (149_900, "$1,499.00"),
            (123_456_789, "$1,234,567.89"),
            (-250, "-$2.50"),
        ] {
            assert_eq!(Money::from_cents(cents).to_string(), text);
        }
        assert_eq!(Money::from_cents(14_900).decimal(), "149.00");
        assert_eq!(Money::from_cents(-5).decimal(), "-0.05");
        assert_eq!(Money::from_cents(i64::MIN).decimal(), "-92233720368547758.08");
    }
}
