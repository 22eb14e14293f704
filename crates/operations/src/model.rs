//! What is known of an instance.

use std::str::FromStr;

use kernel::Timestamp;

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// `pith serve`: it serves the site, and by default runs jobs.
    Serve,
    /// `pith worker`: it only runs jobs.
    Worker,
}

/// The text is not the name of a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no kind of a process")]
pub struct UnknownNodeKind(String);

impl NodeKind {
    pub const ALL: [Self; 2] = [Self::Serve, Self::Worker];

    /// The stored name: that of its command.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Serve => "serve",
            Self::Worker => "worker",
        }
    }
}

impl FromStr for NodeKind {
    type Err = UnknownNodeKind;

    fn from_str(text: &str) -> Result<Self, UnknownNodeKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| UnknownNodeKind(text.to_owned()))
    }
}

/// Room on the disk of a data folder, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// What the process may still write.
    pub free: u64,
    pub total: u64,
}

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Unique among all processes.
    pub id: String,
    /// The name of its machine.
    pub host: String,
    pub kind: NodeKind,
    /// The version of its release.
    pub release: String,
    /// The commit that it was built from.
    pub commit: String,
    pub started_at: Timestamp,
    /// The most connections to the database that it holds.
    pub max_connections: u32,
    /// Room in its data folder; `None` if unknown.
    pub disk: Option<DiskSpace>,
}

/// A process that uses the database, or did until lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub process: Process,
    /// When it was seen last, by the database's clock.
    pub seen_at: Timestamp,
    /// The clock of its machine minus the database's, in milliseconds.
    pub clock_offset: i64,
}

/// The jobs of a kind that are not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueDepth {
    /// The kind's name.
    pub kind: String,
    pub queued: u64,
    pub running: u64,
    /// Dead letters.
    pub set_aside: u64,
    /// When the first of the queued ones is due, or was; `None` without queued ones.
    pub oldest_due_at: Option<Timestamp>,
}

impl QueueDepth {
    /// How long the first job has been due, in milliseconds; 0 if none is due.
    pub fn overdue(&self, now: Timestamp) -> i64 {
        self.oldest_due_at.map_or(0, |due_at| now.since(due_at).max(0))
    }
}

/// The webhooks of a payment provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookActivity {
    /// The provider's name.
    pub provider: String,
    /// When the latest one was received; `None`: never.
    pub last_at: Option<Timestamp>,
    /// Received, and not applied yet.
    pub waiting: u64,
    /// When the first of those was received.
    pub oldest_waiting_at: Option<Timestamp>,
}

/// A backup that was written whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    pub ended_at: Timestamp,
    /// The size of its file.
    pub bytes: u64,
    pub verification: Verification,
}

/// Whether a backup was restored in a scratch database, to try it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    NotTried,
    Passed,
    /// Why it can't be restored.
    Failed(String),
}

/// What the database says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseUse {
    /// The version of Postgres.
    pub version: String,
    /// The size of the database.
    pub bytes: u64,
    /// The connections that are open, of all its users.
    pub connections: u32,
    /// The connections that it allows to others than superusers.
    pub max_connections: u32,
    /// The time by its clock.
    pub now: Timestamp,
}

/// The certificate with which the site's address answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateCheck {
    /// The host of the site's address.
    pub host: String,
    /// When the certificate expires; or why it is not known, as a sentence without its full stop.
    pub expires_at: Result<Timestamp, String>,
}

/// Queued jobs that have been tried in vain several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedJobs {
    pub count: u64,
    /// When the first of them was queued.
    pub since: Timestamp,
}

/// Everything that an operator asks of an instance.
#[derive(Clone, Debug)]
pub struct SystemReport {
    /// The time by the clock of the process that reports, which also the times of jobs and webhooks are of.
    pub at: Timestamp,
    /// The release of the process that reports.
    pub release: String,
    pub database: DatabaseUse,
    pub nodes: Vec<Node>,
    pub queue: Vec<QueueDepth>,
    /// Whether mails go to a mail server; otherwise they are kept as files.
    pub has_mail_server: bool,
    /// The name of the job that sends a mail.
    pub mail_kind: &'static str,
    /// Mails that have been tried in vain several times and are tried again; `None` if there are none.
    pub delayed_mails: Option<DelayedJobs>,
    /// Why no file can be stored; `None` if files can be.
    pub file_problem: Option<String>,
    /// The latest backup; `None`: none was made.
    pub backup: Option<Backup>,
    /// `None` where the site's address is not `https`.
    pub certificate: Option<CertificateCheck>,
    pub webhooks: Vec<WebhookActivity>,
}
