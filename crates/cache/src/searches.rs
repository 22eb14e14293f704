//! Counting of searches without a result: a write-behind buffer.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use catalogue::CatalogueCommands;
use kernel::{StoreError, Timestamp};
use postgres::Db;

/// The most different searches of which the counter knows that they have no result.
const MOST_KNOWN: usize = 10_000;
/// The most different searches that are counted between two flushes.
const MOST_COUNTED: usize = 1_000;

#[derive(Debug, Default)]
struct Searches {
    /// Searches whose latest response had no result. A cached response is sent without a look at its content.
    unanswered: HashSet<String>,
    /// Counts since the last flush.
    counts: HashMap<String, u64>,
}

/// Searches without a result since the last flush to the database. A crash loses five seconds of a statistic.
#[derive(Debug, Default)]
pub struct SearchCounter(Mutex<Searches>);

impl SearchCounter {
    fn lock(&self) -> MutexGuard<'_, Searches> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records, whenever the response to a search is made, whether it has a result.
    pub fn set_result(&self, words: &str, has_result: bool) {
        let mut searches = self.lock();
        if has_result {
            searches.unanswered.remove(words);
        } else {
            if searches.unanswered.len() >= MOST_KNOWN {
                searches.unanswered.clear();
            }
            searches.unanswered.insert(words.to_owned());
        }
    }

    /// Counts a search if its latest response had no result.
    pub fn count(&self, words: String) {
        let mut searches = self.lock();
        let has_room = searches.counts.len() < MOST_COUNTED || searches.counts.contains_key(&words);
        if has_room && searches.unanswered.contains(&words) {
            *searches.counts.entry(words).or_default() += 1;
        }
    }

    /// Writes the searches counted so far to the database. If that fails, they stay counted.
    pub async fn flush(&self, db: &Db, now: Timestamp) -> Result<(), StoreError> {
        let counts = std::mem::take(&mut self.lock().counts);
        if counts.is_empty() {
            return Ok(());
        }
        let again = counts.clone();
        let written = db.write::<_, StoreError, _>(move |pg| pg.add_unanswered_searches(&counts, now)).await;
        if written.is_err() {
            let mut searches = self.lock();
            for (words, count) in again {
                *searches.counts.entry(words).or_default() += count;
            }
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(counter: &SearchCounter, words: &str) -> u64 {
        counter.lock().counts.get(words).copied().unwrap_or(0)
    }

    #[test]
    fn a_search_counts_while_its_latest_response_has_no_result() {
        let counter = SearchCounter::default();
        counter.count("chess".to_owned());
        assert_eq!(counted(&counter, "chess"), 0, "nothing is known of it");
        counter.set_result("chess", false);
        counter.count("chess".to_owned());
        counter.count("chess".to_owned());
        counter.set_result("chess", true);
        counter.count("chess".to_owned());
        assert_eq!(counted(&counter, "chess"), 2);
    }

    #[test]
    fn random_texts_do_not_fill_the_memory() {
        let counter = SearchCounter::default();
        for n in 0..=MOST_KNOWN {
            let words = format!("random {n}");
            counter.set_result(&words, false);
            counter.count(words);
        }
        let searches = counter.lock();
        assert_eq!((searches.unanswered.len(), searches.counts.len()), (1, MOST_COUNTED));
    }
}
