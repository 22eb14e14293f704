//! The plans that PayPal has, as far as this process has asked for them: each price shows one, and few change in a day.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use billing::gateway::GatewayError;
use kernel::{HOUR, MINUTE, Timestamp};
use tokio::sync::Mutex as AsyncMutex;

/// For how long a plan is known, in milliseconds.
const KNOWN_FOR: i64 = HOUR;
/// For how long nobody asks again when PayPal could not be asked, in milliseconds.
const DOWN_FOR: i64 = MINUTE;
/// How many terms are known at most; then all are forgotten.
const MOST: usize = 1_000;

/// What PayPal said of some terms, and when.
type Known = Option<(Timestamp, Result<String, GatewayError>)>;

/// The ids of plans by their terms.
#[derive(Debug, Default)]
pub(super) struct KnownPlans(Mutex<HashMap<String, Arc<AsyncMutex<Known>>>>);

impl KnownPlans {
    /// The plan of these terms: what PayPal said a short while ago, or what it says now. Callers with the same terms wait for one
    /// another, so that one of them asks. A purchase asks again where a price takes a failure of a short while ago for an answer.
    pub(super) async fn get_or_ask(
        &self,
        terms: &str,
        now: Timestamp,
        takes_failures: bool,
        ask: impl AsyncFnOnce() -> Result<String, GatewayError>,
    ) -> Result<String, GatewayError> {
        let place = self.place(terms);
        let mut known = place.lock().await;
        if let Some((at, said)) = &*known {
            let lasts = match said {
                Ok(_) => KNOWN_FOR,
                Err(_) if takes_failures => DOWN_FOR,
                Err(_) => 0,
            };
            if now.since(*at) < lasts {
                return said.clone();
            }
        }
        let said = ask().await;
        *known = Some((now, said.clone()));
        said
    }

    fn place(&self, terms: &str) -> Arc<AsyncMutex<Known>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST && !all.contains_key(terms) {
            all.clear();
        }
        Arc::clone(all.entry(terms.to_owned()).or_default())
    }

    /// Forgets all of them.
    pub(super) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);

    #[tokio::test]
    async fn paypal_is_asked_once_an_hour_for_each_terms() {
        let (plans, asked) = (KnownPlans::default(), Cell::new(0));
        let get = async |terms: &str, now| {
            let ask = async || {
                asked.set(asked.get() + 1);
                Ok(format!("P-{}", asked.get()))
            };
            plans.get_or_ask(terms, now, true, ask).await.unwrap()
        };
        assert_eq!(get("monthly", NOW).await, "P-1");
        assert_eq!(get("monthly", NOW.plus(KNOWN_FOR - 1)).await, "P-1");
        assert_eq!(get("yearly", NOW).await, "P-2");
        assert_eq!(get("monthly", NOW.plus(KNOWN_FOR)).await, "P-3");
        plans.forget();
        assert_eq!(get("yearly", NOW).await, "P-4");
    }

    #[tokio::test]
    async fn prices_leave_paypal_alone_for_a_minute_when_it_is_down() {
        let (plans, asked) = (KnownPlans::default(), Cell::new(0));
        let get = async |now, takes_failures| {
            let ask = async || {
                asked.set(asked.get() + 1);
                Err(GatewayError::Unreachable("down".to_owned()))
            };
            plans.get_or_ask("monthly", now, takes_failures, ask).await.unwrap_err();
            asked.get()
        };
        assert_eq!((get(NOW, true).await, get(NOW.plus(DOWN_FOR - 1), true).await), (1, 1));
        assert_eq!((get(NOW.plus(DOWN_FOR - 1), false).await, get(NOW.plus(2 * DOWN_FOR), true).await), (2, 3));
    }
}
