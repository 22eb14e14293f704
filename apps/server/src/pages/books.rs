//! The list of summaries.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{Page, structured::collection};

use super::{
    filters, found,
    listing::{Listing, SEGMENTS},
    nothing_here, render,
};
use crate::{app::App, cache::cache_key, error::ApiError, extract, routes::catalogue::types::list::BooksParams};

#[derive(Template)]
#[template(path = "books.html")]
struct Books<'a> {
    title: &'a str,
    category: &'a str,
    list: &'a Listing,
    segments: &'a [(&'a str, &'a str)],
}

/// Book summaries: the list that the address asks for.
#[get("/books")]
pub(super) async fn books_page(
    app: Data<App>,
    params: Result<extract::Query<BooksParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let question = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let list = Listing::read(&app, &request, &params).await?;
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
        let main = Books { title: heading, category: category_name, list: &list, segments: &SEGMENTS };
        let page = Page {
            title: &title,
            description: &description,
            // Searches and pages further down are not for an index.
            canonical: (list.q.is_empty() && params.after.is_none())
                .then(|| category.map_or_else(|| "/books".to_owned(), |one| format!("/books?category={}", one.subid))),
            chunk: "books",
            main: main.render().map_err(ApiError::internal)?,
            structured: Some(collection(&app.config, heading, &description, &steps)),
            queries: list.query().into_iter().collect(),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}
