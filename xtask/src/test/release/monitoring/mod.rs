//! The files for Prometheus and Grafana: they are valid, and every metric in them is documented and exposed.

mod alerts;
mod dashboard;
mod metrics;
mod promql;

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use self::metrics::Metrics;
use super::package::Installed;
use super::{Checks, Scratch, Site, last_lines, settings};
use crate::console::say;
use crate::process::{self, Running};
use crate::{frontend, http, ports, server, tools};

/// In the checkout.
const FOLDER: &str = "packaging/monitoring";
const DOCUMENT: &str = "docs/OPERATING.md";
const READY_LIMIT: Duration = Duration::from_mins(1);

/// Checks the files by themselves and against the documented metrics.
pub(super) fn check_files(scratch: &Scratch<'_>, folder: &Path, checks: &mut Checks) -> Result<()> {
    let root = scratch.checkout.root();
    let document = fs::read_to_string(root.join(DOCUMENT))?;
    let metrics = metrics::documented(&document)?;
    let read = |name: &str| {
        fs::read_to_string(root.join(FOLDER).join(name)).with_context(|| format!("cannot read {FOLDER}/{name}"))
    };
    let rules = alerts::read(&read("alerts.yml")?)?;
    let tests = read("alerts_test.yml")?;
    let problems: Vec<String> = rules.iter().flat_map(|alert| alerts::problems(alert, &document, &metrics)).collect();
    checks.check("each alert reads documented metrics and says what to do", &problems);
    let untested = rules.iter().filter(|alert| !alerts::is_tested(&alert.name, &tests));
    let untested: Vec<String> = untested.map(|alert| format!("{} has no test of both", alert.name)).collect();
    checks.check("each alert is tested on good and on bad series", &untested);
    let panels = dashboard::panels(&read("grafana-dashboard.json")?)?;
    checks.check(
        "the dashboard shows documented metrics, and no panel covers another",
        &dashboard::problems(&panels, &metrics)?,
    );

    let promtool = match tools::ensure_promtool(&frontend::made(scratch.checkout)?.join("promtool")) {
        Ok(promtool) => promtool,
        Err(error) => {
            say!("NOT TRIED: promtool on the files for Prometheus: {error:#}");
            return Ok(());
        }
    };
    let as_rules = folder.join("dashboard.json");
    fs::write(&as_rules, dashboard::as_rules(&panels))?;
    let files = root.join(FOLDER);
    for (what, arguments, file) in [
        ("Prometheus accepts its configuration", ["check", "config"], files.join("prometheus.yml")),
        ("Prometheus accepts the alerts", ["check", "rules"], files.join("alerts.yml")),
        ("the alerts fire when they should", ["test", "rules"], files.join("alerts_test.yml")),
        ("Prometheus accepts the dashboard's expressions", ["check", "rules"], as_rules),
    ] {
        checks.check_result(what, process::output(Command::new(&promtool).args(arguments).arg(file)).map(drop));
    }
    Ok(())
}

/// Checks that the installed server and a worker have the documented metrics and no others.
pub(super) fn check_exposed(site: &Site<'_>, pith: &Path, installed: &Installed, checks: &mut Checks) -> Result<()> {
    let mut metrics = metrics::documented(&fs::read_to_string(site.scratch.checkout.root().join(DOCUMENT))?)?;
    let mut check = |what: &str, address: SocketAddr, metrics: &Metrics| -> Result<()> {
        let text = http::agent().get(format!("http://{address}/metrics")).call()?.body_mut().read_to_string()?;
        checks.check(what, &metrics::exposed_problems(&text, metrics)?);
        Ok(())
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
    let (home, log) = (site.folder.join("worker"), site.folder.join("worker.log"));
    fs::create_dir(&home)?;
    let mut worker = Command::new(pith);
    worker.arg("worker").env_clear().envs(settings(site, installed.address)).env("PITH_SECRET", &installed.secret);
    worker.env("WORKER_PORT", address.port().to_string()).env("PITH_HOME", home);
    worker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log)?);
    let mut worker = Running::spawn(&mut worker, "the worker")?;
    server::await_ready(&mut worker, address, "/readyz", READY_LIMIT).with_context(|| last_lines(&log))?;
    check("a worker has the documented metrics", address, &metrics)?;
    // The server runs in a root without /proc, from which these are read.
    metrics.retain(|name, _| !name.starts_with("process_"));
    check("the installed server has the documented metrics", installed.address, &metrics)
}

/// The name at the beginning of a text.
fn leading_name(text: &str) -> String {
    text.chars().take_while(|character| character.is_ascii_alphanumeric() || *character == '_').collect()
}
