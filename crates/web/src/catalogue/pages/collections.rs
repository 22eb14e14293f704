//! The pages of all collections and of one.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::{CollectionId, Limit};
use pages::{
    Page, Query, filters,
    lists::{CHOSEN_SEGMENTS, SEGMENTS, Segment},
    structured::{self, collection_of},
};
use serde_json::json;

use crate::{
    app::App,
    cached_responses::{cache_key, with_parameter},
    catalogue::{
        collections::read_collections,
        pages::listing::{self, Listing},
        types::{
            directory::{Collection, CollectionsResult},
            list::BooksParams,
        },
    },
    extract,
    http::{error::ApiError, wire::page::ListParams},
    pages::{found, nothing_here},
};

const TITLE: &str = "Collections";
const DESCRIPTION: &str = "Themed shelves: summaries that speak to each other, gathered by our editors.";

#[derive(Template)]
#[template(path = "collections.html")]
struct Collections<'a> {
    result: &'a CollectionsResult,
    next_address: Option<String>,
}

#[derive(Template)]
#[template(path = "collection.html")]
struct OneCollection<'a> {
    collection: &'a Collection,
    list: &'a Listing,
    segments: &'a [Segment],
}

/// All collections, newest first.
#[get("/collections")]
pub(super) async fn collections_page(
    app: Data<App>,
    params: Result<extract::Query<ListParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let key = format!("page {}", cache_key(&request, ListParams::NAMES));
    found(&app, &request, &key, async || {
        let (after, limit) = params.read(Limit::MAX)?;
        let is_first = after.is_none();
        let result = read_collections(&app, after, limit).await?;
        list_page(&app, &request, &result, is_first)
    })
    .await
}

fn list_page(app: &App, request: &HttpRequest, result: &CollectionsResult, is_first: bool) -> Result<Page, ApiError> {
    let next_address = result.next.as_ref().map(|next| with_parameter(request, ListParams::NAMES, "after", next));
    let shelves =
        result.collections.iter().map(|shelf| (Some(shelf.title.as_str()), format!("/collections/{}", shelf.id)));
    Ok(Page {
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
        // Later pages must not be indexed.
        canonical: is_first.then(|| "/collections".to_owned()),
        chunk: "collections",
        main: Collections { result, next_address }.render()?,
        structured: Some(collection_of(&app.config, TITLE, DESCRIPTION, &[(TITLE, "/collections")], shelves)),
        queries: Query::of_first_page(is_first, json!(["visitor", "collections"]), json!(result)),
        ..Page::default()
    })
}

/// A collection's page with its books.
#[get("/collections/{id}")]
pub(super) async fn collection_page(
    app: Data<App>,
    id: extract::Path<String>,
    params: listing::ListParams,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (Ok(id), Ok(params)) = (id.parse::<CollectionId>(), params) else { return nothing_here(&app, &request).await };
    let params = BooksParams { q: None, collection: Some(id.get()), ..params.into_inner() };
    let key = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &key, async || {
        let list = Listing::read(&app, &request, &params).await?;
        page_of(&app, format!("/collections/{id}"), &list)
    })
    .await
}

fn page_of(app: &App, path: String, list: &Listing) -> Result<Page, ApiError> {
    let collection = list.collection.as_ref().ok_or_else(|| ApiError::not_found("collection"))?;
    let Collection { title, subtitle, is_chosen, .. } = collection;
    let segments: &[Segment] = if *is_chosen { &CHOSEN_SEGMENTS } else { &SEGMENTS };
    let steps = [(TITLE, "/collections"), (title, &path)];
    Ok(Page {
        title: title.clone(),
        description: subtitle.clone(),
        chunk: "collection",
        main: OneCollection { collection, list, segments }.render()?,
        structured: Some(structured::collection(&app.config, title, subtitle, &steps)),
        canonical: list.is_first.then_some(path),
        queries: list.collection_query().into_iter().chain(list.query()).collect(),
        ..Page::default()
    })
}
