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
