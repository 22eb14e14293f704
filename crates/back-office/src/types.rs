//! The back office on the wire: the inbox and the mails.

use jobs::JobCount;
use kernel::{Email, JobId, Limit, MessageId, Timestamp};
use mail::SEND_MAIL;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use http_core::{
    error::ApiError,
    wire::page::{after, given, limit},
};

/// What waits for a person.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Overview {
    /// How many messages nobody has seen to.
    pub unread: u64,
    /// Mails that are not sent.
    pub mails: MailCounts,
}

/// Mails that are not sent.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailCounts {
    /// How many wait to be sent or are being sent.
    pub queued: u64,
    /// How many are not tried any more until a person says so.
    pub set_aside: u64,
}

impl From<&[JobCount]> for MailCounts {
    fn from(counts: &[JobCount]) -> Self {
        let of = |states: &[jobs::State]| {
            let wanted = counts.iter().filter(|one| one.kind == SEND_MAIL.name && states.contains(&one.state));
            wanted.map(|one| one.count).sum()
        };
        Self { queued: of(&[jobs::State::Queued, jobs::State::Running]), set_aside: of(&[jobs::State::SetAside]) }
    }
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
    /// Reads the parameters.
    pub fn read(&self) -> Result<(support::MessageFilter, Option<MessageId>, Limit), ApiError> {
        let filter = support::MessageFilter {
            kind: self.kind.map(Into::into),
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

impl From<support::Message> for Message {
    fn from(message: support::Message) -> Self {
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

/// Where a mail stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MailState {
    /// It waits to be sent.
    Queued,
    /// It is being sent.
    Sending,
    /// It was sent.
    Sent,
    /// It is not tried any more until a person says so.
    SetAside,
}

/// What is known of how often a mail has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deliveries {
    /// Not yet.
    None,
    /// Once, for certain.
    Once,
    /// Once for certain, and perhaps once before.
    OnceOrTwice,
    /// Perhaps: a try ended without anybody knowing how.
    Unknown,
}

/// A mail, without what it says: links in it let people in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// Its id.
    pub id: i64,
    /// Which mail it is, such as `confirm_email`.
    pub kind: String,
    /// To whom it goes, as much of the address as one needs to recognise it; null for those who are to be forgotten.
    pub to: Option<String>,
    /// Where it stands.
    pub state: MailState,
    /// How often it was tried, since a person had it tried again if a person did.
    pub attempts: u32,
    /// What is known of how often it has arrived.
    pub deliveries: Deliveries,
    /// Why the last try failed.
    pub last_error: Option<String>,
    /// When it was queued, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// When it was sent; null while it is not.
    pub sent_at: Option<i64>,
    /// When it is tried next; null when it is not.
    pub next_at: Option<i64>,
}

/// A page of the mails.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MailsResult {
    /// Latest first.
    pub mails: Vec<Mail>,
    /// The key of the next page; null on the last one.
    pub next: Option<String>,
}

/// Which mails are wanted, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MailsParams {
    /// Only those that stand there.
    #[param(inline)]
    pub state: Option<MailState>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl MailsParams {
    /// Reads the parameters.
    pub fn read(&self) -> Result<(Option<jobs::State>, Option<JobId>, Limit), ApiError> {
        Ok((
            self.state.map(Into::into),
            after(self.after.as_deref())?,
            limit(self.limit, support::INBOX_PAGE, Limit::MAX)?,
        ))
    }
}

impl From<MailState> for jobs::State {
    fn from(state: MailState) -> Self {
        match state {
            MailState::Queued => Self::Queued,
            MailState::Sending => Self::Running,
            MailState::Sent => Self::Done,
            MailState::SetAside => Self::SetAside,
        }
    }
}

impl From<jobs::State> for MailState {
    fn from(state: jobs::State) -> Self {
        match state {
            jobs::State::Queued => Self::Queued,
            jobs::State::Running => Self::Sending,
            jobs::State::Done => Self::Sent,
            jobs::State::SetAside => Self::SetAside,
        }
    }
}

impl From<jobs::Deliveries> for Deliveries {
    fn from(deliveries: jobs::Deliveries) -> Self {
        match deliveries {
            jobs::Deliveries::None => Self::None,
            jobs::Deliveries::Once => Self::Once,
            jobs::Deliveries::OnceOrTwice => Self::OnceOrTwice,
            jobs::Deliveries::Unknown => Self::Unknown,
        }
    }
}

impl From<jobs::Job> for Mail {
    fn from(job: jobs::Job) -> Self {
        let waits = job.state == jobs::State::Queued;
        Self {
            id: job.id.get(),
            deliveries: job.deliveries().into(),
            kind: job.about,
            to: job.recipient,
            state: job.state.into(),
            attempts: job.attempts,
            last_error: job.last_error,
            created_at: job.created_at.millis(),
            sent_at: job.done_at.map(Timestamp::millis),
            next_at: waits.then_some(job.due_at.millis()),
        }
    }
}
