//! What a process records of itself, and checks for its operator: its row among the processes of the site, the metrics of the
//! instance, the site's certificate, and the token of the setup page.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use config::{
    Profile,
    build::{COMMIT, RELEASE},
};
use jobs::JobKind;
use kernel::StoreError;
use operations::{Area, DiskSpace, NodeKind, Process};
use telemetry::InstanceState;
use tokio::time::MissedTickBehavior;
use web::app::App;
use workflows::setup::issue_setup_token;

use crate::{certificate, worker};

/// Interval at which a process records that it runs, and reads the state of the instance.
const INTERVAL: Duration = Duration::from_secs(15);
/// Interval at which it checks the site's certificate.
const CERTIFICATE_INTERVAL: Duration = Duration::from_hours(1);

/// Reports for a process, until it is dropped.
pub struct Reporter {
    app: Arc<App>,
    /// What is recorded of the process. Only its disk changes.
    process: Process,
    jobs: Vec<JobKind>,
    /// What is wrong, by area and what it is about: it is logged.
    problems: BTreeMap<(Area, String), String>,
    /// When the certificate was last checked.
    certificate: Option<Instant>,
    /// Whether the address of the setup page is logged.
    offered_setup: bool,
}

impl std::fmt::Debug for Reporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reporter").field("process", &self.process).finish_non_exhaustive()
    }
}

impl Reporter {
    pub fn new(app: &Arc<App>, kind: NodeKind) -> Self {
        let process = Process {
            id: app.process_id.clone(),
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            kind,
            release: RELEASE.to_owned(),
            commit: COMMIT.to_owned(),
            started_at: app.machine_clock.now(),
            max_connections: app.config.database.most_connections(),
            disk: None,
        };
        Self {
            process,
            jobs: worker::registry(app).kinds().to_vec(),
            app: Arc::clone(app),
            problems: BTreeMap::new(),
            certificate: None,
            offered_setup: false,
        }
    }

    /// Reports regularly.
    pub async fn run(mut self) {
        let mut ticks = tokio::time::interval(INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.report().await;
        }
    }

    /// Records that the process runs, and reads the state of the instance. While the database is not there, or not migrated, only the metrics
    /// show that.
    pub async fn report(&mut self) {
        match self.save_node().await {
            Ok(offset) => self.app.metrics.set_clock_offset(offset),
            Err(error) => tracing::debug!(%error, "the process can't be listed among those of the site"),
        }
        self.app.metrics.set_database_up(self.app.db.is_up().await);
        if let Ok(state) = self.app.instance_state(self.jobs.clone()).await {
            self.app.metrics.set_instance(&state);
            self.log_problems(state);
            self.offer_setup().await;
            self.compare_name().await;
        }
        if self.certificate.is_none_or(|checked| checked.elapsed() >= CERTIFICATE_INTERVAL) {
            self.certificate = Some(Instant::now());
            self.check_certificate().await;
        }
    }

    /// Returns by how many milliseconds this machine's clock is ahead of the database's.
    async fn save_node(&mut self) -> Result<i64, StoreError> {
        self.process.disk = disk_space(&self.app.config.home);
        if let Some(disk) = self.process.disk {
            self.app.metrics.set_disk(disk);
        }
        let process = self.process.clone();
        let clock = Arc::clone(&self.app.machine_clock);
        self.app.db.write(move |pg| pg.save_node(&process, clock.now())).await
    }

    /// Logs what goes wrong, once when it begins, and when it is over. Not in a demo, where nobody makes backups.
    fn log_problems(&mut self, state: InstanceState) {
        if self.app.config.profile == Profile::Demo {
            return;
        }
        let problems = self.app.system_report(state, None).problems();
        let now: BTreeMap<_, _> = problems.into_iter().map(|one| ((one.area, one.about), one.message)).collect();
        for message in now.iter().filter(|(key, _)| !self.problems.contains_key(*key)).map(|(_, message)| message) {
            tracing::warn!("{message}");
        }
        for message in self.problems.iter().filter(|(key, _)| !now.contains_key(*key)).map(|(_, message)| message) {
            tracing::info!("no longer: {message}");
        }
        self.problems = now;
    }

    /// Prints where the setup page is, with a token of its own, if the site waits for it.
    async fn offer_setup(&mut self) {
        let App { config, .. } = &*self.app;
        if self.offered_setup || self.process.kind != NodeKind::Serve || config.profile == Profile::Demo {
            return;
        }
        match self.app.write_tx::<_, StoreError, _>(issue_setup_token).await {
            Ok(token) => {
                self.offered_setup = true;
                if let Some(token) = token {
                    tracing::warn!(
                        "This site has neither content nor an admin. Set it up at {}",
                        config.link(&format!("/setup#token={token}"))
                    );
                }
            }
            Err(error) => tracing::debug!(%error, "the setup page can't be offered yet"),
        }
    }

    /// Has the process start again if the site has another name: it may have missed the notification.
    async fn compare_name(&self) {
        let name = self.app.current_site_name().await;
        if name.is_ok_and(|name| name != self.app.config.site.name) {
            self.app.name_changed.notify_one();
        }
    }

    async fn check_certificate(&self) {
        let Some(check) = certificate::check_certificate(&self.app.config.public_url).await else { return };
        self.app.metrics.set_certificate(&check);
        *self.app.certificate.lock().unwrap_or_else(PoisonError::into_inner) = Some(check);
    }
}

/// Records that the process stops.
pub async fn deregister(app: &App) {
    let id = app.process_id.clone();
    if let Err(error) = app.db.write::<_, StoreError, _>(move |pg| pg.delete_node(&id)).await {
        tracing::debug!(%error, "the process stays listed for a while");
    }
}

/// The disk of a folder; `None` if it can't be asked.
fn disk_space(folder: &Path) -> Option<DiskSpace> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(DiskSpace {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        total: disk.f_blocks.saturating_mul(disk.f_frsize),
    })
}
