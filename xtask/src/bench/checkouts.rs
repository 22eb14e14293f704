//! The benchmark of purchases: a guest's checkout with the sandbox, from the request to the charge in the ledger.
//!
//! The number of purchases is fixed: each needs its own idempotency key, and the sandbox writes its whole state at each change,
//! so it gets slower the more it has sold. In memory it costs next to nothing, as a provider costs the server nothing but waiting. The
//! limit is pgbench with one commit and as many rows as a purchase writes.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::clients::Clients;
use super::pgbench::Pgbench;
use super::request::Request;
use super::site::{RunningServer, Site};
use super::table::Table;

/// The number of measured purchases.
const PURCHASES: u32 = 500;
/// Purchases before them that are not measured.
const WARM_UP: u32 = 20;
/// The number of concurrent buyers.
const BUYERS: Clients = Clients { count: 16, pause: Duration::ZERO };

/// Measures purchases with the sandbox's file, on the running server, and without it, on another one.
pub(super) fn measure(
    site: &Site<'_>,
    served: RunningServer,
    pgbench: Option<&Pgbench>,
    seconds: u32,
    table: &mut Table,
) -> Result<()> {
    measure_on(site, ("checkout, sandbox", &served, 0), pgbench, seconds, table)?;
    drop(served);
    let served = site.serve_with([("SANDBOX_FILE", "off")])?;
    measure_on(site, ("checkout, sandbox in memory", &served, WARM_UP + PURCHASES), pgbench, seconds, table)
}

/// Measures a server, and adds the result and its limit to the table. `first` is the number of its first guest.
fn measure_on(
    site: &Site<'_>,
    (name, served, first): (&str, &RunningServer, u32),
    pgbench: Option<&Pgbench>,
    seconds: u32,
    table: &mut Table,
) -> Result<()> {
    let purchases = |from: u32, count: u32| (from..from + count).map(Request::buy_as_guest).collect::<Vec<_>>();
    let warm_up = BUYERS.send_all(served, &purchases(first, WARM_UP))?;
    ensure!(warm_up.errors == 0, "{} of {WARM_UP} purchases failed", warm_up.errors);
    let before = site.count_rows()?;
    let sample = BUYERS.send_all(served, &purchases(first + WARM_UP, PURCHASES))?;
    let rows = site.count_rows()?.saturating_sub(before) / u64::from(PURCHASES);
    let limit = pgbench.map(|pgbench| pgbench.insert(site, rows, seconds, BUYERS.count)).transpose()?;
    if let Some(rate) = limit {
        table.rate(&format!("pgbench, {rows} rows and a commit"), rate);
    }
    table.row(name, &sample, limit.map(|rate| (sample.per_second() / rate, None, "pgbench")));
    Ok(())
}
