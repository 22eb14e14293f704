//! The inbox on the wire.

use kernel::{Email, Limit, MessageId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::{
    error::ApiError,
    wire::page::{after, given, limit},
};

/// Where a message was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// The contact form.
    Contact,
    /// Suggest a book.
    Suggest,
    /// The feedback form.
    Feedback,
    /// The questions to a member who deletes the account.
    Leaving,
    /// The reason of a member who cancels a subscription.
    Cancellation,
}

/// What a person wrote to the operator.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Its id.
    pub id: i64,
    /// Where it was written.
    pub kind: MessageKind,
    /// Who wrote it, in their own words.
    pub name: Option<String>,
    /// Where an answer goes. Nobody has proved that it is theirs.
    pub email: Option<String>,
    /// What they wrote.
    pub body: String,
    /// When it arrived, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// When a person had seen to it; null while nobody has.
    pub done_at: Option<i64>,
    /// What they wrote in one line: the first; of a member who deleted the account the reason, without the form's question.
    pub first_line: String,
    /// The last answer; null while there is none.
    pub answer: Option<MessageAnswer>,
}

impl Message {
    /// A message with its last answer, and the address of who gave it.
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

/// Which of the two parts of the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessagesAbout {
    /// What asks something of the operator: contact, suggestions and feedback.
    Questions,
    /// Why members leave: deletions and cancellations, which need no answer.
    Leaving,
}

/// A page of the inbox.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessagesResult {
    /// Latest first.
    pub messages: Vec<Message>,
    /// The key of the next page; null on the last one.
    pub next: Option<String>,
}

/// A message as it is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessageResult {
    /// The message.
    pub message: Message,
}

/// What was answered by mail.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessageAnswer {
    /// The text.
    pub text: String,
    /// Who answered; null when that account is gone.
    pub by: Option<String>,
    /// When, in milliseconds since the Unix epoch.
    pub at: i64,
}

/// A message with what was answered.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnsweredMessage {
    /// The message.
    pub message: Message,
    /// What was answered, in order.
    pub answers: Vec<MessageAnswer>,
}

/// What is to be answered.
#[derive(Debug, Deserialize, ToSchema)]
pub struct AnswerForm {
    /// Plain text; an empty line begins a paragraph. At most 5,000 characters.
    #[serde(default)]
    pub text: String,
}

/// How often a reason was given.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reason {
    /// Why, in the words of who gave it first.
    pub reason: String,
    /// How many gave it.
    pub count: u64,
}

/// Why members left, in a range of days.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReasonsResult {
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
    /// Why subscriptions were cancelled, the most frequent first.
    pub cancellations: Vec<Reason>,
    /// Why accounts were deleted, the most frequent first, at most 50.
    pub deletions: Vec<Reason>,
}

impl From<support::ReasonCount> for Reason {
    fn from(counted: support::ReasonCount) -> Self {
        Self { reason: counted.reason, count: counted.count }
    }
}

/// Which messages are wanted, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessagesParams {
    /// Only of this kind.
    #[param(inline)]
    pub kind: Option<MessageKind>,
    /// Only questions, or only reasons for leaving.
    #[param(inline)]
    pub about: Option<MessagesAbout>,
    /// Only those that are done, or only those that are not.
    pub done: Option<bool>,
    /// Only those whose name, address or text has this in it.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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
