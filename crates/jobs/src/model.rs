//! What a job is.

use std::str::FromStr;

use kernel::{JobId, Timestamp};

/// What sort of work a job is: each has its own way of being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A mail is sent.
    Mail,
    /// Somebody who asked for a way back in gets an answer, if there is an account.
    Recovery,
    /// A text is read aloud, or a film is made of it. Takes minutes and a core; made anew it is the same.
    Narration,
    /// A book is mailed to an e-reader.
    EReader,
    /// A file that was replaced is removed from the object store. Its payload is the file's key.
    Removal,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits until it is due.
    Queued,
    /// A worker has a lease on it.
    Running,
    /// It is done.
    Done,
    /// It is not tried any more, until somebody says so.
    SetAside,
}

/// What is known of how often the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deliveries {
    /// Not yet.
    None,
    /// Once, for certain.
    Once,
    /// Once for certain, and perhaps once before: an attempt ended without anybody knowing how.
    OnceOrTwice,
    /// Perhaps: attempts ended without anybody knowing how.
    Unknown,
}

/// The text names no kind or state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no word for a job")]
pub struct UnknownWord(String);

impl Kind {
    /// All of them. A node takes no job of a kind that only a newer one knows.
    pub const ALL: &[Self] = &[Self::Mail, Self::Recovery, Self::Narration, Self::EReader, Self::Removal];

    /// The word by which it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Recovery => "recovery",
            Self::Narration => "narration",
            Self::EReader => "e_reader",
            Self::Removal => "removal",
        }
    }

    /// Whether the work reaches somebody outside. What does not has its effect in the database alone, in the transaction
    /// that ends it: when nobody says how an attempt ended, it has not happened, or once more does no harm.
    pub const fn reaches_out(self) -> bool {
        match self {
            Self::Mail | Self::EReader => true,
            Self::Recovery | Self::Narration | Self::Removal => false,
        }
    }

    /// Those of which the same payload means the same work, which is queued once and done by one worker at a time.
    /// Payloads of the others are sealed and never the same.
    pub const TOLD_BY_PAYLOAD: &[Self] = &[Self::Narration, Self::Removal];

    /// Whether the kind is one of [`Kind::TOLD_BY_PAYLOAD`].
    pub(crate) fn is_told_by_payload(self) -> bool {
        Self::TOLD_BY_PAYLOAD.contains(&self)
    }
}

impl FromStr for Kind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == text).ok_or_else(|| UnknownWord(text.to_owned()))
    }
}

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
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.iter().copied().find(|state| state.as_str() == text).ok_or_else(|| UnknownWord(text.to_owned()))
    }
}

/// A job, without its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What sort of work it is.
    pub kind: Kind,
    /// What it is about, in one word of the kind's own, such as the name of the mail.
    pub about: String,
    /// Whom it is for, as much of the address as an admin needs to recognise it; see [`crate::hint`].
    pub recipient: Option<String>,
    /// Where it stands.
    pub state: State,
    /// Attempts that have begun, since an admin retried it if one did.
    pub attempts: u32,
    /// Attempts of which nobody knows how they ended, ever.
    pub uncertain: u32,
    /// How often an admin has retried it.
    pub retries: u32,
    /// Why the last attempt failed: for admins and logs, without personal data and secrets.
    pub last_error: Option<String>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it may be tried; while it is running, when the lease lapses.
    pub due_at: Timestamp,
    /// When it was done.
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

/// A job that a worker has taken: an attempt that is written down and may begin.
#[derive(Clone, PartialEq, Eq)]
pub struct Taken {
    /// The job as it is now. [`Job::due_at`] is when the lease lapses; it also tells this attempt from later ones.
    pub job: Job,
    /// What is to be done, as it was queued.
    pub payload: Vec<u8>,
}

impl std::fmt::Debug for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Taken").field("job", &self.job).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
        }
        for state in State::ALL {
            assert_eq!(state.as_str().parse(), Ok(*state));
        }
        assert!("post".parse::<Kind>().is_err() && "lost".parse::<State>().is_err());
    }
}
