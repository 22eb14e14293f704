//! Mails and the overview of open tasks on the wire.

use jobs::JobCount;
use kernel::{JobId, Limit, Timestamp};
use mail::SEND_MAIL;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::{
    error::ApiError,
    wire::page::{after, limit},
};

/// The open tasks of the back office.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Overview {
    /// The number of messages that need an answer and are not done.
    pub unread: u64,
    /// The numbers of unsent mails.
    pub mails: MailCounts,
}

/// The numbers of unsent mails.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailCounts {
    /// The number of mails that are waiting or being sent.
    pub queued: u64,
    /// The number of mails that failed and are not retried automatically.
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

/// The outcome of trying failed mails again.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct MailsRetried {
    /// The number of mails that are tried again.
    pub retried: u64,
    /// The number of mails that are still set aside.
    pub left: u64,
}

/// The state of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MailState {
    /// It is waiting to be sent.
    Queued,
    /// It is being sent.
    Sending,
    /// It was sent.
    Sent,
    /// It failed and is not retried automatically.
    SetAside,
}

/// The number of deliveries of a mail, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deliveries {
    /// Not delivered yet.
    None,
    /// Delivered exactly once.
    Once,
    /// Delivered once or twice: an earlier attempt has an unknown outcome.
    OnceOrTwice,
    /// Unknown: an attempt has an unknown outcome.
    Unknown,
}

/// A mail, without its content, which may contain sign-in links.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// The id of the mail.
    pub id: i64,
    /// The kind of mail, such as `confirm_email`.
    pub kind: String,
    /// The masked email address of the recipient; null for a mail about a deleted account.
    pub to: Option<String>,
    /// The state of the mail.
    pub state: MailState,
    /// The number of attempts since it was queued, or since it was last retried after being set aside.
    pub attempts: u32,
    /// The number of deliveries, as far as it is known.
    pub deliveries: Deliveries,
    /// The reason why the last attempt failed; null if none has.
    pub last_error: Option<String>,
    /// When it was queued, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// When it was sent, in milliseconds since the Unix epoch; null if not sent.
    pub sent_at: Option<i64>,
    /// When it is tried next, in milliseconds since the Unix epoch; null unless queued.
    pub next_at: Option<i64>,
}

/// A page of the list of mails.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MailsResult {
    /// The mails, latest first.
    pub mails: Vec<Mail>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// Query parameters of the list of mails: filter and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MailsParams {
    /// Filters by state.
    #[param(inline)]
    pub state: Option<MailState>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl MailsParams {
    /// Parses and validates the parameters.
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
