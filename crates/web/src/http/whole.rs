//! Whole numbers in JSON bodies.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Number;

/// Converts a JSON number to an integer. Accepts `5.0`, which equals `5` in JSON. A number beyond 64 bits saturates; `None`
/// for a fraction.
pub fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| number.as_u64().map(|_| i64::MAX)).or_else(|| {
        let number = number.as_f64()?;
        #[allow(clippy::cast_possible_truncation, reason = "it is whole, and stops at the ends")]
        (number.fract() == 0.0).then_some(number as i64)
    })
}

/// Deserializes a required whole number.
pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    whole(&Number::deserialize(from)?).ok_or_else(|| D::Error::custom("a whole number is wanted"))
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        let read = |text| whole(&serde_json::from_str(text).expect("a number"));
        assert_eq!(["5", "5.0", "-7", "-7.0", "0.5e1"].map(read), [Some(5), Some(5), Some(-7), Some(-7), Some(5)]);
        assert_eq!(
            ["1e30", "-1e30", "18446744073709551615"].map(read),
            [Some(i64::MAX), Some(i64::MIN), Some(i64::MAX)]
        );
        assert_eq!(["4.5", "-0.1"].map(read), [None, None]);
    }
}
