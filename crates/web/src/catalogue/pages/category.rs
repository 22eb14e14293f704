//! A category's landing page: the most read books, then the same list as `/books` (`catalogue.category-page`).

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{
    Page, filters,
    lists::{SEGMENTS, Segment, summaries},
    structured,
};

use crate::{
    app::App,
    cached_responses::cache_key,
    catalogue::{
        pages::listing::{ListParams, Listing},
        types::{
            book::Category,
            list::{BooksParams, SortName},
        },
    },
    extract,
    http::error::ApiError,
    pages::{found, nothing_here},
};

/// How many of the most read books are shown above the list.
const POPULAR: usize = 6;

#[derive(Template)]
#[template(path = "category.html")]
struct Landing<'a> {
    category: &'a Category,
    lead: &'a str,
    popular: &'a Listing,
    list: &'a Listing,
    others: Vec<&'a Category>,
    segments: &'a [Segment],
}

/// A category's landing page: description and books.
#[get("/category/{category}")]
pub(super) async fn category_page(
    app: Data<App>,
    name: extract::Path<String>,
    params: ListParams,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let category = Some(name.into_inner());
    let params = BooksParams { q: None, category: category.clone(), ..params.into_inner() };
    let key = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &key, async || {
        let list = Listing::read(&app, &request, &params).await?;
        let (sort, limit) = (Some(SortName::Trending), Some(POPULAR));
        let popular = BooksParams { sort, category, limit, ..BooksParams::default() };
        let popular = list.beside(&app, &popular).await?;
        page_of(&app, &list, &popular)
    })
    .await
}

fn page_of(app: &App, list: &Listing, popular: &Listing) -> Result<Page, ApiError> {
    let category = list.category.as_ref().ok_or_else(|| ApiError::not_found("category"))?;
    let lead = format!(
        "{} of books on {}: the key ideas of each in ten to fifteen minutes.",
        summaries(category.book_count),
        category.name.to_lowercase()
    );
    let path = format!("/category/{}", category.subid);
    let steps = [("Books", "/books"), (category.name.as_str(), path.as_str())];
    let others = list.result.categories.iter().filter(|one| one.id != category.id).collect();
    let main = Landing { category, lead: &lead, popular, list, others, segments: &SEGMENTS };
    Ok(Page {
        title: category.name.clone(),
        main: main.render()?,
        structured: Some(structured::collection(&app.config, &category.name, &lead, &steps)),
        description: lead,
        canonical: list.is_first.then_some(path),
        chunk: "category",
        queries: list.query().into_iter().chain(popular.query()).collect(),
        ..Page::default()
    })
}
