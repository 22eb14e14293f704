//! Shared wire types. Wire types are separate from domain types, and handlers convert between them.
//! Field names follow the specification, including its mix of `camelCase` and `snake_case` (`api.field-names`).

pub mod page;

use actix_web::{HttpRequest, HttpResponse, Responder, body::BoxBody, http::header};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// Every success: `{"status":"ok","result":…}`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer<T> {
    /// Always `ok`.
    #[schema(pattern = "^ok$", value_type = String)]
    status: &'static str,
    /// What was asked for.
    result: T,
}

impl<T> Answer<T> {
    /// Wraps a result.
    pub const fn new(result: T) -> Self {
        Self { status: "ok", result }
    }
}

impl<T: Serialize> Responder for Answer<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(self)
    }
}

/// A result with nothing in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Nothing {}

/// Deserializes a field so that missing (`None`), `null` (`Some(None)`) and a value can be told apart.
#[allow(clippy::option_option, reason = "missing and null mean different things")]
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
