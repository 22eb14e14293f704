//! `cargo xtask bench --enumeration`: can the time of an answer tell whether an address is known? The calls that must
//! not, each tried on known and unknown addresses in turn by lot, and the two distributions compared.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use ureq::http::Method;

use super::{as_float, microseconds};
use crate::checkout::Checkout;
use crate::http::Client;
use crate::instance::{Instance, PASSWORD};
use crate::server::{self, Profile};
use crate::tools;

/// Tries of each call on known addresses, and as many on unknown ones.
const TRIES: usize = 200;
/// Tries before them that do not count: connections are opened, statements prepared.
const WARM_UP: usize = 20;
/// Chances below this one are called a difference. Several calls are looked at, so that one in a hundred is no wonder.
const SUSPICIOUS: f64 = 0.01;

/// A call, what it is sent beside the address, and the status that it answers.
type Call = (&'static str, Method, &'static str, fn(&str) -> Value, u16);

const CALLS: [Call; 4] = [
    ("forgot-password", Method::PUT, "/api/user/forgot-password", |email| json!({ "email": email }), 200),
    ("login-link", Method::POST, "/api/user/login-link", |email| json!({ "email": email }), 200),
    ("login-code", Method::POST, "/api/user/login-code", |email| json!({ "email": email, "code": "no code" }), 400),
    ("login", Method::POST, "/api/user/login", |email| json!({ "username": email, "password": "not this one" }), 400),
];

/// Measures and prints; fails nothing.
pub(super) fn measure(checkout: &Checkout) -> Result<ExitCode> {
    tools::ensure_build_tools()?;
    let pith = server::build(checkout, Profile::Debug)?;
    let folder = tempfile::Builder::new().prefix("pith-times-").tempdir().context("cannot make a temporary folder")?;
    // Postgres may run under another account, which has to pass through.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
    let (instance, cluster) = Instance::set_up(checkout, &pith, &folder.path().join("site"))?;
    let server = instance.start_server(&cluster)?;
    let client = instance.client();
    println!("Signing up {TRIES} members …");
    for n in 0..TRIES {
        client.sign_up(&address(true, n), PASSWORD)?;
    }
    println!("{TRIES} tries each on known and unknown addresses, microseconds:\n");
    println!("call              median known  median unknown   Mann-Whitney p   Kolmogorov-Smirnov p");
    for call in &CALLS {
        let [known, unknown] = times(&client, call)?;
        let (rank, shape) = (mann_whitney(&known, &unknown), kolmogorov_smirnov(&known, &unknown));
        let verdict = if rank.min(shape) < SUSPICIOUS { "differs" } else { "can't be told apart" };
        let (one, other) = (median(&known), median(&unknown));
        println!("{:<16} {one:>13.0} {other:>15.0} {rank:>16.3} {shape:>22.3}   {verdict}", call.0);
    }
    drop(server);
    Ok(ExitCode::SUCCESS)
}

fn address(is_known: bool, n: usize) -> String {
    format!("{}{n}@example.com", if is_known { "known" } else { "other" })
}

/// The times of a call on known and on unknown addresses, each address once, in an order that is drawn by lot.
fn times(client: &Client, (_, method, path, body, status): &Call) -> Result<[Vec<f64>; 2]> {
    let send = |email: &str| -> Result<f64> {
        let started = Instant::now();
        let reply = client.send(method, path, None, Some(&body(email)))?;
        let taken = microseconds(started.elapsed());
        ensure!(reply.status == *status, "{path} answered {}: {}", reply.status, reply.body);
        Ok(taken)
    };
    for n in 0..WARM_UP {
        send(&format!("warm{n}@example.com"))?;
    }
    let mut tries: Vec<(bool, usize)> = (0..TRIES).flat_map(|n| [(true, n), (false, n)]).collect();
    shuffle(&mut tries);
    let mut times = [Vec::new(), Vec::new()];
    for (is_known, n) in tries {
        times[usize::from(!is_known)].push(send(&address(is_known, n))?);
    }
    Ok(times)
}

/// Puts things into an order that says nothing; the same in every run.
fn shuffle<T>(things: &mut [T]) {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    for end in (1..things.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        things.swap(end, usize::try_from(state % (end as u64 + 1)).unwrap_or(0));
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { f64::midpoint(sorted[middle - 1], sorted[middle]) } else { sorted[middle] }
}

/// The chance that two samples of one distribution differ in rank as much as these: Mann and Whitney's test, by the
/// normal approximation.
fn mann_whitney(one: &[f64], other: &[f64]) -> f64 {
    let wins = |a: &f64| -> f64 {
        other
            .iter()
            .map(|b| {
                if a > b {
                    1.0
                } else if (a - b).abs() < f64::EPSILON {
                    0.5
                } else {
                    0.0
                }
            })
            .sum()
    };
    let won: f64 = one.iter().map(wins).sum();
    let (n, m) = (as_float(one.len() as u64), as_float(other.len() as u64));
    let spread = (n * m * (n + m + 1.0) / 12.0).sqrt();
    let score = (won - n * m / 2.0).abs() / spread;
    (2.0 * (1.0 - normal(score))).clamp(0.0, 1.0)
}

/// The share of the normal distribution below a score of zero or more (Abramowitz and Stegun 26.2.17).
fn normal(score: f64) -> f64 {
    const WEIGHTS: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * score);
    let tail: f64 = WEIGHTS.iter().rev().fold(0.0, |sum, weight| (sum + weight) * t);
    1.0 - (-score * score / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * tail
}

/// The chance that two samples of one distribution are as far apart somewhere as these: Kolmogorov and Smirnov's test.
fn kolmogorov_smirnov(one: &[f64], other: &[f64]) -> f64 {
    let below = |values: &[f64], limit: f64| {
        as_float(values.iter().filter(|value| **value <= limit).count() as u64) / as_float(values.len() as u64)
    };
    let apart = one.iter().chain(other).map(|at| (below(one, *at) - below(other, *at)).abs()).fold(0.0, f64::max);
    let (n, m) = (as_float(one.len() as u64), as_float(other.len() as u64));
    let root = (n * m / (n + m)).sqrt();
    let distance = (root + 0.12 + 0.11 / root) * apart;
    let terms = (1..=100_u32).map(|k| {
        let k = f64::from(k);
        let term = (-2.0 * k * k * distance * distance).exp();
        if k % 2.0 > 0.5 { term } else { -term }
    });
    if distance < 0.2 { 1.0 } else { (2.0 * terms.sum::<f64>()).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(from: f64, step: f64) -> Vec<f64> {
        let mut values: Vec<f64> = (0..200).map(|n| from + step * f64::from(n)).collect();
        shuffle(&mut values);
        values
    }

    #[test]
    fn one_distribution_is_not_two() {
        let (one, other) = (spread(1000.0, 1.0), spread(1000.5, 1.0));
        assert!(mann_whitney(&one, &other) > 0.9);
        assert!(kolmogorov_smirnov(&one, &other) > 0.9);
        assert!((median(&one) - 1099.5).abs() < 1e-9);
    }

    #[test]
    fn what_is_later_or_wider_is_found() {
        let (one, later, wider) = (spread(1000.0, 1.0), spread(1040.0, 1.0), spread(900.0, 2.0));
        assert!(mann_whitney(&one, &later) < 0.001 && kolmogorov_smirnov(&one, &later) < 0.001);
        assert!(mann_whitney(&one, &wider) > 0.05 && kolmogorov_smirnov(&one, &wider) < 0.001);
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (score, share) in [(0.0, 0.5), (1.0, 0.841_345), (1.96, 0.975_002), (3.0, 0.998_650)] {
            assert!((normal(score) - share).abs() < 1e-5, "{score}");
        }
    }

    #[test]
    fn a_lot_keeps_everything() {
        let mut things: Vec<u32> = (0..100).collect();
        shuffle(&mut things);
        assert_ne!(things, (0..100).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..100).collect::<Vec<_>>());
    }
}
