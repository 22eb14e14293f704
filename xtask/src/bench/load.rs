//! Load through wrk, with what it costs the server.
//!
//! oha and hey repeat one request; wrk cycles through many, each with its own headers and body, by a script.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::request::Request;
use super::site::RunningServer;
use super::{as_float, microseconds};
use crate::process;

/// Duration of the unmeasured part before.
const WARM_UP_SECONDS: u32 = 3;
/// wrk's own threads; they share the cores with the server, equally in every measurement.
const THREADS: u32 = 2;

/// The result of a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sample {
    pub(super) requests: u64,
    pub(super) duration: Duration,
    /// The median of the response times.
    pub(super) p50: Duration,
    /// The 99th percentile of the response times.
    pub(super) p99: Duration,
    /// Responses with status 400 and above, and broken connections.
    pub(super) errors: u64,
    /// The server's processor time for all requests; `None` where the system does not report it.
    pub(super) processor: Option<Duration>,
}

impl Sample {
    /// The sum of both; of each percentile the larger one.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            duration: self.duration + other.duration,
            p50: self.p50.max(other.p50),
            p99: self.p99.max(other.p99),
            errors: self.errors + other.errors,
            processor: self.processor.zip(other.processor).map(|(one, other)| one + other),
        }
    }

    pub(super) fn per_second(&self) -> f64 {
        as_float(self.requests) / self.duration.as_secs_f64()
    }

    /// Microseconds of processor time per request.
    pub(super) fn cost(&self) -> Option<f64> {
        self.processor.filter(|_| self.requests > 0).map(|time| microseconds(time) / as_float(self.requests))
    }

    /// Parses the line that the script prints at the end.
    fn parse(output: &str) -> Option<Self> {
        let line = output.lines().find_map(|line| line.strip_prefix("measured "))?;
        let numbers: Vec<u64> = line.split_whitespace().map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [requests, duration, p50, p99, errors] = numbers[..] else {
            return None;
        };
        Some(Self {
            requests,
            duration: Duration::from_micros(duration),
            p50: Duration::from_micros(p50),
            p99: Duration::from_micros(p99),
            errors,
            processor: None,
        })
    }
}

/// The parameters of a measurement.
pub(super) struct Load {
    seconds: u32,
    connections: u32,
    folder: TempDir,
}

impl Load {
    pub(super) fn new(seconds: u32, connections: u32) -> Result<Self> {
        Ok(Self { seconds, connections, folder: tempfile::tempdir()? })
    }

    /// Sends the same requests without measuring.
    pub(super) fn warm_up(&self, served: &RunningServer, requests: &[Request]) -> Result<()> {
        self.wrk(served, requests, WARM_UP_SECONDS).map(|_| ())
    }

    /// Cycles through the requests and measures.
    pub(super) fn measure(&self, served: &RunningServer, requests: &[Request]) -> Result<Sample> {
        let before = served.processor_time();
        let mut sample = self.wrk(served, requests, self.seconds)?;
        sample.processor = served.processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
        Ok(sample)
    }

    fn wrk(&self, served: &RunningServer, requests: &[Request], seconds: u32) -> Result<Sample> {
        let script = self.folder.path().join("walk.lua");
        fs::write(&script, script_for(requests))?;
        let mut wrk = Command::new("wrk");
        // wrk wants a connection for each thread at least.
        let threads = THREADS.min(self.connections);
        wrk.args(["-t", &threads.to_string(), "-c", &self.connections.to_string(), "-d", &format!("{seconds}s")]);
        wrk.args(["--timeout", "30s", "-s"]).arg(&script).arg(served.url());
        let output = process::output(&mut wrk)?;
        Sample::parse(&output).with_context(|| format!("wrk said something else than expected:\n{output}"))
    }
}

/// A script that builds all requests up front, so that sending them costs wrk as little as possible; each of its
/// threads begins at a different request.
fn script_for(requests: &[Request]) -> String {
    let mut script = String::from("local made = {}\n");
    script.push_str(
        "local threads = 0\nfunction setup(thread) thread:set('begin', threads); threads = threads + 1 end\n",
    );
    script.push_str(
        "local function add(method, path, headers, body) made[#made + 1] = {method, path, headers, body} end\n",
    );
    for request in requests {
        let mut headers = String::new();
        for (name, value) in &request.headers {
            let _ = write!(headers, "['{name}'] = {}, ", quoted(value));
        }
        let body = request.body.as_deref().map_or_else(|| "nil".to_owned(), quoted);
        let _ = writeln!(script, "add('{}', {}, {{{headers}}}, {body})", request.method, quoted(&request.path));
    }
    script.push_str(
        "local ready, at = {}, 0
function init(arguments)
  for place, parts in ipairs(made) do
    ready[place] = wrk.format(parts[1], parts[2], parts[3], parts[4])
  end
  at = math.floor(#ready / 2) * begin
end
function request()
  at = at % #ready + 1
  return ready[at]
end
function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('measured %d %d %d %d %d\\n', summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), failed))
end
",
    );
    script
}

/// A Lua string literal.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_read() {
        let sample = Sample::parse("Running 10s test\nmeasured 20000 10000000 900 2500 3\n").unwrap();
        assert_eq!((sample.requests, sample.errors), (20_000, 3));
        assert_eq!((sample.p50, sample.p99), (Duration::from_micros(900), Duration::from_micros(2_500)));
        assert!((sample.per_second() - 2_000.0).abs() < 1e-9);
        assert_eq!(sample.cost(), None);
        let sample = Sample { processor: Some(Duration::from_millis(500)), ..sample };
        assert!((sample.cost().unwrap() - 25.0).abs() < 1e-9);
        assert_eq!(Sample::parse("nothing"), None);
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted(r"it's \ here"), r"'it\'s \\ here'");
    }

    #[test]
    fn a_script_holds_every_request() {
        let plain = script_for(&[Request::get("/api/books/1").uncompressed()]);
        assert!(!plain.contains("Accept-Encoding"), "{plain}");
        let script = script_for(&[Request::get("/api/books/1"), Request::save_position(7, "token")]);
        assert!(script.contains("Accept-Encoding"), "{script}");
        assert!(script.contains("add('GET', '/api/books/1'"), "{script}");
        assert!(script.contains(r#"'{"bookId":7,"position":2}'"#), "{script}");
        assert!(script.contains("'Bearer token'"), "{script}");
    }
}
