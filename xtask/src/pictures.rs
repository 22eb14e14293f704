//! `cargo xtask pictures`: takes the pictures of the README from a demo of its own.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::checkout::Checkout;
use crate::instance::{self, Instance};
use crate::server::{self, Profile};
use crate::{frontend, process, tools};

/// Writes the pictures into `docs/pictures`.
pub(crate) fn command(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    if let Some(argument) = rest.first() {
        bail!("`pictures` takes no argument, and there is '{argument}'");
    }
    tools::ensure_build_tools()?;
    let chromium = tools::ensure_browser()?;
    frontend::build(checkout)?;
    let pith = server::build(checkout, Profile::Debug)?;
    let folder = instance::temporary_folder(&std::env::temp_dir(), "pith-pictures-")?;
    let (instance, cluster) = Instance::set_up(checkout, &pith, &folder.path().join("site"))?;
    // Charts of the back office show something.
    process::output(instance.pith(&cluster).env("DEMO_YEAR", "on").arg("seed")).context("`pith seed`")?;
    let server = instance.start_server(&cluster)?;
    let mut take = frontend::tool(checkout, "node")?;
    take.arg("scripts/take-pictures.mjs").env("BASE_URL", format!("http://{}", instance.address()));
    if let Some(chromium) = chromium {
        take.env("CHROME_PATH", chromium);
    }
    let taken = process::run(&mut take)?;
    drop(server);
    drop(cluster);
    Ok(if taken.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
