//! Slugs: names in URLs.

use std::fmt;

use crate::fold;

/// A name in a URL: lower-case ASCII letters, digits and single dashes, with at least one letter, so that it can't be
/// confused with an id (`api.slug-format`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

/// The text is not a valid slug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a slug has lower-case letters, digits and dashes, and at least one letter")]
pub struct InvalidSlug;

impl Slug {
    /// The longest slug, in bytes.
    pub const MAX_BYTES: usize = 120;

    /// Checks that the text is a slug; [`Slug::of_name`] makes one from a name.
    pub fn parse(text: &str) -> Result<Self, InvalidSlug> {
        let fine = text.len() <= Self::MAX_BYTES
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && text.bytes().any(|b| b.is_ascii_lowercase())
            && !text.starts_with('-')
            && !text.ends_with('-')
            && !text.contains("--");
        if fine { Ok(Self(text.to_owned())) } else { Err(InvalidSlug) }
    }

    /// The slug of a name: folded, with dashes between words. `None` if the result has no letter or is too long.
    pub fn of_name(name: &str) -> Option<Self> {
        let folded = fold(name).replace('\'', "");
        let words: Vec<&str> = folded
            .split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit())
            .filter(|word| !word.is_empty())
            .collect();
        Self::parse(&words.join("-")).ok()
    }

    /// This slug, then `-2`, `-3` and so on appended, for when it is taken. Ends when the slug would be longer than
    /// [`Slug::MAX_BYTES`].
    pub fn numbered(&self) -> impl Iterator<Item = Self> {
        let further = (2..).map_while(move |number: u32| Self::parse(&format!("{self}-{number}")).ok());
        std::iter::once(self.clone()).chain(further)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Slug;

    #[test]
    fn a_slug_can_not_be_taken_for_an_id() {
        assert!(Slug::parse("on-liberty").is_ok() && Slug::parse("1984a").is_ok());
        for text in ["", "1984", "On-Liberty", "-a", "a-", "a--b", "a b", "é", "a/b"] {
            assert!(Slug::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number_while_there_is_room_for_it() {
        let names = |text: &str| Slug::parse(text).unwrap().numbered().map(|one| one.to_string()).collect::<Vec<_>>();
        let one = Slug::parse("walden").unwrap();
        assert_eq!(
            one.numbered().take(3).map(|one| one.to_string()).collect::<Vec<_>>(),
            ["walden", "walden-2", "walden-3"]
        );
        let longest = "a".repeat(Slug::MAX_BYTES);
        assert_eq!(names(&longest), [longest]);
        assert_eq!(names(&"a".repeat(Slug::MAX_BYTES - 2)).len(), 9, "one digit fits behind the dash");
    }
}
