//! The trap for programs that fill in forms: a field that people do not see, and the time that writing takes.

use kernel::SECOND;

/// Nobody reads a form, fills it in and sends it in less, in milliseconds.
pub const LEAST_TIME_TO_WRITE: i64 = 2 * SECOND;

/// What a form brings besides what people fill in. A form without it is accepted (`decisions.md §12`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Trap<'a> {
    /// The field that people do not see, and so leave empty.
    pub website: Option<&'a str>,
    /// How long the form was open, in milliseconds by the clock of whoever filled it in. A length and not a moment:
    /// many clocks are wrong, and people with such a clock are to be heard.
    pub open_for: Option<i64>,
}

impl Trap<'_> {
    /// Whether a program has sent the form: it has filled in what it could not see, or was quicker than people are.
    pub fn has_caught(&self) -> bool {
        self.website.is_some_and(|text| !text.is_empty())
            || self.open_for.is_some_and(|millis| millis < LEAST_TIME_TO_WRITE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caught(website: Option<&str>, open_for: Option<i64>) -> bool {
        Trap { website, open_for }.has_caught()
    }

    #[test]
    fn people_pass_and_programs_do_not() {
        assert!(!caught(None, None) && !caught(Some(""), None) && !caught(Some(""), Some(60 * SECOND)));
        assert!(caught(Some("https://spam.example"), None) && caught(Some(" "), Some(60 * SECOND)));
        assert!(caught(None, Some(0)) && caught(None, Some(1_999)) && !caught(None, Some(2_000)));
        assert!(caught(None, Some(-1)) && caught(None, Some(i64::MIN)) && !caught(None, Some(i64::MAX)));
        assert_eq!(LEAST_TIME_TO_WRITE, 2_000);
    }
}
