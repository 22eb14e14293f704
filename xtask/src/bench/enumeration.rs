//! `cargo xtask bench --enumeration`: can response times reveal whether an e-mail address has an account? Sends each call that
//! must not reveal it for known and unknown addresses in random order, and compares the two distributions.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};
use ureq::http::Method;

use super::microseconds;
use crate::checkout::Checkout;
use crate::home::Home;
use crate::http::Client;
use crate::instance::{self, Instance, PASSWORD};
use crate::server::{self, Profile};
use crate::{process, pypi, tools};

/// Measured requests of each call for known addresses, and as many for unknown ones.
const TRIES: usize = 200;
/// Requests before them that are not measured: connections are opened, statements prepared.
const WARM_UP: usize = 20;
/// From Python's package registry: scipy has the statistics to tell whether two samples differ.
const PACKAGES: [&str; 1] = ["scipy>=1.11,<2"];
const SCRIPT: &str = include_str!("enumeration.py");

/// A call: its name, method and path, its body for an address, and the expected status.
type Call = (&'static str, Method, &'static str, fn(&str) -> Value, u16);

const CALLS: [Call; 4] = [
    ("forgot-password", Method::PUT, "/api/user/forgot-password", |email| json!({ "email": email }), 200),
    ("login-link", Method::POST, "/api/user/login-link", |email| json!({ "email": email }), 200),
    ("login-code", Method::POST, "/api/user/login-code", |email| json!({ "email": email, "code": "no code" }), 400),
    ("login", Method::POST, "/api/user/login", |email| json!({ "username": email, "password": "not this one" }), 400),
];

/// Measures and prints; never fails because of the result.
pub(super) fn measure(checkout: &Checkout) -> Result<ExitCode> {
    tools::ensure_build_tools()?;
    let python = pypi::install(&PACKAGES, &Home::open(checkout)?.dir().join("tools/enumeration"))?.join("python");
    let pith = server::build(checkout, Profile::Debug)?;
    let folder = instance::temporary_folder(&std::env::temp_dir(), "pith-times-")?;
    let (instance, cluster) = Instance::set_up(checkout, &pith, &folder.path().join("site"))?;
    let server = instance.start_server(&cluster)?;
    let client = instance.client();
    println!("Signing up {TRIES} members …");
    for n in 0..TRIES {
        client.sign_up(&address(true, n), PASSWORD)?;
    }
    println!("{TRIES} tries each on known and unknown addresses, microseconds:\n");
    let calls = CALLS.iter().map(|call| Ok((call.0.to_owned(), json!(times(&client, call)?))));
    let samples: Value = calls.collect::<Result<Map<_, _>>>()?.into();
    drop(server);
    let file = folder.path().join("times.json");
    fs::write(&file, samples.to_string())?;
    process::run_well(Command::new(python).args(["-c", SCRIPT]).arg(file))?;
    Ok(ExitCode::SUCCESS)
}

fn address(is_known: bool, n: usize) -> String {
    format!("{}{n}@example.com", if is_known { "known" } else { "other" })
}

/// The response times of a call for known and for unknown addresses, each address once, in random order.
fn times(client: &Client, (_, method, path, body, status): &Call) -> Result<[Vec<f64>; 2]> {
    let send = |email: &str| -> Result<f64> {
        let started = Instant::now();
        let reply = client.send(method, path, None, Some(&body(email)))?;
        let taken = microseconds(started.elapsed());
        ensure!(reply.status == *status, "{path} answered {}: {}", reply.status, reply.body);
        Ok(taken)
    };
    for n in 0..WARM_UP {
        send(&format!("warm{n}@example.com"))?;
    }
    let mut tries: Vec<(bool, usize)> = (0..TRIES).flat_map(|n| [(true, n), (false, n)]).collect();
    let lot = RandomState::new();
    tries.sort_by_cached_key(|one| lot.hash_one(one));
    let mut times = [Vec::new(), Vec::new()];
    for (is_known, n) in tries {
        times[usize::from(!is_known)].push(send(&address(is_known, n))?);
    }
    Ok(times)
}
