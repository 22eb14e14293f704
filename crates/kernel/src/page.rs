//! Keyset pagination of lists (`api.key-paging`).

use std::{fmt, str::FromStr};

use crate::Timestamp;

/// One page of a list, and the cursor of the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, K> {
    pub items: Vec<T>,
    /// The key of the last item; `None` on the last page.
    pub next: Option<K>,
}

impl<T, K> Page<T, K> {
    /// Makes a page from up to `limit + 1` items. The extra item is dropped; it only shows that another page follows.
    pub fn from_surplus(mut items: Vec<T>, limit: Limit, key: impl FnOnce(&T) -> K) -> Self {
        let more = items.len() > limit.get();
        items.truncate(limit.get());
        let next = if more { items.last().map(key) } else { None };
        Self { items, next }
    }

    /// Reads all pages and returns their items in order; `read` returns the page after a key. For lists of hundreds of
    /// items at most.
    ///
    /// # Errors
    /// The first error that `read` returns.
    pub fn all<E>(mut read: impl FnMut(Option<K>) -> Result<Self, E>) -> Result<Vec<T>, E> {
        let (mut items, mut after) = (Vec::new(), None);
        loop {
            let page = read(after)?;
            items.extend(page.items);
            after = page.next;
            if after.is_none() {
                return Ok(items);
            }
        }
    }

    /// Maps the items and keeps the cursor.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U, K> {
        Page { items: self.items.into_iter().map(change).collect(), next: self.next }
    }
}

/// The page size: at least 1, at most [`Limit::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(usize);

impl Limit {
    /// The largest page size.
    pub const MAX: usize = 100;

    /// The requested page size, clamped to the bounds.
    pub const fn clamped(asked: usize) -> Self {
        if asked == 0 {
            Self(1)
        } else if asked > Self::MAX {
            Self(Self::MAX)
        } else {
            Self(asked)
        }
    }

    pub const fn get(self) -> usize {
        self.0
    }

    /// The number of rows to query: one more than the page size, which shows whether another page follows.
    pub const fn with_surplus(self) -> i64 {
        self.0.cast_signed() as i64 + 1
    }
}

/// The number of entries of a list, counted up to [`Self::MAX`] (`admin.list-totals`): counting on takes the longer the more there
/// are, and nobody reads the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListTotal {
    count: u64,
    is_capped: bool,
}

impl ListTotal {
    /// The largest number that is counted exactly.
    pub const MAX: u64 = 10_000;
    /// The number of rows to count at most: one more than [`Self::MAX`], which shows that there are more.
    pub const WITH_SURPLUS: u64 = Self::MAX + 1;

    /// The total of a list of which so many rows were counted, up to [`Self::WITH_SURPLUS`] or all of them.
    pub const fn of_counted(rows: u64) -> Self {
        if rows > Self::MAX {
            Self { count: Self::MAX, is_capped: true }
        } else {
            Self { count: rows, is_capped: false }
        }
    }

    /// The number of entries, at most [`Self::MAX`].
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Whether there are more entries than [`Self::count`].
    pub const fn is_capped(self) -> bool {
        self.is_capped
    }
}

/// The pagination cursor of a list sorted newest first: the time and id of the last entry of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DateCursor<Id> {
    pub at: Timestamp,
    pub id: Id,
}

/// The text is not a valid pagination cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This list has no such next page.")]
pub struct InvalidCursor;

/// As in `result.next`: milliseconds since the epoch and id, such as `1781524800000-12`.
impl<Id: fmt::Display> fmt::Display for DateCursor<Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.millis(), self.id)
    }
}

impl<Id: FromStr> FromStr for DateCursor<Id> {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (at, id) = text.split_once('-').ok_or(InvalidCursor)?;
        // `parse` would also accept a sign. More than 15 digits is later than any time that a store can hold.
        if at.len() > 15 || !at.bytes().all(|digit| digit.is_ascii_digit()) || id.starts_with('0') {
            return Err(InvalidCursor);
        }
        let at = at.parse().map_err(|_| InvalidCursor)?;
        Ok(Self { at: Timestamp::from_millis(at), id: id.parse().map_err(|_| InvalidCursor)? })
    }
}

#[cfg(test)]
mod tests {
    use super::{DateCursor, InvalidCursor, Limit, ListTotal, Page};
    use crate::{BookId, Timestamp};

    #[test]
    fn a_key_survives_the_way_there_and_back() {
        let key = DateCursor { at: Timestamp::from_millis(1_781_524_800_000), id: BookId::from_store(12) };
        assert_eq!(key.to_string(), "1781524800000-12");
        assert_eq!(key.to_string().parse(), Ok(key));
        for text in [
            "",
            "x",
            "1-",
            "-1",
            "-1-1",
            "1-0",
            "1-01",
            "1--1",
            "1-x",
            "1-1-1",
            "+1-1",
            "1-9999999999999999999",
            "1234567890123456-1",
            "1781524800000",
        ] {
            assert_eq!(text.parse::<DateCursor<BookId>>(), Err(InvalidCursor), "{text}");
        }
    }

    #[test]
    fn the_surplus_item_shows_that_more_follow() {
        let page = Page::from_surplus(vec![1, 2, 3], Limit::clamped(2), |n| *n);
        assert_eq!(page, Page { items: vec![1, 2], next: Some(2) });
        let last = Page::from_surplus(vec![1, 2], Limit::clamped(2), |n| *n);
        assert_eq!(last, Page { items: vec![1, 2], next: None });
    }

    #[test]
    fn all_pages_are_read_until_none_follows() {
        let list = [1, 2, 3, 4, 5];
        let behind =
            |after: Option<i32>| list.into_iter().filter(|n| after.is_none_or(|key| *n > key)).take(3).collect();
        let read = |after| Ok::<_, ()>(Page::from_surplus(behind(after), Limit::clamped(2), |n| *n));
        assert_eq!(Page::all(read), Ok(list.to_vec()));
        let failing = |after: Option<i32>| if after.is_none() { read(after) } else { Err(()) };
        assert_eq!(Page::all(failing), Err(()));
    }

    #[test]
    fn totals_are_exact_up_to_ten_thousand() {
        let total = |rows| (ListTotal::of_counted(rows).count(), ListTotal::of_counted(rows).is_capped());
        assert_eq!([0, 9_999, 10_000].map(total), [(0, false), (9_999, false), (10_000, false)]);
        assert_eq!([10_001, 90_000].map(total), [(10_000, true); 2]);
    }

    #[test]
    fn limits_stay_within_bounds() {
        assert_eq!((Limit::clamped(0).get(), Limit::clamped(5).get(), Limit::clamped(1000).get()), (1, 5, Limit::MAX));
    }
}
