//! The state of an instance, as its operator asks for it: processes, queues, files, backups, certificate and webhooks
//! ([`SystemReport`]), and what of it needs an operator ([`SystemReport::problems`]). Pure.

mod model;
mod problems;

pub use model::{
    Backup, CertificateCheck, DatabaseUse, DelayedJobs, DiskSpace, Node, NodeKind, Process, QueueDepth, SystemReport,
    UnknownNodeKind, Verification, WebhookActivity,
};
pub use problems::{Area, CLOCK_TOLERANCE, NODE_TIMEOUT, Problem};
