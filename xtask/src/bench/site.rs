//! A site to measure: its own data folder, its own Postgres (with the durability of production), the server as it is shipped.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use serde_json::Value;

use super::psql::psql;
use super::request::Request;
use crate::checkout::Checkout;
use crate::postgres::{Cluster, Kind};
use crate::process::{self, Running};
use crate::{ports, signals, tools};

/// Linux counts processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);
const START_LIMIT: Duration = Duration::from_secs(30);

/// Whether the server keeps answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cache {
    /// With the durability of production.
    On,
    /// Every request goes to the database.
    Off,
}

/// The data; gone when dropped.
pub(super) struct Site {
    pith: PathBuf,
    synthetic: PathBuf,
    // Fields are dropped in this order: Postgres stops before its folder goes.
    cluster: Cluster,
    folder: Folder,
}

/// A folder below cargo's target folder: on the disk on which the checkout lies, and nowhere else.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Site {
    /// A fresh one, with the demo content and `books` summaries more.
    pub(super) fn set_up(checkout: &Checkout, pith: &Path, synthetic: &Path, books: u32) -> Result<Self> {
        let place = checkout.target()?.join(format!("xtask/bench-{}-{books}", std::process::id()));
        fs::create_dir_all(&place)?;
        let folder = Folder(place.canonicalize()?);
        println!("Starting a Postgres for the measurements …");
        let cluster = Cluster::start(checkout, &folder.0.join("postgres"), Kind::Kept)?;
        let site = Self { pith: pith.to_owned(), synthetic: synthetic.to_owned(), cluster, folder };
        println!("Loading {books} books …");
        for command in ["migrate", "seed"] {
            process::output(site.run(&site.pith).current_dir(checkout.root()).arg(command))?;
        }
        process::output(site.run(&site.synthetic).args(["books", &books.to_string()]))?;
        // Plans are made from statistics, and what was loaded must be written out: neither shall come in the middle of a row.
        psql(&site.database(), "VACUUM ANALYZE")?;
        psql(&site.database(), "CHECKPOINT")?;
        Ok(site)
    }

    /// The address of its database.
    pub(super) fn database(&self) -> String {
        self.cluster.url()
    }

    /// A folder for what belongs to the measurements.
    pub(super) fn folder(&self) -> &Path {
        &self.folder.0
    }

    /// The environment of the server.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DATABASE_URL", self.cluster.url()),
            ("PITH_HOME", self.folder.0.display().to_string()),
            ("PITH_PROFILE", "demo".to_owned()),
            ("RATE_LIMITS", "off".to_owned()),
            ("SPEECH", "off".to_owned()),
            // A line for each request would be measured too; what goes wrong is still said.
            ("LOG", "warn".to_owned()),
        ]
    }

    fn run(&self, program: &Path) -> Command {
        let mut command = if tools::has("setpriv") {
            let mut setpriv = Command::new("setpriv");
            setpriv.args(["--pdeathsig", "TERM"]).arg(program);
            setpriv
        } else {
            Command::new(program)
        };
        command.envs(self.environment());
        command
    }

    /// The longest run of ids without a gap, so that others can draw from it by number.
    pub(super) fn book_ids(&self) -> Result<Vec<u64>> {
        let text = psql(&self.database(), "SELECT id FROM books WHERE published AND NOT coming_soon ORDER BY id")?;
        let ids =
            text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>().context("ids are numbers")?;
        let run = longest_run(&ids);
        if run.is_empty() {
            bail!("the scale seed left no books");
        }
        Ok(run.to_vec())
    }

    /// The rows of all tables of the product.
    pub(super) fn count_rows(&self) -> Result<u64> {
        let text = psql(
            &self.database(),
            "SELECT sum((xpath('/row/rows/text()', query_to_xml( \
                 format('SELECT count(*) AS rows FROM %I.%I', schemaname, tablename), false, true, '')))[1]::text::bigint) \
             FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'bench%'",
        )?;
        text.trim().parse().context("a count is a number")
    }

    /// The product.
    pub(super) fn serve(&self, cache: Cache) -> Result<RunningServer> {
        let mut command = self.run(&self.pith);
        command.arg("serve").env("PITH_CACHE", if cache == Cache::On { "on" } else { "off" });
        RunningServer::start(command, "/readyz")
    }

    /// The limit: the same web framework, with nothing behind it.
    pub(super) fn serve_static(&self) -> Result<RunningServer> {
        let mut command = self.run(&self.synthetic);
        command.arg("serve-static");
        RunningServer::start(command, "/")
    }
}

/// A server that answers; stopped when dropped.
pub(super) struct RunningServer {
    server: Running,
    address: SocketAddr,
    /// From the start of the process to its first answer.
    pub(super) started_in: Duration,
    /// Memory before any load, in bytes.
    pub(super) idle_memory: Option<u64>,
}

impl RunningServer {
    fn start(mut command: Command, path: &str) -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
        command.env("BIND", address.ip().to_string()).env("PORT", address.port().to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let begin = Instant::now();
        let mut server = Running::spawn(&mut command, "the server")?;
        let started_in = loop {
            if ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")).is_ok() {
                break begin.elapsed();
            }
            if let Some(status) = server.ended()? {
                bail!("the server ended before it was ready ({status})");
            }
            signals::check()?;
            if begin.elapsed() > START_LIMIT {
                bail!("the server did not become ready");
            }
            thread::sleep(Duration::from_millis(1));
        };
        let idle_memory = memory_of(server.id());
        Ok(Self { server, address, started_in, idle_memory })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Memory now, in bytes.
    pub(super) fn memory(&self) -> Option<u64> {
        memory_of(self.server.id())
    }

    /// Processor time since the start: Linux tells it in `/proc`.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        processor_time_in(&fs::read_to_string(format!("/proc/{}/stat", self.server.id())).ok()?)
    }

    /// What a reading call answers.
    pub(super) fn get_json(&self, path: &str) -> Result<Value> {
        self.ask_json(&Request::get(path))
    }

    fn ask_json(&self, request: &Request) -> Result<Value> {
        let answer = ask(self.address, &request.on_the_wire(&self.address.to_string()))?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body).unwrap_or_default();
        let json = body.find('{').zip(body.rfind('}')).and_then(|(from, to)| body.get(from..=to)).unwrap_or_default();
        serde_json::from_str(json).with_context(|| format!("that was answered with: {answer}"))
    }

    /// The cookie by which the server knows a device where an account has logged in before: no mail tells of such a login.
    pub(super) fn device_cookie(&self, email: &str) -> Result<String> {
        let answer = ask(self.address, &Request::log_in(email).on_the_wire(&self.address.to_string()))?;
        let headers = answer.split_once("\r\n\r\n").map_or(answer.as_str(), |(headers, _)| headers);
        let cookies = headers.lines().filter_map(|line| line.split_once(": "));
        cookies
            .filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
            .filter_map(|(_, cookie)| cookie.split(';').next())
            .find(|cookie| cookie.starts_with("device="))
            .map(str::to_owned)
            .context("the login sets no cookie for the device")
    }

    /// The access token of an account of the demo content.
    pub(super) fn log_in(&self, email: &str) -> Result<String> {
        let answer = self.ask_json(&Request::log_in(email))?;
        let token = answer["result"]["token"].as_str().with_context(|| format!("no token in {answer}"))?;
        Ok(token.to_owned())
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.server.stop(&[(Signal::TERM, Duration::from_secs(10))]);
    }
}

/// One exchange on a connection of its own; an answer other than 2xx is an error.
fn ask(address: SocketAddr, request: &str) -> Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    if !answer.starts_with("HTTP/1.1 2") {
        bail!("{}", answer.lines().next().unwrap_or("no answer"));
    }
    Ok(answer)
}

fn memory_of(process: u32) -> Option<u64> {
    resident_in(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

/// `VmRSS:     1234 kB`
fn resident_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// The 14th and 15th field; the second one, a name in brackets, may hold anything.
fn processor_time_in(stat: &str) -> Option<Duration> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    let (user, system) = (ticks()?, ticks()?);
    Some(TICK * (user + system))
}

fn longest_run(ids: &[u64]) -> &[u64] {
    ids.chunk_by(|one, next| one + 1 == *next).max_by_key(|run| run.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_time_and_memory() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 25 15 0 0 20 0 4 0 100 0 0";
        assert_eq!(processor_time_in(stat), Some(Duration::from_millis(400)));
        assert_eq!(processor_time_in("7"), None);
        assert_eq!(resident_in("Name:\tpith\nVmRSS:\t   2048 kB\n"), Some(2 << 20));
    }

    #[test]
    fn the_longest_run_is_found() {
        assert_eq!(longest_run(&[1, 2, 5, 6, 7, 9]), [5, 6, 7]);
        assert_eq!(longest_run(&[]), [0_u64; 0]);
    }
}
