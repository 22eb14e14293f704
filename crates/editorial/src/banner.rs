//! The banner with an offer above every page (`editorial.banner-content`).

use kernel::{Timestamp, one_line};

use crate::{EditorialError, Field};

/// The greatest length of each text of a banner, in characters.
pub const BANNER_MAX_CHARS: usize = 160;

/// The banner above every page: shown between two moments, while it is switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Banner {
    /// The message, in plain text.
    pub text: String,
    /// The text of the link.
    pub link_text: String,
    /// The target of the link: a path of this site.
    pub href: String,
    /// When it appears; `None`: at once.
    pub from: Option<Timestamp>,
    /// When it disappears; `None`: never.
    pub until: Option<Timestamp>,
    /// Whether it is switched on.
    pub is_on: bool,
}

impl Banner {
    /// Whether it is shown at a moment.
    pub fn is_shown_at(&self, now: Timestamp) -> bool {
        self.is_on && self.from.is_none_or(|from| from <= now) && self.until.is_none_or(|until| now < until)
    }

    /// When it next appears or disappears; `None`: it will not change by its dates.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let dates = [self.from, self.until].into_iter().flatten();
        dates.filter(|at| self.is_on && *at > now).min()
    }

    /// Validates the banner, and returns it with each text on one line.
    ///
    /// # Errors
    /// The first violation: [`EditorialError::Blank`], [`EditorialError::TooLong`], [`EditorialError::BadLink`] or
    /// [`EditorialError::EndsFirst`].
    pub(crate) fn checked(&self) -> Result<Self, EditorialError> {
        let banner = Self {
            text: one_line(&self.text),
            link_text: one_line(&self.link_text),
            href: self.href.trim().to_owned(),
            ..self.clone()
        };
        for (field, text) in
            [(Field::Text, &banner.text), (Field::LinkText, &banner.link_text), (Field::Href, &banner.href)]
        {
            if text.is_empty() {
                return Err(EditorialError::Blank(field));
            }
            if text.chars().count() > BANNER_MAX_CHARS {
                return Err(EditorialError::TooLong(field, BANNER_MAX_CHARS));
            }
        }
        // Browsers read `//` and `/\` as the start of another site's URL.
        let leads_here = banner.href.starts_with('/') && !banner.href[1..].starts_with(['/', '\\']);
        if !leads_here || banner.href.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(EditorialError::BadLink);
        }
        if banner.from.zip(banner.until).is_some_and(|(from, until)| until <= from) {
            return Err(EditorialError::EndsFirst);
        }
        Ok(banner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn banner() -> Banner {
        Banner {
            text: "Over 40% less.".to_owned(),
            link_text: "See the plans".to_owned(),
            href: "/try".to_owned(),
            from: Some(at(100)),
            until: Some(at(200)),
            is_on: true,
        }
    }

    #[test]
    fn banner_appears_at_its_first_moment_and_goes_at_its_last() {
        let shown = |banner: &Banner| [99, 100, 199, 200].map(|now| banner.is_shown_at(at(now)));
        assert_eq!(shown(&banner()), [false, true, true, false]);
        assert_eq!(shown(&Banner { from: None, ..banner() }), [true, true, true, false]);
        assert_eq!(shown(&Banner { until: None, ..banner() }), [false, true, true, true]);
        assert_eq!(shown(&Banner { is_on: false, ..banner() }), [false; 4]);
    }

    #[test]
    fn next_change_is_the_next_of_its_dates() {
        let next = |banner: &Banner| [99, 100, 200].map(|now| banner.next_change(at(now)));
        assert_eq!(next(&banner()), [Some(at(100)), Some(at(200)), None]);
        assert_eq!(next(&Banner { is_on: false, ..banner() }), [None; 3]);
    }

    #[test]
    fn banner_leads_to_this_site_only_and_ends_after_it_begins() {
        let refused = |banner: Banner| banner.checked().unwrap_err().to_string();
        for href in
            ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere", "try", "javascript:alert(1)", "/a b"]
        {
            assert_eq!(
                refused(Banner { href: href.to_owned(), ..banner() }),
                "Please enter a path on this site, such as /try."
            );
        }
        assert_eq!(refused(Banner { until: Some(at(100)), ..banner() }), "The end must come after the start.");
        assert_eq!(refused(Banner { link_text: " ".to_owned(), ..banner() }), "Please specify the link text.");
        assert_eq!(
            refused(Banner { text: "x".repeat(161), ..banner() }),
            "Please use at most 160 characters for the text."
        );
        let typed = Banner { text: " Over\n 40%  less. ".to_owned(), ..banner() };
        assert_eq!(typed.checked().unwrap(), banner());
    }
}
