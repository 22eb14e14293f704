//! A cached read model of the catalogue: one value that many responses share.

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicU64, Ordering},
};

use kernel::{SECOND, Timestamp};

/// A value derived from lists of the catalogue, cached until a book changes, for 30 seconds at most.
#[derive(Debug)]
pub struct CatalogueModel<T> {
    held: RwLock<Option<Held<T>>>,
    /// Incremented by every change.
    version: AtomicU64,
}

#[derive(Debug)]
struct Held<T> {
    value: Arc<T>,
    read_at: Timestamp,
    version: u64,
}

impl<T> Default for CatalogueModel<T> {
    fn default() -> Self {
        Self { held: RwLock::default(), version: AtomicU64::new(0) }
    }
}

impl<T> CatalogueModel<T> {
    /// The maximum age, in milliseconds: the longest delay of what changes without a notification, such as view counts
    /// and trends.
    const OLDEST: i64 = 30 * SECOND;

    /// The cached value, or else the result of `read`, which is then cached.
    pub async fn get_or_read<E>(&self, now: Timestamp, read: impl AsyncFnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        if let Some(value) = self.get(now) {
            return Ok(value);
        }
        // Loaded before the read, so that a change during the read invalidates the value.
        let version = self.version.load(Ordering::SeqCst);
        let value = Arc::new(read().await?);
        let held = Held { value: Arc::clone(&value), read_at: now, version };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Some(held);
        Ok(value)
    }

    /// Invalidates the value: a book or a list has changed.
    pub fn invalidate(&self) {
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    fn get(&self, now: Timestamp) -> Option<Arc<T>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let held = held.as_ref()?;
        let is_valid = held.version == self.version.load(Ordering::SeqCst) && now.since(held.read_at) < Self::OLDEST;
        is_valid.then(|| Arc::clone(&held.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    async fn read(model: &CatalogueModel<u32>, now: Timestamp, value: u32) -> u32 {
        *model.get_or_read(now, async || Ok::<_, ()>(value)).await.unwrap()
    }

    #[tokio::test]
    async fn it_is_read_once_until_a_book_changes_or_it_is_too_old() {
        let model = CatalogueModel::default();
        assert_eq!(read(&model, NOW, 1).await, 1);
        assert_eq!(read(&model, NOW, 2).await, 1);
        model.invalidate();
        assert_eq!(read(&model, NOW, 3).await, 3);
        assert_eq!(read(&model, NOW.plus(30 * SECOND), 4).await, 4);
    }

    #[tokio::test]
    async fn what_was_read_while_a_book_changed_is_not_held() {
        let model = CatalogueModel::default();
        let changing = async || {
            model.invalidate();
            Ok::<_, ()>(1)
        };
        assert_eq!(*model.get_or_read(NOW, changing).await.unwrap(), 1);
        assert_eq!(read(&model, NOW, 2).await, 2);
    }
}
