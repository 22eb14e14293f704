//! Collections, and the books of one.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::{CollectionId, Limit};
use pages::{
    self, Page, Query,
    structured::{self, collection_of},
};
use serde_json::json;

use super::{
    filters, found,
    listing::{Listing, SEGMENTS, with_parameter},
    nothing_here, render,
};
use crate::{
    app::App,
    cache::cache_key,
    error::ApiError,
    extract,
    routes::catalogue::{
        collections::read_collections,
        types::{
            directory::{Collection, CollectionsResult},
            list::BooksParams,
        },
    },
    wire::page::ListParams,
};

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
    segments: &'a [(&'a str, &'a str)],
}

/// The collections, the newest first.
#[get("/collections")]
pub(super) async fn collections_page(
    app: Data<App>,
    params: Result<extract::Query<ListParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let question = format!("page {}", cache_key(&request, ListParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let (after, limit) = params.read(Limit::MAX)?;
        let is_first = after.is_none();
        let result = read_collections(&app, after, limit).await?;
        let next_address = result.next.as_ref().map(|next| with_parameter(&request, ListParams::NAMES, "after", next));
        let title = "Collections";
        let description = "Shelves with a thread: summaries that answer each other, gathered by our editors.";
        let shelves =
            result.collections.iter().map(|shelf| (Some(shelf.title.as_str()), format!("/collections/{}", shelf.id)));
        let page = Page {
            title,
            description,
            // Pages further down are not for an index.
            canonical: is_first.then(|| "/collections".to_owned()),
            chunk: "collections",
            main: Collections { result: &result, next_address }.render().map_err(ApiError::internal)?,
            structured: Some(collection_of(&app.config, title, description, &[(title, "/collections")], shelves)),
            queries: Query::of_first_page(is_first, json!(["visitor", "collections"]), json!(result)),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}

/// The books of a collection.
#[get("/collections/{id}")]
pub(super) async fn collection_page(
    app: Data<App>,
    id: extract::Path<String>,
    params: Result<extract::Query<BooksParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (Ok(id), Ok(params)) = (id.parse::<CollectionId>(), params) else { return nothing_here(&app, &request).await };
    let params = BooksParams { q: None, collection: Some(id.get()), ..params.into_inner() };
    let question = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let list = Listing::read(&app, &request, &params).await?;
        let collection = list.collection.as_ref().ok_or_else(|| ApiError::not_found("collection"))?;
        let path = format!("/collections/{id}");
        let main = OneCollection { collection, list: &list, segments: &SEGMENTS };
        let page = Page {
            title: &collection.title,
            description: &collection.subtitle,
            canonical: params.after.is_none().then(|| path.clone()),
            chunk: "collection",
            main: main.render().map_err(ApiError::internal)?,
            structured: Some(structured::collection(
                &app.config,
                &collection.title,
                &collection.subtitle,
                &[("Collections", "/collections"), (&collection.title, &path)],
            )),
            queries: list.collection_query().into_iter().chain(list.query()).collect(),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}
