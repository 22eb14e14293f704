//! `cargo xtask up`: from a fresh clone to a running product.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::Signal;

use crate::checkout::Checkout;
use crate::home::{Address, Home, Lock};
use crate::postgres::Database;
use crate::process::{self, Running};
use crate::server::{self, Profile};
use crate::{frontend, ports, signals, tools};

/// How long the server has to drain.
const DRAIN: [(Signal, Duration); 1] = [(Signal::TERM, Duration::from_secs(40))];
const READY_LIMIT: Duration = Duration::from_mins(1);
/// The accounts that the demo profile adds to the content.
const DEMO_ACCOUNTS: [&str; 4] = ["admin@example.com", "editor@example.com", "paid@example.com", "free@example.com"];
const DEMO_PASSWORD: &str = "pith-demo-2026";

/// Runs until Ctrl-C, SIGTERM or the end of a process that it started.
pub(crate) fn up(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let profile = match rest {
        [] => Profile::Debug,
        [flag] if flag == "--release" => Profile::Release,
        _ => bail!("`up` knows `--release` only, not `{}`", rest.join(" ")),
    };
    let begin = Instant::now();
    let address = Address::from_env()?;
    let home = Home::open(checkout)?;
    let lock = home.lock("up")?;
    if let Lock::Theirs { holder } = &lock {
        bail!("{} is in use by {holder}; set PITH_HOME and PORT to run a second instance", home.dir().display());
    }
    if !ports::is_free(address.bind, address.port) {
        bail!("{}:{} is taken by another program: set PORT (or BIND)", address.bind, address.port);
    }

    tools::ensure_build_tools()?;
    tools::offer_speech();
    frontend::install_packages(checkout)?;
    frontend::build(checkout)?;
    println!("Building the server …");
    let pith = server::build(checkout, profile)?;

    println!("Starting Postgres …");
    let mut database = Database::open(checkout, &home)?;
    let content = server::content_profile();
    let call = || server::command(checkout, &pith, &home, database.urls());
    process::run_well(server::owner_command(checkout, &pith, &home, database.urls()).arg("migrate"))
        .context("cannot bring the database up to date")?;
    let seeded = seed_mark(&home, &database);
    if !seeded.is_file() {
        println!("Loading the content (profile {content}) …");
        process::run_well(call().arg("seed")).context("cannot load the content")?;
        fs::write(&seeded, &content).with_context(|| format!("cannot write {}", seeded.display()))?;
    }

    let mut serve = call();
    serve.arg("serve").env("PORT", address.port.to_string()).env("BIND", address.bind.to_string());
    let mut server = Running::spawn(&mut serve, "the server")?;
    let outcome = server::await_ready(&mut server, address.local(), "/readyz", READY_LIMIT).and_then(|()| {
        greet(&home, &address, &content, begin.elapsed());
        watch(&mut server, &mut database)
    });
    if outcome.as_ref().is_err_and(anyhow::Error::is::<signals::Interrupted>) {
        println!("Stopping …");
        server.stop(&DRAIN);
        drop(database);
        println!("Stopped.");
        return Ok(ExitCode::SUCCESS);
    }
    server.stop(&DRAIN);
    outcome.map(|()| ExitCode::SUCCESS)
}

/// Watches the server and the database. Returns only with an error: a stop request, or the end of one of them.
fn watch(server: &mut Running, database: &mut Database) -> Result<()> {
    loop {
        signals::check()?;
        if let Some(status) = server.ended()? {
            bail!("the server ended by itself ({status})");
        }
        database.check()?;
        thread::sleep(Duration::from_millis(100));
    }
}

/// The file that marks a database as seeded: content is loaded once, and later changes by editors are kept. For an embedded
/// cluster it is beside the cluster's folder, so that both are removed together.
fn seed_mark(home: &Home, database: &Database) -> PathBuf {
    if database.is_embedded() {
        home.postgres().join("seeded")
    } else {
        home.dir().join(format!("seeded-{:016x}", digest(&database.urls().application)))
    }
}

/// A hash that identifies a database in a file name without revealing its password.
fn digest(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

fn greet(home: &Home, address: &Address, content: &str, took: Duration) {
    println!();
    println!("  Pith is at {}   (ready after {:.1} s)", address.url(), took.as_secs_f32());
    if content == server::DEMO {
        println!("  accounts: {}", DEMO_ACCOUNTS.join(", "));
        println!("  password: {DEMO_PASSWORD}");
    }
    println!("  data: {}   Ctrl-C stops everything.", home.dir().display());
    println!();
}
