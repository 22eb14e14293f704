//! What goes over the wire: types of their own, converted from domain values at the door.
//! Names are the documents' own, their mix of `camelCase` and `snake_case` included (`decisions.md` 7).

pub mod admin;
pub mod book;
pub mod device;
pub mod discovery;
pub mod e_reader;
pub mod editorial;
pub mod list;
pub mod own_path;
pub mod page;
pub mod product;
pub mod progress;
pub mod recordings;
pub mod security;
pub mod user;
pub mod visual;

use actix_web::{HttpRequest, HttpResponse, Responder, body::BoxBody, http::header};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::error::Failure;

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

/// What any call may answer instead of its result.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "read by the OpenAPI document only")]
pub enum Failures {
    /// The path, the query or the body can't be read.
    #[response(status = 400)]
    BadRequest(#[to_schema] Failure),
    /// The access token is missing, expired or revoked.
    #[response(status = 401)]
    Unauthenticated(#[to_schema] Failure),
    /// Not for this role, this plan, or another site's page.
    #[response(status = 403)]
    Forbidden(#[to_schema] Failure),
    /// There is no such thing, or not for the one who asks.
    #[response(status = 404)]
    NotFound(#[to_schema] Failure),
    /// The body took too long to arrive.
    #[response(status = 408)]
    TooSlow(#[to_schema] Failure),
    /// It is there already.
    #[response(status = 409)]
    Conflict(#[to_schema] Failure),
    /// The body is too large.
    #[response(status = 413)]
    PayloadTooLarge(#[to_schema] Failure),
    /// The body is not JSON.
    #[response(status = 415)]
    UnsupportedMediaType(#[to_schema] Failure),
    /// A value breaks a rule; `field` names it.
    #[response(status = 422)]
    ValidationFailed(#[to_schema] Failure),
    /// Too many tries; `Retry-After` says how many seconds to wait.
    #[response(status = 429)]
    TooManyTries(#[to_schema] Failure),
    /// Something went wrong here.
    #[response(status = 500)]
    Internal(#[to_schema] Failure),
    /// A service that the server needs can't be reached.
    #[response(status = 502)]
    BadGateway(#[to_schema] Failure),
    /// The server can't do it now; `Retry-After` says how many seconds to wait.
    #[response(status = 503)]
    Busy(#[to_schema] Failure),
}
