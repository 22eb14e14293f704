//! The blog and the podcast as RSS.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use editorial::EditorialQueries;
use kernel::{Limit, StoreError};
use pages::feeds::{self, ENTRIES};
use workflows::editorial::podcasts::episodes;

use crate::{app::App, http::error::ApiError, pages::found_xml};

const RSS: &str = "application/rss+xml; charset=utf-8";

/// The blog's feed.
#[get("/blog/feed.xml")]
pub(super) async fn blog_feed(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "feed blog", RSS, async || {
        let posts = app.db.read::<_, StoreError, _>(|pg| pg.posts(None, None, Limit::clamped(ENTRIES))).await?;
        Ok(feeds::blog(&app.config, &posts.items))
    })
    .await
}

/// The podcast's feed. Episodes without a recording are not in it yet.
#[get("/podcasts/feed.xml")]
pub(super) async fn podcast_feed(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "feed podcasts", RSS, async || {
        let found = app.read_tx::<_, StoreError, _>(|tx| episodes(tx, None, Limit::clamped(ENTRIES))).await?;
        Ok(feeds::podcast(&app.config, &found.show, &found.page.items))
    })
    .await
}
