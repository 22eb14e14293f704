//! Helpers for the back office's editing routes: ids, versions, required fields.

use actix_web::{HttpResponse, http::header};
use admin::RowVersion;
use kernel::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{audit::AuditTrail, editing::EditError, tx::Tx};

use crate::{
    app::App,
    extract::ActingEditor,
    http::error::{ApiError, Code},
};

/// Parses the numeric id in a path; `404` when it is not a valid id.
pub(crate) fn number<Id: std::str::FromStr>(text: &str, what: &str) -> Result<Id, ApiError> {
    text.parse().map_err(|_| ApiError::not_found(what))
}

/// Runs an editor's workflow in a transaction and returns its result.
pub(crate) async fn run<T, F>(app: &App, acting: ActingEditor, workflow: F) -> Result<T, ApiError>
where
    T: Send + 'static,
    F: FnOnce(&mut Tx<'_, '_>, &mut AuditTrail) -> Result<T, EditError> + Send + 'static,
{
    Ok(app.transactions.write_as::<_, EditError, _>(acting.actor, workflow).await?)
}

/// Responds with a body that is not wrapped in `result`.
pub(crate) fn bare(body: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(body)
}

/// Which version a row has.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Version {
    /// The number.
    version: i64,
    /// When a person saved it last; null when none has.
    #[schema(required)]
    updated_at: Option<i64>,
    /// Who did.
    #[schema(required)]
    updated_by: Option<String>,
}

impl From<RowVersion> for Version {
    fn from(version: RowVersion) -> Self {
        Self { version: version.number, updated_at: version.at.map(Timestamp::millis), updated_by: version.by }
    }
}

/// The version that the editor has read.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct VersionForm {
    /// Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
}

/// Checks a required text: rejected when it is blank, and when a new row lacks it.
pub(crate) fn required(field: &'static str, label: &str, text: Option<&str>, is_new: bool) -> Result<(), ApiError> {
    match text {
        None if !is_new => Ok(()),
        Some(text) if !text.trim().is_empty() => Ok(()),
        _ => Err(ApiError::invalid(field, format!("Please specify {label}."))),
    }
}

/// All rows of a kind, in an order.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct OrderForm {
    /// The ids of all, each once.
    ids: Vec<i64>,
}

impl OrderForm {
    /// Parses the ids.
    pub(crate) fn read<Id: std::str::FromStr>(&self) -> Result<Vec<Id>, ApiError> {
        let id = |id: &i64| id.to_string().parse().map_err(|_| ApiError::invalid("ids", "An id is a positive number."));
        self.ids.iter().map(id).collect()
    }
}

impl From<EditError> for ApiError {
    fn from(error: EditError) -> Self {
        let text = error.to_string();
        match error {
            EditError::Unknown(what) => Self::not_found(what),
            EditError::UnknownIn { field, what } => Self::not_found(what).on_field(field),
            EditError::Conflict(_) | EditError::OrderStale => Self::new(Code::EditConflict, text),
            EditError::Taken(field) => Self::new(Code::AlreadyThere, text).on_field(field),
            EditError::NameTaken => Self::new(Code::AlreadyThere, text).on_field("name"),
            EditError::InUse(_) => Self::new(Code::InUse, text),
            EditError::Missing { field, .. } => Self::invalid(field, text),
            EditError::Catalogue(error) => error.into(),
            EditError::Editorial(error) => error.into(),
            EditError::Challenge(error) => error.into(),
            EditError::Unreadable(error) => Self::internal(error),
            EditError::Store(error) => error.into(),
        }
    }
}
