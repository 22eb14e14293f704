//! The inbox's errors; their texts are shown to people.

use kernel::{InvalidEmail, StoreError};

/// A field of one of the forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The sender's name.
    Name,
    /// The address for the reply.
    Email,
    /// The message of the contact form and of a suggestion.
    Body,
    /// The text of the feedback form.
    Feedback,
    /// An admin's reply.
    Answer,
    /// Why a member deletes the account.
    Why,
    /// How a member who deletes the account had found the site.
    How,
}

impl Field {
    /// The field's label, as specified (`support.form-labels`).
    pub const fn label(self) -> &'static str {
        match self {
            Self::Name => "Name",
            Self::Email => "Email",
            Self::Body => "Message",
            Self::Feedback => "Feedback",
            Self::Answer => "Reply",
            Self::Why => "Why are you deleting your account?",
            Self::How => "How did you find out about us?",
        }
    }
}

/// A form is invalid, a message is unknown, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum SupportError {
    /// A field of the contact form or of a suggestion is blank; the first such field (`support.contact-form`).
    #[error("Please complete the form.")]
    Incomplete(Field),
    /// A field of the feedback form is blank; the first such field (`support.feedback-form`).
    #[error("Please input the required fields.")]
    FeedbackIncomplete(Field),
    /// A question to a member who deletes the account has no answer, or an admin's reply is blank; the first such field
    /// (`identity.deletion-reasons`).
    #[error("Please specify {}.", .0.label())]
    Unanswered(Field),
    /// The text is not an email address.
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// The name has more than [`crate::NAME_MAX_CHARS`] characters.
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong,
    /// A text has more than [`crate::BODY_MAX_CHARS`] characters.
    #[error("Please keep your message to 5000 characters.")]
    TooLong(Field),
    /// The reason for canceling is not one of those that are offered.
    #[error("Please choose one of the reasons.")]
    UnknownReason,
    /// The message has no address: the sender gave none, or the message was anonymized.
    #[error("There is no address to reply to.")]
    NoAddress,
    /// There is no such message.
    #[error("There is no such message.")]
    UnknownMessage,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
