//! The pages of the house: about, terms, privacy.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use askama::Template;
use kernel::{Slug, StoreError};
use pages::{
    self, Page, Query,
    structured::{breadcrumbs, graph, iso_day, publisher},
};
use serde_json::json;
use workflows::editorial_texts;

use super::{filters, found, render};
use crate::{
    app::App,
    error::ApiError,
    routes::editorial::types::{SitePage, SitePageResult},
};

#[derive(Template)]
#[template(path = "site_page.html")]
struct House<'a> {
    page: &'a SitePage,
}

/// A page of the house.
pub(super) async fn show(app: Data<App>, request: HttpRequest, slug: &'static str) -> Result<HttpResponse, ApiError> {
    let question = format!("page house {slug}");
    found(&app, &request, &question, async |banner| {
        let name = Slug::parse(slug).map_err(ApiError::internal)?;
        let found = app.read_tx::<_, StoreError, _>(move |tx| editorial_texts::site_page(tx, &name)).await?;
        let found = found.ok_or_else(|| ApiError::not_found("page"))?;
        let result = SitePageResult { page: found.into() };
        let path = format!("/{slug}");
        let kind = if slug == "about" { "AboutPage" } else { "WebPage" };
        let page = Page {
            title: &result.page.title,
            description: &result.page.description,
            canonical: Some(path.clone()),
            chunk: "site-page",
            main: House { page: &result.page }.render().map_err(ApiError::internal)?,
            structured: Some(graph(&[
                json!({
                    "@type": kind,
                    "name": result.page.title,
                    "description": result.page.description,
                    "url": app.link(&path),
                    "dateModified": iso_day(result.page.revised_date),
                    "publisher": publisher(&app.config),
                }),
                breadcrumbs(&app.config, &[(&result.page.title, &path)]),
            ])),
            queries: vec![Query { key: json!(["visitor", "page", slug]), data: json!(result) }],
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}
