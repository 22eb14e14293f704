//! Where a list that shows the newest first goes on, and how far.

use kernel::{BookId, Limit, Timestamp};
use reading_progress::{ListKey, Shelf};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{error::ApiError, wire::progress::ShelfName};

/// A page of a list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListParams {
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl ListParams {
    /// Reads the parameters; `default_limit` when none is given.
    pub fn read(&self, default_limit: usize) -> Result<(Option<ListKey>, Limit), ApiError> {
        let limit = match self.limit {
            Some(limit) if !(1..=Limit::MAX).contains(&limit) => {
                return Err(ApiError::invalid("limit", "A page has 1 to 100 books."));
            }
            given => Limit::clamped(given.unwrap_or(default_limit)),
        };
        let after = self.after.as_deref().filter(|text| !text.is_empty());
        let after = after.map(|text| key_of(text).ok_or_else(unknown_key)).transpose()?;
        Ok((after, limit))
    }
}

/// A page of a shelf of the library.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LibraryParams {
    /// Which part of the library; all of it when nothing is said.
    shelf: Option<ShelfName>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl LibraryParams {
    /// Reads the parameters; `default_limit` when none is given.
    pub fn read(&self, default_limit: usize) -> Result<(Shelf, Option<ListKey>, Limit), ApiError> {
        let on = match self.shelf {
            None | Some(ShelfName::All) => Shelf::All,
            Some(ShelfName::Reading) => Shelf::Reading,
            Some(ShelfName::Finished) => Shelf::Finished,
            Some(ShelfName::Saved) => Shelf::Saved,
        };
        let (after, limit) = ListParams { after: self.after.clone(), limit: self.limit }.read(default_limit)?;
        Ok((on, after, limit))
    }
}

fn key_of(text: &str) -> Option<ListKey> {
    let (at, book) = text.split_once('-')?;
    if at.len() > 15 || !at.bytes().all(|digit| digit.is_ascii_digit()) || book.starts_with('0') {
        return None;
    }
    Some(ListKey { at: Timestamp::from_millis(at.parse().ok()?), book: book.parse::<BookId>().ok()? })
}

fn unknown_key() -> ApiError {
    ApiError::invalid("after", "This is not the key of a page.")
}

/// A key as it stands in `result.next`.
pub fn key_text(key: &ListKey) -> String {
    format!("{}-{}", key.at.millis(), key.book)
}

#[cfg(test)]
mod tests {
    use super::{ListParams, key_of, key_text};
    use kernel::{BookId, Timestamp};
    use reading_progress::ListKey;

    #[test]
    fn a_key_survives_the_way_there_and_back() {
        let key = ListKey { at: Timestamp::from_millis(1_781_524_800_000), book: BookId::from_store(12) };
        assert_eq!(key_of(&key_text(&key)), Some(key));
        for text in [
            "x",
            "1-",
            "-1-1",
            "1-0",
            "1-01",
            "1--1",
            "1-x",
            "1-1-1",
            "+1-1",
            "-1",
            "9999999999999999-1",
            "1781524800000",
        ] {
            assert_eq!(key_of(text), None, "{text}");
        }
    }

    #[test]
    fn pages_have_bounds() {
        let limit = |limit| ListParams { after: None, limit }.read(10).map(|(_, limit)| limit.get()).ok();
        assert_eq!(
            [None, Some(1), Some(100), Some(0), Some(101)].map(limit),
            [Some(10), Some(1), Some(100), None, None]
        );
    }
}
