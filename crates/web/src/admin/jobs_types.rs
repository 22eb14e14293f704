//! Jobs on the wire. Times are milliseconds since the Unix epoch.

use crate::http::wire::page::given;
use ::jobs::{Job, JobKind, State};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// All kinds of jobs in the process's registry.
#[derive(Clone, Debug)]
pub struct JobKinds(pub Vec<JobKind>);

/// The default page size of the job list.
pub(crate) const JOBS_PAGE: usize = 50;

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    /// It is waiting until it is due.
    Queued,
    /// A worker is running it.
    Running,
    /// It is done.
    Done,
    /// It failed and is not retried automatically, except by its schedule.
    SetAside,
}

impl From<JobState> for State {
    fn from(state: JobState) -> Self {
        match state {
            JobState::Queued => Self::Queued,
            JobState::Running => Self::Running,
            JobState::Done => Self::Done,
            JobState::SetAside => Self::SetAside,
        }
    }
}

impl From<State> for JobState {
    fn from(state: State) -> Self {
        match state {
            State::Queued => Self::Queued,
            State::Running => Self::Running,
            State::Done => Self::Done,
            State::SetAside => Self::SetAside,
        }
    }
}

/// A job, without its payload.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedJob {
    /// The id of the job.
    id: i64,
    /// The kind of job, such as `mail`.
    kind: String,
    /// A one-word label within the kind, such as the name of a mail; may be empty.
    about: String,
    /// The masked email address of the recipient; null without one.
    recipient: Option<String>,
    /// The state of the job.
    state: JobState,
    /// The number of attempts since it was queued, or since it was last retried after being set aside.
    attempts: u32,
    /// The reason why the last attempt failed; null if none has.
    reason: Option<String>,
    /// When it was queued, in milliseconds since the Unix epoch.
    created_at: i64,
    /// When it is tried next, in milliseconds since the Unix epoch; null unless queued.
    next_at: Option<i64>,
    /// When it was done, in milliseconds since the Unix epoch; null if not done.
    done_at: Option<i64>,
}

impl From<Job> for ListedJob {
    fn from(job: Job) -> Self {
        let waits = job.state == State::Queued;
        Self {
            id: job.id.get(),
            kind: job.kind.name.to_owned(),
            about: job.about,
            recipient: job.recipient,
            state: job.state.into(),
            attempts: job.attempts,
            reason: job.last_error,
            created_at: job.created_at.millis(),
            next_at: waits.then_some(job.due_at.millis()),
            done_at: job.done_at.map(Timestamp::millis),
        }
    }
}

/// A page of the list of jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobsResult {
    /// The jobs, latest first.
    pub(crate) jobs: Vec<ListedJob>,
    /// The names of all kinds of jobs.
    pub(crate) kinds: Vec<String>,
    /// The cursor of the next page; null on the last page.
    pub(crate) next: Option<String>,
}

/// Query parameters of the list of jobs: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct JobsParams {
    /// Filters by state.
    #[param(inline)]
    pub(crate) state: Option<JobState>,
    /// Filters by the name of a kind.
    pub(crate) kind: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub(crate) after: Option<String>,
    /// The page size, 1 to 100. Default: 50.
    #[param(minimum = 1, maximum = 100)]
    pub(crate) limit: Option<usize>,
}

impl JobsParams {
    /// The requested kinds out of `all`: the one named by the parameter, or all. Empty for an unknown name.
    pub(crate) fn kinds(&self, all: &JobKinds) -> Vec<JobKind> {
        let name = given(self.kind.as_deref());
        all.0.iter().copied().filter(|kind| name.is_none_or(|name| name == kind.name)).collect()
    }
}
