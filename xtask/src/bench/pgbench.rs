//! The limits of Postgres on this machine: `pgbench` on the same cluster, with the same number of clients.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::site::Site;
use crate::postgres::psql;
use crate::{process, tools};

/// pgbench's own threads, as many as wrk has.
const THREADS: u32 = 2;

/// The program. On Debian it is in the server's package.
pub(super) struct Pgbench {
    program: PathBuf,
}

impl Pgbench {
    pub(super) fn find() -> Option<Self> {
        tools::find_postgres("pgbench").map(|program| Self { program })
    }

    /// Selects of one book by key, per second.
    pub(super) fn select(&self, site: &Site<'_>, ids: &[u64], seconds: u32, clients: u32) -> Result<f64> {
        let script = format!("{}SELECT * FROM books WHERE id = :id;\n", draw(ids));
        self.run(site, &script, seconds, clients)
    }

    /// Upserts of a reading position, per second: one row per book, each durable before it is acknowledged.
    pub(super) fn upsert(&self, site: &Site<'_>, ids: &[u64], seconds: u32, clients: u32) -> Result<f64> {
        psql(
            &site.database(),
            "CREATE TABLE IF NOT EXISTS bench_positions (reader bigint, book bigint, position integer NOT NULL, \
             at timestamptz NOT NULL, PRIMARY KEY (reader, book))",
        )?;
        let script = format!(
            "{}INSERT INTO bench_positions VALUES (1, :id, 2, now()) \
             ON CONFLICT (reader, book) DO UPDATE SET position = EXCLUDED.position, at = EXCLUDED.at;\n",
            draw(ids)
        );
        self.run(site, &script, seconds, clients)
    }

    /// Transactions of this many inserted rows, per second, each durable before it is acknowledged.
    pub(super) fn insert(&self, site: &Site<'_>, rows: u64, seconds: u32, clients: u32) -> Result<f64> {
        psql(
            &site.database(),
            "CREATE TABLE IF NOT EXISTS bench_rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
             key text NOT NULL, at timestamptz NOT NULL)",
        )?;
        let script = format!(
            "INSERT INTO bench_rows (key, at) SELECT md5(random()::text) || n, now() FROM generate_series(1, {rows}) AS n;\n"
        );
        self.run(site, &script, seconds, clients)
    }

    fn run(&self, site: &Site<'_>, script: &str, seconds: u32, clients: u32) -> Result<f64> {
        let path = site.folder().join("pgbench.sql");
        fs::write(&path, script)?;
        let mut command = Command::new(&self.program);
        command.args(["--no-vacuum", "--protocol=prepared", "--client", &clients.to_string()]);
        command.args(["--jobs", &THREADS.to_string(), "--time", &seconds.to_string(), "--file"]).arg(&path);
        let output = process::output(command.arg(site.database()))?;
        per_second_in(&output).with_context(|| format!("pgbench said something else than expected:\n{output}"))
    }
}

/// A script line that picks one of the ids, which have no gaps, at random.
fn draw(ids: &[u64]) -> String {
    let (first, last) = (ids.first().copied().unwrap_or(1), ids.last().copied().unwrap_or(1));
    format!("\\set id random({first}, {last})\n")
}

/// Parses `tps = 12345.67 (without initial connection time)`.
fn per_second_in(output: &str) -> Option<f64> {
    let line = output.lines().rev().find_map(|line| line.strip_prefix("tps = "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read() {
        let output = "number of clients: 64\ninitial connection time = 100 ms\ntps = 23456.75 (without initial connection time)\n";
        assert!((per_second_in(output).unwrap() - 23_456.75).abs() < 1e-9);
        assert_eq!(per_second_in("error"), None);
    }

    #[test]
    fn ids_are_drawn_from_the_run() {
        assert_eq!(draw(&[5, 6, 7]), "\\set id random(5, 7)\n");
    }
}
