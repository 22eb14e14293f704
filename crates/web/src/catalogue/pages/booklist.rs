//! Book lists (`catalogue.book-lists`): the books of a tag, or all books. The URL path contains the sort order.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{
    Page,
    lists::{BOOKLIST_SEGMENTS, Segment},
    structured,
};

use crate::{
    app::App,
    cached_responses::cache_key,
    catalogue::{
        pages::listing::{ListParams, Listing},
        types::{
            directory::Collection,
            list::{BooksParams, SortName},
        },
    },
    extract,
    http::error::ApiError,
    pages::{found, nothing_here},
};

/// The tag in the URL that stands for all books.
const ALL: &str = "all";

#[derive(Template)]
#[template(path = "booklist.html")]
struct Booklist<'a> {
    title: &'a str,
    collection: Option<&'a Collection>,
    list: &'a Listing,
    segments: &'a [Segment],
    count: String,
}

/// The page of a book list.
#[get("/booklist/{sort:new|trending|ab|audio|video}/{tag}")]
pub(super) async fn booklist_page(
    app: Data<App>,
    path: extract::Path<(SortName, String)>,
    params: ListParams,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let (sort, tag) = (path.0, path.1.as_str());
    let tagged = (tag != ALL).then(|| tag.to_owned());
    let params = BooksParams { q: None, sort: Some(sort), tag: tagged, ..params.into_inner() };
    let key = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &key, async || {
        let list = Listing::read(&app, &request, &params).await?;
        page_of(&app, format!("/booklist/{}/{tag}", sort.as_str()), &params, &list)
    })
    .await
}

fn page_of(app: &App, path: String, params: &BooksParams, list: &Listing) -> Result<Page, ApiError> {
    let is_filtered = params.category.is_some()
        || params.author.is_some()
        || params.audio == Some(true)
        || params.video == Some(true)
        || params.collection.is_some();
    let title = title_of(params, list);
    let description = format!("Summaries of books, in ten to fifteen minutes each: {title}.");
    let main = Booklist {
        title: &title,
        collection: list.collection.as_ref(),
        list,
        segments: &BOOKLIST_SEGMENTS,
        count: list.count(),
    };
    let steps = [("Book Summaries", "/books"), (&title, &path)];
    Ok(Page {
        main: main.render()?,
        structured: Some(structured::collection(&app.config, &title, &description, &steps)),
        title,
        description,
        canonical: (list.is_first && !is_filtered).then_some(path),
        chunk: "booklist",
        queries: list.collection_query().into_iter().chain(list.query()).collect(),
        ..Page::default()
    })
}

/// The title of the list: its collection, tag, author or category, in this order of precedence.
fn title_of(params: &BooksParams, list: &Listing) -> String {
    if let Some(collection) = &list.collection {
        return collection.title.clone();
    }
    if let Some(tag) = &params.tag {
        let mut names = list.result.books.iter().flat_map(|book| &book.tags);
        let is_tag = |name: &&String| catalogue::slug_of(name).is_some_and(|slug| slug.as_str() == tag);
        return names.find(is_tag).map_or_else(|| tag.replace('-', " "), Clone::clone);
    }
    let of_author =
        params.author.is_some().then(|| list.result.books.first().map(|book| book.author.clone())).flatten();
    let of_category = list.category.as_ref().map(|one| one.name.clone());
    of_author.or(of_category).unwrap_or_else(|| "All summaries".to_owned())
}
