//! What of a [`SystemReport`] needs an operator.

use kernel::{DAY, HOUR, MINUTE, SECOND, Timestamp};

use crate::{DelayedJobs, Node, NodeKind, SystemReport, Verification};

/// How long after it was last seen a process counts as gone, in milliseconds.
pub const NODE_TIMEOUT: i64 = MINUTE;
/// By how much the clock of a process may differ from the database's, in milliseconds. Codes of authenticator apps are valid for
/// half a minute, and signatures of webhooks for five.
pub const CLOCK_TOLERANCE: i64 = 30 * SECOND;
/// How long a due job may wait until the queue counts as stuck, in milliseconds.
const QUEUE_TOLERANCE: i64 = 15 * MINUTE;
/// How long a webhook may wait until it is applied, in milliseconds.
const WEBHOOK_TOLERANCE: i64 = 15 * MINUTE;
/// How old the latest backup may be, in milliseconds: a day, and time to make the next one.
const BACKUP_TOLERANCE: i64 = 26 * HOUR;
/// How long before its end a certificate should have been renewed, in milliseconds: authorities' clients renew a month ahead.
const CERTIFICATE_TOLERANCE: i64 = 14 * DAY;
/// The share of a disk that should be free, as its reciprocal.
const FREE_SHARE: u64 = 10;

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub area: Area,
    /// What it is about, by which it is the same problem a moment later: its message counts time and things.
    pub about: String,
    /// One or two sentences.
    pub message: String,
}

/// A problem of an area: what it is about, and the message.
type Finding = (String, String);

fn finding(about: impl Into<String>, message: String) -> Finding {
    (about.into(), message)
}

/// What is wrong with the clock of a machine whose clock differs from the database's by `offset` milliseconds; `None` if nothing.
fn clock_problem(offset: i64) -> Option<String> {
    (offset.abs() > CLOCK_TOLERANCE).then(|| {
        let direction = if offset > 0 { "ahead of" } else { "behind" };
        format!(
            "The clock is {} {direction} the database’s: sessions, codes and webhooks may be refused. Set it by NTP.",
            duration(offset.abs())
        )
    })
}

/// A length of time in its largest whole unit.
fn duration(millis: i64) -> String {
    let (count, unit) = [(DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")]
        .into_iter()
        .find(|(unit, _)| millis >= *unit)
        .map_or((0, "second"), |(unit, name)| (millis / unit, name));
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

impl Node {
    /// Whether it still counts as running; `now` is the database's time.
    pub fn is_up(&self, now: Timestamp) -> bool {
        now.since(self.seen_at) <= NODE_TIMEOUT
    }

    /// What is wrong with this process alone; `now` is the database's time.
    pub fn problem(&self, now: Timestamp) -> Option<String> {
        if self.is_up(now) {
            clock_problem(self.clock_offset)
        } else {
            Some(format!(
                "It was last seen {} ago: it was killed, or can’t reach the database.",
                duration(now.since(self.seen_at))
            ))
        }
    }
}

impl SystemReport {
    /// What needs an operator, in the order of the report.
    pub fn problems(&self) -> Vec<Problem> {
        let parts = [
            (Area::Database, self.database_problems()),
            (Area::Nodes, self.node_problems()),
            (Area::Queue, self.queue_problems()),
            (Area::Mail, self.mail_problems()),
            (Area::Files, self.file_problems()),
            (Area::Disk, self.disk_problems()),
            (Area::Backup, self.backup_problems()),
            (Area::Certificate, self.certificate_problems()),
            (Area::Webhooks, self.webhook_problems()),
        ];
        let flat = parts.into_iter().flat_map(|(area, found)| found.into_iter().map(move |one| (area, one)));
        flat.map(|(area, (about, message))| Problem { area, about, message }).collect()
    }

    fn up(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.is_up(self.database.now))
    }

    fn database_problems(&self) -> Vec<Finding> {
        let needed: u32 = self.up().map(|node| node.process.max_connections).sum();
        let allowed = self.database.max_connections;
        let too_many = (needed > allowed).then(|| {
            format!(
                "All processes together may open {needed} connections, and Postgres allows {allowed}. Raise max_connections, or \
                 lower DATABASE_READ_CONNECTIONS and DATABASE_WRITE_CONNECTIONS."
            )
        });
        too_many.map(|message| finding("connections", message)).into_iter().collect()
    }

    fn file_problems(&self) -> Vec<Finding> {
        let failed = self.file_problem.as_ref().map(|reason| format!("No file can be stored: {reason}."));
        failed.map(|message| finding("store", message)).into_iter().collect()
    }

    fn node_problems(&self) -> Vec<Finding> {
        let of_one = |node: &Node| {
            let Node { process, .. } = node;
            let message = |why| format!("{} ({}): {why}", process.host, process.kind.as_str());
            node.problem(self.database.now).map(|why| finding(&*process.id, message(why)))
        };
        let mut found: Vec<Finding> = self.nodes.iter().filter_map(of_one).collect();
        let mut releases: Vec<&str> = self.up().map(|node| node.process.release.as_str()).collect();
        releases.sort_unstable();
        releases.dedup();
        if releases.len() > 1 {
            let message = format!("Processes of different releases run side by side: {}.", releases.join(", "));
            found.push(finding("releases", message));
        }
        if !self.up().any(|node| node.process.kind == NodeKind::Serve) {
            found.push(finding("serving", "No process serves the site.".to_owned()));
        }
        found
    }

    fn queue_problems(&self) -> Vec<Finding> {
        let stuck = self.queue.iter().filter(|queue| queue.overdue(self.at) > QUEUE_TOLERANCE);
        let mut found: Vec<Finding> = stuck
            .map(|queue| {
                let (kind, overdue) = (&queue.kind, duration(queue.overdue(self.at)));
                let message = format!(
                    "Jobs of the kind {kind} have been due for {overdue}: no worker runs, or none can do them."
                );
                finding(format!("{kind} due"), message)
            })
            .collect();
        let set_aside: u64 =
            self.queue.iter().filter(|queue| queue.kind != self.mail_kind).map(|queue| queue.set_aside).sum();
        if set_aside > 0 {
            found.push(finding("failed", format!("{} failed for good.", counted(set_aside, "job", "jobs"))));
        }
        found
    }

    fn mail_problems(&self) -> Vec<Finding> {
        let set_aside = self.queue.iter().find(|queue| queue.kind == self.mail_kind).map_or(0, |queue| queue.set_aside);
        let failed = (set_aside > 0)
            .then(|| finding("failed", format!("{} could not be sent.", counted(set_aside, "email", "emails"))));
        let kept = (!self.has_mail_server).then(|| {
            let message =
                "There is no mail server (SMTP_URL): emails are kept as files in the outbox and reach nobody.";
            finding("no server", message.to_owned())
        });
        let delayed = self.delayed_mails.map(|DelayedJobs { count, since }| {
            let message = format!(
                "{} can’t be sent, the first for {}: the mail server is out of reach or refuses for now. They are tried again.",
                counted(count, "email", "emails"),
                duration(self.at.since(since))
            );
            finding("delayed", message)
        });
        kept.into_iter().chain(delayed).chain(failed).collect()
    }

    fn disk_problems(&self) -> Vec<Finding> {
        let full = |node: &Node| {
            let disk = node.process.disk?;
            (disk.free < disk.total / FREE_SHARE).then(|| {
                let percent = disk.free * 100 / disk.total.max(1);
                let message = format!("{}: {percent}% of the disk of the data folder is free.", node.process.host);
                finding(&*node.process.id, message)
            })
        };
        self.up().filter_map(full).collect()
    }

    fn backup_problems(&self) -> Vec<Finding> {
        let Some(backup) = &self.backup else { return vec![finding("age", "No backup has been made yet.".to_owned())] };
        let age = self.at.since(backup.ended_at);
        let old =
            (age > BACKUP_TOLERANCE).then(|| finding("age", format!("The latest backup is {} old.", duration(age))));
        let unusable = match &backup.verification {
            Verification::Failed(fault) => {
                Some(finding("verification", format!("The latest backup could not be restored, to try it: {fault}.")))
            }
            Verification::NotTried | Verification::Passed => None,
        };
        old.into_iter().chain(unusable).collect()
    }

    fn certificate_problems(&self) -> Vec<Finding> {
        let problem = self.certificate.as_ref().and_then(|certificate| match &certificate.expires_at {
            Err(reason) => Some(format!("{} can’t be checked: {reason}.", certificate.host)),
            Ok(expires_at) => {
                let left = expires_at.since(self.at);
                match left {
                    ..=0 => Some(format!("The certificate of {} has expired.", certificate.host)),
                    1..CERTIFICATE_TOLERANCE => {
                        Some(format!("The certificate of {} expires in {}.", certificate.host, duration(left)))
                    }
                    _ => None,
                }
            }
        });
        problem.map(|message| finding("certificate", message)).into_iter().collect()
    }

    fn webhook_problems(&self) -> Vec<Finding> {
        let waiting = self.webhooks.iter().filter_map(|activity| {
            let age = self.at.since(activity.oldest_waiting_at?);
            (age > WEBHOOK_TOLERANCE).then(|| {
                let waiting = counted(activity.waiting, "webhook", "webhooks");
                let message =
                    format!("{waiting} of {} not applied, the first for {}.", activity.provider, duration(age));
                finding(&*activity.provider, message)
            })
        });
        waiting.collect()
    }
}

/// `1 email`, `2 emails`.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backup, CertificateCheck, DatabaseUse, DelayedJobs, DiskSpace, Process, QueueDepth, WebhookActivity};

    const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

    fn node(kind: NodeKind, host: &str) -> Node {
        let process = Process {
            id: host.to_owned(),
            host: host.to_owned(),
            kind,
            release: "0.1.0".to_owned(),
            commit: "1f2e3d4".to_owned(),
            started_at: NOW.plus(-HOUR),
            max_connections: 26,
            disk: Some(DiskSpace { free: 50, total: 100 }),
        };
        Node { process, seen_at: NOW, clock_offset: 12 }
    }

    fn queue(kind: &str, set_aside: u64, oldest_due_at: Option<Timestamp>) -> QueueDepth {
        QueueDepth { kind: kind.to_owned(), queued: 1, running: 0, set_aside, oldest_due_at }
    }

    /// A report of an instance without problems.
    fn healthy() -> SystemReport {
        SystemReport {
            at: NOW,
            release: "0.1.0".to_owned(),
            database: DatabaseUse {
                version: "15.13".to_owned(),
                bytes: 1,
                connections: 7,
                max_connections: 97,
                now: NOW,
            },
            nodes: vec![node(NodeKind::Serve, "one"), node(NodeKind::Worker, "two")],
            queue: vec![queue("mail", 0, Some(NOW.plus(-QUEUE_TOLERANCE))), queue("narration", 0, Some(NOW.plus(DAY)))],
            has_mail_server: true,
            mail_kind: "mail",
            delayed_mails: None,
            file_problem: None,
            backup: Some(Backup {
                ended_at: NOW.plus(-BACKUP_TOLERANCE),
                bytes: 9,
                verification: Verification::Passed,
            }),
            certificate: Some(CertificateCheck {
                host: "pith.example".to_owned(),
                expires_at: Ok(NOW.plus(CERTIFICATE_TOLERANCE)),
            }),
            webhooks: vec![WebhookActivity {
                provider: "stripe".to_owned(),
                last_at: None,
                waiting: 1,
                oldest_waiting_at: Some(NOW.plus(-WEBHOOK_TOLERANCE)),
            }],
        }
    }

    #[test]
    fn a_healthy_instance_has_no_problems() {
        assert_eq!(healthy().problems(), []);
    }

    #[test]
    fn each_part_says_what_is_wrong_with_it() {
        type Change = fn(&mut SystemReport);
        let cases: &[(Change, Area, &str)] = &[
            (
                |report| report.database.max_connections = 51,
                Area::Database,
                "All processes together may open 52 connections, and Postgres allows 51.",
            ),
            (
                |report| report.nodes[1].seen_at = NOW.plus(-2 * HOUR),
                Area::Nodes,
                "two (worker): It was last seen 2 hours ago",
            ),
            (
                |report| report.nodes[0].clock_offset = 2 * HOUR,
                Area::Nodes,
                "one (serve): The clock is 2 hours ahead of the database’s",
            ),
            (
                |report| report.nodes[0].clock_offset = -CLOCK_TOLERANCE - 1,
                Area::Nodes,
                "one (serve): The clock is 30 seconds behind the database’s",
            ),
            (
                |report| report.nodes[1].process.release = "0.2.0".to_owned(),
                Area::Nodes,
                "Processes of different releases run side by side: 0.1.0, 0.2.0.",
            ),
            (|report| drop(report.nodes.remove(0)), Area::Nodes, "No process serves the site."),
            (
                |report| report.queue[1].oldest_due_at = Some(NOW.plus(-QUEUE_TOLERANCE - 1)),
                Area::Queue,
                "Jobs of the kind narration have been due for 15 minutes",
            ),
            (|report| report.queue[1].set_aside = 1, Area::Queue, "1 job failed for good."),
            (|report| report.queue[0].set_aside = 2, Area::Mail, "2 emails could not be sent."),
            (
                |report| report.delayed_mails = Some(DelayedJobs { count: 12, since: NOW.plus(-HOUR) }),
                Area::Mail,
                "12 emails can’t be sent, the first for 1 hour: the mail server is out of reach",
            ),
            (|report| report.has_mail_server = false, Area::Mail, "There is no mail server (SMTP_URL)"),
            (
                |report| report.file_problem = Some("access denied".to_owned()),
                Area::Files,
                "No file can be stored: access denied.",
            ),
            (
                |report| report.nodes[0].process.disk = Some(DiskSpace { free: 9, total: 100 }),
                Area::Disk,
                "one: 9% of the disk of the data folder is free.",
            ),
            (|report| report.backup = None, Area::Backup, "No backup has been made yet."),
            (
                |report| {
                    report.backup =
                        Some(Backup { ended_at: NOW.plus(-3 * DAY), bytes: 1, verification: Verification::NotTried });
                },
                Area::Backup,
                "The latest backup is 3 days old.",
            ),
            (
                |report| {
                    let verification = Verification::Failed("the backup is damaged".to_owned());
                    report.backup = Some(Backup { ended_at: NOW, bytes: 1, verification });
                },
                Area::Backup,
                "The latest backup could not be restored, to try it: the backup is damaged.",
            ),
            (
                |report| report.certificate = Some(certificate(Ok(NOW.plus(DAY)))),
                Area::Certificate,
                "The certificate of pith.example expires in 1 day.",
            ),
            (
                |report| report.certificate = Some(certificate(Ok(NOW))),
                Area::Certificate,
                "The certificate of pith.example has expired.",
            ),
            (
                |report| report.certificate = Some(certificate(Err("connection refused".to_owned()))),
                Area::Certificate,
                "pith.example can’t be checked: connection refused.",
            ),
            (
                |report| report.webhooks[0].oldest_waiting_at = Some(NOW.plus(-HOUR)),
                Area::Webhooks,
                "1 webhook of stripe not applied, the first for 1 hour.",
            ),
        ];
        for (change, area, message) in cases {
            let mut report = healthy();
            change(&mut report);
            let found = report.problems();
            assert_eq!(found.len(), 1, "{message}: {found:?}");
            assert_eq!(found[0].area, *area);
            assert!(found[0].message.starts_with(message), "{:?} instead of {message:?}", found[0].message);
        }
    }

    #[test]
    fn a_problem_is_the_same_while_its_numbers_change() {
        let of = |set_aside: u64, age: i64| {
            let mut report = healthy();
            report.queue[1] = queue("narration", set_aside, Some(NOW.plus(-age)));
            report.problems().into_iter().map(|problem| (problem.area, problem.about)).collect::<Vec<_>>()
        };
        assert_eq!(of(1, 59 * MINUTE), of(2, HOUR));
        assert_eq!(of(2, HOUR).len(), 2);
        assert_ne!(of(1, HOUR)[0], of(1, HOUR)[1]);
        let mut report = healthy();
        for node in &mut report.nodes {
            node.clock_offset = HOUR;
        }
        let [one, other] = &report.problems()[..] else { panic!("two clocks are wrong") };
        assert_ne!(one.about, other.about);
    }

    fn certificate(expires_at: Result<Timestamp, String>) -> CertificateCheck {
        CertificateCheck { host: "pith.example".to_owned(), expires_at }
    }

    #[test]
    fn a_process_that_is_gone_takes_no_connections_and_no_disk() {
        let mut report = healthy();
        report.nodes[1].seen_at = NOW.plus(-NODE_TIMEOUT - 1);
        report.nodes[1].process.disk = Some(DiskSpace { free: 0, total: 100 });
        report.nodes[1].process.release = "0.0.9".to_owned();
        report.database.max_connections = 26;
        assert_eq!(report.problems().len(), 1);
    }
}
