//! `cargo xtask bench`: measures the performance table, each value beside its limit on the same machine in the same run.
//!
//! Absolute figures are not comparable between machines; ratios within one run are. It is not a test: no result makes it fail.

mod checkouts;
mod clients;
mod day;
mod enumeration;
mod load;
mod mix;
mod pgbench;
mod request;
mod saves;
mod scale;
mod site;
mod soak;
mod statements;
mod study;
mod summaries;
mod table;
mod upload;

use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result};

use self::load::{Load, Sample};
use self::pgbench::Pgbench;
use self::request::Request;
use self::site::{Cache, Programs};
use self::table::Table;
use crate::arguments::numbers;
use crate::checkout::Checkout;
use crate::{process, tools};

/// The number of books in the scale seed, by default.
const BOOKS: u32 = 1_000;
/// Duration of each measurement.
const SECONDS: u32 = 10;
/// Concurrent clients, as in the table of goals.
const CONNECTIONS: u32 = 64;
/// Concurrent logins. They are limited by the cores, so more of them would only wait longer.
const LOGIN_CONNECTIONS: u32 = 16;

/// The demo member with a plan.
const MEMBER: &str = "paid@example.com";

/// Builds the programs, measures, and prints the table.
pub(crate) fn bench(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    match rest.split_first().map(|(part, rest)| (part.as_str(), rest)) {
        Some(("--enumeration", [])) => return enumeration::measure(checkout),
        Some(("--summaries", [])) => return summaries::measure(checkout),
        Some(("--upload", rest)) => return upload::measure(checkout, rest),
        Some(("scale", rest)) => return scale::measure(checkout, rest),
        Some(("statements", rest)) => return statements::measure(checkout, rest),
        Some(("soak", rest)) => return soak::measure(checkout, rest),
        _ => {}
    }
    let [books, seconds] = numbers("bench", rest, [("--books", BOOKS), ("--seconds", SECONDS)])?;
    tools::ensure_wrk()?;
    let programs = Programs::build(checkout)?;
    let load = Load::new(seconds, CONNECTIONS)?;
    let site = programs.set_up(books)?;
    let ids = site.book_ids()?;
    println!("{} books stand in the database; {} s a row, {CONNECTIONS} clients.\n", ids.len(), seconds);
    let books: Vec<Request> = ids.iter().map(|id| Request::get(&format!("/api/books/{id}"))).collect();
    let page = [Request::get("/api/books?limit=20")];

    let mut table = Table::default();
    let fixed = site.serve_static()?;
    let limit = load.measure(&fixed, &books)?;
    table.limit("static, 12 KB from memory", &limit);
    drop(fixed);

    let select = if let Some(pgbench) = Pgbench::find() {
        let rate = pgbench.select(&site, &ids, seconds, CONNECTIONS)?;
        table.rate("pgbench, one book by its key", rate);
        Some((pgbench, rate))
    } else {
        table.note("pgbench is missing (Debian: postgresql-15): rows that are compared with it show no ratio");
        None
    };
    let select_rate = select.as_ref().map(|(_, rate)| *rate);
    let of_static = |sample: &Sample, goal| Some((sample.per_second() / limit.per_second(), goal, "static"));
    let of_select = |sample: &Sample, goal| select_rate.map(|rate| (sample.per_second() / rate, goal, "pgbench"));

    let warm = site.serve(Cache::On)?;
    table.start(&warm);
    let token = warm.log_in(MEMBER)?;
    let member: Vec<Request> = books.iter().map(|request| request.clone().with_token(&token)).collect();
    for (name, requests, goal) in [
        ("book by id, visitor, warm", books.as_slice(), Some(0.60)),
        ("book by id, member, warm", member.as_slice(), Some(0.60)),
        ("catalogue page, warm", page.as_slice(), Some(0.65)),
    ] {
        load.warm_up(&warm, requests)?;
        let sample = load.measure(&warm, requests)?;
        table.row(name, &sample, of_static(&sample, goal));
    }
    table.memory("memory after these loads", &warm);

    saves::measure(&site, &warm, select.as_ref().map(|(pgbench, _)| pgbench), (&ids, &token), seconds, &mut table)?;

    study::measure(&site, &warm, (&ids, &token), &load, &mut table)?;

    day::measure(&site, &warm, &ids, seconds, &mut table)?;

    let hashes: f64 = {
        let mut bare = Command::new(&programs.synthetic);
        process::output(bare.arg("argon2"))?.trim().parse().context("`argon2` prints hashes a second")?
    };
    table.rate("argon2id alone", hashes);
    let login = Request::log_in(MEMBER);
    // A login from a new device sends a notification mail, which the same process renders and sends meanwhile.
    for (name, request) in
        [("login, known device", login.clone().with_cookie(warm.device_cookie(MEMBER)?)), ("login, new device", login)]
    {
        let sample = Load::new(seconds, LOGIN_CONNECTIONS)?.measure(&warm, &[request])?;
        table.row(name, &sample, Some((sample.per_second() / hashes, Some(0.90), "argon2id")));
    }
    checkouts::measure(&site, warm, select.as_ref().map(|(pgbench, _)| pgbench), seconds, &mut table)?;

    let cold = site.serve(Cache::Off)?;
    let token = cold.log_in(MEMBER)?;
    let books: Vec<Request> = books.into_iter().map(Request::uncompressed).collect();
    let page = page.map(Request::uncompressed);
    let member: Vec<Request> = books.iter().map(|request| request.clone().with_token(&token)).collect();
    for (name, requests, goal) in [
        ("book by id, visitor, cold", books.as_slice(), Some(0.45)),
        ("book by id, member, cold", member.as_slice(), Some(0.45)),
        ("catalogue page, cold", page.as_slice(), Some(0.40)),
    ] {
        let sample = load.measure(&cold, requests)?;
        table.row(name, &sample, of_select(&sample, goal));
    }
    drop(cold);

    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// Converts a count to `f64`, for ratios.
#[expect(clippy::cast_precision_loss, reason = "counts of requests are far below 2^52")]
fn as_float(number: u64) -> f64 {
    number as f64
}

/// The duration in microseconds.
fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
