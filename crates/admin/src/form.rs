//! The forms: what somebody typed, and what may be kept of it.

use kernel::{Email, many_lines, one_line};

use crate::{AdminError, Field, Kind};

/// The most characters of a name.
pub const NAME_MAX_CHARS: usize = 100;
/// The most characters of a message, and of each answer of somebody who leaves.
pub const BODY_MAX_CHARS: usize = 5_000;

/// A message that may be kept: cleaned, and no longer than it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    kind: Kind,
    name: Option<String>,
    email: Option<Email>,
    body: String,
}

impl Written {
    /// Reads the contact form: all three are needed (`back-office.md §5`).
    pub fn contact(name: &str, email: &str, body: &str) -> Result<Self, AdminError> {
        let [name, email, body] = cleaned(name, email, body);
        first_blank(&[(Field::Body, &body), (Field::Name, &name), (Field::Email, &email)])
            .map_or(Ok(()), |field| Err(AdminError::Incomplete(field)))?;
        Self::read(Kind::Contact, name, &email, Field::Body, body)
    }

    /// Reads a suggestion: the message is needed, name and address are not (`back-office.md §5`).
    pub fn suggestion(name: &str, email: &str, body: &str) -> Result<Self, AdminError> {
        let [name, email, body] = cleaned(name, email, body);
        first_blank(&[(Field::Body, &body)]).map_or(Ok(()), |field| Err(AdminError::Incomplete(field)))?;
        Self::read(Kind::Suggest, name, &email, Field::Body, body)
    }

    /// Reads the feedback form: both are needed (`back-office.md §5`).
    pub fn feedback(feedback: &str, email: &str) -> Result<Self, AdminError> {
        let [name, email, feedback] = cleaned("", email, feedback);
        first_blank(&[(Field::Feedback, &feedback), (Field::Email, &email)])
            .map_or(Ok(()), |field| Err(AdminError::FeedbackIncomplete(field)))?;
        Self::read(Kind::Feedback, name, &email, Field::Feedback, feedback)
    }

    /// Reads the answers of somebody who deletes the account: both are needed (`back-office.md §5`). They are kept
    /// without a name, for the person is to be forgotten (`decisions.md` 21).
    pub fn leaving(why: &str, how: &str) -> Result<Self, AdminError> {
        let (why, how) = (many_lines(why), many_lines(how));
        first_blank(&[(Field::Why, &why), (Field::How, &how)])
            .map_or(Ok(()), |field| Err(AdminError::Unanswered(field)))?;
        for (field, text) in [(Field::Why, &why), (Field::How, &how)] {
            within(field, text)?;
        }
        let body = format!("{}\n{why}\n\n{}\n{how}", Field::Why.label(), Field::How.label());
        Ok(Self { kind: Kind::Leaving, name: None, email: None, body })
    }

    fn read(kind: Kind, name: String, email: &str, field: Field, body: String) -> Result<Self, AdminError> {
        let email = if email.is_empty() { None } else { Some(Email::parse(email)?) };
        if name.chars().count() > NAME_MAX_CHARS {
            return Err(AdminError::NameTooLong);
        }
        within(field, &body)?;
        Ok(Self { kind, name: Some(name).filter(|name| !name.is_empty()), email, body })
    }

    /// Where it was written.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Who wrote it: one line, never blank.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Where an answer goes.
    pub const fn email(&self) -> Option<&Email> {
        self.email.as_ref()
    }

    /// What was written: never blank.
    pub fn body(&self) -> &str {
        &self.body
    }
}

fn cleaned(name: &str, email: &str, body: &str) -> [String; 3] {
    [one_line(name), email.trim().to_owned(), many_lines(body)]
}

/// The first field without anything that could be seen.
fn first_blank(fields: &[(Field, &String)]) -> Option<Field> {
    fields.iter().find(|(_, text)| text.trim().is_empty()).map(|(field, _)| *field)
}

fn within(field: Field, text: &str) -> Result<(), AdminError> {
    if text.chars().count() > BODY_MAX_CHARS { Err(AdminError::TooLong(field)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ADA: (&str, &str) = ("Ada Lovelace", "Ada@example.com");

    #[test]
    fn a_contact_form_needs_all_three() {
        let written = Written::contact(" Ada  Lovelace ", " Ada@example.com ", "\r\nHello.\r\nIt works.\0\n").unwrap();
        assert_eq!((written.kind(), written.name()), (Kind::Contact, Some("Ada Lovelace")));
        assert_eq!(written.email().map(Email::as_str), Some("Ada@example.com"));
        assert_eq!(written.body(), "Hello.\nIt works.");
        for (name, email, body, blank) in [
            (ADA.0, ADA.1, " \n\t", Field::Body),
            (ADA.0, ADA.1, "\0\u{7}", Field::Body),
            (" ", ADA.1, "Hello.", Field::Name),
            (ADA.0, "", "Hello.", Field::Email),
            ("", "", "", Field::Body),
        ] {
            let error = Written::contact(name, email, body).unwrap_err();
            assert!(matches!(error, AdminError::Incomplete(field) if field == blank), "{error:?}");
            assert_eq!(error.to_string(), "Please complete the form.");
        }
        let error = Written::contact(ADA.0, "nonsense", "Hello.").unwrap_err();
        assert_eq!(error.to_string(), "Please specify a valid email address.");
    }

    #[test]
    fn a_suggestion_needs_its_message_only() {
        let written = Written::suggestion("", " ", "Middlemarch").unwrap();
        assert_eq!((written.kind(), written.name(), written.email()), (Kind::Suggest, None, None));
        assert!(matches!(Written::suggestion(ADA.0, ADA.1, " "), Err(AdminError::Incomplete(Field::Body))));
        assert!(matches!(Written::suggestion(ADA.0, "nonsense", "Emma"), Err(AdminError::InvalidEmail(_))));
    }

    #[test]
    fn feedback_needs_text_and_address() {
        let written = Written::feedback("Good.", ADA.1).unwrap();
        assert_eq!((written.kind(), written.name(), written.body()), (Kind::Feedback, None, "Good."));
        for (text, email, blank) in [("", ADA.1, Field::Feedback), ("Good.", " ", Field::Email)] {
            let error = Written::feedback(text, email).unwrap_err();
            assert!(matches!(error, AdminError::FeedbackIncomplete(field) if field == blank), "{error:?}");
            assert_eq!(error.to_string(), "Please input the required fields.");
        }
    }

    #[test]
    fn who_leaves_answers_both_questions_and_gives_no_name() {
        let written = Written::leaving("No time.", "A friend.").unwrap();
        assert_eq!((written.kind(), written.name(), written.email()), (Kind::Leaving, None, None));
        assert_eq!(
            written.body(),
            "Why are you deleting your account?\nNo time.\n\nHow did you find out about us?\nA friend."
        );
        assert_eq!(
            Written::leaving(" ", "A friend.").unwrap_err().to_string(),
            "Please specify Why are you deleting your account?."
        );
        assert!(matches!(Written::leaving("No time.", "\n"), Err(AdminError::Unanswered(Field::How))));
    }

    #[test]
    fn names_have_100_characters_and_messages_5000() {
        let (name, body) = ("é".repeat(NAME_MAX_CHARS), "é".repeat(BODY_MAX_CHARS));
        assert!(Written::contact(&name, ADA.1, &body).is_ok());
        let error = Written::contact(&format!("{name}x"), ADA.1, &body).unwrap_err();
        assert_eq!(
            (NAME_MAX_CHARS, error.to_string().as_str()),
            (100, "Please use at most 100 characters for a name.")
        );
        let error = Written::contact(&name, ADA.1, &format!("{body}x")).unwrap_err();
        assert!(matches!(error, AdminError::TooLong(Field::Body)));
        assert_eq!(
            (BODY_MAX_CHARS, error.to_string().as_str()),
            (5_000, "Please keep your message to 5000 characters.")
        );
        assert!(matches!(Written::feedback(&format!("{body}x"), ADA.1), Err(AdminError::TooLong(Field::Feedback))));
        assert!(matches!(Written::leaving("No time.", &format!("{body}x")), Err(AdminError::TooLong(Field::How))));
    }

    #[test]
    fn no_line_can_be_added_to_a_mails_head() {
        let written = Written::contact("Ada\r\nBcc: all@example.com", ADA.1, "Hello.").unwrap();
        assert_eq!(written.name(), Some("Ada Bcc: all@example.com"));
        assert!(Written::contact(ADA.0, "ada@example.com\r\nBcc: all@example.com", "Hello.").is_err());
    }

    proptest! {
        #[test]
        fn any_form_is_read_or_refused_without_a_panic(name in ".{0,120}", email in ".{0,40}", body in any::<String>()) {
            if let Ok(written) = Written::suggestion(&name, &email, &body) {
                prop_assert!(!written.body().trim().is_empty());
                prop_assert!(written.name().is_none_or(|name| !name.is_empty() && !name.chars().any(char::is_control)));
            }
        }
    }
}
