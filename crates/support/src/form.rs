//! Validation of the public forms: from the typed text to a message that may be stored.

use kernel::{Email, many_lines, one_line};

use crate::{Field, MessageKind, SupportError};

/// The maximum length of a name, in characters.
pub const NAME_MAX_CHARS: usize = 100;
/// The maximum length of a message, and of each answer of a member who deletes the account, in characters.
pub const BODY_MAX_CHARS: usize = 5_000;

/// A valid message: cleaned, and within the maximum lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMessage {
    kind: MessageKind,
    name: Option<String>,
    email: Option<Email>,
    body: String,
}

/// The offered reasons for canceling (`support.cancel-reasons`).
pub const CANCEL_REASONS: [&str; 8] = [
    "too expensive",
    "not using",
    "using other app",
    "not using it right now",
    "not working",
    "no autorenewals",
    "no android app",
    "other",
];

/// Why a member cancels: one of [`CANCEL_REASONS`], or no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelReason(&'static str);

impl CancelReason {
    /// Reads a reason: exactly one of those that are offered, or nothing, because a reason is optional.
    pub fn read(text: Option<&str>) -> Result<Self, SupportError> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Ok(Self("No reason was given."));
        };
        CANCEL_REASONS.into_iter().find(|one| *one == text).map(Self).ok_or(SupportError::UnknownReason)
    }
}

impl NewMessage {
    /// Reads the contact form: all three fields are required (`support.contact-form`).
    pub fn contact(name: &str, email: &str, body: &str) -> Result<Self, SupportError> {
        let [name, email, body] = cleaned(name, email, body);
        first_blank(&[(Field::Body, &body), (Field::Name, &name), (Field::Email, &email)])
            .map_or(Ok(()), |field| Err(SupportError::Incomplete(field)))?;
        Self::read(MessageKind::Contact, name, &email, Field::Body, body)
    }

    /// Reads a suggestion: the message is required, name and address are not (`support.suggestion-form`).
    pub fn suggestion(name: &str, email: &str, body: &str) -> Result<Self, SupportError> {
        let [name, email, body] = cleaned(name, email, body);
        first_blank(&[(Field::Body, &body)]).map_or(Ok(()), |field| Err(SupportError::Incomplete(field)))?;
        Self::read(MessageKind::Suggest, name, &email, Field::Body, body)
    }

    /// Reads the feedback form: both fields are required (`support.feedback-form`).
    pub fn feedback(feedback: &str, email: &str) -> Result<Self, SupportError> {
        let [name, email, feedback] = cleaned("", email, feedback);
        first_blank(&[(Field::Feedback, &feedback), (Field::Email, &email)])
            .map_or(Ok(()), |field| Err(SupportError::FeedbackIncomplete(field)))?;
        Self::read(MessageKind::Feedback, name, &email, Field::Feedback, feedback)
    }

    /// Reads the answers of a member who deletes the account: both are required (`identity.deletion-reasons`). They are stored
    /// without a name, because the member's personal data is deleted (`support.leaving-answers`).
    pub fn leaving(why: &str, how: &str) -> Result<Self, SupportError> {
        let (why, how) = (many_lines(why), many_lines(how));
        first_blank(&[(Field::Why, &why), (Field::How, &how)])
            .map_or(Ok(()), |field| Err(SupportError::Unanswered(field)))?;
        for (field, text) in [(Field::Why, &why), (Field::How, &how)] {
            within(field, text)?;
        }
        let body = format!("{}\n{why}\n\n{}\n{how}", Field::Why.label(), Field::How.label());
        Ok(Self { kind: MessageKind::Leaving, name: None, email: None, body })
    }

    /// The message for a cancellation, with its reason.
    pub fn cancellation(email: &Email, reason: CancelReason) -> Self {
        Self { kind: MessageKind::Cancellation, name: None, email: Some(email.clone()), body: reason.0.to_owned() }
    }

    /// A member's request for a refund, as a message of kind [`MessageKind::Contact`]; `what` names the charge, and the
    /// reason may be blank. [`SupportError::TooLong`] when the reason exceeds [`BODY_MAX_CHARS`].
    pub fn refund_request(email: &Email, what: &str, reason: &str) -> Result<Self, SupportError> {
        let reason = many_lines(reason.trim());
        within(Field::Why, &reason)?;
        let body = format!("Refund requested: {what}\n\n{reason}").trim_end().to_owned();
        Ok(Self { kind: MessageKind::Contact, name: None, email: Some(email.clone()), body })
    }

    fn read(kind: MessageKind, name: String, email: &str, field: Field, body: String) -> Result<Self, SupportError> {
        let email = if email.is_empty() { None } else { Some(Email::parse(email)?) };
        if name.chars().count() > NAME_MAX_CHARS {
            return Err(SupportError::NameTooLong);
        }
        within(field, &body)?;
        Ok(Self { kind, name: Some(name).filter(|name| !name.is_empty()), email, body })
    }

    /// The form that the message comes from.
    pub const fn kind(&self) -> MessageKind {
        self.kind
    }

    /// The sender's name: one line, never blank.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The address for the reply.
    pub const fn email(&self) -> Option<&Email> {
        self.email.as_ref()
    }

    /// The text: never blank.
    pub fn body(&self) -> &str {
        &self.body
    }
}

fn cleaned(name: &str, email: &str, body: &str) -> [String; 3] {
    [one_line(name), email.trim().to_owned(), many_lines(body)]
}

/// The first blank field.
fn first_blank(fields: &[(Field, &String)]) -> Option<Field> {
    fields.iter().find(|(_, text)| text.trim().is_empty()).map(|(field, _)| *field)
}

fn within(field: Field, text: &str) -> Result<(), SupportError> {
    if text.chars().count() > BODY_MAX_CHARS { Err(SupportError::TooLong(field)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ADA: (&str, &str) = ("Ada Lovelace", "Ada@example.com");

    #[test]
    fn a_contact_form_requires_all_three_fields() {
        let message =
            NewMessage::contact(" Ada  Lovelace ", " Ada@example.com ", "\r\nHello.\r\nIt works.\0\n").unwrap();
        assert_eq!((message.kind(), message.name()), (MessageKind::Contact, Some("Ada Lovelace")));
        assert_eq!(message.email().map(Email::as_str), Some("Ada@example.com"));
        assert_eq!(message.body(), "Hello.\nIt works.");
        for (name, email, body, blank) in [
            (ADA.0, ADA.1, " \n\t", Field::Body),
            (ADA.0, ADA.1, "\0\u{7}", Field::Body),
            (" ", ADA.1, "Hello.", Field::Name),
            (ADA.0, "", "Hello.", Field::Email),
            ("", "", "", Field::Body),
        ] {
            let error = NewMessage::contact(name, email, body).unwrap_err();
            assert!(matches!(error, SupportError::Incomplete(field) if field == blank), "{error:?}");
            assert_eq!(error.to_string(), "Please complete the form.");
        }
        let error = NewMessage::contact(ADA.0, "nonsense", "Hello.").unwrap_err();
        assert_eq!(error.to_string(), "Please specify a valid email address.");
    }

    #[test]
    fn a_suggestion_requires_only_its_message() {
        let message = NewMessage::suggestion("", " ", "Middlemarch").unwrap();
        assert_eq!((message.kind(), message.name(), message.email()), (MessageKind::Suggest, None, None));
        assert!(matches!(NewMessage::suggestion(ADA.0, ADA.1, " "), Err(SupportError::Incomplete(Field::Body))));
        assert!(matches!(NewMessage::suggestion(ADA.0, "nonsense", "Emma"), Err(SupportError::InvalidEmail(_))));
    }

    #[test]
    fn feedback_requires_text_and_address() {
        let message = NewMessage::feedback("Good.", ADA.1).unwrap();
        assert_eq!((message.kind(), message.name(), message.body()), (MessageKind::Feedback, None, "Good."));
        for (text, email, blank) in [("", ADA.1, Field::Feedback), ("Good.", " ", Field::Email)] {
            let error = NewMessage::feedback(text, email).unwrap_err();
            assert!(matches!(error, SupportError::FeedbackIncomplete(field) if field == blank), "{error:?}");
            assert_eq!(error.to_string(), "Please input the required fields.");
        }
    }

    #[test]
    fn a_cancellation_has_one_of_the_eight_reasons_or_none() {
        let ada = Email::parse(ADA.1).unwrap();
        assert_eq!(CANCEL_REASONS.len(), 8);
        for reason in CANCEL_REASONS {
            let message = NewMessage::cancellation(&ada, CancelReason::read(Some(reason)).unwrap());
            assert_eq!(
                (message.kind(), message.email(), message.body()),
                (MessageKind::Cancellation, Some(&ada), reason)
            );
        }
        for blank in [None, Some(""), Some(" ")] {
            let message = NewMessage::cancellation(&ada, CancelReason::read(blank).unwrap());
            assert_eq!(message.body(), "No reason was given.");
        }
        assert!(matches!(CancelReason::read(Some("Too expensive")), Err(SupportError::UnknownReason)));
    }

    #[test]
    fn a_request_for_a_refund_names_the_charge() {
        let ada = Email::parse(ADA.1).unwrap();
        let message = NewMessage::refund_request(&ada, "Yearly, 59.99 USD", " Too late.\r\n").unwrap();
        assert_eq!(message.body(), "Refund requested: Yearly, 59.99 USD\n\nToo late.");
        assert_eq!(NewMessage::refund_request(&ada, "x", "").unwrap().body(), "Refund requested: x");
        let long = NewMessage::refund_request(&ada, "x", &"y".repeat(BODY_MAX_CHARS + 1));
        assert!(matches!(long, Err(SupportError::TooLong(Field::Why))));
    }

    #[test]
    fn a_leaving_form_requires_both_answers_and_has_no_name() {
        let message = NewMessage::leaving("No time.", "A friend.").unwrap();
        assert_eq!((message.kind(), message.name(), message.email()), (MessageKind::Leaving, None, None));
        assert_eq!(
            message.body(),
            "Why are you deleting your account?\nNo time.\n\nHow did you find out about us?\nA friend."
        );
        assert_eq!(
            NewMessage::leaving(" ", "A friend.").unwrap_err().to_string(),
            "Please specify Why are you deleting your account?."
        );
        assert!(matches!(NewMessage::leaving("No time.", "\n"), Err(SupportError::Unanswered(Field::How))));
    }

    #[test]
    fn names_are_limited_to_100_characters_and_messages_to_5000() {
        let (name, body) = ("é".repeat(NAME_MAX_CHARS), "é".repeat(BODY_MAX_CHARS));
        assert!(NewMessage::contact(&name, ADA.1, &body).is_ok());
        let error = NewMessage::contact(&format!("{name}x"), ADA.1, &body).unwrap_err();
        assert_eq!(
            (NAME_MAX_CHARS, error.to_string().as_str()),
            (100, "Please use at most 100 characters for a name.")
        );
        let error = NewMessage::contact(&name, ADA.1, &format!("{body}x")).unwrap_err();
        assert!(matches!(error, SupportError::TooLong(Field::Body)));
        assert_eq!(
            (BODY_MAX_CHARS, error.to_string().as_str()),
            (5_000, "Please keep your message to 5000 characters.")
        );
        assert!(matches!(
            NewMessage::feedback(&format!("{body}x"), ADA.1),
            Err(SupportError::TooLong(Field::Feedback))
        ));
        assert!(matches!(NewMessage::leaving("No time.", &format!("{body}x")), Err(SupportError::TooLong(Field::How))));
    }

    #[test]
    fn a_name_or_address_cannot_inject_a_mail_header() {
        let message = NewMessage::contact("Ada\r\nBcc: all@example.com", ADA.1, "Hello.").unwrap();
        assert_eq!(message.name(), Some("Ada Bcc: all@example.com"));
        assert!(NewMessage::contact(ADA.0, "ada@example.com\r\nBcc: all@example.com", "Hello.").is_err());
    }

    proptest! {
        #[test]
        fn any_input_is_accepted_or_rejected_without_a_panic(name in ".{0,120}", email in ".{0,40}", body in any::<String>()) {
            if let Ok(message) = NewMessage::suggestion(&name, &email, &body) {
                prop_assert!(!message.body().trim().is_empty());
                prop_assert!(message.name().is_none_or(|name| !name.is_empty() && !name.chars().any(char::is_control)));
            }
        }
    }
}
