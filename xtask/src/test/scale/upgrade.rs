//! The previous program serves while the next one's migrations run, and after them beside the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};

use super::node::Node;
use super::session::Session;
use super::{Base, Observer, buy_lifetime_plan, check_mail, previous, tour, wait_for};
use crate::console::say;
use crate::instance::{Instance, PAID};
use crate::process;
use crate::test::checks::Checks;
use crate::test::load::{self, Writers};

/// Acknowledged writes before the migrations, and after them.
const WRITES: u64 = 100;
/// Rounds of a visitor before the migrations, and after them.
const ROUNDS: u64 = 5;
/// How long a request waits for a connection: on a busy machine none is refused either.
const WAIT_MS: &str = "60000";
/// What a visitor reads in each round.
const PAGES: [&str; 4] = ["/", "/api/books?limit=20", "/api/search?q=walden", "/api/collections"];

/// Runs this part.
pub(super) fn check(base: &Base<'_>, checks: &mut Checks) -> Result<()> {
    let (scratch, folder) = (base.scratch, base.folder.join("upgrade"));
    let old = previous::find_or_build(scratch.checkout)?;
    let (instance, cluster) = Instance::set_up(scratch.checkout, &old, &folder)?;
    let mut serve = instance.pith(&cluster);
    serve.env("DATABASE_WAIT_MS", WAIT_MS);
    let mut before = Node::serve(serve, &folder, "previous")?;
    let (books, readers) = load::readers(&before.client())?;
    let book = books.first().context("there are books")?.0;
    let paths = tour::paths(&before, book)?;
    let statuses = tour::take(before.address(), &paths)?;
    checks.check("the previous program answers every path", &tour::failures(&statuses));
    let [member, ..] = PAID;
    let mut session = Session::log_in(before.address(), member)?;

    let writers = Writers::start(&[before.address()], &books, readers, "upgrade");
    let visitor = Visitor::start(&before);
    writers.await_more(WRITES)?;
    visitor.await_rounds(ROUNDS)?;
    let mut migrate = instance.command(&scratch.pith()?, &cluster.urls());
    migrate.env("DATABASE_OWNER_URL", cluster.url()).arg("migrate");
    let said = process::output(&mut migrate).context("`pith migrate` of the next program")?;
    say!("  the next program migrated: {}", said.trim().replace('\n', "; "));
    writers.await_more(WRITES)?;
    visitor.await_rounds(ROUNDS)?;
    let (readers, tally) = writers.stop();
    let (rounds, mut failed) = visitor.stop();
    say!("  {}; a visitor read {} pages and bought {rounds} times", tally.summary(), rounds * PAGES.len() as u64);
    failed.extend(tally.problems());
    if tally.later() > 0 {
        failed.push(format!("{} writes were to come later", tally.later()));
    }
    checks.check("while the migrations ran, no request failed", &failed);
    let now = tour::take(before.address(), &paths)?;
    let mut differences = tour::differences(&statuses, &now);
    differences.extend(tour::failures(&now));
    checks.check("the previous program answers every path on the new tables as before", &differences);

    say!("  both programs serve at once");
    let mut after = Node::serve(instance.command(&scratch.pith()?, &cluster.urls()), &folder, "next")?;
    load::compare(&after.client(), readers, checks);
    checks.check("the next program answers every path", &tour::failures(&tour::take(after.address(), &paths)?));
    checks.check_result("a session of the previous program is renewed by the next", session.renew(after.address()));
    checks.check_result("and renewed by the previous again", session.renew(before.address()));
    Observer::sign_up(&before, "observer@example.com", book)?.check_both_ways(&before, &after, checks);
    for (name, node) in [("previous", &before), ("next", &after)] {
        checks
            .check_result(&format!("a mail that the {name} program queues is sent"), check_mail(node, &folder, member));
    }
    checks.check_result("both still run", before.check().and_then(|()| after.check()));
    Ok(())
}

/// A thread that reads pages and buys, and counts what fails.
struct Visitor {
    shared: Arc<Shared>,
    thread: JoinHandle<Vec<String>>,
}

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    rounds: AtomicU64,
}

impl Visitor {
    fn start(node: &Node) -> Self {
        let shared = Arc::new(Shared::default());
        let (client, to) = (node.client(), Arc::clone(&shared));
        let thread = thread::spawn(move || {
            let mut failed = Vec::new();
            while !to.stop.load(Ordering::Relaxed) {
                let round = to.rounds.load(Ordering::Relaxed);
                for page in PAGES {
                    match client.get(page, None) {
                        Ok(reply) if reply.is_ok() => {}
                        Ok(reply) => failed.push(format!("{page} was answered {}", reply.status)),
                        Err(error) => failed.push(format!("{error:#}")),
                    }
                }
                let bought = buy_lifetime_plan(&client, &format!("guest-{round}@example.com"));
                failed.extend(bought.err().map(|error| format!("a purchase: {error:#}")));
                to.rounds.fetch_add(1, Ordering::Relaxed);
            }
            failed
        });
        Self { shared, thread }
    }

    /// Waits until this many more rounds are over.
    fn await_rounds(&self, number: u64) -> Result<()> {
        let wanted = self.shared.rounds.load(Ordering::Relaxed) + number;
        wait_for("the visitor reads and buys", || {
            Ok((self.shared.rounds.load(Ordering::Relaxed) >= wanted).then_some(()))
        })
    }

    /// Returns the number of rounds, and what failed.
    fn stop(self) -> (u64, Vec<String>) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let failed = self.thread.join().unwrap_or_else(|_| vec!["the visitor's thread panicked".to_owned()]);
        (self.shared.rounds.load(Ordering::Relaxed), failed)
    }
}
