//! Where a list that shows the newest first goes on, and how far.

use editorial::DateCursor;
use kernel::{Limit, Slug};
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

/// Which posts, and from where on.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct BlogParams {
    /// A category's name in addresses.
    #[param(pattern = r"^([a-z0-9]+(-[a-z0-9]+)*)?$")]
    category: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,17})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl BlogParams {
    /// Where the list goes on, and how far.
    pub(super) fn page(&self) -> Result<(Option<DateCursor>, Limit), ApiError> {
        read(self.after.as_deref(), self.limit)
    }

    /// The category, if it is asked for one.
    pub(super) fn category(&self) -> Result<Option<Slug>, ApiError> {
        let unknown = |_| ApiError::invalid("category", "There is no such category.");
        self.category.as_deref().filter(|text| !text.is_empty()).map(Slug::parse).transpose().map_err(unknown)
    }
}

/// Reads where a list goes on, and how far.
fn read(after: Option<&str>, limit: Option<usize>) -> Result<(Option<DateCursor>, Limit), ApiError> {
    let limit = match limit {
        Some(limit) if !(1..=Limit::MAX).contains(&limit) => {
            return Err(ApiError::invalid("limit", "A page has 1 to 100 entries."));
        }
        given => Limit::clamped(given.unwrap_or(PAGE)),
    };
    let unknown = || ApiError::invalid("after", "This is not the key of a page.");
    let after = after.filter(|text| !text.is_empty()).map(|text| key_of(text).ok_or_else(unknown)).transpose()?;
    Ok((after, limit))
}
