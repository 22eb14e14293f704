//! `cargo xtask bench statements`: the twenty slowest statements of a large site under a mixed load, as `pg_stat_statements` has
//! them.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::clients::Clients;
use super::mix::{Mix, Share};
use super::site::{Programs, Site};
use super::table::markdown;
use crate::arguments::numbers;
use crate::checkout::Checkout;
use crate::postgres::psql;
use crate::tools;

/// Duration of the load.
const SECONDS: u32 = 180;
/// Few clients, so that statements do not wait for processors.
const CLIENTS: Clients = Clients { count: 2, pause: Duration::ZERO };
/// The number of statements in the table.
const SHOWN: usize = 20;
/// The mean time, in milliseconds, that no statement should exceed.
const GOAL: f64 = 50.0;
/// Printed lengths of a statement: its beginning, and its end, in which statements of one list differ.
const BEGINNING: usize = 60;
const END: usize = 90;

/// Builds the programs, sends the load to the site of `DATABASE_URL`, and prints the table.
pub(super) fn measure(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let [seconds] = numbers("bench statements", rest, [("--seconds", SECONDS)])?;
    tools::ensure_wrk()?;
    let site = Programs::build(checkout)?.given_site()?;
    let site = site.context("`bench statements` needs the DATABASE_URL and PITH_HOME of a site with synthetic data")?;
    prepare(&site)?;
    println!("{}", site.describe()?);
    // Without the cache, each list reaches the database every time.
    let served = site.serve_with([("PITH_CACHE", "off"), ("SANDBOX_FILE", "off")])?;
    let mix = Mix::new(&site, &served, Share::Half)?;
    psql(&site.database(), "SELECT pg_stat_statements_reset()")?;
    let (begin, limit) = (Instant::now(), Duration::from_secs(seconds.into()));
    let sample = CLIENTS.send(&served, |number| (begin.elapsed() < limit).then(|| mix.request(number)))?;
    println!("{} requests in {seconds} s, {} failed\n", sample.requests, sample.errors);
    let found = slowest(&site)?;
    let over = found.iter().filter(|row| row.mean > GOAL).count();
    let rows: Vec<[String; 4]> = found.iter().map(StatementRow::cells).collect();
    println!("{}", markdown(["statement", "mean ms", "max ms", "calls"], &rows));
    println!("{over} of them take more than {GOAL} ms");
    Ok(ExitCode::SUCCESS)
}

/// Creates the extension if it is missing.
fn prepare(site: &Site<'_>) -> Result<()> {
    psql(&site.database(), "CREATE EXTENSION IF NOT EXISTS pg_stat_statements")?;
    let loaded = psql(&site.database(), "SHOW shared_preload_libraries")?;
    ensure!(
        loaded.contains("pg_stat_statements"),
        "Postgres does not count statements: start it with shared_preload_libraries = 'pg_stat_statements'"
    );
    Ok(())
}

/// A statement with its times in milliseconds.
#[derive(Debug, PartialEq)]
struct StatementRow {
    mean: f64,
    max: f64,
    calls: u64,
    text: String,
}

impl StatementRow {
    /// Parses a line of tab-separated columns.
    fn parse(line: &str) -> Option<Self> {
        let mut columns = line.splitn(4, '\t');
        let mut column = || columns.next();
        Some(Self {
            mean: column()?.parse().ok()?,
            max: column()?.parse().ok()?,
            calls: column()?.parse().ok()?,
            text: column()?.to_owned(),
        })
    }

    fn cells(&self) -> [String; 4] {
        let text = shortened(&self.text).replace('|', "\\|");
        [format!("`{text}`"), format!("{:.1}", self.mean), format!("{:.1}", self.max), self.calls.to_string()]
    }
}

/// The beginning and the end of a statement.
fn shortened(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= BEGINNING + END {
        return text.to_owned();
    }
    let part = |chars: &[char]| chars.iter().collect::<String>();
    format!("{} … {}", part(&chars[..BEGINNING]), part(&chars[chars.len() - END..]))
}

fn slowest(site: &Site<'_>) -> Result<Vec<StatementRow>> {
    let text = psql(
        &site.database(),
        &format!(
            "SELECT concat_ws(E'\\t', mean_exec_time, max_exec_time, calls, regexp_replace(query, '\\s+', ' ', 'g')) \
             FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) \
             AND query NOT LIKE '%pg_stat_statements%' ORDER BY mean_exec_time DESC LIMIT {SHOWN}"
        ),
    )?;
    text.lines().map(|line| StatementRow::parse(line).context("a row of pg_stat_statements")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_and_a_long_statement_shortened() {
        let row = StatementRow::parse("227.25\t301.5\t12\tSELECT a\tFROM b").unwrap();
        assert_eq!(row.cells(), ["`SELECT a\tFROM b`", "227.2", "301.5", "12"]);
        assert_eq!(StatementRow::parse("no numbers"), None);
        let long = format!("SELECT {} LIMIT 51", "x, ".repeat(100));
        let short = shortened(&long);
        assert!(short.starts_with("SELECT x") && short.ends_with("LIMIT 51") && short.contains(" … "), "{short}");
        assert_eq!(shortened("SELECT 1"), "SELECT 1");
    }
}
