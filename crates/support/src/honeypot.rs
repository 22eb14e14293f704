//! The honeypot of the public forms: a field that people do not see, and the minimum time that filling in takes.

use kernel::SECOND;

/// The minimum time between opening a form and sending it, in milliseconds. No person is faster.
pub const MIN_FILL_TIME: i64 = 2 * SECOND;

/// What a form sends besides its visible fields. A form without it is accepted (`support.honeypot-fields`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Honeypot<'a> {
    /// The hidden field. People do not see it, and so leave it empty.
    pub website: Option<&'a str>,
    /// How long the form was open, in milliseconds by the sender's clock. A duration and not a moment, because many
    /// clocks are wrong.
    pub open_for: Option<i64>,
}

impl Honeypot<'_> {
    /// Whether a program has sent the form: the hidden field is filled in, or the form was open for less than
    /// [`MIN_FILL_TIME`].
    pub fn is_triggered(&self) -> bool {
        self.website.is_some_and(|text| !text.is_empty()) || self.open_for.is_some_and(|millis| millis < MIN_FILL_TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_triggered(website: Option<&str>, open_for: Option<i64>) -> bool {
        Honeypot { website, open_for }.is_triggered()
    }

    #[test]
    fn a_filled_hidden_field_or_a_form_open_under_two_seconds_triggers_the_honeypot() {
        assert!(!is_triggered(None, None) && !is_triggered(Some(""), None));
        assert!(!is_triggered(Some(""), Some(60 * SECOND)));
        assert!(is_triggered(Some("https://spam.example"), None) && is_triggered(Some(" "), Some(60 * SECOND)));
        assert!(is_triggered(None, Some(0)) && is_triggered(None, Some(1_999)) && !is_triggered(None, Some(2_000)));
        assert!(is_triggered(None, Some(-1)) && is_triggered(None, Some(i64::MIN)));
        assert!(!is_triggered(None, Some(i64::MAX)));
        assert_eq!(MIN_FILL_TIME, 2_000);
    }
}
