//! A release is made from the debug build, installed, and run as an operator would.
//!
//! No tool does this without a container engine; `dpkg`, `chroot`, nginx and Caddy are the real ones.

mod image;
mod monitoring;
mod package;
mod proxy;
mod root;

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use serde_json::Value;

use self::root::Root;
use super::checks::Checks;
use super::outcome::Outcome;
use super::scratch::Scratch;
use crate::console::say;
use crate::postgres::{Cluster, DatabaseUrls, Kind};
use crate::release::{self, Parts, Stamp};
use crate::{frontend, process, pypi, tools};

/// From Python's package registry: holds a bill of materials against the official schema.
const VALIDATOR: &str = "cyclonedx-python-lib[json-validation]==11.12.0";
const VALIDATE: &str = "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(str(error) if error else 0)
";
/// Packages whose absence would mean that a kind of package is missing.
const KNOWN: [&str; 4] = ["pkg:cargo/actix-web@", "pkg:cargo/diesel@", "pkg:cargo/pq-src@", "pkg:npm/react-dom@"];

/// What the checks of an installation share.
struct Site<'a> {
    scratch: &'a Scratch<'a>,
    /// A new folder.
    folder: PathBuf,
    database: DatabaseUrls,
}

/// Runs the suite.
pub(super) fn run(scratch: &Scratch<'_>) -> Result<Outcome> {
    let folder = scratch.folder().join("release");
    // Left by a first run.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    let pith = strip(&scratch.pith()?, &folder)?;
    let stamp = Stamp::read(scratch.checkout)?;
    let parts = Parts::collect(scratch.checkout, &stamp, &pith, Compression::fast())?;
    let mut checks = Checks::default();

    say!("What is made");
    let (dist, again) = (folder.join("dist"), folder.join("again"));
    let files = release::make(&parts, &dist)?;
    for file in release::make(&parts, &again)? {
        let name = file.strip_prefix(&again)?;
        let is_same = fs::read(&file)? == fs::read(dist.join(name))?;
        let problems = if is_same { Vec::new() } else { vec!["its bytes differ".to_owned()] };
        checks.check(&format!("made twice, {} is the same", name.display()), &problems);
    }
    fs::remove_dir_all(&again)?;
    let mut sums = Command::new("sha256sum");
    sums.current_dir(&dist).args(["--check", "--strict", "--quiet", "SHA256SUMS"]);
    checks.check_result("the checksums are right", process::output(&mut sums).map(drop));
    checks.check_result("the bill of materials is one and names what is known", check_bill(scratch, &files));
    checks.check_result("the archive has the program, its documents and the licenses", check_archive(&dist, &stamp));

    say!("The files for Prometheus and Grafana");
    monitoring::check_files(scratch, &folder, &mut checks)?;

    if !rustix::process::geteuid().is_root() || !cfg!(target_os = "linux") {
        say!("NOT TRIED: package, image and proxies are installed as root on Linux only");
        return Ok(checks.outcome);
    }
    // A socket's path would be too long in this folder, so Postgres is reached over the loopback address: from other roots too.
    let deep = folder.join("postgres".repeat(12));
    let cluster = Cluster::start(scratch.checkout, &deep, Kind::Kept)?;
    let site = Site { scratch, folder, database: cluster.urls() };
    let mut secret = None;
    match find(&files, "deb") {
        Some(package) => {
            say!("The Debian package");
            let installed = package::check(&site, &parts, package, &mut checks)?;
            secret = Some(installed.secret.clone());
            monitoring::check_exposed(&site, &pith, &installed, &mut checks)?;
            proxy::check(&site, &installed, &mut checks)?;
            say!("The Debian package is upgraded and removed");
            package::check_upgrade_and_removal(&site, &parts, installed, package, &mut checks)?;
        }
        None => say!("NOT TRIED: the Debian package and the proxies, because this is no Debian"),
    }
    say!("The image");
    image::check(&site, secret.as_deref(), find(&files, "tar").context("no image was made")?, &mut checks)?;
    Ok(checks.outcome)
}

/// Copies the program without its symbols, as the release profile makes it.
fn strip(pith: &Path, folder: &Path) -> Result<PathBuf> {
    let stripped = folder.join("pith");
    process::output(Command::new("strip").arg("-o").arg(&stripped).arg(pith))?;
    Ok(stripped)
}

fn find<'a>(files: &'a [PathBuf], extension: &str) -> Option<&'a Path> {
    files.iter().find(|file| file.extension().is_some_and(|found| found == extension)).map(PathBuf::as_path)
}

fn check_bill(scratch: &Scratch<'_>, files: &[PathBuf]) -> Result<()> {
    let path = find(files, "json").context("there is none")?;
    let bill: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let components = bill["components"].as_array().context("it lists no components")?;
    for known in KNOWN {
        let is_known = |one: &Value| one["purl"].as_str().is_some_and(|purl| purl.starts_with(known));
        ensure!(components.iter().any(is_known), "{known} is missing");
    }
    let folder = frontend::made(scratch.checkout)?.join("cyclonedx");
    let python = pypi::install(&[VALIDATOR], &folder)?.join("python");
    process::output(Command::new(python).args(["-c", VALIDATE]).arg(path)).map(drop)
}

fn check_archive(dist: &Path, stamp: &Stamp) -> Result<()> {
    let name = format!("pith-{}-{}-{}", stamp.version, std::env::consts::ARCH, std::env::consts::OS);
    let archive = dist.join(format!("{name}.tar.gz"));
    process::output(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(dist))?;
    let folder = dist.join(name);
    let help = process::output(Command::new(folder.join("pith")).arg("--help"))?;
    ensure!(help.contains("migrate"), "the program does not run: {help}");
    for document in ["OPERATING.md", "monitoring/alerts.yml", "monitoring/grafana-dashboard.json"] {
        ensure!(folder.join(document).is_file(), "{document} is missing");
    }
    let licenses = fs::read_to_string(folder.join("THIRD-PARTY-LICENSES.txt"))?;
    for part in [
        "diesel ",
        "react-dom ",
        "Permission is hereby granted",
        "Apache License",
        "SIL OPEN FONT LICENSE",
        "PostgreSQL Database Management",
    ] {
        ensure!(licenses.contains(part), "the licenses lack `{part}`");
    }
    Ok(())
}

/// The settings of a server in the demo profile, for an installation that has none.
fn settings(site: &Site<'_>, address: SocketAddr) -> Vec<(&'static str, String)> {
    vec![
        ("PITH_PROFILE", "demo".to_owned()),
        ("DATABASE_URL", site.database.application.clone()),
        ("PUBLIC_URL", format!("http://localhost:{}", address.port())),
        ("BIND", address.ip().to_string()),
        ("PORT", address.port().to_string()),
        ("TRUSTED_PROXIES", "127.0.0.1".to_owned()),
        ("DEMO_YEAR", "off".to_owned()),
        ("SPEECH", "off".to_owned()),
        ("RATE_LIMITS", "off".to_owned()),
    ]
}

/// Checks that a server is ready and has a front page.
fn check_front_page(address: SocketAddr) -> Result<()> {
    let mut answer = crate::http::agent().get(format!("http://{address}/")).call()?;
    let page = answer.body_mut().read_to_string()?;
    if answer.status().as_u16() != 200 || !page.contains("<h1") {
        bail!("the front page was answered with {}", answer.status());
    }
    Ok(())
}

fn ensure_that(holds: bool, otherwise: &str) -> Result<()> {
    if holds { Ok(()) } else { bail!("{otherwise}") }
}

/// The last lines of a log, for the message of a failure.
fn last_lines(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

/// The path of a program, or an error that names it.
fn program(name: &str) -> Result<PathBuf> {
    tools::find_admin(name).with_context(|| format!("{name} is not on the PATH"))
}
