//! The state of the instance, for the page of the back office, the metrics and the log.

use std::sync::PoisonError;

use config::{Profile, build::RELEASE};
use jobs::{JobCount, JobKind, JobQueries, State};
use kernel::StoreError;
use mail::SEND_MAIL;
use operations::{QueueDepth, SystemReport};
use telemetry::InstanceState;

use crate::app::App;

/// After so many attempts a mail counts as delayed: the next waits are minutes long.
const DELAYED_AFTER: i32 = 3;

impl App {
    /// Reads the state of the instance; `kinds` are those of all its jobs.
    pub async fn instance_state(&self, kinds: Vec<JobKind>) -> Result<InstanceState, StoreError> {
        let (at, providers) = (self.env.now(), self.gateways.providers());
        let read = self.db.read(move |pg| {
            let webhooks = providers.iter().map(|provider| pg.webhook_activity(provider.as_str()));
            let webhooks = webhooks.collect::<Result<_, StoreError>>()?;
            Ok(InstanceState {
                at,
                database: pg.database_use()?,
                jobs: pg.job_counts(&kinds)?,
                nodes: pg.nodes()?,
                webhooks,
                backup: pg.last_backup()?,
                delayed_mails: pg.delayed_jobs(SEND_MAIL.name, DELAYED_AFTER)?,
            })
        });
        read.await
    }

    /// What an operator asks of that state. `file_problem` says why no file can be stored.
    pub fn system_report(&self, state: InstanceState, file_problem: Option<String>) -> SystemReport {
        SystemReport {
            at: state.at,
            release: RELEASE.to_owned(),
            database: state.database,
            nodes: state.nodes,
            queue: queue_depths(&state.jobs),
            // A demo keeps its mails to show them.
            has_mail_server: self.mailer.transport().host().is_some() || self.config.profile == Profile::Demo,
            mail_kind: SEND_MAIL.name,
            delayed_mails: state.delayed_mails,
            file_problem,
            backup: state.backup,
            certificate: self.certificate.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            webhooks: state.webhooks,
        }
    }
}

/// The kinds of which some jobs are not done, in their order.
fn queue_depths(counts: &[JobCount]) -> Vec<QueueDepth> {
    let mut depths: Vec<QueueDepth> = Vec::new();
    for count in counts.iter().filter(|count| count.count > 0 && count.state != State::Done) {
        let known = depths.iter().position(|depth| depth.kind == count.kind);
        let at = known.unwrap_or_else(|| {
            let kind = count.kind.to_owned();
            depths.push(QueueDepth { kind, queued: 0, running: 0, set_aside: 0, oldest_due_at: None });
            depths.len() - 1
        });
        let depth = &mut depths[at];
        match count.state {
            State::Queued => (depth.queued, depth.oldest_due_at) = (count.count, count.oldest_due_at),
            State::Running => depth.running = count.count,
            State::SetAside => depth.set_aside = count.count,
            State::Done => {}
        }
    }
    depths
}
