//! Lists, searches, statistics and exports run on a standby, and show nothing older than on the primary.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use ureq::http::Method;

use super::node::Node;
use super::{Base, buy_lifetime_plan, wait_for};
use crate::console::say;
use crate::http::{Client, Reply};
use crate::instance::{PAID, PASSWORD};
use crate::postgres::{self, Cluster, Kind, Replication, psql};
use crate::test::checks::Checks;
use crate::test::load;

/// What runs on the replica. `{}` is another word in each request, so that no response comes from memory.
const READS: [(Method, &str); 9] = [
    (Method::GET, "/api/search?q={}"),
    (Method::GET, "/api/admin/user/0?q={}"),
    (Method::GET, "/api/admin/orders?q={}"),
    (Method::GET, "/api/admin/ledger?q={}"),
    (Method::GET, "/api/admin/audit?q={}"),
    (Method::GET, "/api/admin/stats?q={}"),
    (Method::POST, "/api/admin/user/export?q={}"),
    (Method::POST, "/api/admin/orders/export?q={}"),
    (Method::POST, "/api/admin/ledger/export?q={}"),
];
/// Of each server.
const COUNTER: &str = "pith_database_replica_reads_total";

/// The running site.
struct Site {
    /// Two processes with the same settings.
    nodes: [Node; 2],
    /// An admin's access token.
    admin: String,
    primary: Cluster,
    /// Numbers the words of [`READS`].
    words: u64,
}

/// Runs this part.
pub(super) fn check(base: &Base<'_>, checks: &mut Checks) -> Result<()> {
    let (instance, folder) = base.copy("replica")?;
    let checkout = base.scratch.checkout;
    let (first, second) = (folder.join("postgres"), folder.join("standby"));
    let (primary, standby) = postgres::start_pair(checkout, &first, &second, Replication::Asynchronous)?;
    let node = |name: &str| {
        let mut serve = instance.pith(&primary);
        serve.env("DATABASE_REPLICA_URL", standby.urls().application);
        Node::serve(serve, &folder, name)
    };
    let nodes = [node("one")?, node("other")?];
    let [.., admin] = PAID;
    let admin = nodes[0].client().log_in(admin, PASSWORD)?;
    let mut site = Site { nodes, admin, primary, words: 0 };
    let (books, _) = load::readers(&site.nodes[0].client())?;
    let book = books.first().context("there are books")?.0;

    checks.check("lists, searches, statistics and exports run on the replica", &site.not_on_replica()?);
    let sessions = psql(&standby.admin_url(), "SELECT count(*) FROM pg_stat_activity WHERE usename = 'pith_app'")?;
    let sessions = ensure_that(sessions.trim() != "0", "nobody is connected to the standby");
    checks.check_result("the replica has connections of the server", sessions);

    say!("  the replica replays nothing");
    psql(&standby.admin_url(), "SELECT pg_wal_replay_pause()")?;
    wait_for("the replica pauses", || {
        let state = psql(&standby.admin_url(), "SELECT pg_get_wal_replay_pause_state()")?;
        Ok((state.trim() == "paused").then_some(()))
    })?;
    site.check_own_writes("behind", book, checks);
    checks.check("while it is behind, everything answers", &site.failures());
    psql(&standby.admin_url(), "SELECT pg_wal_replay_resume()")?;
    checks.check("when it has caught up, it is used again", &site.not_on_replica()?);

    say!("  the replica hangs");
    let pause = standby.pause()?;
    let begin = Instant::now();
    let [(method, path), ..] = READS;
    let answer = (0..site.nodes.len()).try_for_each(|node| site.read(node, &method, path).map(drop));
    checks.check_result("while it hangs, both nodes answer", answer);
    say!("  both nodes answered within {} ms", begin.elapsed().as_millis());
    drop(pause);
    checks.check("when it goes on, it is used again", &site.not_on_replica()?);

    say!("  the replica is killed");
    standby.kill()?;
    let begin = Instant::now();
    checks.check("while it is gone, everything answers", &site.failures());
    site.check_own_writes("gone", book, checks);
    say!("  everything was answered within {} ms", begin.elapsed().as_millis());
    let _standby = Cluster::start(checkout, &second, Kind::Kept)?;
    checks.check("when it is back, it is used again", &site.not_on_replica()?);
    let run = site.nodes.iter_mut().try_for_each(Node::check);
    checks.check_result("both nodes still run", run);
    site.primary.check()
}

impl Site {
    /// Sends one of [`READS`] as an admin.
    fn read(&mut self, node: usize, method: &Method, path: &str) -> Result<Reply> {
        self.words += 1;
        let path = path.replace("{}", &format!("word{}", self.words));
        let reply = self.nodes[node].client().send(method, &path, Some(&self.admin), None)?;
        ensure!(reply.is_ok(), "{method} {path} was answered {}: {}", reply.status, reply.body);
        Ok(reply)
    }

    /// Requests each read until it runs on the replica: on a busy machine that may be behind at times. Returns those that never do.
    fn not_on_replica(&mut self) -> Result<Vec<String>> {
        let mut never = Vec::new();
        for node in 0..self.nodes.len() {
            for (method, path) in READS {
                let before = self.on_replica(node)?;
                let ran = wait_for(path, || {
                    self.read(node, &method, path)?;
                    Ok((self.on_replica(node)? > before).then_some(()))
                });
                never.extend(ran.err().map(|error| format!("{method} {error:#}")));
            }
        }
        Ok(never)
    }

    /// How many reads of a node have run on the replica.
    fn on_replica(&self, node: usize) -> Result<u64> {
        self.nodes[node].metric(&format!("{COUNTER}{{server=\"replica\"}}"))
    }

    /// Requests each read once, and returns what failed.
    fn failures(&mut self) -> Vec<String> {
        let mut failed = Vec::new();
        for node in 0..self.nodes.len() {
            for (method, path) in READS {
                failed.extend(self.read(node, &method, path).err().map(|error| format!("{error:#}")));
            }
        }
        failed
    }

    /// Checks that what members and admins have just saved is in the lists at once, on both nodes.
    fn check_own_writes(&self, phase: &str, book: u64, checks: &mut Checks) {
        let [one, other] = self.nodes.each_ref().map(Node::client);
        let name = format!("{phase}-member");
        let member = format!("{name}@example.com");
        let lists = |path: &str, text: &str| {
            [&one, &other].into_iter().try_for_each(|client| check_shown(client, path, &self.admin, text))
        };
        let position = || -> Result<()> {
            let token = one.sign_up(&member, PASSWORD)?;
            let path = format!("/api/books/{book}");
            one.get(&path, Some(&token))?.result()?;
            for position in [1, 0, 1] {
                let body = json!({ "bookId": book, "position": position });
                one.put("/api/user-book-history", &token, &body)?.result()?;
                let shown = one.get(&path, Some(&token))?.result()?["book"]["position"].clone();
                ensure!(shown == position, "{shown} is shown, and {position} was saved");
                let history = one.get("/api/user-book-history", Some(&token))?.result()?;
                let shown = &history["books"][0]["position"];
                ensure!(*shown == position, "the history shows {shown}, and {position} was saved");
            }
            Ok(())
        };
        checks.check_result("a member sees the saved position at once", position());
        checks.check_result(
            "an admin sees the new member at once",
            lists(&format!("/api/admin/user/0?q={name}"), &member),
        );
        let purchase = || {
            let guest = format!("{phase}-guest@example.com");
            buy_lifetime_plan(&one, &guest)?;
            lists(&format!("/api/admin/orders?q={phase}-guest"), &guest)
        };
        checks.check_result("an admin sees a purchase at once", purchase());
        let change = || {
            let author = format!("Author {phase}");
            let body = json!({ "name": author });
            one.send(&Method::POST, "/api/admin/authors", Some(&self.admin), Some(&body))?.result()?;
            lists(&format!("/api/admin/authors?q={phase}"), &author)?;
            lists("/api/admin/audit?action=author.create", &author)
        };
        checks.check_result("an admin's change is in the lists at once, and in the audit log", change());
    }
}

/// Checks that one request for a list shows a text.
fn check_shown(client: &Client, path: &str, token: &str, text: &str) -> Result<()> {
    let list = client.get(path, Some(token))?.result()?.to_string();
    ensure_that(list.contains(text), &format!("{path} does not show {text}: {list}"))
}

fn ensure_that(condition: bool, problem: &str) -> Result<()> {
    ensure!(condition, "{problem}");
    Ok(())
}
