//! `GET /api/authors` and `GET /api/authors/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use catalogue::{Author, AuthorsQuery, CatalogueLists, CatalogueQueries};
use kernel::{Slug, StoreError};

use crate::{
    app::App,
    cached_responses::cached,
    catalogue::types::directory::{AuthorResult, AuthorsParams, AuthorsResult},
    extract::{Path, Query, Viewer},
    http::{error::ApiError, openapi::Unchanged, wire::Answer},
};

/// A page of the directory of authors, from A to Z by family name. The same for everybody.
#[utoipa::path(
    tag = "catalogue", params(AuthorsParams), security((), ("token" = [])),
    responses((status = 200, description = "A page of the directory.", body = Answer<AuthorsResult>), Unchanged)
)]
#[get("/api/authors")]
pub(super) async fn authors(
    app: Data<App>,
    _: Viewer,
    params: Query<AuthorsParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read()?;
    cached(&app, None, &request, AuthorsParams::NAMES, async || Ok((read_authors(&app, query).await?, None))).await
}

/// An author, with text. The same for everybody.
#[utoipa::path(
    tag = "catalogue", params(("slug" = String, Path, description = "The author's name in addresses.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The author.", body = Answer<AuthorResult>), Unchanged)
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
    cached(&app, None, &request, &[], async || {
        let author = read_author(&app, slug).await?.ok_or_else(missing)?;
        Ok((AuthorResult { author: (&author).into() }, None))
    })
    .await
}

/// Reads a page of the author directory.
pub(crate) async fn read_authors(app: &App, query: AuthorsQuery) -> Result<AuthorsResult, StoreError> {
    app.db
        .read_from_replica(move |pg| {
            let page = pg.authors(&query)?;
            Ok(AuthorsResult {
                authors: page.items.iter().map(Into::into).collect(),
                letters: pg.letters()?.iter().map(ToString::to_string).collect(),
                next: page.next.map(|next| next.to_string()),
            })
        })
        .await
}

/// Reads an author; `None` when there is no such author.
pub(crate) async fn read_author(app: &App, slug: Slug) -> Result<Option<Author>, StoreError> {
    app.db.read(move |pg| pg.author(&slug)).await
}
