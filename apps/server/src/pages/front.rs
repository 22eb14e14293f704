//! The front page.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::StoreError;
use pages::{Page, Query};
use serde_json::json;
use workflows::book_lists;

use super::{filters, found, render, sections};
use crate::{app::App, error::ApiError, routes::catalogue::types::list::FrontResult};

#[derive(Template)]
#[template(path = "front.html")]
struct Front<'a> {
    front: &'a FrontResult,
    site_name: &'a str,
    idea_title: &'a str,
    idea_html: &'a str,
}

/// What the product is, with a real book to read at once.
#[get("/")]
pub(super) async fn front_page(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found(&app, &request, "page front", async |banner| {
        let front = app.read_tx::<_, StoreError, _>(book_lists::front_page).await?;
        let front = FrontResult::from(&front);
        let idea = front
            .hero
            .as_ref()
            .and_then(|hero| hero.body.as_deref())
            .and_then(|body| sections(body).next())
            .unwrap_or_default();
        let name = &app.config.site.name;
        let main = Front { front: &front, site_name: name, idea_title: &idea.title, idea_html: &idea.html }
            .render()
            .map_err(ApiError::internal)?;
        let page = Page {
            title: "",
            description: "Summaries of the non-fiction that lasts: ten to fifteen minutes each, to read on any device. \
                          Look inside, and read your first three free.",
            canonical: Some("/".to_owned()),
            chunk: "front",
            main,
            structured: Some(json!({
                "@context": "https://schema.org",
                "@type": "WebSite",
                "name": name,
                "url": app.config.public_url,
                "potentialAction": {
                    "@type": "SearchAction",
                    "target": app.link("/books?q={search_term_string}"),
                    "query-input": "required name=search_term_string",
                },
            })),
            queries: vec![Query { key: json!(["visitor", "front"]), data: json!(front) }],
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}
