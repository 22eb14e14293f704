//! Searches without a result, counted by their words for editors (`catalogue.unanswered-searches`).

use crate::{Filters, SearchHit, SearchQuery, words_of};

/// How many days editors see, in UTC and with the current one.
pub const SEARCH_DAYS: i32 = 30;
/// How many days a count is kept.
pub const SEARCHES_KEPT_DAYS: i32 = 90;
/// The most different searches that are counted on a day: random texts must not fill the table.
pub const SEARCHES_PER_DAY: u16 = 10_000;
/// The fewest times that a search was made for editors to see it: what one person typed once may be personal.
pub const FEWEST_SEARCHES: i64 = 2;

/// The most characters of a search that is counted: longer ones are pasted texts.
const MOST_CHARS: usize = 60;
/// The fewest characters of a search that is counted.
const FEWEST_CHARS: usize = 3;
/// A number of at least this many digits may be that of a phone or a card.
const LONG_NUMBER: usize = 5;

/// How often a search without a result was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchCount {
    /// The words, folded, separated by spaces.
    pub words: String,
    pub count: u64,
}

impl SearchQuery {
    /// The words under which this search is counted if it has no result. `None` for a later page, a filtered search, and a text
    /// that is too short, too long or may name a person: an email address or a long number.
    pub fn counted_words(&self) -> Option<String> {
        if self.after.is_some() || self.filters != Filters::default() || self.text.contains('@') {
            return None;
        }
        let words = words_of(&self.text);
        let is_long_number =
            |word: &String| word.len() >= LONG_NUMBER && word.chars().all(|letter| letter.is_ascii_digit());
        let text = words.join(" ");
        let is_counted = (FEWEST_CHARS..=MOST_CHARS).contains(&text.chars().count());
        (is_counted && !words.iter().any(is_long_number)).then_some(text)
    }
}

/// Whether a search has a result: a book that is about it, not only near ones (`catalogue.near-notice`).
pub fn has_result(hits: &[SearchHit]) -> bool {
    hits.first().is_some_and(|best| !best.is_near)
}

/// The most frequent searches, at most `limit`. The search runs while a reader types, so the beginnings of a text are searched too:
/// a text is left out when those that it begins were made as often together.
pub fn most_searched(searches: Vec<SearchCount>, limit: usize) -> Vec<SearchCount> {
    let continued = |search: &SearchCount| {
        let longer = searches
            .iter()
            .filter(|other| other.words.len() > search.words.len() && other.words.starts_with(search.words.as_str()));
        longer.map(|other| other.count).sum::<u64>()
    };
    let whole: Vec<bool> = searches.iter().map(|search| search.count > continued(search)).collect();
    let kept = searches.into_iter().zip(whole).filter_map(|(search, is_whole)| is_whole.then_some(search));
    kept.take(limit).collect()
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, Limit, Slug};

    use super::*;
    use crate::BookCursor;

    fn query(text: &str) -> SearchQuery {
        SearchQuery { text: text.to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(20) }
    }

    #[test]
    fn a_search_is_counted_by_its_folded_words() {
        assert_eq!(query("  Quantum—Déjà vu! ").counted_words().as_deref(), Some("quantum deja vu"));
        assert_eq!(query("1984").counted_words().as_deref(), Some("1984"));
    }

    #[test]
    fn what_may_name_a_person_and_what_is_no_search_is_not_counted() {
        for text in ["ada@example.com", "call 0049 171234567", "ai", "?!", &"word ".repeat(13)] {
            assert_eq!(query(text).counted_words(), None, "{text}");
        }
    }

    #[test]
    fn later_pages_and_filtered_searches_are_not_counted() {
        let after = Some(BookCursor::Ranked { score: 1, near: false, id: BookId::from_store(1) });
        assert_eq!(SearchQuery { after, ..query("quantum") }.counted_words(), None);
        let filters = Filters { tag: Some(Slug::parse("calm").unwrap()), ..Filters::default() };
        assert_eq!(SearchQuery { filters, ..query("quantum") }.counted_words(), None);
    }

    #[test]
    fn beginnings_of_a_text_that_was_typed_are_left_out() {
        let counted = |words: &str, count| SearchCount { words: words.to_owned(), count };
        let all = vec![
            counted("kub", 7),
            counted("kubernetes", 4),
            counted("kubectl", 3),
            counted("stoic parenting", 3),
            counted("rust", 3),
            counted("rust language", 2),
        ];
        let found = most_searched(all, 4);
        let words: Vec<&str> = found.iter().map(|one| one.words.as_str()).collect();
        assert_eq!(words, ["kubernetes", "kubectl", "stoic parenting", "rust"]);
    }
}
