//! Compiles the workspace once, with lints: programs, libraries and tests in one call of cargo, with one set of features.
//!
//! The workspace's crates are compiled by `clippy-driver`, which is rustc with more lints. `cargo clippy` would only check, for
//! which it needs metadata of every dependency that builds can't use: a second pass over all of them.
//!
//! nextest would compile too, but reports neither the warnings nor the path of the server's program.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::console;
use crate::server::{self, Profile};
use crate::{process, tools};

/// The packages of the workspace to compile and test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    Workspace,
    Packages(Vec<String>),
    /// None: the requested suites only need the server's program.
    Program,
}

/// The output of a compilation.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// The path of the server's program, if it was compiled.
    pub(super) pith: Option<PathBuf>,
    /// Warnings in the workspace's crates, as rendered by cargo.
    pub(super) warnings: Vec<String>,
}

impl Selection {
    /// Adds the arguments for these packages to a command of cargo or nextest: their libraries, programs and integration
    /// tests, compiled with lints. No documentation tests: examples in documentation are not allowed (`cargo xtask tidy`).
    pub(super) fn apply<'a>(&self, command: &'a mut Command) -> Result<&'a mut Command> {
        command.arg("--all-targets").env("RUSTC_WORKSPACE_WRAPPER", clippy_driver()?);
        Ok(match self {
            Self::Workspace => command.arg("--workspace"),
            Self::Packages(packages) => command.args(packages.iter().map(|package| format!("--package={package}"))),
            Self::Program => bail!("no tests were selected"),
        })
    }
}

/// Compiles the selection; fails for errors, not for warnings.
pub(super) fn compile(checkout: &Checkout, selection: &Selection) -> Result<Compiled> {
    if *selection == Selection::Program {
        return Ok(Compiled { pith: Some(server::build(checkout, Profile::Debug)?), warnings: Vec::new() });
    }
    let mut cargo = checkout.cargo();
    selection.apply(cargo.arg("test"))?.args(["--no-run", "--message-format=json-diagnostic-rendered-ansi"]);
    let mut compiled = Compiled::default();
    let status = process::run_lines(&mut cargo, |line| compiled.read(line))?;
    if !status.success() {
        bail!("the workspace does not compile ({status})");
    }
    Ok(compiled)
}

impl Compiled {
    /// Reads a line of cargo's JSON messages.
    fn read(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            console::print(line);
            return;
        };
        match message["reason"].as_str() {
            Some("compiler-artifact") if is_program(&message) => {
                self.pith = message["executable"].as_str().map(PathBuf::from);
            }
            Some("compiler-message") => self.read_diagnostic(&message["message"]),
            _ => {}
        }
    }

    fn read_diagnostic(&mut self, diagnostic: &Value) {
        let Some(rendered) = diagnostic["rendered"].as_str() else { return };
        // A library and its tests share their sources, and therefore their warnings.
        if self.warnings.iter().any(|warning| warning == rendered) {
            return;
        }
        console::print(rendered.trim_end());
        // A warning without a code is the summary of the others.
        if diagnostic["level"] == "warning" && !diagnostic["code"].is_null() {
            self.warnings.push(rendered.to_owned());
        }
    }
}

/// Whether this artifact is the server's program (not its tests).
fn is_program(artifact: &Value) -> bool {
    artifact["target"]["name"] == server::PROGRAM
        && artifact["profile"]["test"] == false
        && artifact["executable"].is_string()
}

/// The path of `clippy-driver`: beside the running cargo, or on the `PATH`.
fn clippy_driver() -> Result<PathBuf> {
    let beside = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("clippy-driver"));
    beside
        .filter(|path| path.is_file())
        .or_else(|| tools::find("clippy-driver"))
        .context("clippy is missing: rustup component add clippy")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn diagnostic(level: &str, code: &Value, rendered: &str) -> String {
        let message = json!({ "level": level, "code": code, "rendered": rendered });
        json!({ "reason": "compiler-message", "message": message }).to_string()
    }

    #[test]
    fn a_warning_counts_once_and_their_sum_does_not_count() {
        let mut compiled = Compiled::default();
        let code = json!({ "code": "dead_code" });
        for line in [
            diagnostic("warning", &code, "unused"),
            diagnostic("warning", &code, "unused"),
            diagnostic("warning", &Value::Null, "1 warning emitted"),
            diagnostic("error", &code, "wrong"),
        ] {
            compiled.read(&line);
        }
        assert_eq!(compiled.warnings, ["unused"]);
    }

    #[test]
    fn the_program_is_not_mistaken_for_its_tests() {
        let artifact = |test: bool, path: &str| {
            let target = json!({ "name": "pith", "kind": ["bin"] });
            json!({ "reason": "compiler-artifact", "target": target, "profile": { "test": test }, "executable": path })
                .to_string()
        };
        let mut compiled = Compiled::default();
        compiled.read(&artifact(false, "target/debug/pith"));
        compiled.read(&artifact(true, "target/debug/deps/pith-0"));
        assert_eq!(compiled.pith.as_deref(), Some(Path::new("target/debug/pith")));
    }
}
