//! The pages of the podcast: the list of episodes, and one episode.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::{Slug, StoreError};
use pages::{Page, Query, filters, structured};
use serde_json::json;
use workflows::editorial::podcasts::{self, Episode, Episodes};

use crate::{
    app::App,
    cached_responses::{cache_key, with_parameter},
    editorial::{
        PAGE,
        types::{PodcastResult, PodcastsResult},
    },
    extract,
    http::{error::ApiError, wire::page::ListParams},
    pages::{found, nothing_here},
};

#[derive(Template)]
#[template(path = "podcasts.html")]
struct Podcasts<'a> {
    result: &'a PodcastsResult,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "podcast.html")]
struct PodcastPage<'a> {
    result: &'a PodcastResult,
}

/// The list of episodes.
#[get("/podcasts")]
pub(super) async fn podcasts_page(
    app: Data<App>,
    params: Result<extract::Query<ListParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let key = format!("page {}", cache_key(&request, ListParams::NAMES));
    found(&app, &request, &key, async || {
        let (after, limit) = params.read(PAGE)?;
        let is_first = after.is_none();
        let found = app.read_tx::<_, StoreError, _>(move |tx| podcasts::episodes(tx, after, limit)).await?;
        list_page(&app, &request, found, is_first)
    })
    .await
}

fn list_page(app: &App, request: &HttpRequest, found: Episodes, is_first: bool) -> Result<Page, ApiError> {
    let structured = structured::podcast(&app.config, &found);
    let result = PodcastsResult::from(found);
    let next = result.next.as_ref().map(|next| with_parameter(request, ListParams::NAMES, "after", next));
    Ok(Page {
        title: "Podcasts".to_owned(),
        description: result.show.description.clone(),
        canonical: is_first.then(|| "/podcasts".to_owned()),
        chunk: "podcasts",
        main: Podcasts { result: &result, next }.render()?,
        structured: Some(structured),
        queries: Query::of_first_page(is_first, json!(["visitor", "podcasts"]), json!(result)),
        ..Page::default()
    })
}

/// An episode's page.
#[get("/podcasts/{slug}")]
pub(super) async fn podcast_page(
    app: Data<App>,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(name) = Slug::parse(&slug) else { return nothing_here(&app, &request).await };
    found(&app, &request, &format!("page podcast {name}"), async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| podcasts::episode(tx, &name)).await?;
        episode_page(&app, found.ok_or_else(|| ApiError::not_found("episode"))?)
    })
    .await
}

fn episode_page(app: &App, found: Episode) -> Result<Page, ApiError> {
    let structured = structured::episode(&app.config, &found);
    let result = PodcastResult::from(found);
    let card = &result.podcast.card;
    Ok(Page {
        title: card.title.clone(),
        description: card.description.clone(),
        canonical: Some(format!("/podcasts/{}", card.slug)),
        chunk: "podcast",
        main: PodcastPage { result: &result }.render()?,
        structured: Some(structured),
        queries: vec![Query { key: json!(["visitor", "podcast", card.slug]), data: json!(result) }],
        ..Page::default()
    })
}
