//! Lists that can grow, page by page, by key (`api.key-paging`).

use std::{fmt, str::FromStr};

use crate::Timestamp;

/// One page of a list and the key at which the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, K> {
    /// The items, in the order of the list.
    pub items: Vec<T>,
    /// The key of the last item when more follow, otherwise `None`.
    pub next: Option<K>,
}

impl<T, K> Page<T, K> {
    /// Makes a page out of up to `limit + 1` items: the surplus one only shows that more follow.
    pub fn from_surplus(mut items: Vec<T>, limit: Limit, key: impl FnOnce(&T) -> K) -> Self {
        let more = items.len() > limit.get();
        items.truncate(limit.get());
        let next = if more { items.last().map(key) } else { None };
        Self { items, next }
    }

    /// The items of all pages of a list, in its order; `read` gives the page behind a key. For lists that people write, of hundreds.
    ///
    /// # Errors
    /// The first failure of `read`.
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

    /// The same page with each item changed.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U, K> {
        Page { items: self.items.into_iter().map(change).collect(), next: self.next }
    }
}

/// How many items a page has: at least one, at most [`Limit::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(usize);

impl Limit {
    /// The most that one page may hold.
    pub const MAX: usize = 100;

    /// Takes the number asked for, within the bounds.
    pub const fn clamped(asked: usize) -> Self {
        if asked == 0 {
            Self(1)
        } else if asked > Self::MAX {
            Self(Self::MAX)
        } else {
            Self(asked)
        }
    }

    /// The number of items.
    pub const fn get(self) -> usize {
        self.0
    }

    /// What a store fetches: one more, to see whether more follow.
    pub const fn with_surplus(self) -> i64 {
        self.0.cast_signed() as i64 + 1
    }
}

/// Where a list that has the newest first goes on: after the entry of this moment and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DateCursor<Id> {
    /// The last entry's moment.
    pub at: Timestamp,
    /// The last entry.
    pub id: Id,
}

/// The text is not the key of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This list has no such next page.")]
pub struct InvalidCursor;

/// As it stands in `result.next`: milliseconds and id, `1781524800000-12`.
impl<Id: fmt::Display> fmt::Display for DateCursor<Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.millis(), self.id)
    }
}

impl<Id: FromStr> FromStr for DateCursor<Id> {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (at, id) = text.split_once('-').ok_or(InvalidCursor)?;
        // `parse` would also take a sign; what is longer lies beyond what a store can say.
        if at.len() > 15 || !at.bytes().all(|digit| digit.is_ascii_digit()) || id.starts_with('0') {
            return Err(InvalidCursor);
        }
        let at = at.parse().map_err(|_| InvalidCursor)?;
        Ok(Self { at: Timestamp::from_millis(at), id: id.parse().map_err(|_| InvalidCursor)? })
    }
}

#[cfg(test)]
mod tests {
    use super::{DateCursor, InvalidCursor, Limit, Page};
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
    fn limits_stay_within_bounds() {
        assert_eq!((Limit::clamped(0).get(), Limit::clamped(5).get(), Limit::clamped(1000).get()), (1, 5, Limit::MAX));
    }
}
