//! The trap for programs that fill in forms: a field that people do not see, and the time that writing takes.

use kernel::{SECOND, Timestamp};

/// Nobody reads a form, fills it in and sends it in less, in milliseconds.
pub const LEAST_TIME_TO_WRITE: i64 = 2 * SECOND;

/// What a form brings besides what people fill in. A form without it is accepted (`decisions.md §12`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Trap<'a> {
    /// The field that people do not see, and so leave empty.
    pub website: Option<&'a str>,
    /// When the form was opened.
    pub opened_at: Option<Timestamp>,
}

impl Trap<'_> {
    /// Whether a program has sent the form: it has filled in what it could not see, was quicker than people are, or
    /// made up the time.
    pub fn has_caught(&self, now: Timestamp) -> bool {
        self.website.is_some_and(|text| !text.is_empty())
            || self.opened_at.is_some_and(|opened| now.since(opened) < LEAST_TIME_TO_WRITE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

    fn caught(website: Option<&str>, ago: Option<i64>) -> bool {
        Trap { website, opened_at: ago.map(|ago| NOW.plus(-ago)) }.has_caught(NOW)
    }

    #[test]
    fn people_pass_and_programs_do_not() {
        assert!(!caught(None, None) && !caught(Some(""), None) && !caught(Some(""), Some(60 * SECOND)));
        assert!(caught(Some("https://spam.example"), None) && caught(Some(" "), Some(60 * SECOND)));
        assert!(caught(None, Some(0)) && caught(None, Some(1_999)) && !caught(None, Some(2_000)));
        assert_eq!(LEAST_TIME_TO_WRITE, 2_000);
    }

    #[test]
    fn no_form_was_opened_in_the_future() {
        assert!(caught(None, Some(-1)) && caught(None, Some(-3_600 * SECOND)) && caught(None, Some(i64::MIN + 1)));
        let ever = Trap { website: None, opened_at: Some(Timestamp::from_millis(i64::MIN)) };
        assert!(!ever.has_caught(NOW));
    }
}
