//! Refusals of the calls of e-reader programs, in the forms of their protocols.

use std::{fmt, marker::PhantomData};

use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError, http::StatusCode, web::Data};
use kernel::UserId;
use workflows::identity::api_tokens::ApiTokenError;

use crate::{app::App, extract::Subject, http::error::ApiError};

/// How a protocol writes a refusal.
pub(super) trait RefusalForm: fmt::Debug {
    /// Changes the response that the API would send.
    fn write(error: &ApiError, response: HttpResponse) -> HttpResponse;
}

/// A refusal in the form `F`.
#[derive(Debug)]
pub(super) struct Refused<F>(ApiError, PhantomData<F>);

impl<E: Into<ApiError>, F> From<E> for Refused<F> {
    fn from(error: E) -> Self {
        Self(error.into(), PhantomData)
    }
}

impl<F> fmt::Display for Refused<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F: RefusalForm> ResponseError for Refused<F> {
    fn status_code(&self) -> StatusCode {
        self.0.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        F::write(&self.0, self.0.error_response())
    }
}

/// The member whose program sends this token, or what stands for one. `find` finds the member of it.
pub(super) async fn member_of<F>(
    request: HttpRequest,
    token: Option<String>,
    find: impl AsyncFnOnce(&App, &str) -> Result<UserId, ApiTokenError>,
) -> Result<UserId, Refused<F>> {
    let app = request.app_data::<Data<App>>().cloned();
    let (Some(token), Some(app)) = (token, app) else { return Err(ApiError::unauthenticated().into()) };
    let member = find(&app, &token).await?;
    request.extensions_mut().insert(Subject(member));
    Ok(member)
}
