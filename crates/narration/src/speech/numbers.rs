//! Spells out numbers in English words.

const SMALL: [&str; 20] = [
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
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [(u64, &str); 4] =
    [(1_000_000_000_000, "trillion"), (1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand")];
/// The largest number that is spelled out.
pub(crate) const LARGEST: u64 = 999_999_999_999_999;

/// The cardinal of a number up to [`LARGEST`]: 2700 is `two thousand seven hundred`.
pub(crate) fn cardinal(number: u64) -> String {
    let small = usize::try_from(number).unwrap_or(usize::MAX);
    if let Some(word) = SMALL.get(small) {
        return (*word).to_owned();
    }
    if small < 100 {
        let tens = TENS[small / 10];
        return if small.is_multiple_of(10) { tens.to_owned() } else { format!("{tens}-{}", SMALL[small % 10]) };
    }
    if number < 1_000 {
        let hundreds = format!("{} hundred", SMALL[small / 100]);
        return if number.is_multiple_of(100) {
            hundreds
        } else {
            format!("{hundreds} and {}", cardinal(number % 100))
        };
    }
    let (scale, name) = SCALES.into_iter().find(|(scale, _)| number >= *scale).unwrap_or((1_000, "thousand"));
    let (whole, rest) = (format!("{} {name}", cardinal(number / scale)), number % scale);
    match rest {
        0 => whole,
        1..100 => format!("{whole} and {}", cardinal(rest)),
        _ => format!("{whole} {}", cardinal(rest)),
    }
}

/// The ordinal of a number: 19 is `nineteenth`.
pub(crate) fn ordinal(number: u64) -> String {
    let words = cardinal(number);
    let at = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (before, last) = words.split_at(at);
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        tens if tens.ends_with('y') => format!("{}ieth", &tens[..tens.len() - 1]),
        other => format!("{other}th"),
    };
    format!("{before}{last}")
}

/// The spoken form of a year from 1000 to 2999: 1859 is `eighteen fifty-nine`, 1903 `nineteen oh three`.
pub(crate) fn year(year: u64) -> String {
    let (century, rest) = (year / 100, year % 100);
    match (century, rest) {
        (10 | 20, 0..10) => cardinal(year),
        (_, 0) => format!("{} hundred", cardinal(century)),
        (_, 1..10) => format!("{} oh {}", cardinal(century), cardinal(rest)),
        _ => format!("{} {}", cardinal(century), cardinal(rest)),
    }
}

/// The spoken form of a decade, given its first year: 1870 is `eighteen seventies`, 170 `one seventies`.
pub(crate) fn decade(first: u64) -> String {
    let (century, rest) = (first / 100, first % 100);
    let tens = match rest {
        0 => {
            return if first.is_multiple_of(1_000) {
                format!("{}s", cardinal(first))
            } else {
                format!("{} hundreds", cardinal(century))
            };
        }
        10..20 => format!("{}s", cardinal(rest)),
        _ => {
            let tens = cardinal(rest);
            tens.strip_suffix('y').map_or_else(|| format!("{tens}s"), |stem| format!("{stem}ies"))
        }
    };
    if century == 0 { tens } else { format!("{} {tens}", cardinal(century)) }
}

/// The value of a Roman numeral in canonical form from I to XXXIX; `None` otherwise.
pub(crate) fn roman(text: &str) -> Option<u64> {
    const TENS: [&str; 4] = ["", "X", "XX", "XXX"];
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    let place = (1..40).find(|number: &usize| text.strip_prefix(TENS[number / 10]) == Some(ONES[number % 10]))?;
    u64::try_from(place).ok()
}

#[cfg(test)]
mod tests {
    use super::{cardinal, decade, ordinal, roman, year};

    #[test]
    fn numbers_are_said_as_people_say_them() {
        let said: Vec<String> =
            [0, 13, 20, 21, 100, 101, 375, 1_000, 1_001, 2_700, 60_000, 1_234_567].map(cardinal).into();
        assert_eq!(
            said,
            [
                "zero",
                "thirteen",
                "twenty",
                "twenty-one",
                "one hundred",
                "one hundred and one",
                "three hundred and seventy-five",
                "one thousand",
                "one thousand and one",
                "two thousand seven hundred",
                "sixty thousand",
                "one million two hundred and thirty-four thousand five hundred and sixty-seven",
            ]
        );
    }

    #[test]
    fn places_in_a_row() {
        let said: Vec<String> = [1, 2, 3, 5, 8, 9, 12, 19, 20, 21, 100].map(ordinal).into();
        assert_eq!(
            said,
            [
                "first",
                "second",
                "third",
                "fifth",
                "eighth",
                "ninth",
                "twelfth",
                "nineteenth",
                "twentieth",
                "twenty-first",
                "one hundredth",
            ]
        );
    }

    #[test]
    fn years_and_decades() {
        let said: Vec<String> = [1066, 1503, 1600, 1859, 1903, 1919, 2000, 2007, 2020].map(year).into();
        assert_eq!(
            said,
            [
                "ten sixty-six",
                "fifteen oh three",
                "sixteen hundred",
                "eighteen fifty-nine",
                "nineteen oh three",
                "nineteen nineteen",
                "two thousand",
                "two thousand and seven",
                "twenty twenty",
            ]
        );
        let said: Vec<String> = [1870, 170, 1900, 90, 2000, 1910].map(decade).into();
        assert_eq!(
            said,
            ["eighteen seventies", "one seventies", "nineteen hundreds", "nineties", "two thousands", "nineteen tens"]
        );
    }

    #[test]
    fn roman_numerals_are_read_when_they_are_written_right() {
        let read = ["I", "IV", "V", "IX", "XIV", "XXXIX"].map(roman);
        assert_eq!(read, [1, 4, 5, 9, 14, 39].map(Some));
        assert_eq!(["", "IIII", "VX", "LX", "A", "Iv"].map(roman), [None; 6]);
    }
}
