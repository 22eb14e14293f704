//! The infographics that an add-on includes (`catalogue.infographic-add-ons`).

use std::{cmp::Reverse, collections::BTreeMap};

use kernel::{BookId, Timestamp};

/// A period in which a book's infographic was available. A book has one for each time that its infographic became
/// available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InfographicPeriod {
    pub book: BookId,
    pub from: Timestamp,
    /// When it was withdrawn; `None`: it is available now.
    pub until: Option<Timestamp>,
}

impl InfographicPeriod {
    fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && self.until.is_none_or(|until| until > at)
    }
}

/// The `count` books whose infographics an add-on includes that was bought at `bought_at`: first those available at
/// that moment, newest first, then later ones in the order in which they became available.
///
/// An infographic that is withdrawn keeps its place, and is available again when it is back. Later ones move up only
/// when a book is deleted.
pub fn infographics_of_add_on(count: u32, bought_at: Timestamp, periods: &[InfographicPeriod]) -> Vec<BookId> {
    let mut first: BTreeMap<BookId, Timestamp> = BTreeMap::new();
    for period in periods {
        let from = first.entry(period.book).or_insert(period.from);
        *from = period.from.min(*from);
    }
    let mut there: Vec<BookId> = periods.iter().filter(|one| one.holds(bought_at)).map(|one| one.book).collect();
    there.sort_unstable_by_key(|book| Reverse((first.get(book).copied(), *book)));
    there.dedup();
    let later = periods.iter().filter(|one| one.from > bought_at && !there.contains(&one.book));
    let mut later: Vec<(Timestamp, BookId)> = later.map(|one| (one.from, one.book)).collect();
    later.sort_unstable();
    let mut owned = there;
    for (_, book) in later {
        if !owned.contains(&book) {
            owned.push(book);
        }
    }
    owned.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    owned
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn book(number: i64) -> BookId {
        BookId::from_store(number)
    }

    fn at(moment: i64) -> Timestamp {
        Timestamp::from_millis(moment)
    }

    fn period(number: i64, from: i64, until: Option<i64>) -> InfographicPeriod {
        InfographicPeriod { book: book(number), from: at(from), until: until.map(at) }
    }

    fn owned(count: u32, bought: i64, periods: &[InfographicPeriod]) -> Vec<i64> {
        infographics_of_add_on(count, at(bought), periods).into_iter().map(BookId::get).collect()
    }

    #[test]
    fn the_newest_of_the_purchase_come_first_and_later_ones_until_the_number_is_reached() {
        let periods = [period(1, 10, None), period(2, 30, None), period(3, 20, None), period(4, 60, None)];
        assert_eq!(owned(2, 40, &periods), [2, 3], "the newest of that moment");
        assert_eq!(owned(20, 40, &periods), [2, 3, 1, 4], "and one that came later");
        assert_eq!(owned(20, 5, &periods), [1, 3, 2, 4], "there was none: they come as they appear");
        assert_eq!(owned(3, 15, &periods), [1, 3, 2]);
        assert_eq!(owned(20, 40, &[]), [0_i64; 0]);
        assert_eq!(owned(0, 40, &periods), [0_i64; 0]);
    }

    #[test]
    fn what_was_bought_keeps_its_place_while_it_is_withdrawn() {
        let before = [period(1, 10, None), period(2, 20, None)];
        assert_eq!(owned(2, 25, &before), [2, 1]);
        let withdrawn = [period(1, 10, None), period(2, 20, Some(30)), period(3, 40, None)];
        assert_eq!(owned(2, 25, &withdrawn), [2, 1], "nothing moves up");
        let back = [period(1, 10, None), period(2, 20, Some(30)), period(3, 40, None), period(2, 50, None)];
        assert_eq!(owned(2, 25, &back), [2, 1]);
        // Bought while it was withdrawn: it counts as a later one.
        assert_eq!(owned(1, 35, &back), [1]);
        assert_eq!(owned(3, 35, &back), [1, 3, 2]);
        assert_eq!(owned(2, 30, &withdrawn), [1, 3], "it went at the moment of the purchase");
    }

    /// The periods after these events: each one publishes a book's infographic, or withdraws it if it is available.
    fn periods_after(events: &[i64]) -> Vec<InfographicPeriod> {
        let mut periods: Vec<InfographicPeriod> = Vec::new();
        for (moment, number) in (1..).zip(events) {
            let open = periods.iter_mut().find(|one| one.book == book(*number) && one.until.is_none());
            match open {
                Some(open) => open.until = Some(at(moment)),
                None => periods.push(period(*number, moment, None)),
            }
        }
        periods
    }

    proptest! {
        #[test]
        fn never_more_than_were_bought_and_what_was_owned_stays(
            events in prop::collection::vec(1_i64..9, 0..40),
            bought in 0_i64..40,
            count in 0_u32..7,
            seed in any::<u64>(),
        ) {
            let bought = bought.min(i64::try_from(events.len()).unwrap_or(0));
            let then = usize::try_from(bought).unwrap_or(0);
            let mut before: Option<Vec<i64>> = None;
            for end in then..=events.len() {
                let mut periods = periods_after(&events[..end]);
                let now = owned(count, bought, &periods);
                prop_assert!(now.len() <= count as usize);
                let mut each = now.clone();
                each.sort_unstable();
                each.dedup();
                prop_assert_eq!(each.len(), now.len(), "each once");
                // The result does not depend on the order of the periods.
                let by = usize::try_from(seed % 7).unwrap_or(0) % periods.len().max(1);
                periods.rotate_left(by);
                prop_assert_eq!(&owned(count, bought, &periods), &now);
                if let Some(before) = &before {
                    prop_assert!(now.starts_with(before), "{before:?} became {now:?}");
                } else {
                    let there = periods.iter().filter(|one| one.until.is_none()).count();
                    prop_assert_eq!(now.len(), there.min(count as usize), "all that there were, or as many as were bought");
                }
                before = Some(now);
            }
            // An add-on that is not used up includes everything that has been available since the purchase.
            let last = before.unwrap_or_default();
            if last.len() < count as usize {
                let since = periods_after(&events).into_iter().filter(|one| one.until.is_none_or(|until| until > at(bought)));
                for one in since {
                    prop_assert!(last.contains(&one.book.get()), "{one:?} is missing");
                }
            }
        }
    }
}
