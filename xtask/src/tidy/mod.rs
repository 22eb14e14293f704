//! `cargo xtask tidy`: checks the dependencies between crates and the rules for manifests and sources.
//!
//! `kernel` ← every domain ← `postgres` ← `workflows` ← `web` ← `apps/server`; what each may know is in `packages`, what a crate's
//! modules may import in `circles`, where each feature lies in `features`, the rules for files in `manifests`, `sources`, `hosts`
//! and `site_name`, citations of the specification in `spec`, required documentation in `documented`. Each rule has a test that
//! breaks it.

mod circles;
mod documented;
mod features;
pub(crate) mod files;
mod hosts;
mod manifests;
pub(crate) mod packages;
mod site_name;
mod sources;
mod spec;

use std::process::ExitCode;

use anyhow::Result;

use crate::checkout::Checkout;

/// Prints the breaches, or that there are none.
pub(crate) fn command(checkout: &Checkout) -> Result<ExitCode> {
    let found = check(checkout)?;
    for line in &found {
        println!("{line}");
    }
    if found.is_empty() {
        println!("tidy: every rule holds.");
        Ok(ExitCode::SUCCESS)
    } else {
        println!("tidy: {} breaches", found.len());
        Ok(ExitCode::FAILURE)
    }
}

/// All breaches of all rules, one line each; empty when every rule holds.
pub(crate) fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let metadata = checkout.metadata()?;
    let packages = packages::Packages::read(&metadata, checkout.root())?;
    let files = files::read_all(checkout.root())?;
    let mut found = packages.breaches();
    found.extend(circles::breaches(&files, &packages));
    found.extend(features::breaches(&files, &packages));
    found.extend(manifests::breaches(&files, &packages));
    found.extend(sources::breaches(&files, &packages));
    found.extend(hosts::breaches(&files));
    found.extend(site_name::breaches(&files));
    found.extend(spec::breaches(&files));
    found.extend(documented::breaches(&files));
    found.sort();
    Ok(found)
}
