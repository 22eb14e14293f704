//! Extractors of the caller: [`Viewer`], [`Member`], [`Editor`], [`Admin`].

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderMap},
    web::Data,
};
use futures_util::future::{Either, Ready, ready};
use identity::{Claims, Role};
use kernel::UserId;

use crate::{app::App, http::error::ApiError};

/// The claims of the access token; `None` for a visitor. A token that is present but invalid gives `401`, also on a public
/// route (`identity.role-levels`).
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Claims>);

/// A signed-in member of any role.
#[derive(Clone, Debug)]
pub struct Member(pub Claims);

/// A person who may edit the catalogue: an editor or an admin (`identity.role-levels`).
#[derive(Clone, Debug)]
pub struct Editor(pub Claims);

/// A person with access to everything: users, money, codes, settings and statistics.
#[derive(Clone, Debug)]
pub struct Admin(pub Claims);

/// The user of a request, for the log. Set where a token is verified and where a session is started.
#[derive(Clone, Copy, Debug)]
pub struct Subject(pub UserId);

type Checking<T> = Either<Ready<Result<T, ApiError>>, Pin<Box<dyn Future<Output = Result<T, ApiError>>>>>;

impl FromRequest for Viewer {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(token) = bearer(request.headers()) else { return Either::Left(ready(Ok(Self(None)))) };
        check(request, token, |claims| Ok(Self(Some(claims))))
    }
}

impl FromRequest for Member {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(token) = bearer(request.headers()) else {
            return Either::Left(ready(Err(ApiError::unauthenticated())));
        };
        check(request, token, |claims| Ok(Self(claims)))
    }
}

impl FromRequest for Editor {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        check_role(request, Role::Editor, Self)
    }
}

impl FromRequest for Admin {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        check_role(request, Role::Admin, Self)
    }
}

/// Verifies the token, and that its role is at least this one: otherwise `401` or `403`.
fn check_role<T: 'static>(request: &HttpRequest, role: Role, make: fn(Claims) -> T) -> Checking<T> {
    let Some(token) = bearer(request.headers()) else {
        return Either::Left(ready(Err(ApiError::unauthenticated())));
    };
    check(request, token, move |claims| if claims.role >= role { Ok(make(claims)) } else { Err(ApiError::forbidden()) })
}

/// The bearer token of the `Authorization` header; `None` without the header. Another scheme gives an empty, invalid token.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    Some(match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => "",
    })
}

/// Verifies a token; returns a ready future for a cached one.
fn check<T: 'static>(
    request: &HttpRequest,
    token: &str,
    make: impl FnOnce(Claims) -> Result<T, ApiError> + 'static,
) -> Checking<T> {
    let Some(app) = request.app_data::<Data<App>>() else {
        return Either::Left(ready(Err(ApiError::internal("the server's state is not wired"))));
    };
    if let Some(claims) = app.tokens.get(token, app.env.now()) {
        request.extensions_mut().insert(Subject(claims.user));
        return Either::Left(ready(make(claims)));
    }
    let (app, request) = (app.clone(), request.clone());
    let token = token.to_owned();
    Either::Right(Box::pin(async move {
        let claims = app.verify_token(&token).await?;
        request.extensions_mut().insert(Subject(claims.user));
        make(claims)
    }))
}
