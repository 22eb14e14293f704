//! The inbox on the wire.

use kernel::{Email, Limit, MessageId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::{
    error::ApiError,
    wire::page::{after, given, limit},
};

/// The origin of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// The contact form, or a member's refund request.
    Contact,
    /// The form for suggesting a book.
    Suggest,
    /// The feedback form.
    Feedback,
    /// The questions to a member who deletes their account.
    Leaving,
    /// The reason of a member who cancels a subscription.
    Cancellation,
}

/// A message in the inbox.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The id of the message.
    pub id: i64,
    /// The origin of the message.
    pub kind: MessageKind,
    /// The sender's name, as entered; null if not given.
    pub name: Option<String>,
    /// The email address for the reply, not verified; null if not given.
    pub email: Option<String>,
    /// The text of the message.
    pub body: String,
    /// When it arrived, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// When an admin marked it as done, in milliseconds since the Unix epoch; null if not done.
    pub done_at: Option<i64>,
    /// The first non-blank line of the text. For a deleted account: of the member's answer, without the form's question.
    pub first_line: String,
    /// The latest reply; null without one.
    pub answer: Option<MessageAnswer>,
}

impl Message {
    /// A message with its latest reply, which includes the replying admin's address.
    pub fn new(message: support::Message, answer: Option<MessageAnswer>) -> Self {
        Self {
            id: message.id.get(),
            kind: message.kind.into(),
            first_line: message.first_line().to_owned(),
            name: message.name,
            email: message.email.as_ref().map(Email::as_str).map(str::to_owned),
            body: message.body,
            created_at: message.created_at.millis(),
            done_at: message.done_at.map(Timestamp::millis),
            answer,
        }
    }
}

/// The two parts of the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessagesAbout {
    /// Messages that need an answer: contact, suggestions and feedback.
    Questions,
    /// Reasons for leaving, which need no answer: account deletions and cancellations.
    Leaving,
}

/// A page of the inbox.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessagesResult {
    /// The messages, latest first.
    pub messages: Vec<Message>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// A message after a change.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessageResult {
    /// The message.
    pub message: Message,
}

/// A reply to a message, sent by mail.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessageAnswer {
    /// The text of the reply.
    pub text: String,
    /// The email address of the admin who replied; null after that account was deleted.
    pub by: Option<String>,
    /// When the reply was sent, in milliseconds since the Unix epoch.
    pub at: i64,
}

/// A message with its replies.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnsweredMessage {
    /// The message.
    pub message: Message,
    /// The replies, oldest first.
    pub answers: Vec<MessageAnswer>,
}

/// The body of a reply.
#[derive(Debug, Deserialize, ToSchema)]
pub struct AnswerForm {
    /// The reply, as plain text of at most 5,000 characters. A blank line begins a new paragraph.
    #[serde(default)]
    pub text: String,
}

/// A reason for leaving and its frequency.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reason {
    /// The reason, in the spelling that was used first.
    pub reason: String,
    /// The number of messages that gave it.
    pub count: u64,
}

/// The reasons for leaving in a range of days.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReasonsResult {
    /// The first day, such as `2026-11-23`, in UTC.
    pub from: String,
    /// The last day, inclusive.
    pub to: String,
    /// The reasons for cancelling a subscription, most frequent first, at most 50.
    pub cancellations: Vec<Reason>,
    /// The reasons for deleting an account, most frequent first, at most 50.
    pub deletions: Vec<Reason>,
}

impl From<support::ReasonCount> for Reason {
    fn from(counted: support::ReasonCount) -> Self {
        Self { reason: counted.reason, count: counted.count }
    }
}

/// Query parameters of the inbox: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessagesParams {
    /// Filters by origin.
    #[param(inline)]
    pub kind: Option<MessageKind>,
    /// Filters by part of the inbox.
    #[param(inline)]
    pub about: Option<MessagesAbout>,
    /// True: only messages marked as done; false: only the others.
    pub done: Option<bool>,
    /// A part of the name, email address or text.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl MessagesParams {
    /// Parses and validates the parameters.
    pub fn read(&self) -> Result<(support::MessageFilter, Option<MessageId>, Limit), ApiError> {
        let filter = support::MessageFilter {
            kind: self.kind.map(Into::into),
            questions: self.about.map(|about| about == MessagesAbout::Questions),
            done: self.done,
            text: given(self.q.as_deref()).map(str::to_owned),
        };
        Ok((filter, after(self.after.as_deref())?, limit(self.limit, support::INBOX_PAGE, Limit::MAX)?))
    }
}

impl From<MessageKind> for support::MessageKind {
    fn from(kind: MessageKind) -> Self {
        match kind {
            MessageKind::Contact => Self::Contact,
            MessageKind::Suggest => Self::Suggest,
            MessageKind::Feedback => Self::Feedback,
            MessageKind::Leaving => Self::Leaving,
            MessageKind::Cancellation => Self::Cancellation,
        }
    }
}

impl From<support::MessageKind> for MessageKind {
    fn from(kind: support::MessageKind) -> Self {
        match kind {
            support::MessageKind::Contact => Self::Contact,
            support::MessageKind::Suggest => Self::Suggest,
            support::MessageKind::Feedback => Self::Feedback,
            support::MessageKind::Leaving => Self::Leaving,
            support::MessageKind::Cancellation => Self::Cancellation,
        }
    }
}
