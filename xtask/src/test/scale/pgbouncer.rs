//! Two nodes and a worker behind `PgBouncer` in transaction mode, whose connections are fewer than theirs.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::node::Node;
use super::{Base, Observer, buy_lifetime_plan, check_mail, tour};
use crate::console::say;
use crate::http::Client;
use crate::instance::{PAID, PASSWORD};
use crate::postgres::{Cluster, Pooler};
use crate::process;
use crate::test::checks::Checks;
use crate::test::load::{self, Writers};

/// Connections of the pooler to Postgres. Each node may open many times as many to the pooler.
const CONNECTIONS: u32 = 5;
/// Members who do everything at the same moments.
const CROWD: usize = 24;
/// Positions that each of them saves.
const SAVES: u64 = 10;
/// Acknowledged writes.
const WRITES: u64 = 400;
/// How long a request waits for a connection: on a busy machine none is refused either.
const WAIT_MS: &str = "60000";
/// What Postgres says when a statement is prepared on one connection and run on another.
const MIXED_UP: &str = "prepared statement";

/// Runs this part.
pub(super) fn check(base: &Base<'_>, checks: &mut Checks) -> Result<()> {
    let (instance, folder) = base.copy("pgbouncer")?;
    let cluster = instance.start_postgres()?;
    let mut pooler = Pooler::start(&cluster, &folder.join("pooler"), CONNECTIONS)?;
    let pith = || {
        let mut pith = instance.pith(&cluster);
        pith.env("DATABASE_URL", pooler.url()).env("DATABASE_DIRECT_URL", cluster.urls().application);
        pith
    };
    let node = |name: &str| {
        let mut serve = pith();
        serve.env("WORKER", "off").env("DATABASE_WAIT_MS", WAIT_MS);
        Node::serve(serve, &folder, name)
    };
    checks.check_result("`pith migrate` runs with the direct URL", migrate(pith(), &cluster));
    let mut nodes = [node("one")?, node("other")?];
    let mut worker = Node::worker(pith(), &folder, "worker")?;
    let [one, other] = &nodes;

    let (books, readers) = load::readers(&one.client())?;
    let book = books.first().context("there are books")?.0;
    checks.check("many members sign up, log in, read and save at the same moments", &run_crowd(&nodes, book));
    let writers = Writers::start(&[one.address(), other.address()], &books, readers, "pooler");
    writers.await_more(WRITES)?;
    let (readers, tally) = writers.stop();
    say!("  {}", tally.summary());
    let mut wrong = tally.problems();
    if tally.later() > 0 {
        wrong.push(format!("{} writes were to come later", tally.later()));
    }
    checks.check("every write succeeded", &wrong);
    load::compare(&other.client(), readers, checks);
    checks.check_result("a guest buys", buy_lifetime_plan(&one.client(), "guest@example.com"));
    for (name, node) in [("one", one), ("other", other)] {
        let statuses = tour::paths(node, book).and_then(|paths| tour::take(node.address(), &paths))?;
        checks.check(
            &format!("node {name} answers every path, lists and searches of the back office too"),
            &tour::failures(&statuses),
        );
    }
    Observer::sign_up(one, "observer@example.com", book)?.check_both_ways(one, other, checks);
    checks.check_result("the worker sends a mail", check_mail(one, &folder, PAID[0]));
    checks.check_result("a backup is made", backup(pith(), &folder));

    let logs = [("Postgres", cluster.log()), ("PgBouncer", pooler.log())];
    let logs =
        logs.into_iter().chain(nodes.iter().map(|node| ("a node", node.log()))).chain([("the worker", worker.log())]);
    let mixed_up: Vec<String> = logs.flat_map(|(who, log)| lines_with(&log, MIXED_UP, who)).collect();
    checks.check("no statement was run on a connection that does not know it", &mixed_up);
    let run = nodes.iter_mut().try_for_each(Node::check);
    checks.check_result("both nodes still run", run);
    checks.check_result("the worker and PgBouncer still run", worker.check().and_then(|()| pooler.check()));
    Ok(())
}

fn migrate(mut pith: Command, cluster: &Cluster) -> Result<()> {
    pith.env("DATABASE_OWNER_URL", cluster.url());
    process::output(pith.arg("migrate")).map(drop)
}

fn backup(mut pith: Command, folder: &Path) -> Result<()> {
    let file = folder.join("backup.tar.gz");
    process::output(pith.arg("backup").arg(&file))?;
    ensure!(file.metadata()?.len() > 0, "the backup is empty");
    Ok(())
}

/// The lines of a log with this text.
fn lines_with(log: &str, text: &str, who: &str) -> Vec<String> {
    log.lines().filter(|line| line.contains(text)).map(|line| format!("{who}: {line}")).collect()
}

/// Members who sign up, log in, open a book, save positions and read them, all at once. Returns the failures.
fn run_crowd(nodes: &[Node; 2], book: u64) -> Vec<String> {
    load::at_once(CROWD, |number| {
        let client = nodes[number % nodes.len()].client();
        use_as_member(&client, &format!("crowd-{number}@example.com"), book)
    })
}

fn use_as_member(client: &Client, email: &str, book: u64) -> Result<()> {
    client.sign_up(email, PASSWORD)?;
    let token = client.log_in(email, PASSWORD)?;
    let path = format!("/api/books/{book}");
    client.get(&path, Some(&token))?.result()?;
    for save in 1..=SAVES {
        let body = json!({ "bookId": book, "position": save % 2 });
        client.put("/api/user-book-history", &token, &body)?.result()?;
    }
    let position = client.get(&path, Some(&token))?.result()?["book"]["position"].clone();
    ensure!(position == SAVES % 2, "{email} is shown position {position}");
    client.get("/api/library", Some(&token))?.result().map(drop)
}
