//! The benchmark of saved positions: one client, as many as the other rows have, and many more.

use anyhow::{Context, Result};

use super::as_float;
use super::load::Load;
use super::pgbench::Pgbench;
use super::request::Request;
use super::site::{RunningServer, Site};
use super::table::Table;
use crate::postgres::psql;

/// Concurrent clients.
const CLIENTS: [u32; 4] = [1, 8, 64, 512];
/// The clients of the row that has a goal.
const GOAL_CLIENTS: u32 = 64;

/// Measures, and adds the results to the table, each beside `pgbench` with as many clients: one upsert and a commit.
pub(super) fn measure(
    site: &Site<'_>,
    served: &RunningServer,
    pgbench: Option<&Pgbench>,
    (ids, token): (&[u64], &str),
    seconds: u32,
    table: &mut Table,
) -> Result<()> {
    let positions: Vec<Request> = ids.iter().map(|id| Request::save_position(*id, token)).collect();
    for clients in CLIENTS {
        let of = if clients == 1 { "1 client".to_owned() } else { format!("{clients} clients") };
        // Each client of pgbench has a connection of its own, of which a cluster has fewer than 512.
        let pgbench = pgbench.filter(|_| clients <= GOAL_CLIENTS);
        let upsert = pgbench.map(|pgbench| pgbench.upsert(site, ids, seconds, clients)).transpose()?;
        if let Some(rate) = upsert {
            table.rate(&format!("pgbench, upsert of a position, {of}"), rate);
        }
        let load = Load::new(seconds, clients)?;
        let before = commits(site)?;
        let sample = load.measure(served, &positions)?;
        let goal = (clients == GOAL_CLIENTS).then_some(0.55);
        let name = format!("position save, {of}");
        table.row(&name, &sample, upsert.map(|rate| (sample.per_second() / rate, goal, "upsert")));
        let commits = commits(site)?.saturating_sub(before).max(1);
        table.note(&format!("{name}: about {:.1} saves a commit", as_float(sample.requests) / as_float(commits)));
    }
    Ok(())
}

/// Transactions that Postgres has committed, as far as its sessions have reported them, which each does once a second.
fn commits(site: &Site<'_>) -> Result<u64> {
    let statement = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";
    psql(&site.database(), statement)?.trim().parse().context("a number of transactions")
}
