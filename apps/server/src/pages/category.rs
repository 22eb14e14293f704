//! A category's landing page: the same list as `/books`, with what is read most first (`decisions.md` 28).

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{Page, structured};

use super::{
    filters, found,
    listing::{Listing, SEGMENTS, summaries},
    nothing_here, render,
};
use crate::{
    app::App,
    cache::cache_key,
    error::ApiError,
    extract,
    routes::catalogue::types::{
        book::Category,
        list::{BooksParams, SortName},
    },
};

/// How many of the most read books stand above the list.
const POPULAR: usize = 6;

#[derive(Template)]
#[template(path = "category.html")]
struct Landing<'a> {
    category: &'a Category,
    lead: &'a str,
    popular: &'a Listing,
    list: &'a Listing,
    others: Vec<&'a Category>,
    segments: &'a [(&'a str, &'a str)],
}

/// What a category is about, with its books.
#[get("/category/{category}")]
pub(super) async fn category_page(
    app: Data<App>,
    name: extract::Path<String>,
    params: Result<extract::Query<BooksParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let name = name.as_str();
    let params = BooksParams { q: None, category: Some(name.to_owned()), ..params.into_inner() };
    let question = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let list = Listing::read(&app, &request, &params).await?;
        let category = list.category.as_ref().ok_or_else(|| ApiError::not_found("category"))?;
        let of_popular = BooksParams {
            sort: Some(SortName::Trending),
            category: params.category.clone(),
            limit: Some(POPULAR),
            ..BooksParams::default()
        };
        let popular = list.beside(&app, &of_popular).await?;
        let lead = format!(
            "{} of books on {}: the key ideas of each in ten to fifteen minutes.",
            summaries(category.book_count),
            category.name.to_lowercase()
        );
        let path = format!("/category/{}", category.subid);
        let steps = [("Books", "/books"), (category.name.as_str(), path.as_str())];
        let main = Landing {
            category,
            lead: &lead,
            popular: &popular,
            list: &list,
            others: list.result.categories.iter().filter(|one| one.id != category.id).collect(),
            segments: &SEGMENTS,
        };
        let page = Page {
            title: &category.name,
            description: &lead,
            canonical: params.after.is_none().then(|| path.clone()),
            chunk: "category",
            main: main.render().map_err(ApiError::internal)?,
            structured: Some(structured::collection(&app.config, &category.name, &lead, &steps)),
            queries: list.query().into_iter().chain(popular.query()).collect(),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}
