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

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    /// It waits until it is due.
    Queued,
    /// A worker does it.
    Running,
    /// It is done.
    Done,
    /// It is not tried any more until a person says so.
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

/// A job, without what it works on.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedJob {
    /// Its id.
    id: i64,
    /// Its kind, such as `mail`.
    kind: String,
    /// What it is about, in one word of the kind's own; may be empty.
    about: String,
    /// For whom it is, as much of the address as one needs to recognise it.
    recipient: Option<String>,
    /// Where it stands.
    state: JobState,
    /// How often it was tried, since a person had it tried again if a person did.
    attempts: u32,
    /// Why the last try failed.
    reason: Option<String>,
    /// When it was queued, in milliseconds since the Unix epoch.
    created_at: i64,
    /// When it is tried next; null when it is not.
    next_at: Option<i64>,
    /// When it was done.
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

/// A page of the jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobsResult {
    /// Latest first.
    pub(crate) jobs: Vec<ListedJob>,
    /// The names of all kinds.
    pub(crate) kinds: Vec<String>,
    /// The key of the next page; null on the last one.
    pub(crate) next: Option<String>,
}

/// Which jobs are wanted, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct JobsParams {
    /// Only those that stand there.
    #[param(inline)]
    pub(crate) state: Option<JobState>,
    /// Only those of the kind with this name.
    pub(crate) kind: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    pub(crate) after: Option<String>,
    /// How many, 1 to 100; 50 when nothing is said.
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
