//! HTTP clients in threads of this process, for requests that are sent once each, or for as long as something else runs.
//!
//! wrk does neither: it runs for a predetermined time, and reports that time even if its script stops early.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::load::Sample;
use super::request::Request;
use super::site::RunningServer;
use crate::{http, signals};

/// Concurrent clients, each with its own connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clients {
    pub(super) count: u32,
    /// How long each waits between a response and its next request.
    pub(super) pause: Duration,
}

impl Clients {
    /// Sends each request once.
    pub(super) fn send_all(self, served: &RunningServer, requests: &[Request]) -> Result<Sample> {
        self.send(served, |number| requests.get(number).map(Cow::Borrowed))
    }

    /// Cycles through the requests while `goes_on` returns true.
    pub(super) fn send_while(
        self,
        served: &RunningServer,
        requests: &[Request],
        goes_on: impl Fn() -> bool + Sync,
    ) -> Result<Sample> {
        self.send(served, |number| {
            let request = goes_on().then(|| requests.get(number % requests.len().max(1)))?;
            request.map(Cow::Borrowed)
        })
    }

    /// Sends the requests that `request` makes of a running number, until it makes none.
    pub(super) fn send<'a>(
        self,
        served: &RunningServer,
        request: impl Fn(usize) -> Option<Cow<'a, Request>> + Sync,
    ) -> Result<Sample> {
        let (next, url) = (AtomicUsize::new(0), served.url());
        let run = || -> (Vec<Duration>, u64) {
            let (agent, mut times, mut errors) = (http::agent(), Vec::new(), 0);
            while !signals::stop_asked() {
                let Some(request) = request(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let begin = Instant::now();
                let is_ok = request.send(&agent, &url).is_ok_and(|answer| answer.status().as_u16() < 400);
                times.push(begin.elapsed());
                errors += u64::from(!is_ok);
                thread::sleep(self.pause);
            }
            (times, errors)
        };
        let (before, begin) = (served.processor_time(), Instant::now());
        let parts = thread::scope(|scope| {
            let clients: Vec<_> = (0..self.count).map(|_| scope.spawn(run)).collect();
            clients.into_iter().map(|client| client.join().ok()).collect::<Option<Vec<_>>>()
        });
        let duration = begin.elapsed();
        let processor = served.processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
        signals::check()?;
        let (times, errors): (Vec<_>, Vec<_>) = parts.context("a client panicked")?.into_iter().unzip();
        let (times, errors) = (times.concat(), errors.into_iter().sum());
        let requests = times.len() as u64;
        let [p50, p99] = percentiles(times, [50, 99]);
        Ok(Sample { requests, duration, p50, p99, errors, processor })
    }
}

/// The times within which so many of a hundred are.
fn percentiles<const N: usize>(mut times: Vec<Duration>, wanted: [usize; N]) -> [Duration; N] {
    times.sort_unstable();
    wanted.map(|percent| {
        let rank = (times.len() * percent).div_ceil(100);
        times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_time_within_which_so_many_of_100_are() {
        let p99_of = |times| percentiles(times, [99])[0];
        assert_eq!(percentiles((1..=10).map(Duration::from_millis).collect(), [50]), [Duration::from_millis(5)]);
        let times = |count: u64| (1..=count).rev().map(Duration::from_millis).collect::<Vec<_>>();
        assert_eq!(p99_of(times(100)), Duration::from_millis(99));
        assert_eq!(p99_of(times(200)), Duration::from_millis(198));
        assert_eq!(p99_of(times(3)), Duration::from_millis(3));
        assert_eq!(p99_of(Vec::new()), Duration::ZERO);
    }
}
