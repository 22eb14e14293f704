//! The blog: list of posts, and one post.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{DateCursor, Limit, PostId, Slug, StoreError};
use workflows::editorial::texts::{self, BlogPage, blog_page};

use crate::{
    app::App,
    cached_responses::cached,
    editorial::{
        PAGE,
        types::{BlogParams, BlogResult, PostResult},
    },
    extract::{self, Query, Viewer},
    http::{
        error::ApiError,
        openapi::{NotFound, Unchanged},
        wire::Answer,
    },
};

/// Posts, the newest first: all, or those of a category. The same for everybody.
#[utoipa::path(
    tag = "editorial", params(BlogParams), security((), ("token" = [])),
    responses((status = 200, description = "A page of the blog.", body = Answer<BlogResult>), NotFound, Unchanged)
)]
#[get("/api/blog")]
pub(super) async fn blog(
    app: Data<App>,
    _: Viewer,
    params: Query<BlogParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (category, after, limit) = params.read(PAGE)?;
    cached(&app, None, &request, BlogParams::NAMES, async || {
        Ok((BlogResult::from(&read_blog(&app, category, after, limit).await?), None))
    })
    .await
}

/// Reads a page of the blog: all posts, or those of a category.
pub(crate) async fn read_blog(
    app: &App,
    category: Option<Slug>,
    after: Option<DateCursor<PostId>>,
    limit: Limit,
) -> Result<BlogPage, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(move |tx| blog_page(tx, category.as_ref(), after, limit)).await?;
    found.ok_or_else(|| ApiError::not_found("category").on_field("category"))
}

/// A post with its text. The same for everybody.
#[utoipa::path(
    tag = "editorial", params(("slug" = String, Path, description = "Its name in addresses.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The post.", body = Answer<PostResult>), Unchanged)
)]
#[get("/api/blog/{slug}")]
pub(super) async fn post(
    app: Data<App>,
    _: Viewer,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let not_there = || ApiError::not_found("post");
    let slug = Slug::parse(&slug).map_err(|_| not_there())?;
    cached(&app, None, &request, &[], async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| texts::post(tx, &slug)).await?;
        Ok((PostResult::from(&found.ok_or_else(not_there)?), None))
    })
    .await
}
