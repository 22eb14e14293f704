//! The letters of the author directory.

use std::fmt;

/// The letter under which the directory lists an author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Letter {
    /// `A` to `Z`, as the byte of the lower-case letter.
    Of(u8),
    /// Any other first character.
    Other,
}

impl Letter {
    /// Reads a letter in either case, or `other`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Some(Self::Of(letter.to_ascii_lowercase())),
            b"other" => Some(Self::Other),
            _ => None,
        }
    }

    /// The letter of an author's sort key.
    pub fn of_key(key: &str) -> Self {
        match key.as_bytes().first() {
            Some(letter) if letter.is_ascii_lowercase() => Self::Of(*letter),
            _ => Self::Other,
        }
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(letter) => write!(f, "{}", char::from(letter.to_ascii_lowercase())),
            Self::Other => f.write_str("other"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Letter;

    #[test]
    fn letters_are_read_large_and_small() {
        for (text, letter) in
            [("t", Some(Letter::Of(b't'))), ("T", Some(Letter::Of(b't'))), ("other", Some(Letter::Other))]
        {
            assert_eq!(Letter::parse(text), letter);
        }
        for text in ["", "tt", "1", "é", "#"] {
            assert_eq!(Letter::parse(text), None, "{text}");
        }
        assert_eq!(
            (Letter::of_key("thoreau"), Letter::of_key("1st"), Letter::of_key("")),
            (Letter::Of(b't'), Letter::Other, Letter::Other)
        );
        assert_eq!((Letter::Of(b't').to_string(), Letter::Other.to_string()), ("t".to_owned(), "other".to_owned()));
    }
}
