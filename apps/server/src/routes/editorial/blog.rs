//! `GET /api/blog`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use editorial::Editorial;
use kernel::{DateCursor, Limit, PostId, Slug, StoreError};

use super::PAGE;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{
        Answer,
        editorial::{BlogParams, BlogResult},
    },
};

/// Posts, the newest first: all, or those of a category. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(BlogParams),
    responses(
        (status = 200, description = "A page of the blog.", body = Answer<BlogResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/blog")]
pub(super) async fn blog(
    app: Data<App>,
    _: Viewer,
    params: Query<BlogParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (category, after, limit) = params.read(PAGE)?;
    remembered(&app, None, &request, async { Ok((read_blog(&app, category, after, limit).await?, None)) }).await
}

/// Reads a page of the blog, and all categories that posts have.
pub(crate) async fn read_blog(
    app: &App,
    category: Option<Slug>,
    after: Option<DateCursor<PostId>>,
    limit: Limit,
) -> Result<BlogResult, StoreError> {
    app.db
        .read(move |pg| {
            let page = pg.posts(category.as_ref(), after, limit)?;
            Ok(BlogResult {
                posts: page.items.iter().map(Into::into).collect(),
                categories: pg.post_categories()?.iter().map(Into::into).collect(),
                next: page.next.map(|key| key.to_string()),
            })
        })
        .await
}
