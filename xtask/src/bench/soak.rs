//! `cargo xtask bench soak`: hours of a usual day's load on a large site, with the server's memory, handles and connections of every
//! minute, and whether they stay level.

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::clients::Clients;
use super::load::Sample;
use super::mix::{Mix, Share};
use super::site::{Programs, RunningServer, Site};
use super::table::markdown;
use crate::arguments::numbers;
use crate::checkout::Checkout;
use crate::postgres::psql;
use crate::{frontend, tools};

/// Default duration.
const MINUTES: u32 = 120;
/// Default requests per second, of all clients together.
const RATE: u32 = 40;
/// The number of clients.
const CLIENTS: u32 = 8;
/// Access tokens are valid for an hour.
const LOG_IN_AGAIN: Duration = Duration::from_mins(50);
const MINUTE: Duration = Duration::from_mins(1);
/// A value is level if its mean in the last quarter exceeds that in the second quarter by at most so much: a part of it, and an amount.
const SLACK: f64 = 0.05;
const SLACK_MEGABYTES: f64 = 8.0;
const SLACK_COUNT: f64 = 4.0;

/// Builds the programs, sends the load to the site of `DATABASE_URL`, and writes a report.
pub(super) fn measure(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let [minutes, rate] = numbers("bench soak", rest, [("--minutes", MINUTES), ("--rate", RATE)])?;
    tools::ensure_wrk()?;
    let site = Programs::build(checkout)?.given_site()?;
    let site = site.context("`bench soak` needs the DATABASE_URL and PITH_HOME of a site with synthetic data")?;
    let served = site.serve_with([("PITH_CACHE", "on"), ("SANDBOX_FILE", "off")])?;
    let file = frontend::made(checkout)?.join("soak.md");
    println!("{}\nThe report is written to {} every minute.", site.describe()?, file.display());

    let mut mix = Mix::new(&site, &served, Share::Few)?;
    let mut logged_in = Instant::now();
    let (mut seen, mut number) = (Vec::new(), 0);
    for minute in 1..=minutes {
        if logged_in.elapsed() > LOG_IN_AGAIN {
            (mix, logged_in) = (Mix::new(&site, &served, Share::Few)?, Instant::now());
            number = 0;
        }
        let sample = load(&served, &mix, rate, &mut number)?;
        let state = MinuteState::read(&site, &served, minute, &sample)?;
        println!("  {}", state.cells().join(", "));
        seen.push(state);
        fs::write(&file, report(&seen, rate)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    println!("\n{}", report(&seen, rate));
    Ok(ExitCode::SUCCESS)
}

/// A minute of requests at this rate; `number` counts them over all minutes.
fn load(served: &RunningServer, mix: &Mix, rate: u32, number: &mut usize) -> Result<Sample> {
    let (begin, first) = (Instant::now(), *number);
    // The next request is due one interval after the one before, on any connection; a client that is late does not catch up.
    let due = Mutex::new(begin);
    let interval = Duration::from_secs(1) / rate;
    let clients = Clients { count: CLIENTS, pause: Duration::ZERO };
    let sample = clients.send(served, |count| {
        let wait = {
            let mut due = due.lock().ok()?;
            *due = (*due).max(Instant::now()) + interval;
            *due
        };
        std::thread::sleep(wait.saturating_duration_since(Instant::now()));
        (begin.elapsed() < MINUTE).then(|| mix.request(first + count))
    })?;
    *number += usize::try_from(sample.requests)?;
    Ok(sample)
}

/// What was seen at the end of a minute.
#[derive(Clone, Copy, Debug)]
struct MinuteState {
    minute: u32,
    requests: u64,
    errors: u64,
    p50: Duration,
    p99: Duration,
    /// Resident memory of the server, in MB.
    megabytes: f64,
    /// Open files and sockets of the server.
    handles: f64,
    /// Connections to the database.
    connections: f64,
}

impl MinuteState {
    fn read(site: &Site<'_>, served: &RunningServer, minute: u32, sample: &Sample) -> Result<Self> {
        let memory = served.memory().context("this system does not tell the memory of a process")?;
        let handles = fs::read_dir(format!("/proc/{}/fd", served.id()))?.count();
        let connections = psql(
            &site.database(),
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' \
             AND pid <> pg_backend_pid()",
        )?;
        Ok(Self {
            minute,
            requests: sample.requests,
            errors: sample.errors,
            p50: sample.p50,
            p99: sample.p99,
            megabytes: super::as_float(memory) / 1e6,
            handles: super::as_float(handles as u64),
            connections: connections.trim().parse().context("a number of connections")?,
        })
    }

    fn cells(&self) -> [String; 8] {
        let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        [
            self.minute.to_string(),
            self.requests.to_string(),
            self.errors.to_string(),
            milliseconds(self.p50),
            milliseconds(self.p99),
            format!("{:.0}", self.megabytes),
            format!("{:.0}", self.handles),
            format!("{:.0}", self.connections),
        ]
    }
}

/// The table of the minutes, and what it shows.
fn report(seen: &[MinuteState], rate: u32) -> String {
    let heads = ["minute", "requests", "failed", "p50 ms", "p99 ms", "memory MB", "handles", "connections"];
    let rows: Vec<[String; 8]> = seen.iter().map(MinuteState::cells).collect();
    let mut text = markdown(heads, &rows);
    let (requests, errors) = seen.iter().fold((0, 0), |sum, one| (sum.0 + one.requests, sum.1 + one.errors));
    let _ =
        writeln!(text, "\n{} minutes at {rate} requests a second: {requests} requests, {errors} failed.", seen.len());
    let mut judge = |name: &str, of: fn(&MinuteState) -> f64, slack: f64| {
        let Some((second, last)) = quarters(seen, of) else { return };
        let verdict = if last <= second * (1.0 + SLACK) + slack { "level" } else { "growing" };
        let _ = writeln!(text, "{name}: {second:.1} in the second quarter, {last:.1} in the last: {verdict}.");
    };
    judge("Memory", |one| one.megabytes, SLACK_MEGABYTES);
    judge("Handles", |one| one.handles, SLACK_COUNT);
    judge("Connections", |one| one.connections, SLACK_COUNT);
    text
}

/// The means of the second and the last quarter; `None` with fewer than four minutes.
fn quarters(seen: &[MinuteState], of: fn(&MinuteState) -> f64) -> Option<(f64, f64)> {
    let quarter = seen.len() / 4;
    let mean = |part: &[MinuteState]| {
        (!part.is_empty()).then(|| part.iter().map(of).sum::<f64>() / super::as_float(part.len() as u64))
    };
    Some((mean(&seen[quarter..quarter * 2])?, mean(&seen[seen.len() - quarter..])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(memory: impl Fn(u32) -> f64) -> Vec<MinuteState> {
        let of = |minute| MinuteState {
            minute,
            requests: 2_400,
            errors: 0,
            p50: Duration::from_micros(1_500),
            p99: Duration::from_millis(20),
            megabytes: memory(minute),
            handles: 60.0,
            connections: 12.0,
        };
        (1..=8).map(of).collect()
    }

    #[test]
    fn a_report_tells_what_grows() {
        let level = report(&minutes(|_| 120.0), 40);
        assert!(level.contains("Memory: 120.0 in the second quarter, 120.0 in the last: level."), "{level}");
        assert!(level.contains("8 minutes at 40 requests a second: 19200 requests, 0 failed."), "{level}");
        let growing = report(&minutes(|minute| 100.0 + 10.0 * f64::from(minute)), 40);
        assert!(growing.contains("Memory: 135.0 in the second quarter, 175.0 in the last: growing."), "{growing}");
        assert!(growing.contains("Handles: 60.0 in the second quarter, 60.0 in the last: level."), "{growing}");
    }

    #[test]
    fn a_few_minutes_tell_nothing() {
        let few = report(&minutes(|_| 1.0)[..3], 40);
        assert!(few.contains("3 minutes") && !few.contains("Memory:"), "{few}");
    }
}
