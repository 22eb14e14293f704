//! Finding books.

pub(crate) mod authors;
mod books;
mod categories;
pub(crate) mod collections;
mod front;
mod list;
mod search;

use std::borrow::Cow;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode};
use identity::Claims;
use kernel::Timestamp;
use serde::Serialize;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{
    app::App,
    cache::{Cacheable, Encoded, JSON, Scope, json_bytes},
    error::ApiError,
    wire::Answer,
};

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(books::books).service(list::list).service(categories::categories).service(front::front);
    config.service(authors::authors).service(authors::author).service(search::search);
    config.service(collections::collections).service(collections::collection);
}

/// Lists may be kept by a browser, but are asked for again each time: an unchanged one costs a `304`.
const REVALIDATE: &str = "no-cache";
/// What is made for one member is that member's only.
const PRIVATE: &str = "private, no-store";

/// Answers out of memory, or with what `make` makes and until when that is right by itself: compressed for everybody,
/// plain for a member.
pub(super) async fn remembered<T: Serialize>(
    app: &App,
    viewer: Option<&Claims>,
    request: &HttpRequest,
    make: impl Future<Output = Result<(T, Option<Timestamp>), ApiError>>,
) -> Result<HttpResponse, ApiError> {
    remembered_within(app, viewer, request, async {
        let (result, right_until) = make.await?;
        Ok((result, right_until, Scope::Lists))
    })
    .await
}

/// [`remembered`], for an answer that is made of the scope that `make` returns.
pub(super) async fn remembered_within<T: Serialize>(
    app: &App,
    viewer: Option<&Claims>,
    request: &HttpRequest,
    make: impl Future<Output = Result<(T, Option<Timestamp>, Scope), ApiError>>,
) -> Result<HttpResponse, ApiError> {
    let reader = viewer.map(|claims| claims.user);
    let policy = if reader.is_some() { PRIVATE } else { REVALIDATE };
    let address = request.uri().path_and_query().map_or("", |address| address.as_str());
    // Two sessions of a person may have different roles, and the answer tells.
    let question = &viewer.map_or(Cow::Borrowed(address), |claims| format!("{} {address}", claims.role).into());
    let answer = app.answers.get_or_make::<ApiError>(reader, question, app.env.now(), async || {
        let (result, valid_until, scope) = make.await?;
        let bytes = json_bytes(&Answer::new(result))?;
        let encoded = if reader.is_some() { Encoded::personal(bytes, JSON) } else { Encoded::public(bytes, JSON) };
        Ok(Cacheable { encoded, valid_until, scope })
    });
    Ok(answer.await?.respond(request, StatusCode::OK, policy))
}
