//! The list of summaries.

use actix_web::{HttpRequest, HttpResponse, get, http::StatusCode, web::Data};
use askama::Template;
use serde_json::json;

use super::{
    Page, cached, filters,
    listing::{PAGE, SEGMENTS, with_parameter},
    plain, shell,
    shell::Query,
    structured::collection,
};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract,
    flows::lists,
    wire::list::{BooksParams, BooksResult, SortName},
};

/// Query parameters that make another list; others (campaign marks and the like) do not.
const MEANT: [&str; 8] = ["q", "sort", "category", "collection", "author", "tag", "audio", "video"];

#[derive(Template)]
#[template(path = "books.html")]
struct Books<'a> {
    result: &'a BooksResult,
    title: &'a str,
    q: &'a str,
    category: &'a str,
    sort: &'a str,
    segments: &'a [(&'a str, &'a str)],
    audio: bool,
    video: bool,
    count: String,
    next_address: Option<String>,
}

/// Book summaries: the list that the address asks for.
#[get("/books")]
pub(super) async fn books_page(
    app: Data<App>,
    params: Result<extract::Query<BooksParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    // An address that was typed wrong shows the app's own page, which says so.
    let Ok(params) = params else { return unreadable(&app, &request).await };
    let params = params.into_inner();
    let Ok(query) = params.read(PAGE) else { return unreadable(&app, &request).await };
    let question = format!("page books {}", request.query_string());
    cached(&app, &request, StatusCode::OK, &question, async |banner| {
        let now = app.env.now();
        let result = app.db.read(move |pg| lists::books(pg, None, &query, now)).await?;
        let chosen = params.category.as_deref().unwrap_or_default();
        let category = result.categories.iter().find(|one| one.subid == chosen || one.id.to_string() == chosen);
        let title = category.map_or("Book Summaries", |one| one.name.as_str()).to_owned();
        let q = params.q.as_deref().map(str::trim).unwrap_or_default();
        let sort = match params.sort {
            None | Some(SortName::New | SortName::Newest) => "new",
            Some(SortName::Trending) => "trending",
            Some(SortName::Ab) => "ab",
            Some(SortName::Audio) => "audio",
            Some(SortName::Video) => "video",
        };
        let number = result.total.unwrap_or(result.books.len() as u64);
        let noun = if number == 1 { "summary" } else { "summaries" };
        let template = Books {
            result: &result,
            title: &title,
            q,
            category: category.map_or("", |one| one.subid.as_str()),
            sort,
            segments: &SEGMENTS,
            audio: params.audio.unwrap_or(false),
            video: params.video.unwrap_or(false),
            count: if q.is_empty() { format!("{number} {noun}") } else { format!("{number} {noun} for “{q}”") },
            next_address: result.next.as_ref().map(|next| with_parameter(&request, "after", next)),
        };
        let main = template.render().map_err(ApiError::internal)?;
        let description = category.map_or_else(
            || "All summaries: browse by category, or search titles, authors and ideas.".to_owned(),
            |one| format!("Summaries in {}: the key ideas of each book in ten to fifteen minutes.", one.name),
        );
        let landing = category.map(|one| (one.name.as_str(), format!("/category/{}", one.subid)));
        let mut steps = vec![("Book Summaries", "/books")];
        steps.extend(landing.as_ref().map(|(name, path)| (*name, path.as_str())));
        let page = Page {
            title: &title,
            description: &description,
            // Searches and pages further down are not for an index.
            canonical: (q.is_empty() && params.after.is_none())
                .then(|| category.map_or_else(|| "/books".to_owned(), |one| format!("/books?category={}", one.subid))),
            image: None,
            chunk: "books",
            framed: true,
            main,
            structured: Some(collection(&app, &title, &description, &steps)),
            queries: match params.after {
                // The app begins its list at the beginning.
                Some(_) => Vec::new(),
                None => vec![Query { key: json!(["visitor", "books", meant(&request)]), data: json!(result) }],
            },
            own_style: None,
        };
        shell::render(&app, banner, &page)
    })
    .await
}

async fn unreadable(app: &App, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let status = Code::NotFound.status();
    plain(app, request, status, "books", "Book Summaries", "There is no such list of summaries.").await
}

/// The parameters that make this list, in the order of their names: the app keeps its lists by the same text.
fn meant(request: &HttpRequest) -> String {
    let mut pairs: Vec<(&str, &str)> = request
        .query_string()
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .filter(|(name, value)| MEANT.contains(name) && !value.is_empty())
        .collect();
    pairs.sort_unstable();
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}
