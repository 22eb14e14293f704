//! Where a list that shows the newest first goes on, and how far.

use editorial::DateCursor;
use kernel::Limit;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{error::ApiError, flows::editorial::PAGE, wire::editorial::key_of};

/// A page of a list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,17})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl ListParams {
    /// Reads the parameters.
    pub(super) fn read(&self) -> Result<(Option<DateCursor>, Limit), ApiError> {
        read(self.after.as_deref(), self.limit)
    }
}

/// Reads where a list goes on, and how far.
pub(super) fn read(after: Option<&str>, limit: Option<usize>) -> Result<(Option<DateCursor>, Limit), ApiError> {
    let limit = match limit {
        Some(limit) if !(1..=Limit::MAX).contains(&limit) => {
            return Err(ApiError::invalid("limit", "A page has 1 to 100 entries."));
        }
        given => Limit::clamped(given.unwrap_or(PAGE)),
    };
    let unknown = || ApiError::invalid("after", "This is not the key of a page.");
    let after =
        after.filter(|text| !text.is_empty()).map(|text| key_of(text).ok_or_else(unknown)).transpose()?;
    Ok((after, limit))
}
