//! The page of a book's video, rendered for visitors.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use cache::Scope;
use catalogue::{BookCard, BookRef};
use kernel::Timestamp;
use pages::{
    Page, Query, filters,
    structured::{self, VideoFiles},
};
use serde_json::json;
use workflows::catalogue::recordings::{self, BookVideo};

use crate::{
    app::App,
    catalogue::recordings::types::VideoResult,
    extract,
    http::error::ApiError,
    pages::{CacheablePage, found, nothing_here},
};

#[derive(Template)]
#[template(path = "video.html")]
struct VideoPage<'a> {
    video: &'a VideoResult,
    hue: u16,
    /// Whether the video is public.
    open: bool,
}

/// A book's video: the player when the video is public, otherwise how to get access.
#[get("/video/{id}")]
pub(super) async fn video_page(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Some(key) = BookRef::parse(&id) else { return nothing_here(&app, &request).await };
    let now = app.env.now();
    found(&app, &request, &format!("page video {}", *id), async || {
        let BookVideo { book, film, allowed: open } = app.read_tx(move |tx| recordings::public_video(tx, &key)).await?;
        let signer = app.signer().await?;
        let mut video = VideoResult::of(&book, film.as_ref().filter(|_| open), &signer, None, now);
        if !open {
            (video.url, video.until) = (None, None);
        }
        let until = video.until.map(Timestamp::from_millis);
        let page = page_of(&app, &id, &book.card, &video, open)?;
        Ok(CacheablePage { page, until, scope: Scope::Book(book.card.id) })
    })
    .await
}

fn page_of(app: &App, id: &str, card: &BookCard, video: &VideoResult, open: bool) -> Result<Page, ApiError> {
    let files =
        video.url.as_deref().map(|url| VideoFiles { url, poster: video.poster.as_deref(), seconds: video.seconds });
    let hue = card.categories.first().map_or(60, |category| category.hue);
    Ok(Page {
        title: format!("{}: video", card.title),
        description: card.description.clone(),
        canonical: Some(format!("/video/{}", card.subid)),
        image: video.book.image.clone(),
        chunk: "video",
        main: VideoPage { video, hue, open }.render()?,
        structured: Some(structured::video(&app.config, card, files)),
        // Without access the web app must ask the API for the reason, which depends on the viewer and can't be cached here.
        queries: open.then(|| Query { key: json!(["visitor", "video", id]), data: json!(video) }).into_iter().collect(),
        ..Page::default()
    })
}
