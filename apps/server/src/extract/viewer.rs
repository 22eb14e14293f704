//! Who makes a request.

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderMap},
    web::Data,
};
use futures_util::future::{Either, Ready, ready};
use identity::Claims;

use crate::{app::App, error::ApiError};

/// A visitor (`None`) or whoever the access token names. A token that is there but worth nothing is a `401`, also on
/// a public call (`decisions.md` 3).
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Claims>);

/// A signed-in member of any role.
#[derive(Clone, Debug)]
pub struct Member(pub Claims);

type Checking<T> = Either<Ready<Result<T, ApiError>>, Pin<Box<dyn Future<Output = Result<T, ApiError>>>>>;

impl FromRequest for Viewer {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(token) = bearer(request.headers()) else { return Either::Left(ready(Ok(Self(None)))) };
        check(request, token, |claims| Self(Some(claims)))
    }
}

impl FromRequest for Member {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(token) = bearer(request.headers()) else {
            return Either::Left(ready(Err(ApiError::unauthenticated())));
        };
        check(request, token, Self)
    }
}

/// The token of the `Authorization` header. A header of another kind is a token that is worth nothing.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    Some(match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => "",
    })
}

/// Answers at once for a token that was verified before.
fn check<T: 'static>(request: &HttpRequest, token: &str, make: impl FnOnce(Claims) -> T + 'static) -> Checking<T> {
    let Some(app) = request.app_data::<Data<App>>() else {
        return Either::Left(ready(Err(ApiError::internal("the server's state is not wired"))));
    };
    if let Some(claims) = app.tokens.get(token, app.env.now()) {
        return Either::Left(ready(Ok(make(claims))));
    }
    let app = app.clone();
    let token = token.to_owned();
    Either::Right(Box::pin(async move { app.verify_token(&token).await.map(make) }))
}
