//! The back office on the wire: the inbox and the mails.

use kernel::{Email, Limit, MessageId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;

/// What waits for somebody.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Overview {
    /// How many messages nobody has seen to.
    pub unread: u64,
}

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

/// What somebody wrote to the house.
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
    /// When somebody had seen to it; null while nobody has.
    pub done_at: Option<i64>,
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

/// Which messages are wanted, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessagesParams {
    /// Only of this kind.
    #[param(inline)]
    pub kind: Option<MessageKind>,
    /// Only those that are done, or only those that are not.
    pub done: Option<bool>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl MessagesParams {
    /// Reads the parameters.
    pub fn read(&self) -> Result<(admin::Filter, Option<MessageId>, Limit), ApiError> {
        let filter = admin::Filter { kind: self.kind.map(Into::into), done: self.done };
        Ok((filter, key(self.after.as_deref())?, page(self.limit, admin::INBOX_PAGE)?))
    }
}

/// The key of a page of what has ids.
pub fn key<Id: std::str::FromStr>(text: Option<&str>) -> Result<Option<Id>, ApiError> {
    let text = text.filter(|text| !text.is_empty());
    text.map(|text| text.parse().map_err(|_| ApiError::invalid("after", "This is not the key of a page."))).transpose()
}

/// How many a page has.
pub fn page(asked: Option<usize>, default: usize) -> Result<Limit, ApiError> {
    match asked {
        Some(limit) if !(1..=Limit::MAX).contains(&limit) => {
            Err(ApiError::invalid("limit", "A page has 1 to 100 entries."))
        }
        asked => Ok(Limit::clamped(asked.unwrap_or(default))),
    }
}

impl From<MessageKind> for admin::Kind {
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

impl From<admin::Kind> for MessageKind {
    fn from(kind: admin::Kind) -> Self {
        match kind {
            admin::Kind::Contact => Self::Contact,
            admin::Kind::Suggest => Self::Suggest,
            admin::Kind::Feedback => Self::Feedback,
            admin::Kind::Leaving => Self::Leaving,
            admin::Kind::Cancellation => Self::Cancellation,
        }
    }
}

impl From<admin::Message> for Message {
    fn from(message: admin::Message) -> Self {
        Self {
            id: message.id.get(),
            kind: message.kind.into(),
            name: message.name,
            email: message.email.as_ref().map(Email::as_str).map(str::to_owned),
            body: message.body,
            created_at: message.created_at.millis(),
            done_at: message.done_at.map(Timestamp::millis),
        }
    }
}
