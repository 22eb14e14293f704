//! The primary is killed under load, and its synchronous standby is promoted.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::node::Node;
use super::session::Session;
use super::{Base, Observer, check_mail, wait_for};
use crate::console::say;
use crate::http::Client;
use crate::instance::{PAID, PASSWORD};
use crate::postgres::{self, Cluster, Replication, psql};
use crate::test::checks::Checks;
use crate::test::load::{self, Writers};

/// Acknowledged writes before the kill, and after it.
const WRITES: u64 = 200;
/// The longest time from the command to promote to the first acknowledged write on an idle machine, and that on a busy one.
const GOAL: Duration = Duration::from_secs(5);
const LIMIT: Duration = Duration::from_secs(30);

/// Runs this part.
pub(super) fn check(base: &Base<'_>, checks: &mut Checks) -> Result<()> {
    let (instance, folder) = base.copy("failover")?;
    let (first, second) = (folder.join("postgres"), folder.join("standby"));
    let (primary, standby) = postgres::start_pair(base.scratch.checkout, &first, &second, Replication::Synchronous)?;
    let node = |name: &str, clusters: &[&Cluster]| {
        let mut serve = instance.pith(&primary);
        let urls = Cluster::urls_of_primary(clusters).context("there are two clusters")?;
        serve.env("DATABASE_URL", urls.application);
        Node::serve(serve, &folder, name)
    };
    let mut one = node("one", &[&primary, &standby])?;
    // This one asks the standby first, and must write to the primary.
    let mut other = node("other", &[&standby, &primary])?;

    let (books, readers) = load::readers(&one.client())?;
    let mut sessions = PAID.iter().map(|email| Session::log_in(one.address(), email)).collect::<Result<Vec<_>>>()?;
    let book = books.first().context("there are books")?.0;
    let mut observer = Observer::sign_up(&one, "observer@example.com", book)?;
    observer.check_both_ways(&one, &other, checks);
    checks.check_result("a mail is sent", check_mail(&one, &folder, PAID[0]));

    let nodes = [one.address(), other.address()];
    let writers = Writers::start(&nodes, &books, readers, "failover");
    writers.await_more(WRITES)?;
    checks.check_result("the standby that is named first is left alone", check_unused(&standby));
    let probe = one.client().sign_up("probe@example.com", PASSWORD)?;
    one.client().get(&format!("/api/books/{book}"), Some(&probe))?.result()?;
    primary.kill()?;
    for node in [&one, &other] {
        await_refusal(&node.client(), &probe)?;
    }
    let begin = Instant::now();
    standby.promote()?;
    let promoted = begin.elapsed();
    let mut late = Vec::new();
    for (name, node) in [("one", &one), ("other", &other)] {
        await_write(&node.client(), &probe, book)?;
        let took = begin.elapsed();
        say!(
            "  node {name}: the first acknowledged write {} ms after the command to promote, which took {} ms",
            took.as_millis(),
            promoted.as_millis()
        );
        if took > GOAL {
            say!("  that is more than {} s: the machine is busy, or the server got slower", GOAL.as_secs());
        }
        if took > LIMIT {
            late.push(format!("node {name} took {} ms", took.as_millis()));
        }
    }
    checks.check("both nodes write to the promoted standby soon", &late);
    writers.await_more(WRITES)?;
    let (readers, tally) = writers.stop();
    say!("  {}", tally.summary());
    checks.check("every write was answered, with success or a request to come later", &tally.problems());
    load::compare(&other.client(), readers, checks);
    let signed_out: Vec<String> = sessions
        .iter_mut()
        .filter_map(|session| session.renew(other.address()).err().map(|error| format!("{error:#}")))
        .collect();
    checks.check("the sessions from before are renewed: nobody is signed out", &signed_out);
    observer.check_both_ways(&one, &other, checks);
    checks.check_result("jobs go on: a mail is sent", check_mail(&other, &folder, PAID[0]));
    checks.check_result("both nodes still run", one.check().and_then(|()| other.check()));
    Ok(())
}

/// Checks that the server has no connection to a standby.
fn check_unused(standby: &Cluster) -> Result<()> {
    let statement = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'pith_app'";
    let connections = psql(&standby.admin_url(), statement)?;
    ensure!(connections.trim() == "0", "{} connections are open", connections.trim());
    Ok(())
}

/// Reads until the node says that it has no database, and when to come back.
fn await_refusal(client: &Client, token: &str) -> Result<()> {
    wait_for("a node without a primary asks members to come later", || {
        let reply = client.get("/api/library?limit=7", Some(token))?;
        ensure!(reply.is_ok() || reply.status == 503, "answered {}: {}", reply.status, reply.body);
        Ok(reply.retry_after.map(drop))
    })
}

/// Saves a position until that is acknowledged.
fn await_write(client: &Client, token: &str, book: u64) -> Result<()> {
    let body = json!({ "bookId": book, "position": 1 });
    wait_for("a write is acknowledged", || {
        let is_acknowledged = client.put("/api/user-book-history", token, &body).is_ok_and(|reply| reply.is_ok());
        Ok(is_acknowledged.then_some(()))
    })
}
