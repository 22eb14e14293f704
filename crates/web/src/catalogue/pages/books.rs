//! The page with the list of all summaries.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{
    Page, filters,
    lists::{SEGMENTS, Segment},
    structured::collection,
};

use crate::{
    app::App,
    cached_responses::cache_key,
    catalogue::{
        pages::listing::{ListParams, Listing},
        types::list::BooksParams,
    },
    http::error::ApiError,
    pages::{found, nothing_here},
};

#[derive(Template)]
#[template(path = "books.html")]
struct Books<'a> {
    title: &'a str,
    category: &'a str,
    list: &'a Listing,
    segments: &'a [Segment],
}

/// The list of summaries, filtered and sorted by the query.
#[get("/books")]
pub(super) async fn books_page(
    app: Data<App>,
    params: ListParams,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let key = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &key, async || {
        let list = Listing::read(&app, &request, &params).await?;
        page_of(&app, &list)
    })
    .await
}

fn page_of(app: &App, list: &Listing) -> Result<Page, ApiError> {
    let category = list.category.as_ref();
    let heading = category.map_or("Book Summaries", |one| one.name.as_str());
    let title = if list.q.is_empty() { heading.to_owned() } else { format!("“{}” in {heading}", list.q) };
    let description = category.map_or_else(
        || "All summaries: browse by category, or search titles, authors and ideas.".to_owned(),
        |one| format!("Summaries in {}: the key ideas of each book in ten to fifteen minutes.", one.name),
    );
    let landing = category.map(|one| (one.name.as_str(), format!("/category/{}", one.subid)));
    let mut steps = vec![("Book Summaries", "/books")];
    steps.extend(landing.as_ref().map(|(name, path)| (*name, path.as_str())));
    let category_name = category.map_or("", |one| one.subid.as_str());
    let main = Books { title: heading, category: category_name, list, segments: &SEGMENTS };
    Ok(Page {
        main: main.render()?,
        structured: Some(collection(&app.config, heading, &description, &steps)),
        title,
        description,
        // Search results and later pages must not be indexed.
        canonical: (list.q.is_empty() && list.is_first)
            .then(|| category.map_or_else(|| "/books".to_owned(), |one| format!("/books?category={}", one.subid))),
        chunk: "books",
        queries: list.query().into_iter().collect(),
        ..Page::default()
    })
}
