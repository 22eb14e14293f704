//! A cache of PayPal's plan ids: every displayed price needs one, and they rarely change.

use std::time::{Duration, Instant};

use billing::gateway::GatewayError;
use moka::{Expiry, future::Cache};

/// How long a plan's id is cached.
const PLAN_TTL: Duration = Duration::from_hours(1);
/// How long a failed lookup is cached.
const FAILURE_TTL: Duration = Duration::from_mins(1);
/// The maximum number of cached plans.
const MAX_PLANS: u64 = 1_000;

/// The result of looking up a plan.
type PlanIdResult = Result<String, GatewayError>;

/// Plan ids, by the terms of the plan.
#[derive(Debug)]
pub(super) struct PlanCache(Cache<String, PlanIdResult>);

impl Default for PlanCache {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_PLANS).expire_after(PlanExpiry).build())
    }
}

impl PlanCache {
    /// Returns the cached result for these terms, or runs `ask`. Concurrent callers for the same terms share one lookup
    /// and its result. With `takes_failures` a cached failure is returned (for showing prices); otherwise `ask` runs
    /// again (for purchases).
    pub(super) async fn get_or_fetch(
        &self,
        terms: &str,
        takes_failures: bool,
        ask: impl Future<Output = PlanIdResult>,
    ) -> PlanIdResult {
        if !takes_failures && matches!(self.0.get(terms).await, Some(Err(_))) {
            self.0.invalidate(terms).await;
        }
        self.0.get_with_by_ref(terms, ask).await
    }

    /// Clears the cache.
    pub(super) fn forget(&self) {
        self.0.invalidate_all();
    }
}

/// Different expiry times for plans and failures.
struct PlanExpiry;

impl Expiry<String, PlanIdResult> for PlanExpiry {
    fn expire_after_create(&self, _terms: &String, said: &PlanIdResult, _now: Instant) -> Option<Duration> {
        Some(if said.is_ok() { PLAN_TTL } else { FAILURE_TTL })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::future::join_all;

    use super::*;

    fn down() -> PlanIdResult {
        Err(GatewayError::Unreachable("down".to_owned()))
    }

    #[tokio::test]
    async fn paypal_is_asked_once_for_each_terms() {
        let (plans, asked) = (PlanCache::default(), Cell::new(0));
        let get = async |terms: &str| {
            let ask = async {
                asked.set(asked.get() + 1);
                tokio::task::yield_now().await;
                Ok(format!("P-{}", asked.get()))
            };
            plans.get_or_fetch(terms, true, ask).await.unwrap()
        };
        assert_eq!(join_all((0..5).map(|_| get("monthly"))).await, ["P-1"; 5]);
        assert_eq!((get("monthly").await, get("yearly").await), ("P-1".to_owned(), "P-2".to_owned()));
        plans.forget();
        assert_eq!(get("yearly").await, "P-3");
    }

    #[tokio::test]
    async fn prices_leave_paypal_alone_when_it_is_down_and_purchases_ask_together() {
        let (plans, asked) = (PlanCache::default(), Cell::new(0));
        let get = async |takes_failures| {
            let ask = async {
                asked.set(asked.get() + 1);
                tokio::task::yield_now().await;
                down()
            };
            plans.get_or_fetch("monthly", takes_failures, ask).await.unwrap_err();
            asked.get()
        };
        assert_eq!((get(true).await, get(true).await), (1, 1));
        // Concurrent callers share one lookup instead of queueing their own.
        assert_eq!(join_all((0..5).map(|_| get(false))).await, [2; 5]);
        assert_eq!((get(false).await, get(true).await), (3, 3));
    }

    #[test]
    fn a_plan_is_known_for_an_hour_and_a_failure_for_a_minute() {
        let lasts = |said| PlanExpiry.expire_after_create(&String::new(), &said, Instant::now());
        assert_eq!((lasts(Ok("P-1".to_owned())), lasts(down())), (Some(PLAN_TTL), Some(FAILURE_TTL)));
    }
}
