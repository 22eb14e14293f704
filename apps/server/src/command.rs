//! The subcommands of `pith`.
#![allow(clippy::print_stdout, reason = "commands answer on the standard output")]

use std::{os::unix::process::CommandExt, path::Path, sync::Arc};

use admin::{Actor, AuditCommands, AuditEvent, FieldChange, NewAuditEntry, Subject, SubjectKind};
use anyhow::{Context, anyhow, bail};
use backup::Tally;
use clap::CommandFactory;
use config::{Config, Profile};
use identity::{Identity, IdentityError, IdentityQueries, Role};
use kernel::{DAY, Day, Email, Env, StoreError, Timestamp};
use operations::{Backup, Verification};
use postgres::RightsOutcome;
use seed::Exported;
use workflows::{
    billing::ledger_check::LedgerReport,
    identity::secret_rotation::{Rotation, reseal_everything},
};

use crate::{
    arguments::{Arguments, Command},
    backups,
    env::SystemEnv,
    healthcheck,
    serve::{self, Stopped},
    startup::{self, Findings, read_config, read_site_config},
    worker,
};
use web::app::App;

/// Runs a command.
pub fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve => {
            let app = App::new(read_site_config()?, Arc::new(SystemEnv))?;
            start_again(actix_web::rt::System::new().block_on(serve::serve(app))?)
        }
        Command::Worker => {
            let app = App::new(read_site_config()?, Arc::new(SystemEnv))?;
            start_again(actix_web::rt::System::new().block_on(serve::work(app))?)
        }
        Command::Check => check(),
        Command::Healthcheck { worker } => healthcheck::ask(worker),
        Command::Migrate => migrate(),
        Command::Backup { file } => write_backup(&file),
        Command::Restore { file } => restore_backup(&file),
        Command::ArchiveAudit { month, file } => archive_audit(month, &file),
        Command::Seed { folder } => run_seed(folder.as_deref()),
        Command::Export { folder } => export(&folder),
        Command::RotateKeys => rotate_keys(),
        Command::RotateSecret => rotate_secret(),
        Command::GrantRole { email, role } => grant_role(&email, role),
        Command::ResetSecondFactor { email } => reset_second_factor(&email),
        Command::LedgerCheck => check_ledger(),
        Command::Openapi => {
            println!("{}", web::document().to_pretty_json()?);
            Ok(())
        }
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "pith", &mut std::io::stdout());
            Ok(())
        }
        Command::Man => Ok(clap_mangen::Man::new(Arguments::command()).render(&mut std::io::stdout())?),
    }
}

/// Ends the process. Replaces it by a new one of the same program, with the same arguments, if that is what it has stopped for.
fn start_again(stopped: Stopped) -> anyhow::Result<()> {
    telemetry::traces::shut_down();
    match stopped {
        Stopped::BySignal => Ok(()),
        Stopped::SiteRenamed => {
            let program = std::env::current_exe()?;
            let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).exec();
            Err(error).context("the program can't be started again")
        }
    }
}

fn check() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let Findings { errors, warnings, fine } = runtime.block_on(startup::check(Arc::new(SystemEnv)));
    for (label, lines) in [("fine", &fine), ("warning", &warnings), ("error", &errors)] {
        for line in lines {
            println!("{label}: {line}");
        }
    }
    match errors.len() {
        0 => Ok(()),
        1 => bail!("one error: the site can't run so"),
        count => bail!("{count} errors: the site can't run so"),
    }
}

/// Reads the configuration and checks that the database's schema is up to date.
fn migrated() -> anyhow::Result<Config> {
    let config = read_config()?;
    if !postgres::is_migrated(config.database.session_url())? {
        bail!("the database is not up to date: run `pith migrate` first");
    }
    Ok(config)
}

fn migrate() -> anyhow::Result<()> {
    let config = read_config()?;
    let run = postgres::migrate(&config.owner_database_url)?;
    match run.len() {
        0 => println!("The database is up to date."),
        _ => println!("Migrated: {}.", run.join(", ")),
    }
    grant_rights(&config)
}

/// Grants the user of `DATABASE_URL` the privileges that `serve` and `worker` need, when another user owns the tables.
fn grant_rights(config: &Config) -> anyhow::Result<()> {
    let granted = postgres::grant_rights(&config.owner_database_url, config.database.session_url()).context(
        "the user of DATABASE_URL can't be given its rights; DATABASE_OWNER_URL names the owner of the tables",
    )?;
    if let RightsOutcome::Role { name, is_new } = granted {
        let made = if is_new { " was made and" } else { "" };
        println!("The role {name}{made} has the rights of `serve` and `worker`.");
    }
    Ok(())
}

fn write_backup(file: &Path) -> anyhow::Result<()> {
    let app = App::new(read_config()?, Arc::new(SystemEnv))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let written = runtime.block_on(until_stopped(&app, file));
    // After a stop its thread may wait for the database: it ends with the process.
    runtime.shutdown_background();
    let Tally { rows, files, .. } = written.with_context(|| format!("no backup was made in {}", file.display()))?;
    let bytes = std::fs::metadata(file)?.len();
    let made = Backup { ended_at: app.env.now(), bytes, verification: Verification::NotTried };
    // The file is complete: a database that can't be written to, or is of an older release, does not make it worse.
    if let Err(error) = app.db.write_now::<_, StoreError>(|pg| pg.insert_backup(&made, None)) {
        println!("The site can't show that this backup was made: {error}");
    }
    println!(
        "{} holds {rows} rows and {files} files. Keep PITH_SECRET apart from it: without it the keys within can't be used.",
        file.display()
    );
    Ok(())
}

/// Writes a backup, unless SIGTERM or Ctrl-C comes first: then nothing of it stays.
async fn until_stopped(app: &App, file: &Path) -> anyhow::Result<Tally> {
    let stop = serve::shutdown_signal()?;
    let source = backups::source(app);
    tokio::select! {
        written = source.write(file) => Ok(written?),
        () = stop => Err(anyhow!("it was stopped")),
    }
}

fn restore_backup(file: &Path) -> anyhow::Result<()> {
    let app = Arc::new(App::new(read_config()?, Arc::new(SystemEnv))?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (registry, now) = (worker::registry(&app), app.env.now());
    let restored =
        backup::restore(file, app.config.backup.key.as_ref(), &app.config.owner_database_url, &app.media, |pg| {
            let event = AuditEvent::new("backup.restore", Subject::whole(SubjectKind::Site));
            pg.insert_audit_entry(NewAuditEntry { actor: &Actor::Operator("restore"), event: &event, at: now })?;
            pg.forget_other_instance()?;
            registry.set_aside_restored(pg, now)
        });
    let Tally { rows, files, set_aside } =
        runtime.block_on(restored).with_context(|| format!("{} was not restored", file.display()))?;
    println!("{rows} rows and {files} files were restored.");
    grant_rights(&app.config)?;
    if set_aside > 0 {
        println!(
            "{set_aside} mails and deliveries that were queued when the backup was made are set aside: see /admin/mails."
        );
    }
    Ok(())
}

fn archive_audit(month: Day, file: &Path) -> anyhow::Result<()> {
    let config = migrated()?;
    let now = SystemEnv.now();
    let before = Timestamp::from_millis(i64::from(month.since_epoch()) * DAY);
    if before > now {
        bail!("the months before {month} are not over: the entries of this one stay");
    }
    let archived = backup::archive_audit(file, &config.owner_database_url, (before, &month.to_string()), now);
    match archived.with_context(|| format!("no entry was deleted; {}", file.display()))? {
        0 => println!("There are no entries from before {month}."),
        count => {
            println!("{count} entries from before {month} are in {} and no longer in the audit log.", file.display());
        }
    }
    Ok(())
}

fn run_seed(folder: Option<&Path>) -> anyhow::Result<()> {
    let config = migrated()?;
    let demo = config.profile == Profile::Demo;
    let app = App::new(config, Arc::new(SystemEnv))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let target = seed::Target { db: &app.db, env: &*app.env, media: &app.media };
    let site = &app.config.site.name;
    let tally = runtime.block_on(seed::load_content(&target, folder, site, app.config.speech.enabled))?;
    println!("{tally}");
    if demo {
        // Hashes passwords and waits for the database: must not block the runtime's thread.
        for email in seed::create_demo_accounts(&target)? {
            println!("Account {email} is there.");
        }
        add_year(&app, &runtime)?;
    }
    Ok(())
}

/// Adds the demo's made-up year of business, unless real providers take the payments.
fn add_year(app: &App, runtime: &tokio::runtime::Runtime) -> anyhow::Result<()> {
    let Some(sandbox) = app.gateways.sandbox().filter(|_| app.config.demo_year) else { return Ok(()) };
    let (db, env, seal, settings) = (&app.db, &app.env, &app.seal, app.transactions.settings());
    let target = seed::YearTarget { db, env, seal, settings, sandbox };
    if let Some(members) = runtime.block_on(seed::add_business_year(&target))? {
        println!("A year of business with {members} made-up members is there.");
    }
    Ok(())
}

fn export(folder: &Path) -> anyhow::Result<()> {
    let app = App::new(migrated()?, Arc::new(SystemEnv))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let exported = runtime.block_on(seed::export_content(app.config.database.session_url(), &app.media, folder));
    let Exported { books, files, missing } =
        exported.with_context(|| format!("{} was not written", folder.display()))?;
    for key in missing {
        eprintln!("A text shows the picture {key}, which the object store does not have.");
    }
    println!("{} holds {books} books and what belongs to them, in {files} files.", folder.display());
    Ok(())
}

fn rotate_keys() -> anyhow::Result<()> {
    let app = App::new(read_config()?, Arc::new(SystemEnv))?;
    let (seal, env) = (app.seal.clone(), Arc::clone(&app.env));
    app.transactions.write_now_as::<_, IdentityError>(Actor::Operator("rotate-keys"), move |tx, trail| {
        tx.pg.rotate_root_key(&seal, &*env)?;
        trail.record(AuditEvent::new("keys.rotate", Subject::whole(SubjectKind::Keys)));
        Ok(())
    })?;
    println!("A new key signs from now on. Tokens of the previous one stay good until they expire.");
    Ok(())
}

fn rotate_secret() -> anyhow::Result<()> {
    let config = migrated()?;
    if config.secret_also.is_none() {
        bail!("PITH_SECRET_ALSO is not set: it is the secret that is to be replaced by PITH_SECRET");
    }
    let app = App::new(config, Arc::new(SystemEnv))?;
    let actor = Actor::Operator("rotate-secret");
    let Rotation { resealed, unreadable } = app.transactions.write_now_as::<_, StoreError>(actor, |tx, trail| {
        let rotation = reseal_everything(tx)?;
        trail.record(AuditEvent::new("keys.reseal", Subject::whole(SubjectKind::Keys)));
        Ok(rotation)
    })?;
    println!("{resealed} values are sealed with PITH_SECRET now.");
    match unreadable {
        0 => Ok(()),
        count => bail!("{count} values open with neither secret, and stay as they are"),
    }
}

fn grant_role(address: &Email, role: Role) -> anyhow::Result<()> {
    let app = App::new(read_config()?, Arc::new(SystemEnv))?;
    let now = app.env.now();
    let granted = app.transactions.write_now_as::<_, StoreError>(Actor::Operator("grant-role"), |tx, trail| {
        let before = tx.pg.account(address)?.map(|account| account.user.role);
        let user = tx.pg.grant_role(address, role, now)?;
        if let (Some(before), Some(user)) = (before, &user) {
            let change = FieldChange::between("role", Some(before.as_str()), Some(role.as_str()));
            trail.record_changes(AuditEvent::new("user.role", Subject::user(user.id)).with([change]));
        }
        Ok((before, user))
    });
    let (before, user) = granted?;
    let (Some(before), Some(user)) = (before, user) else {
        bail!("nobody has signed up with {address}: a role is given to an account that is there")
    };
    if before == user.role {
        println!("{} has been {role} before; nothing has changed.", user.email);
    } else {
        println!("{} is {role} now, and has to log in again.", user.email);
    }
    Ok(())
}

fn reset_second_factor(address: &Email) -> anyhow::Result<()> {
    let app = App::new(read_config()?, Arc::new(SystemEnv))?;
    let actor = Actor::Operator("reset-second-factor");
    let found = app.transactions.write_now_as::<_, StoreError>(actor, |tx, trail| {
        let found = workflows::identity::second_factor::reset_factors(tx, address)?;
        if let Some(user) = &found {
            trail.record(AuditEvent::new("user.second_factor_reset", Subject::user(user.id)));
        }
        Ok(found)
    })?;
    let Some(user) = found else { bail!("nobody has signed up with {address}") };
    println!("{} has no second factor and no passkeys any more, and is logged out everywhere.", user.email);
    Ok(())
}

fn check_ledger() -> anyhow::Result<()> {
    let app = App::new(read_config()?, Arc::new(SystemEnv))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let LedgerReport { payers, movements, payments, faults } =
        runtime.block_on(workflows::billing::ledger_check::check_ledger(&app.payments))?;
    println!("{payers} payers, {movements} movements, {payments} payments compared with their provider.");
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => println!("Ledger, entitlements and payment providers agree."),
        count => bail!("{count} of them do not agree"),
    }
    Ok(())
}
