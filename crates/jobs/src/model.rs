//! What a job is.

use std::str::FromStr;

use kernel::{JobId, Timestamp};

use crate::JobKind;

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits until it is due.
    Queued,
    /// A worker has a lease on it.
    Running,
    Done,
    /// It is not tried any more, until an admin retries it: a dead letter.
    SetAside,
}

/// What is known of how often the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deliveries {
    /// Not yet.
    None,
    /// Once, for certain.
    Once,
    /// Once for certain, and perhaps once before: one attempt has no known end.
    OnceOrTwice,
    /// Perhaps: attempts have no known end.
    Unknown,
}

/// The text names no state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state of a job")]
pub struct UnknownState(String);

impl State {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Queued, Self::Running, Self::Done, Self::SetAside];

    /// The word by which it is stored.
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
    /// What it is about, in one word of the kind's own, such as the name of the mail.
    pub about: String,
    /// The recipient's masked address; see [`crate::mask_address`].
    pub recipient: Option<String>,
    /// Where it stands.
    pub state: State,
    /// Attempts that have begun, since an admin retried it if one did.
    pub attempts: u32,
    /// Attempts without a known end, ever.
    pub uncertain: u32,
    /// How often an admin has retried it.
    pub retries: u32,
    /// Why the last attempt failed: for admins and logs, without personal data and secrets.
    pub last_error: Option<String>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it may be tried; while it is running, when the lease lapses.
    pub due_at: Timestamp,
    pub done_at: Option<Timestamp>,
}

impl Job {
    /// What is known of how often the work was done.
    pub const fn deliveries(&self) -> Deliveries {
        match (self.state, self.uncertain) {
            (State::Done, 0) => Deliveries::Once,
            (State::Done, 1) => Deliveries::OnceOrTwice,
            (_, 0) => Deliveries::None,
            _ => Deliveries::Unknown,
        }
    }
}

/// A job with its payload, as a worker holds it under a lease: the attempt is committed and may begin.
#[derive(Clone, PartialEq, Eq)]
pub struct LeasedJob {
    /// The job as it is now. [`Job::due_at`] is when the lease lapses, and identifies this attempt.
    pub job: Job,
    /// The payload, as it was queued.
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
