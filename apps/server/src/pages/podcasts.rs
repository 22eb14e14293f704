//! The podcast: its episodes, and one of them.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::{Slug, StoreError};
use pages::{
    self, Page, Query,
    structured::{breadcrumbs, duration, graph, iso_day, publisher},
};
use serde_json::{Value, json};
use workflows::podcasts;

use super::{filters, found, listing::with_parameter, nothing_here, render};
use crate::{
    app::App,
    cache::cache_key,
    error::ApiError,
    extract,
    routes::editorial::{
        PAGE,
        types::{Podcast, PodcastResult, PodcastsResult, Show},
    },
    wire::page::ListParams,
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

/// All episodes.
#[get("/podcasts")]
pub(super) async fn podcasts_page(
    app: Data<App>,
    params: Result<extract::Query<ListParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let question = format!("page {}", cache_key(&request, ListParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let (after, limit) = params.read(PAGE)?;
        let is_first = after.is_none();
        let found = app.read_tx::<_, StoreError, _>(move |tx| podcasts::episodes(tx, after, limit)).await?;
        let result = PodcastsResult::from(found);
        let next = result.next.as_ref().map(|next| with_parameter(&request, ListParams::NAMES, "after", next));
        let listed: Vec<Value> = result.podcasts.iter().map(|one| episode(&app, one)).collect();
        let series = json!({
            "@type": "PodcastSeries",
            "name": result.show.title,
            "description": result.show.description,
            "url": app.link("/podcasts"),
            "webFeed": app.link("/podcasts/feed.xml"),
            "publisher": publisher(&app.config),
            "hasPart": listed,
        });
        let page = Page {
            title: "Podcasts",
            description: &result.show.description,
            canonical: is_first.then(|| "/podcasts".to_owned()),
            chunk: "podcasts",
            main: Podcasts { result: &result, next }.render().map_err(ApiError::internal)?,
            structured: Some(graph(&[series, breadcrumbs(&app.config, &[("Podcasts", "/podcasts")])])),
            queries: Query::of_first_page(is_first, json!(["visitor", "podcasts"]), json!(result)),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}

/// One episode.
#[get("/podcasts/{slug}")]
pub(super) async fn podcast_page(
    app: Data<App>,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(name) = Slug::parse(&slug) else { return nothing_here(&app, &request).await };
    let question = format!("page podcast {name}");
    found(&app, &request, &question, async |banner| {
        let found = app.read_tx::<_, StoreError, _>(move |tx| podcasts::episode(tx, &name)).await?;
        let result = PodcastResult::from(found.ok_or_else(|| ApiError::not_found("episode"))?);
        let one = &result.podcast.card;
        let path = format!("/podcasts/{}", one.slug);
        let page = Page {
            title: &one.title,
            description: &one.description,
            canonical: Some(path.clone()),
            chunk: "podcast",
            main: PodcastPage { result: &result }.render().map_err(ApiError::internal)?,
            structured: Some(graph(&[
                whole_episode(&app, one, &result.show),
                breadcrumbs(&app.config, &[("Podcasts", "/podcasts"), (&one.title, &path)]),
            ])),
            queries: vec![Query { key: json!(["visitor", "podcast", one.slug]), data: json!(result) }],
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}

fn episode(app: &App, one: &Podcast) -> Value {
    let media = one.media_url.as_ref().map(
        |url| json!({ "@type": "AudioObject", "contentUrl": app.link(url), "duration": one.seconds.map(duration) }),
    );
    json!({
        "@type": "PodcastEpisode",
        "name": one.title,
        "description": one.description,
        "url": app.link(&format!("/podcasts/{}", one.slug)),
        "datePublished": iso_day(one.create_date),
        "timeRequired": format!("PT{}M", one.mins),
        "associatedMedia": media,
    })
}

fn whole_episode(app: &App, one: &Podcast, show: &Show) -> Value {
    let mut value = episode(app, one);
    value["partOfSeries"] = json!({ "@type": "PodcastSeries", "name": show.title, "url": app.link("/podcasts") });
    value
}
