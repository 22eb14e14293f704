//! `cargo xtask fuzz-api`: tests a running server against its OpenAPI description with schemathesis.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::arguments::numbers;
use crate::checkout::Checkout;
use crate::home::Home;
use crate::instance::{self, Instance, PASSWORD};
use crate::server::{self, Profile};
use crate::{process, pypi, tools};

/// From Python's package registry; its options change between minor versions.
const PACKAGE: &str = "schemathesis>=4.32,<5";
/// Default number of generated requests for each call and phase.
const EXAMPLES: u32 = 25;
/// Timeout of one request, in seconds.
const SECONDS: &str = "60";
/// The checks of every response.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_schema_conformance,response_headers_conformance,unsupported_method";
/// Excluded, because it would end the session of the other requests.
const LOG_OUT: &str = "/api/user/logout";
/// The accounts that send requests: none, a member with a plan, an admin.
const VIEWERS: [Option<&str>; 3] = [None, Some("paid@example.com"), Some("admin@example.com")];

/// Fails when a response is a 5xx or does not match the description.
pub(crate) fn command(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let [examples] = numbers("fuzz-api", rest, [("--examples", EXAMPLES)])?;
    tools::ensure_build_tools()?;
    let folder = Home::open(checkout)?.dir().join("tools/schemathesis");
    let schemathesis = pypi::install(&[PACKAGE], &folder)?.join("schemathesis");
    let pith = server::build(checkout, Profile::Debug)?;
    let folder = instance::temporary_folder(&std::env::temp_dir(), "pith-fuzz-")?;
    let (instance, cluster) = Instance::set_up(checkout, &pith, &folder.path().join("site"))?;
    let server = instance.start_server(&cluster)?;

    let mut found = Vec::new();
    for viewer in VIEWERS {
        let name = viewer.unwrap_or("a visitor");
        println!("\n── as {name}");
        let mut run = Command::new(&schemathesis);
        run.current_dir(folder.path()).env("NO_COLOR", "1");
        run.arg("run").arg(format!("http://{}/api/openapi.json", instance.address()));
        run.args(["--phases", "examples,coverage,fuzzing", "--checks", CHECKS, "--continue-on-failure"]);
        run.args(["--max-examples", &examples.to_string(), "--generation-database", "none"]);
        run.args(["--request-timeout", "20", "--seed", "1", "--workers", "1", "--max-time", SECONDS]);
        if let Some(email) = viewer {
            let token = instance.client().log_in(email, PASSWORD)?;
            run.args(["--header", &format!("Authorization: Bearer {token}"), "--exclude-path", LOG_OUT]);
        }
        if !process::run(&mut run)?.success() {
            found.push(name);
        }
    }
    drop(server);
    drop(cluster);
    if found.is_empty() {
        println!("\nfuzz-api: the document is true, and nothing broke.");
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nfuzz-api: findings as {}", found.join(", "));
    Ok(ExitCode::FAILURE)
}
