//! The state of the instance on the wire.

use operations::{Area, Node, NodeKind, SystemReport, Verification};
use serde::Serialize;
use utoipa::ToSchema;

/// The state of the instance. All times are in milliseconds since the Unix epoch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemResult {
    /// When it was looked at, by the clock of the process that answers.
    pub(crate) checked_at: i64,
    /// The release of the process that answers.
    pub(crate) release: String,
    /// The commit that it was built from.
    pub(crate) commit: String,
    /// The version of the schema that it needs.
    pub(crate) schema: String,
    pub(crate) database: SystemDatabase,
    /// The processes that were seen within the last hour, those that serve first.
    pub(crate) nodes: Vec<SystemNode>,
    /// The kinds of jobs of which some are not done.
    pub(crate) queue: Vec<SystemQueue>,
    pub(crate) mail: SystemMail,
    pub(crate) files: SystemFiles,
    pub(crate) backup: SystemBackup,
    /// The certificate of the site's address; null where that is not `https`, or was not looked at yet.
    pub(crate) certificate: Option<SystemCertificate>,
    /// The webhooks of each payment provider in use.
    pub(crate) webhooks: Vec<SystemWebhooks>,
    /// What needs an operator.
    pub(crate) problems: Vec<SystemProblem>,
}

/// The database.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemDatabase {
    /// The version of Postgres.
    pub(crate) version: String,
    /// The size of the database.
    pub(crate) bytes: u64,
    /// The connections that are open.
    pub(crate) connections: u32,
    /// The connections that Postgres allows.
    pub(crate) max_connections: u32,
}

/// What a process does.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SystemNodeKind {
    /// It serves the site, and by default runs jobs.
    Serve,
    /// It only runs jobs.
    Worker,
}

/// Room on a disk, in bytes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemDisk {
    pub(crate) free_bytes: u64,
    pub(crate) total_bytes: u64,
}

/// A process of the site.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemNode {
    /// The id of the process.
    pub(crate) id: String,
    /// The name of its machine.
    pub(crate) name: String,
    pub(crate) kind: SystemNodeKind,
    pub(crate) release: String,
    pub(crate) commit: String,
    pub(crate) started_at: i64,
    /// When it was last seen, by the database's clock.
    pub(crate) seen_at: i64,
    /// Whether it is the process that answers.
    pub(crate) is_this: bool,
    /// Its clock minus the database's, in milliseconds.
    pub(crate) clock_offset_ms: i64,
    /// The most connections to the database that it holds.
    pub(crate) max_connections: u32,
    /// The disk of its data folder; null if unknown.
    pub(crate) disk: Option<SystemDisk>,
    /// What is wrong with it; null if nothing.
    pub(crate) problem: Option<String>,
}

/// The jobs of a kind that are not done.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemQueue {
    pub(crate) kind: String,
    pub(crate) queued: u64,
    pub(crate) running: u64,
    /// Failed, and not retried automatically.
    pub(crate) set_aside: u64,
    /// When the first of the queued ones is due, or was; null without queued ones.
    pub(crate) oldest_due_at: Option<i64>,
}

/// How mails are sent.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SystemTransport {
    /// To a mail server.
    Smtp,
    /// Into files in the data folder.
    Outbox,
}

/// Outgoing mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemMail {
    pub(crate) transport: SystemTransport,
    /// The host of the mail server; null without one.
    pub(crate) server: Option<String>,
    /// Waiting or being sent.
    pub(crate) queued: u64,
    /// Failed, and not retried automatically.
    pub(crate) set_aside: u64,
    /// When the latest one was sent; null if none was within 30 days.
    pub(crate) last_sent_at: Option<i64>,
}

/// Where files are stored.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SystemStore {
    /// In the data folder.
    Folder,
    /// In a bucket of an S3 service.
    Bucket,
}

/// The file store.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SystemFiles {
    pub(crate) store: SystemStore,
    /// Why no file can be stored; null if files can be.
    pub(crate) problem: Option<String>,
}

/// The latest backup.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemBackup {
    /// When it was complete; null if none was made.
    pub(crate) last_at: Option<i64>,
    /// The size of its file.
    pub(crate) bytes: Option<u64>,
    /// Whether it was restored in a scratch database, to try it; null if that was not tried.
    pub(crate) is_verified: Option<bool>,
}

/// The certificate of the site's address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemCertificate {
    pub(crate) host: String,
    /// When it expires; null if it could not be read.
    pub(crate) expires_at: Option<i64>,
    /// Why it could not be read.
    pub(crate) problem: Option<String>,
}

/// The webhooks of a payment provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SystemWebhooks {
    /// `stripe`, `paypal` or `sandbox`.
    pub(crate) provider: String,
    /// When the latest one arrived; null: never.
    pub(crate) last_at: Option<i64>,
    /// Received, and not applied yet.
    pub(crate) waiting: u64,
    /// When the first of those arrived.
    pub(crate) oldest_waiting_at: Option<i64>,
}

/// A part of the report.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SystemArea {
    Nodes,
    Queue,
    Mail,
    Files,
    Disk,
    Backup,
    Certificate,
    Webhooks,
    Database,
}

/// Something that needs an operator.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SystemProblem {
    pub(crate) area: SystemArea,
    /// One or two sentences.
    pub(crate) message: String,
}

impl From<Area> for SystemArea {
    fn from(area: Area) -> Self {
        match area {
            Area::Nodes => Self::Nodes,
            Area::Queue => Self::Queue,
            Area::Mail => Self::Mail,
            Area::Files => Self::Files,
            Area::Disk => Self::Disk,
            Area::Backup => Self::Backup,
            Area::Certificate => Self::Certificate,
            Area::Webhooks => Self::Webhooks,
            Area::Database => Self::Database,
        }
    }
}

impl SystemNode {
    fn new(node: &Node, report: &SystemReport, own_id: &str) -> Self {
        let Node { process, seen_at, clock_offset } = node;
        Self {
            id: process.id.clone(),
            name: process.host.clone(),
            kind: match process.kind {
                NodeKind::Serve => SystemNodeKind::Serve,
                NodeKind::Worker => SystemNodeKind::Worker,
            },
            release: process.release.clone(),
            commit: process.commit.clone(),
            started_at: process.started_at.millis(),
            seen_at: seen_at.millis(),
            is_this: process.id == own_id,
            clock_offset_ms: *clock_offset,
            max_connections: process.max_connections,
            disk: process.disk.map(|disk| SystemDisk { free_bytes: disk.free, total_bytes: disk.total }),
            problem: node.problem(report.database.now),
        }
    }
}

/// What the answer says beside the report.
pub(crate) struct ProcessFacts {
    pub(crate) own_id: String,
    pub(crate) commit: &'static str,
    pub(crate) schema: String,
    pub(crate) mail_server: Option<String>,
    pub(crate) last_sent_at: Option<i64>,
    pub(crate) store: SystemStore,
}

impl SystemResult {
    pub(crate) fn new(report: SystemReport, facts: ProcessFacts) -> Self {
        let mail = report.queue.iter().find(|queue| queue.kind == report.mail_kind);
        Self {
            checked_at: report.at.millis(),
            commit: facts.commit.to_owned(),
            schema: facts.schema,
            problems: report
                .problems()
                .into_iter()
                .map(|problem| SystemProblem { area: problem.area.into(), message: problem.message })
                .collect(),
            database: SystemDatabase {
                version: report.database.version.clone(),
                bytes: report.database.bytes,
                connections: report.database.connections,
                max_connections: report.database.max_connections,
            },
            nodes: report.nodes.iter().map(|node| SystemNode::new(node, &report, &facts.own_id)).collect(),
            mail: SystemMail {
                transport: if facts.mail_server.is_some() { SystemTransport::Smtp } else { SystemTransport::Outbox },
                server: facts.mail_server,
                queued: mail.map_or(0, |mail| mail.queued + mail.running),
                set_aside: mail.map_or(0, |mail| mail.set_aside),
                last_sent_at: facts.last_sent_at,
            },
            files: SystemFiles { store: facts.store, problem: report.file_problem.clone() },
            backup: SystemBackup {
                last_at: report.backup.as_ref().map(|backup| backup.ended_at.millis()),
                bytes: report.backup.as_ref().map(|backup| backup.bytes),
                is_verified: report.backup.as_ref().and_then(|backup| match backup.verification {
                    Verification::NotTried => None,
                    Verification::Passed => Some(true),
                    Verification::Failed(_) => Some(false),
                }),
            },
            certificate: report.certificate.as_ref().map(|certificate| SystemCertificate {
                host: certificate.host.clone(),
                expires_at: certificate.expires_at.as_ref().ok().map(|at| at.millis()),
                problem: certificate.expires_at.as_ref().err().cloned(),
            }),
            webhooks: report
                .webhooks
                .iter()
                .map(|activity| SystemWebhooks {
                    provider: activity.provider.clone(),
                    last_at: activity.last_at.map(kernel::Timestamp::millis),
                    waiting: activity.waiting,
                    oldest_waiting_at: activity.oldest_waiting_at.map(kernel::Timestamp::millis),
                })
                .collect(),
            queue: report
                .queue
                .into_iter()
                .map(|queue| SystemQueue {
                    kind: queue.kind,
                    queued: queue.queued,
                    running: queue.running,
                    set_aside: queue.set_aside,
                    oldest_due_at: queue.oldest_due_at.map(kernel::Timestamp::millis),
                })
                .collect(),
            release: report.release,
        }
    }
}
