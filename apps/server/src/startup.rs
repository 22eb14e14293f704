//! What `serve` and `worker` do before they run, and what `pith check` tries: configuration, database, file store, mail server.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use config::Config;
use kernel::config::Variables;
use postgres::ConnectFailure;
use web::app::App;

/// Interval at which an unreachable database is tried again.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);
/// Interval at which the log says that the database is waited for.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Reads the configuration. In the demo profile, makes the secret that seals the keys when there is none yet.
pub fn read_config() -> anyhow::Result<Config> {
    let config = keep_secret(Config::read(&Variables::from_env())?)?;
    // A database that is not there is reported by what needs it.
    let name = postgres::site_name(config.database.session_url()).unwrap_or_default();
    Ok(config.named(name, Config::read)?)
}

fn keep_secret(config: Config) -> anyhow::Result<Config> {
    if !config.lacks_demo_secret {
        return Ok(config);
    }
    // A new secret can't decrypt the keys of an existing database.
    if postgres::has_sealed_keys(&config.owner_database_url)? {
        bail!(
            "PITH_SECRET: the database was sealed with a secret that is not in {}. Set PITH_SECRET, or PITH_HOME to the data \
             folder that belongs to the database.",
            config.home.join("secret").display()
        );
    }
    config::keep_demo_secret(&config.home)
        .with_context(|| format!("PITH_HOME can't be written to ({})", config.home.display()))?;
    Ok(Config::read(&Variables::from_env())?)
}

/// The configuration of a process that runs the site. Starts the log, logs the warnings, and waits for a database that is not up
/// yet.
///
/// # Errors
/// Everything that is wrong with the configuration, or why the database will not come up by itself.
pub fn read_site_config() -> anyhow::Result<Config> {
    let config = Config::read_for_site(&Variables::from_env())?;
    telemetry::logs::init(&config.log, config.traces)?;
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    wait_for_database("DATABASE_URL", &config.database.url)?;
    if let Some(url) = &config.database.direct_url {
        wait_for_database("DATABASE_DIRECT_URL", url)?;
    }
    let config = keep_secret(config)?;
    let name = postgres::site_name(config.database.session_url())?;
    Ok(config.named(name, Config::read_for_site)?)
}

/// Blocks until the database accepts a connection.
fn wait_for_database(name: &str, url: &str) -> anyhow::Result<()> {
    let mut said: Option<Instant> = None;
    loop {
        match postgres::reach(url) {
            Ok(()) => return Ok(()),
            Err(error @ ConnectFailure::Permanent(_)) => bail!("{name}: {error}"),
            Err(ConnectFailure::Transient(error)) => {
                if said.is_none_or(|said| said.elapsed() >= LOG_INTERVAL) {
                    said = Some(Instant::now());
                    tracing::warn!("{name}: waiting for the database: {error}");
                }
                std::thread::sleep(RETRY_INTERVAL);
            }
        }
    }
}

/// Tries the services that the site can start without: the file store, the mail server, and the place of backups.
///
/// # Returns
/// One sentence for each that can't be used.
pub async fn check_services(app: &App) -> Vec<String> {
    let backups = async {
        match &app.config.backup.scheduled {
            Some(scheduled) => scheduled.place.check(&app.config.home).await,
            None => Ok(()),
        }
    };
    let (files, mail, backups) = tokio::join!(app.media.check(), app.mailer.check(), backups);
    let place = match &app.config.media {
        media::MediaConfig::Folder => "PITH_HOME",
        media::MediaConfig::S3(_) => "MEDIA_URL",
    };
    let files = files.err().map(|error| format!("{place}: no file can be stored: {error}"));
    let mail = mail.err().map(|error| format!("SMTP_URL: {error}"));
    let backups = backups.err().map(|error| format!("BACKUP_TO: no backup can be kept: {error}"));
    [files, mail, backups].into_iter().flatten().collect()
}

/// Logs what [`check_services`] finds.
pub async fn warn_of_services(app: Arc<App>) {
    for problem in check_services(&app).await {
        tracing::warn!("{problem}");
    }
}

/// What `pith check` found.
#[derive(Debug, Default)]
pub struct Findings {
    /// What keeps the site from running, one sentence each.
    pub errors: Vec<String>,
    /// What most likely is not meant.
    pub warnings: Vec<String>,
    /// What was tried and works.
    pub fine: Vec<String>,
}

/// Checks everything that a site needs to run.
pub async fn check(env: Arc<dyn kernel::Env>) -> Findings {
    let mut findings = Findings::default();
    let config = match Config::read_for_site(&Variables::from_env()) {
        Ok(config) => config,
        Err(errors) => {
            findings.errors.extend(errors.errors.iter().map(ToString::to_string));
            findings.warnings = errors.warnings;
            return findings;
        }
    };
    findings.warnings.extend(config.warnings.iter().cloned());
    findings.fine.push(format!("the configuration of the profile '{:?}'", config.profile).to_lowercase());
    let has_database = check_database(&config, &mut findings);
    match App::new(config, env) {
        Ok(app) => check_app(&app, has_database, &mut findings).await,
        Err(error) => findings.errors.push(format!("{error:#}")),
    }
    findings
}

async fn check_app(app: &App, has_database: bool, findings: &mut Findings) {
    let problems = check_services(app).await;
    if problems.is_empty() {
        let mail = if app.config.mail.smtp.is_some() { "the mail server" } else { "the outbox for mails" };
        let backups = if app.config.backup.scheduled.is_some() { ", and the place of backups" } else { "" };
        findings.fine.push(format!("the file store and {mail}{backups}"));
    }
    findings.errors.extend(problems);
    app.mailer.close().await;
    if has_database && !app.config.lacks_demo_secret {
        findings.errors.extend(app.check_secret().await.err().map(|error| error.to_string()));
    }
}

/// Tries the database with each user. Returns whether it is migrated.
fn check_database(config: &Config, findings: &mut Findings) -> bool {
    let owner_url = Some(&config.owner_database_url).filter(|url| *url != config.database.session_url());
    let urls = [
        ("DATABASE_URL", Some(&config.database.url)),
        ("DATABASE_DIRECT_URL", config.database.direct_url.as_ref()),
        ("DATABASE_REPLICA_URL", config.database.replica_url.as_ref()),
        ("DATABASE_OWNER_URL", owner_url),
    ];
    let failed: Vec<String> = urls
        .into_iter()
        .filter_map(|(name, url)| Some((name, url?)))
        .filter_map(|(name, url)| postgres::reach(url).err().map(|error| format!("{name}: {error}")))
        .collect();
    if !failed.is_empty() {
        findings.errors.extend(failed);
        return false;
    }
    findings.fine.push("the database".to_owned());
    match postgres::connection_slots(config.database.session_url()) {
        Ok((allowed, open)) => warn_of_slots(config, allowed, open, findings),
        Err(error) => findings.errors.push(format!("DATABASE_URL: {error}")),
    }
    match postgres::is_migrated(config.database.session_url()) {
        Ok(true) => true,
        Ok(false) => {
            findings.errors.push("DATABASE_URL: the database is not up to date: run `pith migrate`".to_owned());
            false
        }
        Err(error) => {
            findings.errors.push(format!("DATABASE_URL: {error}"));
            false
        }
    }
}

/// Says how many connections a process takes, and warns when the server allows fewer.
fn warn_of_slots(config: &Config, allowed: u32, open: u32, findings: &mut Findings) {
    let needed = config.database.most_connections();
    if needed > allowed {
        findings.warnings.push(format!(
            "DATABASE_READ_CONNECTIONS and DATABASE_WRITE_CONNECTIONS: a process takes up to {needed} connections, and Postgres allows \
             {allowed} (max_connections)"
        ));
    } else {
        findings.fine.push(format!(
            "connections: up to {needed} for each process, of {allowed} that Postgres allows; {open} are open now"
        ));
    }
}
