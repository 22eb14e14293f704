//! Where readers stop: the section of a book after which most of them went no further (`admin.drop-offs`).

use std::cmp::Reverse;

use kernel::{BookId, DAY};

/// The reading positions that count are those that changed last in this many days.
pub const DROP_OFF_DAYS: i64 = 90;
/// A reader whose position has not changed for this long has stopped, in milliseconds. Others may still go on.
pub const STOPPED_AFTER: i64 = 7 * DAY;
/// A book with fewer readers is left out: its counts would say more about persons than about the text.
pub const FEWEST_READERS: u64 = 10;
/// The number of books, those with the highest trend, whose positions are read.
pub const OBSERVED_BOOKS: i64 = 50;

/// How far the readers of a book have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPositions {
    pub id: BookId,
    pub title: String,
    /// The titles of the sections, in order.
    pub sections: Vec<String>,
    /// The furthest section, from 0, and how many readers stopped there. `None`: they completed the book.
    pub readers: Vec<(Option<usize>, u64)>,
}

/// The section of a book after which most readers went no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropOff {
    pub id: BookId,
    pub title: String,
    /// The section's index, from 0.
    pub section: usize,
    pub section_title: String,
    /// How many readers the book had.
    pub readers: u64,
    /// How many of them stopped at this section.
    pub stopped: u64,
}

/// The section after which most readers of a book went no further, the first of equal ones. `None` for a book with fewer than
/// [`FEWEST_READERS`], and when nobody stopped before the last section: after that there is nothing to go on to.
fn drop_off(book: &BookPositions) -> Option<DropOff> {
    let readers = book.readers.iter().map(|(_, count)| count).sum();
    let before_last = book.sections.iter().enumerate().take(book.sections.len().saturating_sub(1));
    let stopped = before_last.map(|(section, title)| {
        let here = book.readers.iter().filter(|(furthest, _)| *furthest == Some(section));
        (here.map(|(_, count)| count).sum::<u64>(), section, title)
    });
    let (stopped, section, title) = stopped.max_by_key(|(stopped, section, _)| (*stopped, Reverse(*section)))?;
    (readers >= FEWEST_READERS && stopped > 0).then(|| DropOff {
        id: book.id,
        title: book.title.clone(),
        section,
        section_title: title.clone(),
        readers,
        stopped,
    })
}

/// Where readers stop, the books that lose most readers first, at most `limit` of them.
pub fn drop_offs(books: &[BookPositions], limit: usize) -> Vec<DropOff> {
    let mut found: Vec<DropOff> = books.iter().filter_map(drop_off).collect();
    found.sort_by_key(|one| (Reverse(one.stopped), one.readers, one.id));
    found.truncate(limit);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(id: i64, readers: &[(Option<usize>, u64)]) -> BookPositions {
        BookPositions {
            id: BookId::from_store(id),
            title: format!("Book {id}"),
            sections: ["One", "Two", "Three"].map(str::to_owned).to_vec(),
            readers: readers.to_vec(),
        }
    }

    fn found(readers: &[(Option<usize>, u64)]) -> Option<(usize, u64, u64)> {
        drop_off(&book(1, readers)).map(|one| (one.section, one.stopped, one.readers))
    }

    #[test]
    fn most_readers_stop_after_the_section_that_most_did_not_leave() {
        assert_eq!(found(&[(Some(0), 3), (Some(1), 8), (Some(2), 20), (None, 9)]), Some((1, 8, 40)));
        assert_eq!(found(&[(Some(0), 5), (Some(1), 5)]), Some((0, 5, 10)), "the first of equal ones");
    }

    #[test]
    fn a_book_with_few_readers_and_one_that_nobody_left_are_left_out() {
        assert_eq!(found(&[(Some(0), 9)]), None);
        assert_eq!(found(&[(Some(2), 10), (None, 10)]), None, "after the last section there is nothing to go on to");
        assert_eq!(found(&[(Some(7), 12)]), None, "the text has become shorter");
        let untitled = BookPositions { sections: Vec::new(), ..book(1, &[(Some(0), 12)]) };
        assert_eq!(drop_off(&untitled), None);
    }

    #[test]
    fn the_books_that_lose_most_readers_are_first() {
        let books = [
            book(1, &[(Some(0), 10), (None, 90)]),
            book(2, &[(Some(1), 30)]),
            book(3, &[(Some(0), 10)]),
            book(4, &[(Some(0), 2)]),
        ];
        let ids = |limit| drop_offs(&books, limit).iter().map(|one| one.id.get()).collect::<Vec<_>>();
        assert_eq!(ids(9), [2, 3, 1]);
        assert_eq!(ids(1), [2]);
    }
}
