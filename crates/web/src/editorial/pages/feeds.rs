//! The RSS feeds of the blog and the podcast.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use editorial::EditorialQueries;
use kernel::{Limit, StoreError};
use pages::feeds::{self, ENTRIES};
use workflows::editorial::podcasts::episodes;

use crate::{app::App, http::error::ApiError, pages::found_xml};

const RSS: &str = "application/rss+xml; charset=utf-8";

/// The RSS feed of the blog.
#[get("/blog/feed.xml")]
pub(super) async fn blog_feed(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "feed blog", RSS, async || {
        let posts = app.db.read::<_, StoreError, _>(|pg| pg.posts(None, None, Limit::clamped(ENTRIES))).await?;
        Ok(feeds::blog(&app.config, &posts.items))
    })
    .await
}

/// The RSS feed of the podcast. Episodes without a recording are left out.
#[get("/podcasts/feed.xml")]
pub(super) async fn podcast_feed(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "feed podcasts", RSS, async || {
        let found = app.read_tx::<_, StoreError, _>(|tx| episodes(tx, None, Limit::clamped(ENTRIES))).await?;
        Ok(feeds::podcast(&app.config, &found.show, &found.page.items))
    })
    .await
}
