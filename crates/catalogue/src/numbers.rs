//! Numbers in searches: digits as words, and words as digits.

const UNITS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The words of a number from 0 to 100 in digits; `None` for any other text.
pub(crate) fn words(digits: &str) -> Option<Vec<String>> {
    if digits.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: usize = digits.parse().ok()?;
    let words: Vec<&str> = match number {
        0..20 => vec![UNITS[number]],
        100 => vec!["hundred"],
        101.. => return None,
        tens if tens % 10 == 0 => vec![TENS[tens / 10 - 2]],
        other => vec![TENS[other / 10 - 2], UNITS[other % 10]],
    };
    Some(words.into_iter().map(str::to_owned).collect())
}

/// The digits of a number word such as `seven` or `forty`; `None` for any other word.
pub(crate) fn digits(word: &str) -> Option<String> {
    let unit = UNITS.iter().position(|unit| *unit == word);
    let number = unit.or_else(|| TENS.iter().position(|tens| *tens == word).map(|at| (at + 2) * 10))?;
    Some(number.to_string())
}

#[cfg(test)]
mod tests {
    use super::{digits, words};

    #[test]
    fn numbers_up_to_a_hundred_are_spelt() {
        for (number, spelt) in
            [("0", "zero"), ("12", "twelve"), ("20", "twenty"), ("24", "twenty four"), ("99", "ninety nine")]
        {
            assert_eq!(words(number).map(|words| words.join(" ")).as_deref(), Some(spelt));
        }
        assert_eq!(words("100"), Some(vec!["hundred".to_owned()]));
        for other in ["", "101", "1984", "x1"] {
            assert_eq!(words(other), None, "{other}");
        }
        assert_eq!(
            (digits("seven").as_deref(), digits("forty").as_deref(), digits("war")),
            (Some("7"), Some("40"), None)
        );
    }
}
