//! The pages of the house: about, terms, privacy.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web::Data};
use askama::Template;
use kernel::Slug;
use serde_json::json;

use super::{
    Page, failed, filters, nothing_here, remember, shell,
    shell::Query,
    structured::{breadcrumbs, graph, iso_day, publisher},
};
use crate::{app::App, error::ApiError, flows::editorial, wire::editorial::SitePage};

/// Their names, which are their paths too.
pub(super) const SLUGS: [&str; 3] = ["about", "terms", "privacy"];

#[derive(Template)]
#[template(path = "site_page.html")]
struct House<'a> {
    page: &'a SitePage,
}

/// A page of the house.
pub(super) async fn show(app: Data<App>, request: HttpRequest, slug: &'static str) -> Result<HttpResponse, ApiError> {
    let question = format!("page house {slug}");
    let now = app.env.now();
    if let Some(page) = app.answers.get(None, &question, now) {
        return Ok(page.respond(&request, StatusCode::OK, super::REVALIDATE));
    }
    let begun = app.answers.begin(None, now);
    let name = Slug::parse(slug).map_err(ApiError::internal)?;
    let config = app.config.clone();
    let result = match app.db.read(move |pg| editorial::site_page(pg, &name, &config)).await {
        Ok(Some(result)) => result,
        Ok(None) => return nothing_here(&app, &request).await,
        Err(error) => return failed(&app, error),
    };
    remember(&app, &request, StatusCode::OK, &question, begun, async |banner| {
        let path = format!("/{slug}");
        let kind = if slug == "about" { "AboutPage" } else { "WebPage" };
        let page = Page {
            title: &result.page.title,
            description: &result.page.description,
            canonical: Some(path.clone()),
            image: None,
            chunk: "site-page",
            framed: true,
            main: House { page: &result.page }.render().map_err(ApiError::internal)?,
            structured: Some(graph(&[
                json!({
                    "@type": kind,
                    "name": result.page.title,
                    "description": result.page.description,
                    "url": app.link(&path),
                    "dateModified": iso_day(result.page.revised_date),
                    "publisher": publisher(&app),
                }),
                breadcrumbs(&app, &[(&result.page.title, &path)]),
            ])),
            queries: vec![Query { key: json!(["visitor", "page", slug]), data: json!(result) }],
            own_style: None,
        };
        shell::render(&app, banner, &page)
    })
    .await
}
