//! What a large site does: a database that fails over, a pooler, a replica, an upgrade while the site runs.
//!
//! Postgres' own programs and `PgBouncer` are the real ones; only the product's processes and the load are ours.

mod failover;
mod node;
mod pgbouncer;
mod previous;
mod replica;
mod session;
mod tour;
mod upgrade;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;
use ureq::http::Method;

use self::node::Node;
use super::checks::Checks;
use super::outcome::Outcome;
use super::scratch::Scratch;
use crate::checkout::Checkout;
use crate::console::say;
use crate::http::Client;
use crate::instance::{Instance, PASSWORD};
use crate::{signals, tools};

/// After this time something is considered not to happen.
const HANG: Duration = Duration::from_mins(2);

/// A part of the suite.
struct Part {
    name: &'static str,
    what: &'static str,
    /// Ensures the programs that it needs.
    ensure: fn(&Checkout) -> Result<()>,
    run: fn(&Base<'_>, &mut Checks) -> Result<()>,
}

const PARTS: &[Part] = &[
    Part {
        name: "failover",
        what: "The primary is killed under load, and its standby is promoted",
        ensure: |_| tools::ensure_psql(),
        run: failover::check,
    },
    Part {
        name: "pgbouncer",
        what: "Two nodes and a worker share the few connections of a PgBouncer in transaction mode",
        ensure: |_| tools::ensure_pgbouncer(),
        run: pgbouncer::check,
    },
    Part {
        name: "replica",
        what: "Lists, searches, statistics and exports run on a standby",
        ensure: |_| tools::ensure_psql(),
        run: replica::check,
    },
    Part {
        name: "upgrade",
        what: "The previous program serves while the next one migrates, and after that side by side with it",
        ensure: |checkout| previous::find_or_build(checkout).map(drop),
        run: upgrade::check,
    },
];

/// What the parts share.
struct Base<'a> {
    scratch: &'a Scratch<'a>,
    folder: PathBuf,
    /// A site with the demo content, whose Postgres is stopped.
    instance: Instance<'a>,
}

impl<'a> Base<'a> {
    fn set_up(scratch: &'a Scratch<'a>, folder: &Path) -> Result<Self> {
        let (instance, cluster) = Instance::set_up(scratch.checkout, &scratch.pith()?, &folder.join("base"))?;
        drop(cluster);
        Ok(Self { scratch, folder: folder.to_owned(), instance })
    }

    /// A copy of the site, and its new folder.
    fn copy(&self, name: &str) -> Result<(Instance<'a>, PathBuf)> {
        let folder = self.folder.join(name);
        Ok((self.instance.copy(&folder)?, folder))
    }
}

/// Runs the suite.
pub(super) fn run(scratch: &Scratch<'_>) -> Result<Outcome> {
    let folder = scratch.folder().join("scale");
    // Left by a first run.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let base = Base::set_up(scratch, &folder)?;
    let mut checks = Checks::default();
    for part in PARTS {
        say!("{}", part.what);
        if let Err(error) = (part.ensure)(scratch.checkout) {
            say!("NOT TRIED: {}: {error:#}", part.name);
            continue;
        }
        let begin = Instant::now();
        let result = (part.run)(&base, &mut checks);
        checks.check_result(&format!("{} runs to its end", part.name), result);
        say!("  {} took {:.1} s", part.name, begin.elapsed().as_secs_f32());
    }
    Ok(checks.outcome)
}

/// Repeats an attempt until it gives a value; fails when it takes too long.
fn wait_for<T>(what: &str, mut attempt: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let begin = Instant::now();
    loop {
        if let Some(value) = attempt()? {
            return Ok(value);
        }
        signals::check()?;
        if begin.elapsed() > HANG {
            bail!("{what}: not within {} s", HANG.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// A member whose position is changed on one node and read on another, which holds it in its memory.
struct Observer {
    token: String,
    book: u64,
    position: u64,
}

impl Observer {
    /// Signs a member up on a node, who opens a book there.
    fn sign_up(node: &Node, email: &str, book: u64) -> Result<Self> {
        let client = node.client();
        let token = client.sign_up(email, PASSWORD)?;
        client.get(&format!("/api/books/{book}"), Some(&token))?.result()?;
        Ok(Self { token, book, position: 0 })
    }

    /// Saves a position on one node and waits until the other one shows it. Returns how long that took.
    fn change(&mut self, from: &Node, to: &Node) -> Result<Duration> {
        let (from, to, path) = (from.client(), to.client(), format!("/api/books/{}", self.book));
        let position =
            || Ok::<_, anyhow::Error>(to.get(&path, Some(&self.token))?.result()?["book"]["position"].clone());
        // The second time it comes from the node's memory.
        position()?;
        position()?;
        let next = 1 - self.position;
        from.put("/api/user-book-history", &self.token, &json!({ "bookId": self.book, "position": next }))?.result()?;
        let begin = Instant::now();
        wait_for("the other node shows a saved position", || Ok((position()? == next).then_some(())))?;
        self.position = next;
        Ok(begin.elapsed())
    }

    /// Checks that a change by each node is seen by the other.
    fn check_both_ways(&mut self, one: &Node, other: &Node, checks: &mut Checks) {
        let both = self.change(one, other).and_then(|there| Ok((there, self.change(other, one)?)));
        let both = both.map(|(there, back)| {
            say!("  the other node saw a change after {} and {} ms", there.as_millis(), back.as_millis());
        });
        checks.check_result("what one node changes the other one shows", both);
    }
}

/// A guest buys the lifetime plan with the sandbox's card that succeeds.
fn buy_lifetime_plan(client: &Client, email: &str) -> Result<()> {
    let form = json!({ "token": "pm_card_visa", "email": email });
    client.send(&Method::POST, "/api/charge/process/lifetime", None, Some(&form))?.result().map(drop)
}

/// Checks that a job is done: a mail that a member asks for is sent.
fn check_mail(node: &Node, home: &Path, email: &str) -> Result<()> {
    let before = mails_to(home, email)?;
    let form = json!({ "email": email });
    node.client().send(&Method::PUT, "/api/user/forgot-password", None, Some(&form))?.result()?;
    wait_for("the mail is sent", || Ok((mails_to(home, email)? > before).then_some(())))
}

/// The number of mails to this address in the demo's outbox.
fn mails_to(home: &Path, email: &str) -> Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(home.join("outbox")).into_iter().flatten() {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "eml") {
            let mail = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            count += usize::from(String::from_utf8_lossy(&mail).contains(email));
        }
    }
    Ok(count)
}
