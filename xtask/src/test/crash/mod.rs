//! Acknowledged writes survive killing any process at any moment; a stop drops no accepted request.
//!
//! Only the writer knows what was acknowledged: no load or chaos tool compares that with what is stored.

mod drain;

use std::fs;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use ureq::http::Method;

use super::checks::Checks;
use super::load::{self, Book, Reader, Writers};
use super::outcome::Outcome;
use super::scratch::Scratch;
use crate::console::say;
use crate::http::Client;
use crate::instance::Instance;
use crate::postgres::Cluster;
use crate::process::Running;
use crate::signals;

/// How often all processes are killed.
const ROUNDS: u64 = 3;
/// Writes before a kill; a prime, so that rounds are interrupted at different points.
const WRITES: u64 = 307;
/// More than any pool of the server has connections.
const CROWD: usize = 40;
/// Minimum time without the database.
const AWAY: Duration = Duration::from_millis(1_500);
/// Response time limit of a call that needs the database, while that is down, on an otherwise idle machine.
const TELL_LIMIT: Duration = Duration::from_secs(2);
/// Time limit from the start of the database to the first response that needs it, on an otherwise idle machine.
const BACK_LIMIT: Duration = Duration::from_millis(1_500);
/// How many calls without the database are measured, and by how many times the slowest of them a busy machine extends a limit.
const SLACK: u32 = 20;
const PROBES: usize = 5;
/// After this time a process is considered hung.
const HANG: Duration = Duration::from_mins(2);
/// A public page.
const PAGE: &str = "/api/books?limit=20";

/// The running product.
struct Site<'a> {
    instance: Instance<'a>,
    cluster: Cluster,
    server: Running,
    books: Vec<Book>,
}

/// Runs the suite.
pub(super) fn run(scratch: &Scratch<'_>) -> Result<Outcome> {
    let pith = scratch.pith()?;
    let folder = scratch.folder().join("crash");
    // Left by a first run.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let (instance, cluster) = Instance::set_up(scratch.checkout, &pith, &folder)?;
    let server = instance.start_server(&cluster)?;
    let (books, mut readers) = load::readers(&instance.client())?;
    let mut site = Site { instance, cluster, server, books };
    let mut checks = Checks::default();
    site = restart_while_idle(site, &readers, &mut checks)?;
    (site, readers) = restart_under_load(site, readers, &mut checks)?;
    for round in 1..=ROUNDS {
        (site, readers) = kill_everything(site, readers, round, &mut checks)?;
    }
    drain::stop_under_load(site, readers, &mut checks)?;
    Ok(checks.outcome)
}

/// Restarts Postgres while no request runs: afterwards all connections in the pools are dead.
fn restart_while_idle<'a>(site: Site<'a>, readers: &[Reader], checks: &mut Checks) -> Result<Site<'a>> {
    say!("Postgres restarts while no request runs");
    let before = crowd(&site, readers);
    checks.check("before it, reads and writes of many at once succeed", &before);
    let Site { instance, cluster, server, books } = site;
    drop(cluster);
    let cluster = instance.start_postgres()?;
    let site = Site { instance, cluster, server, books };
    let after = crowd(&site, readers);
    checks.check("after it, every request succeeds", &after);
    Ok(site)
}

/// Reads and writes concurrently, so that every connection of the pools is used. Returns the failures.
fn crowd(site: &Site<'_>, readers: &[Reader]) -> Vec<String> {
    load::at_once(CROWD, |number| {
        let client = site.instance.client();
        let token = Some(readers[number % readers.len()].token.as_str());
        // A different page size for each, because the list may be cached in the server's memory.
        client.get(&format!("/api/library?limit={}", number + 1), token)?.result()?;
        let choice = json!({ "name": "start_for_free" });
        client.send(&Method::POST, "/api/events", token, Some(&choice))?.result()?;
        Ok(())
    })
}

/// Kills Postgres under load and leaves it down for a while.
fn restart_under_load<'a>(
    site: Site<'a>,
    readers: Vec<Reader>,
    checks: &mut Checks,
) -> Result<(Site<'a>, Vec<Reader>)> {
    say!("Postgres is killed under load and comes back");
    let Site { instance, cluster, server, books } = site;
    let (client, token) = (instance.client(), readers[0].token.clone());
    let writers = Writers::start(&[instance.address()], &books, readers, "away");
    writers.await_more(WRITES)?;
    client.get(PAGE, None)?.result()?;
    cluster.kill()?;
    let (members, public) = while_away(&client, &token);
    let cluster = instance.start_postgres()?;
    let begin = Instant::now();
    let mut late = Vec::new();
    for (what, path) in [("a read", "/api/library"), ("a public page", PAGE)] {
        while !client.get(path, Some(&token)).is_ok_and(|reply| reply.is_ok()) {
            signals::check()?;
            if begin.elapsed() > HANG {
                break;
            }
        }
        let took = begin.elapsed();
        if took > BACK_LIMIT + slack(&client) {
            late.push(format!("{what} took {} ms", took.as_millis()));
        }
    }
    let back = begin.elapsed().as_millis();
    writers.await_more(WRITES)?;
    let (readers, tally) = writers.stop();
    say!("  {}; back {back} ms after the database", tally.summary());

    checks.check("while it is away, members learn when to come back, within two seconds", &members);
    checks.check("while it is away, what is in memory is still served", &public);
    checks.check("about a second after the database the service is back", &late);
    let mut wrong = tally.wrong();
    if tally.unanswered() > 0 {
        wrong.push(format!("{} writes were not answered", tally.unanswered()));
    }
    checks.check("every write was answered", &wrong);
    let site = Site { instance, cluster, server, books };
    let readers = load::compare(&site.instance.client(), readers, checks);
    Ok((site, readers))
}

/// How much longer a call may take on a busy machine: a multiple of the slowest of a few calls that need
/// no database.
fn slack(client: &Client) -> Duration {
    let slowest = (0..PROBES).map(|_| {
        let begin = Instant::now();
        // Only its time counts; its response is tested elsewhere.
        let _ = client.get("/healthz", None);
        begin.elapsed()
    });
    slowest.max().unwrap_or_default() * SLACK
}

/// Problems in the responses to members and to visitors while the database is down.
fn while_away(client: &Client, token: &str) -> (Vec<String>, Vec<String>) {
    let (mut members, mut public) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    while begin.elapsed() < AWAY {
        let asked = Instant::now();
        match client.get("/api/library?limit=7", Some(token)) {
            Ok(reply) if reply.status == 503 && reply.retry_after.is_some() => {}
            Ok(reply) => members.push(format!("answered {} with Retry-After {:?}", reply.status, reply.retry_after)),
            Err(error) => members.push(format!("{error:#}")),
        }
        let took = asked.elapsed();
        if took > TELL_LIMIT && took > TELL_LIMIT + slack(client) {
            members.push(format!("responded only after {} ms", took.as_millis()));
        }
        match client.get(PAGE, None) {
            Ok(reply) if reply.is_ok() => {}
            Ok(reply) => public.push(format!("answered {}", reply.status)),
            Err(error) => public.push(format!("{error:#}")),
        }
    }
    (members, public)
}

/// Kills server and Postgres during writes, in a different order each time, and restarts them.
fn kill_everything<'a>(
    site: Site<'a>,
    readers: Vec<Reader>,
    round: u64,
    checks: &mut Checks,
) -> Result<(Site<'a>, Vec<Reader>)> {
    say!("Server and Postgres are killed, round {round} of {ROUNDS}");
    let Site { instance, cluster, mut server, books } = site;
    let writers = Writers::start(&[instance.address()], &books, readers, &format!("round-{round}"));
    writers.await_more(round * WRITES)?;
    if round.is_multiple_of(2) {
        cluster.kill()?;
        server.kill_without_warning();
    } else {
        server.kill_without_warning();
        cluster.kill()?;
    }
    let (readers, tally) = writers.stop();
    let begin = Instant::now();
    let cluster = instance.start_postgres()?;
    let server = instance.start_server(&cluster)?;
    say!("  {}; started again in {} ms", tally.summary(), begin.elapsed().as_millis());
    let mut wrong = tally.wrong();
    wrong.extend(tally.unacknowledged_kinds());
    checks.check("until then all was well", &wrong);
    let site = Site { instance, cluster, server, books };
    let readers = load::compare(&site.instance.client(), readers, checks);
    Ok((site, readers))
}
