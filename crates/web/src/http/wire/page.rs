//! Parameters of paginated lists: cursor and limit (`api.key-paging`).

use std::str::FromStr;

use kernel::{DateCursor, InvalidCursor, Limit, ListTotal};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::error::ApiError;

/// Query parameters of a list, newest first.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListParams {
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    pub after: Option<String>,
    /// The page size, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl ListParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] = &["after", "limit"];

    /// Parses and validates the parameters; `default_limit` is the limit when the client sends none.
    pub fn read<Id: FromStr>(&self, default_limit: usize) -> Result<(Option<DateCursor<Id>>, Limit), ApiError> {
        Ok((after(self.after.as_deref())?, limit(self.limit, default_limit, Limit::MAX)?))
    }
}

/// The number of entries of a list of the back office (`admin.list-totals`).
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListCount {
    /// The number of entries that match, at most 10,000.
    #[schema(maximum = 10_000)]
    count: u64,
    /// Whether more entries match than `count` says.
    count_capped: bool,
}

impl From<ListTotal> for ListCount {
    fn from(total: ListTotal) -> Self {
        Self { count: total.count(), count_capped: total.is_capped() }
    }
}

/// A parameter's trimmed value; `None` when it is missing or blank.
pub fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Parses the pagination cursor; `None` for the first page.
pub fn after<K: FromStr>(text: Option<&str>) -> Result<Option<K>, ApiError> {
    given(text).map(|text| text.parse().map_err(|_| no_such_page())).transpose()
}

/// The error for an invalid cursor.
pub fn no_such_page() -> ApiError {
    ApiError::invalid("after", InvalidCursor.to_string())
}

/// The page size: 1 to `most`, or `default` when the client sends none.
pub fn limit(asked: Option<usize>, default: usize, most: usize) -> Result<Limit, ApiError> {
    match asked {
        Some(asked) if !(1..=most).contains(&asked) => {
            Err(ApiError::invalid("limit", format!("A page has 1 to {most} entries.")))
        }
        asked => Ok(Limit::clamped(asked.unwrap_or(default))),
    }
}

#[cfg(test)]
mod tests {
    use kernel::BookId;

    use super::ListParams;

    #[test]
    fn pages_have_bounds() {
        let limit = |limit| ListParams { after: None, limit }.read::<BookId>(10).map(|(_, limit)| limit.get()).ok();
        assert_eq!(
            [None, Some(1), Some(100), Some(0), Some(101)].map(limit),
            [Some(10), Some(1), Some(100), None, None]
        );
    }

    #[test]
    fn a_key_that_says_nothing_is_the_beginning() {
        let after = |after: &str| ListParams { after: Some(after.to_owned()), limit: None }.read::<BookId>(1);
        assert!(after("").is_ok_and(|(after, _)| after.is_none()));
        assert!(after("1-2").is_ok_and(|(after, _)| after.is_some()));
        assert!(after("1-x").is_err());
    }
}
