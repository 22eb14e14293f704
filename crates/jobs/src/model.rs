//! Jobs and their states.

use std::str::FromStr;

use kernel::{JobId, Timestamp};

use crate::JobKind;

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits until it is due.
    Queued,
    /// A worker has a lease on it.
    Running,
    Done,
    /// A dead letter: it is not tried again until an admin or its schedule retries it.
    SetAside,
}

/// How often a job's effect is known to have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deliveries {
    /// Not yet.
    None,
    /// Once, for certain.
    Once,
    /// Once for certain, and perhaps once before: one attempt has an unknown outcome.
    OnceOrTwice,
    /// Unknown: attempts have an unknown outcome.
    Unknown,
}

/// The text is not the name of a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state of a job")]
pub struct UnknownState(String);

impl State {
    pub const ALL: &[Self] = &[Self::Queued, Self::Running, Self::Done, Self::SetAside];

    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::SetAside => "set_aside",
        }
    }
}

impl FromStr for State {
    type Err = UnknownState;

    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.iter().copied().find(|state| state.as_str() == text).ok_or_else(|| UnknownState(text.to_owned()))
    }
}

/// A job, without its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    /// A label within the kind, in one word, such as the name of the mail.
    pub about: String,
    /// The recipient's masked address; see [`crate::mask_address`].
    pub recipient: Option<String>,
    pub state: State,
    /// Attempts started since the job was queued, or since it was last retried after being set aside.
    pub attempts: u32,
    /// Attempts with an unknown outcome. Retrying does not reset it.
    pub uncertain: u32,
    /// How often an admin or its schedule has retried it after it was set aside.
    pub retries: u32,
    /// Why the last attempt failed: for admins and logs, without personal data and secrets.
    pub last_error: Option<String>,
    pub created_at: Timestamp,
    /// When it is due; while it is running, when the lease lapses.
    pub due_at: Timestamp,
    pub done_at: Option<Timestamp>,
    /// The trace of what has queued it, as the value of a [`TRACEPARENT`] header; `None` if no traces are sent.
    pub trace_context: Option<String>,
}

/// The reason that admins read on a job that a restore has set aside.
pub const RESTORED: &str = "Restored from a backup: it may already have run after the backup was made.";

/// The header of W3C's Trace Context that names a trace and a span of it.
pub const TRACEPARENT: &str = "traceparent";

impl Job {
    /// Whether it was set aside and certainly has had no effect.
    pub fn has_certainly_failed(&self) -> bool {
        self.state == State::SetAside && self.uncertain == 0 && self.last_error.as_deref() != Some(RESTORED)
    }

    /// How often its effect is known to have happened.
    pub const fn deliveries(&self) -> Deliveries {
        match (self.state, self.uncertain) {
            (State::Done, 0) => Deliveries::Once,
            (State::Done, 1) => Deliveries::OnceOrTwice,
            (_, 0) => Deliveries::None,
            _ => Deliveries::Unknown,
        }
    }
}

/// A job with its payload, under a worker's lease. The attempt is committed and may start.
#[derive(Clone, PartialEq, Eq)]
pub struct LeasedJob {
    /// The job as it is now. [`Job::due_at`] is when the lease lapses, and identifies this attempt.
    pub job: Job,
    pub payload: Vec<u8>,
}

impl std::fmt::Debug for LeasedJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeasedJob").field("job", &self.job).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_parsed_from_their_stored_words() {
        for state in State::ALL {
            assert_eq!(state.as_str().parse(), Ok(*state));
        }
        assert!("lost".parse::<State>().is_err());
    }
}
