//! Who makes a request.

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

/// A visitor (`None`) or the person whom the access token names. A token that is present but invalid is a `401`, also on
/// a public call (`identity.role-levels`).
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Claims>);

/// A signed-in member of any role.
#[derive(Clone, Debug)]
pub struct Member(pub Claims);

/// A person who keeps the catalogue: an editor or an admin (`identity.role-levels`).
#[derive(Clone, Debug)]
pub struct Editor(pub Claims);

/// A person who keeps everything: users, money, codes, settings and statistics.
#[derive(Clone, Debug)]
pub struct Admin(pub Claims);

/// Whom a request concerns, for the log: set where a token is verified and where a session is started.
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

/// Lets those pass whose role reaches as far as this one.
fn check_role<T: 'static>(request: &HttpRequest, role: Role, make: fn(Claims) -> T) -> Checking<T> {
    let Some(token) = bearer(request.headers()) else {
        return Either::Left(ready(Err(ApiError::unauthenticated())));
    };
    check(request, token, move |claims| if claims.role >= role { Ok(make(claims)) } else { Err(ApiError::forbidden()) })
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
