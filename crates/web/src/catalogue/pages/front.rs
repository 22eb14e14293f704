//! The front page.

use actix_web::{HttpRequest, HttpResponse, get, http::header, web::Data};
use askama::Template;
use kernel::StoreError;
use pages::{Page, Query, filters, structured, text::sections};
use serde_json::json;
use workflows::catalogue::book_lists;

use crate::{app::App, catalogue::types::list::FrontResult, http::error::ApiError, pages::found};

const DESCRIPTION: &str = "Summaries of the non-fiction that lasts: ten to fifteen minutes each, to read on any device. \
                           Look inside, and read your first three free.";

#[derive(Template)]
#[template(path = "front.html")]
struct Front<'a> {
    front: &'a FrontResult,
    site_name: &'a str,
    idea_title: &'a str,
    idea_html: &'a str,
}

/// The front page: describes the product, and shows a book that visitors can read at once. Leads to the setup page while the site
/// waits for it.
#[get("/")]
pub(super) async fn front_page(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    if app.is_setup_open().await? {
        let to = (header::LOCATION, "/setup");
        return Ok(HttpResponse::SeeOther()
            .insert_header(to)
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .finish());
    }
    found(&app, &request, "page front", async || {
        let front = app.read_tx::<_, StoreError, _>(book_lists::front_page).await?;
        let front = FrontResult::from(&front);
        let body = front.hero.as_ref().and_then(|hero| hero.body.as_deref());
        let idea = body.and_then(|body| sections(body).next()).unwrap_or_default();
        let site_name = &app.config.site.name;
        let main = Front { front: &front, site_name, idea_title: &idea.title, idea_html: &idea.html };
        Ok(Page {
            description: DESCRIPTION.to_owned(),
            canonical: Some("/".to_owned()),
            chunk: "front",
            main: main.render()?,
            structured: Some(structured::site(&app.config)),
            queries: vec![Query { key: json!(["visitor", "front"]), data: json!(front) }],
            ..Page::default()
        })
    })
    .await
}
