//! The page of a book's video, as a visitor sees it.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use cache::Scope;
use catalogue::BookRef;
use kernel::Timestamp;
use pages::{
    Page, Query,
    structured::{breadcrumbs, duration, graph, iso_day},
};
use serde_json::{Value, json};
use workflows::recordings::{self, BookVideo};

use super::{Made, filters, found, nothing_here, render};
use crate::{app::App, error::ApiError, extract, routes::recordings::types::VideoResult};

#[derive(Template)]
#[template(path = "video.html")]
struct VideoPage<'a> {
    video: &'a VideoResult,
    hue: u16,
    /// Whether everybody may watch.
    open: bool,
}

/// A book's video: the film itself where everybody may watch it, else the way to it.
#[get("/video/{id}")]
pub(super) async fn video_page(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Some(key) = BookRef::parse(&id) else { return nothing_here(&app, &request).await };
    let (question, now) = (format!("page video {}", *id), app.env.now());
    found(&app, &request, &question, async |banner| {
        let BookVideo { book, film, allowed: open } = app.read_tx(move |tx| recordings::public_video(tx, &key)).await?;
        let signer = app.signer().await?;
        let mut video = VideoResult::of(&book, film.as_ref().filter(|_| open), &signer, None, now);
        if !open {
            (video.url, video.until) = (None, None);
        }
        let title = format!("{}: video", video.book.title);
        let html = render(&app, banner, &page_of(&app, &id, &title, &video, open)?)?;
        Ok(Made { html, until: video.until.map(Timestamp::from_millis), scope: Scope::Book(book.card.id) })
    })
    .await
}

fn page_of<'a>(app: &App, id: &str, title: &'a str, video: &'a VideoResult, open: bool) -> Result<Page<'a>, ApiError> {
    let book = &video.book;
    let path = format!("/video/{}", book.subid);
    let hue = book.categories.first().map_or(60, |category| category.hue);
    let steps = [(book.title.as_str(), format!("/books/{}", book.subid)), ("Video", path.clone())];
    let steps: Vec<(&str, &str)> = steps.iter().map(|(name, path)| (*name, path.as_str())).collect();
    let mut things = vec![breadcrumbs(&app.config, &steps)];
    things.extend(film(app, video));
    // Who may not watch has to ask the server why: that is not for the page to say.
    let queries =
        if open { vec![Query { key: json!(["visitor", "video", id]), data: json!(video) }] } else { Vec::new() };
    Ok(Page {
        title,
        description: &book.description,
        canonical: Some(path),
        image: book.image.clone(),
        chunk: "video",
        main: VideoPage { video, hue, open }.render().map_err(ApiError::internal)?,
        structured: Some(graph(&things)),
        queries,
        ..Page::default()
    })
}

/// The film for crawlers, where there is one to see.
fn film(app: &App, video: &VideoResult) -> Option<Value> {
    let url = video.url.as_ref()?;
    Some(json!({
        "@type": "VideoObject",
        "name": video.book.title,
        "description": video.book.description,
        "uploadDate": iso_day(video.book.upload_date),
        "thumbnailUrl": video.poster.as_ref().map(|poster| app.link(poster)),
        "contentUrl": app.link(url),
        "duration": video.seconds.map(duration),
    }))
}
