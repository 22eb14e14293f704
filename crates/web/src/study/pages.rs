//! The page of a shared list (`study.shared-list`).

use actix_web::{HttpRequest, HttpResponse, get, web::Data, web::ServiceConfig};
use askama::Template;
use pages::{Page, Query, structured};
use serde_json::json;

use crate::{
    app::App,
    extract,
    http::error::ApiError,
    pages::found_fresh,
    study::{
        list_types::{SharedList, SharedListResult},
        lists::read_shared_list,
    },
};

/// The longest description for search engines and link previews, in characters.
const DESCRIPTION_CHARS: usize = 200;

/// Registers the page routes of this module.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(shared_list_page);
}

/// How many summaries a list has, as the web app says it.
fn summaries(list: &SharedList) -> String {
    let of_all = match list.books.len() {
        1 => "1 summary".to_owned(),
        number => format!("{number} summaries"),
    };
    match list.books.iter().filter(|book| book.coming_soon).count() {
        0 => of_all,
        coming => format!("{of_all}, {coming} coming soon"),
    }
}

#[derive(Template)]
#[template(path = "shared_list.html")]
struct SharedListPage<'a> {
    list: &'a SharedList,
    count: &'a str,
    /// Its path, as a parameter of a URL.
    here: &'a str,
}

/// A list that is shared by link or as a public page. It changes with its owner's records, so it is not cached.
#[get("/list/{slug}")]
async fn shared_list_page(
    app: Data<App>,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    found_fresh(&app, &request, async || {
        let list = read_shared_list(&app, &slug).await?;
        let path = format!("/list/{}", list.slug);
        let here = format!("%2Flist%2F{}", list.slug);
        let count = summaries(&list);
        let first_line = list.note.lines().next().filter(|line| !line.is_empty());
        let description =
            first_line.map_or_else(|| count.clone(), |line| line.chars().take(DESCRIPTION_CHARS).collect());
        Ok(Page {
            main: SharedListPage { list: &list, count: &count, here: &here }.render()?,
            structured: Some(structured::collection(&app.config, &list.name, &description, &[(&list.name, &path)])),
            title: list.name.clone(),
            description,
            // A link is for those to whom its owner has sent it.
            canonical: list.is_public.then(|| path.clone()),
            unindexed: list.books.len() < study::INDEXED_FROM,
            chunk: "shared-list",
            queries: vec![Query {
                key: json!(["visitor", "list", list.slug]),
                data: json!(SharedListResult { list: list.clone() }),
            }],
            ..Page::default()
        })
    })
    .await
}
