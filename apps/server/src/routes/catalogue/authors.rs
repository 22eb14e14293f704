//! `GET /api/authors` and `GET /api/authors/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::Slug;

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::{Path, Query, Viewer},
    flows::discovery,
    openapi::Unchanged,
    wire::{
        Answer,
        discovery::{AuthorResult, AuthorsParams, AuthorsResult},
    },
};

/// A page of the directory of authors, from A to Z by family name. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    params(AuthorsParams),
    responses(
        (status = 200, description = "A page of the directory.", body = Answer<AuthorsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/authors")]
pub(super) async fn authors(
    app: Data<App>,
    _: Viewer,
    params: Query<AuthorsParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read()?;
    remembered(&app, None, &request, async { Ok((app.db.read(move |pg| discovery::authors(pg, &query)).await?, None)) })
        .await
}

/// An author, with text. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    params(("slug" = String, Path, description = "The author's name in addresses.")),
    responses(
        (status = 200, description = "The author.", body = Answer<AuthorResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/authors/{slug}")]
pub(super) async fn author(
    app: Data<App>,
    _: Viewer,
    slug: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let missing = || ApiError::not_found("author");
    let slug = Slug::parse(&slug).map_err(|_| missing())?;
    remembered(&app, None, &request, async {
        let author = app.db.read(move |pg| discovery::author(pg, &slug)).await?;
        Ok((AuthorResult { author: author.ok_or_else(missing)? }, None))
    })
    .await
}
