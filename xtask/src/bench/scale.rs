//! `cargo xtask bench scale`: lists, search, a book's page, a member's history, saved positions and the back office's lists with few
//! books and members and with many, side by side in one run. The goal: 100,000 take at most 1.5 times as long as 1,000.
//!
//! With `DATABASE_URL`, that site is the one with many; `PITH_HOME` is its folder.

use std::process::ExitCode;

use anyhow::Result;

use super::MEMBER;
use super::load::{Load, Sample};
use super::request::Request;
use super::site::{Cache, Programs, RunningServer, Site};
use super::table::markdown;
use crate::checkout::Checkout;
use crate::postgres::psql;
use crate::tools;

const FEW: u32 = 1_000;
const MANY: u32 = 100_000;
/// Duration of each measurement on each side; there are two of each. So all rows together stay under a quarter of an hour.
const SECONDS: u32 = 2;
/// Few clients, so that the response time is measured, not the time in a queue.
const CONNECTIONS: u32 = 2;
/// Maximum ratio of the two times.
const GOAL: f64 = 1.5;
/// Maximum 99th percentile of a search, in milliseconds.
const SEARCH_GOAL: f64 = 25.0;
/// Maximum 99th percentile of a year's business statistics, in milliseconds.
const FIGURES_GOAL: f64 = 200.0;
/// The demo admin.
pub(super) const ADMIN: &str = "admin@example.com";
/// Search texts: words of the scale seed's language, complete, unfinished and misspelled, and a name.
const SEARCHES: [&str; 9] =
    ["ba", "baben", "caber", "lud", "rabon%20ludon", "ludon%20cab", "rabno", "ludno", "Caber%20ba"];

/// The numbers of books, seconds and members, for another run: `scale [BOOKS] [SECONDS] [MEMBERS]`. `None` when malformed.
fn choice(rest: &[String]) -> Option<(u32, u32, u32)> {
    let number = |at: usize, default: u32| match rest.get(at).map(|text| text.parse()) {
        None => Some(default),
        Some(Ok(number)) if number > 0 => Some(number),
        Some(_) => None,
    };
    (rest.len() <= 3).then_some(())?;
    let books = number(0, MANY)?;
    Some((books, number(1, SECONDS)?, number(2, books)?))
}

/// A measurement: its name, and its requests to one site.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) requests: Vec<Request>,
    pub(super) kind: RowKind,
}

/// The goal of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A page or a call: the ratio.
    Read,
    /// A search, which also has an absolute limit.
    Search,
    BackOffice,
    /// Business statistics, which also have an absolute limit.
    Figures,
}

/// Builds the programs, loads both sites, measures, and prints the table.
pub(super) fn measure(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let Some((many, seconds, members)) = choice(rest) else {
        anyhow::bail!("`bench scale` takes numbers of books, seconds and members, all optional");
    };
    tools::ensure_wrk()?;
    let programs = Programs::build(checkout)?;
    let large = match programs.given_site()? {
        Some(site) => site,
        None => programs.set_up_with(many, members)?,
    };
    let sites = [programs.set_up(FEW)?, large];
    let served = sites.iter().map(|site| site.serve(Cache::Off)).collect::<Result<Vec<_>>>()?;
    let tables = sites.iter().zip(&served).map(|(site, served)| rows(site, served)).collect::<Result<Vec<_>>>()?;
    let load = Load::new(seconds, CONNECTIONS)?;
    let mut table = Vec::new();
    let (mut worst, mut worst_of_lists) = (0.0_f64, 0.0_f64);
    let (mut slowest_search, mut slowest_figures) = (0.0_f64, 0.0_f64);
    for (few_row, many_row) in tables[0].iter().zip(&tables[1]) {
        load.warm_up(&served[1], &many_row.requests)?;
        // Alternates between the sites, so that the machine's other load affects both.
        let mut samples = [Sample::default(); 2];
        for _ in 0..2 {
            for (at, row) in [few_row, many_row].into_iter().enumerate() {
                samples[at] = samples[at].and(&load.measure(&served[at], &row.requests)?);
            }
        }
        let [few, many] = samples.map(|sample| f64::from(CONNECTIONS) * 1e6 / sample.per_second());
        let [few_p99, many_p99] = samples.map(|sample| sample.p99.as_secs_f64() * 1e3);
        let ratio = many / few;
        match many_row.kind {
            RowKind::Read => worst = worst.max(ratio),
            RowKind::Search => {
                worst = worst.max(ratio);
                slowest_search = slowest_search.max(many_p99);
            }
            RowKind::BackOffice => worst_of_lists = worst_of_lists.max(ratio),
            RowKind::Figures => slowest_figures = slowest_figures.max(many_p99),
        }
        println!("  {}: {ratio:.2}", few_row.name);
        let failed = if samples.iter().any(|sample| sample.errors > 0) { ", some failed" } else { "" };
        let times = [few, many].map(|time| format!("{time:.0} µs"));
        let p99s = [few_p99, many_p99].map(|time| format!("{time:.2} ms"));
        let ([few, many], [few_p99, many_p99]) = (times, p99s);
        table.push([format!("{}{failed}", few_row.name), few, many, format!("{ratio:.2}"), few_p99, many_p99]);
    }
    let heads = ["row, nothing kept in memory", "few", "many", "ratio", "p99 few", "p99 many"];
    println!("\nfew: {}; many: {}", sites[0].describe()?, sites[1].describe()?);
    println!("\n{}", markdown(heads, &table));
    println!(
        "worst ratio {worst:.2} (goal: at most {GOAL}); slowest search p99 {slowest_search:.1} ms (goal: at most {SEARCH_GOAL} ms)"
    );
    println!(
        "back office: worst ratio of a list {worst_of_lists:.2}; figures of a year p99 {slowest_figures:.1} ms (goal: at most {FIGURES_GOAL} ms)"
    );
    Ok(ExitCode::SUCCESS)
}

/// The measurements of a site, with requests for its content.
pub(super) fn rows(site: &Site<'_>, served: &RunningServer) -> Result<Vec<Row>> {
    // Members of the scale seed have no password; the demo member gets the history of one of them.
    psql(
        &site.database(),
        "INSERT INTO history (user_id, book_id, position, furthest, completed_at, updated_at, place_at) \
         SELECT (SELECT id FROM users WHERE email_key = 'paid@example.com'), book_id, position, furthest, completed_at, \
         updated_at, place_at FROM history WHERE user_id = (SELECT id FROM users WHERE email_key = 'scale-7@example.com') \
         ON CONFLICT DO NOTHING; \
         INSERT INTO library (user_id, book_id, added_at) SELECT (SELECT id FROM users WHERE email_key = 'paid@example.com'), \
         book_id, added_at FROM library WHERE user_id = (SELECT id FROM users WHERE email_key = 'scale-7@example.com') \
         ON CONFLICT DO NOTHING",
    )?;
    // On its own, because VACUUM can't run in the transaction that several statements of one command would be.
    psql(&site.database(), "VACUUM ANALYZE history, library")?;
    let token = served.log_in(MEMBER)?;
    let ids = site.book_ids()?;
    // Evenly spread over all ids, and as many on either side.
    let step = (ids.len() / 500).max(1);
    let some: Vec<u64> = ids.iter().copied().step_by(step).take(500).collect();
    let get = |path: &str| Request::get(path).uncompressed();
    let of = |paths: &[&str]| paths.iter().map(|path| get(path)).collect::<Vec<_>>();
    let member = |paths: &[&str]| paths.iter().map(|path| get(path).with_token(&token)).collect::<Vec<_>>();
    let row = |name, requests| Row { name, requests, kind: RowKind::Read };
    let search = |name, path: &str| Row {
        name,
        requests: SEARCHES.iter().map(|q| get(&format!("{path}q={q}"))).collect(),
        kind: RowKind::Search,
    };
    // A page deep in the list, by its cursor.
    let deep = deep_key(served, 20)?;
    let mut rows = vec![
        row("list: new", of(&["/api/books?limit=20"])),
        row("list: trending", of(&["/api/books?sort=trending&limit=20"])),
        row("list: A to Z", of(&["/api/books?sort=ab&limit=20"])),
        row(
            "list: of a category",
            of(&["/api/books?category=nature&limit=20", "/api/books?category=history&sort=ab&limit=20"]),
        ),
        row(
            "list: of a collection",
            of(&["/api/books?collection=1&limit=20", "/api/books?collection=2&sort=trending&limit=20"]),
        ),
        row("list: of an author", of(&["/api/books?author=scale-author-3&limit=20"])),
        // Limited to what a small catalogue has, so that responses on both sides have the same length.
        row("list: of a tag", of(&["/api/books?tag=baben&limit=10", "/api/books?tag=caber&limit=10"])),
        row("list: the 21st page", vec![get(&format!("/api/books?limit=20&after={deep}"))]),
        row("directory of authors", of(&["/api/authors?limit=50", "/api/authors?letter=t&limit=3"])),
        search("search: results", "/api/books?limit=20&"),
        search("search: as one types", "/api/search?"),
        row("book: answer, visitor", some.iter().map(|id| get(&format!("/api/books/{id}"))).collect()),
        row("book: page, visitor", some.iter().map(|id| get(&format!("/books/{id}"))).collect()),
        row(
            "book: answer, member",
            some.iter().map(|id| get(&format!("/api/books/{id}")).with_token(&token)).collect(),
        ),
        row("home: books, member", member(&["/api/books?sort=newest&limit=6"])),
        row("history, member", member(&["/api/user-book-history?limit=10"])),
        row("library, member", member(&["/api/library?limit=20"])),
        row("progress, member", member(&["/api/user-book-history/xp"])),
        row("position save, member", some.iter().map(|id| Request::save_position(*id, &token)).collect()),
    ];
    rows.extend(back_office_rows(&served.log_in(ADMIN)?));
    Ok(rows)
}

/// The lists of the back office: the first page, and common filters. Pages have the same size on both sides.
fn back_office_rows(token: &str) -> Vec<Row> {
    let row = |kind, name, paths: &[&str]| Row {
        name,
        requests: paths.iter().map(|path| Request::get(path).uncompressed().with_token(token)).collect(),
        kind,
    };
    let list = |name, paths: &[&str]| row(RowKind::BackOffice, name, paths);
    vec![
        list("back office: books", &["/api/admin/books?limit=50"]),
        list("back office: books by title", &["/api/admin/books?sort=title&limit=50"]),
        list(
            "back office: books, narrowed",
            &["/api/admin/books?q=baben&limit=10", "/api/admin/books?state=published&limit=50"],
        ),
        list("back office: users", &["/api/admin/user/0"]),
        list("back office: users, 6th page", &["/api/admin/user/500"]),
        list("back office: users, narrowed", &["/api/admin/user/0?q=account-77%40", "/api/admin/user/0?plan=paid"]),
        list("back office: orders", &["/api/admin/orders?limit=50"]),
        list(
            "back office: orders, narrowed",
            &["/api/admin/orders?state=paid&limit=50", "/api/admin/orders?q=account-77%40"],
        ),
        list(
            "back office: orders by state",
            &[
                "/api/admin/orders?state=refunded&limit=10",
                "/api/admin/orders?state=failed&limit=5",
                "/api/admin/orders?plan=lifetime&limit=10",
                "/api/admin/orders?provider=paypal&limit=50",
            ],
        ),
        list("back office: orders of most payers", &["/api/admin/orders?q=account-&limit=50"]),
        list("back office: payouts", &["/api/admin/payouts", "/api/admin/payouts?state=payable"]),
        list("back office: accounts of the ledger", &["/api/admin/ledger/accounts"]),
        list("back office: ledger", &["/api/admin/ledger?limit=50"]),
        list(
            "back office: ledger, narrowed",
            &["/api/admin/ledger?q=account-77%40", "/api/admin/ledger?kind=refunded&limit=10"],
        ),
        list("back office: ledger of most payers", &["/api/admin/ledger?q=account-&limit=50"]),
        list("back office: disputes", &["/api/admin/disputes?limit=50"]),
        list("back office: codes", &["/api/admin/codes?limit=50"]),
        list(
            "back office: codes, narrowed",
            &[
                "/api/admin/codes?q=account-77%40",
                "/api/admin/codes?q=SCALE-00000",
                "/api/admin/codes?state=redeemed&limit=10",
            ],
        ),
        list("back office: inbox", &["/api/admin/messages?limit=50"]),
        list(
            "back office: inbox, narrowed",
            &["/api/admin/messages?q=account-76%40", "/api/admin/messages?q=Account-88&limit=5"],
        ),
        list("back office: audit log", &["/api/admin/audit?limit=50"]),
        list("back office: audit log, narrowed", &["/api/admin/audit?action=book.update&limit=50"]),
        list(
            "back office: audit log by text",
            &[
                "/api/admin/audit?q=account-70%40",
                "/api/admin/audit?q=Account%20880",
                "/api/admin/audit?q=baben&limit=5",
            ],
        ),
        row(RowKind::Figures, "back office: figures of a year", &["/api/admin/stats?from=2025-11-20&to=2026-11-19"]),
    ]
}

/// The cursor after this many pages of the newest books.
fn deep_key(served: &RunningServer, pages: u32) -> Result<String> {
    let mut key = String::new();
    for _ in 0..pages {
        let page = served.client().get(&format!("/api/books/list?limit=20&after={key}"), None)?.result()?;
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut key),
            None => break,
        }
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::{FEW, MANY, SECONDS, choice};

    #[test]
    fn a_shorter_run_can_be_chosen() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!((FEW, choice(&[])), (1_000, Some((MANY, SECONDS, MANY))));
        assert_eq!(choice(&words("20000 2")), Some((20_000, 2, 20_000)));
        assert_eq!(choice(&words("20000 2 100000")), Some((20_000, 2, 100_000)));
        for bad in ["0", "many", "1 2 3 4"] {
            assert_eq!(choice(&words(bad)), None, "{bad}");
        }
    }
}
