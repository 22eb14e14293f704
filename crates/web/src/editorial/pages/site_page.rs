//! The site's pages: about, terms, privacy.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use askama::Template;
use kernel::{Slug, StoreError};
use pages::{Page, Query, filters, structured};
use serde_json::json;
use workflows::editorial::texts;

use crate::{
    app::App,
    editorial::types::{SitePage, SitePageResult},
    http::error::ApiError,
    pages::found,
};

#[derive(Template)]
#[template(path = "site_page.html")]
struct House<'a> {
    page: &'a SitePage,
}

/// Responds with a page of the site.
pub(super) async fn show(app: Data<App>, request: HttpRequest, slug: &'static str) -> Result<HttpResponse, ApiError> {
    found(&app, &request, &format!("page house {slug}"), async || {
        let name = Slug::parse(slug).map_err(ApiError::internal)?;
        let page = app.read_tx::<_, StoreError, _>(move |tx| texts::site_page(tx, &name)).await?;
        let page = page.ok_or_else(|| ApiError::not_found("page"))?;
        let structured = structured::site_page(&app.config, &page);
        let result = SitePageResult { page: page.into() };
        Ok(Page {
            title: result.page.title.clone(),
            description: result.page.description.clone(),
            canonical: Some(format!("/{slug}")),
            chunk: "site-page",
            main: House { page: &result.page }.render()?,
            structured: Some(structured),
            queries: vec![Query { key: json!(["visitor", "page", slug]), data: json!(result) }],
            ..Page::default()
        })
    })
    .await
}
