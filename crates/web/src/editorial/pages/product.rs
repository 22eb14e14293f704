//! The product pages: features and prices.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use askama::Template;
use kernel::StoreError;
use pages::{Page, Query, structured};
use serde_json::json;
use workflows::editorial::product_pages::product_page;

use crate::{
    app::App,
    editorial::product_types::{ProductPage, ProductPageResult},
    http::error::ApiError,
    pages::found,
};

#[derive(Template)]
#[template(path = "product.html")]
struct Product<'a> {
    page: &'a ProductPage,
    limit_reached: bool,
}

/// Responds with a product page. Several paths may show the same page.
pub(super) async fn show(app: Data<App>, request: HttpRequest, slug: &'static str) -> Result<HttpResponse, ApiError> {
    let limit_reached = request.query_string().split('&').any(|pair| pair == "limit_reached=yes");
    found(&app, &request, &format!("page product {slug} {limit_reached}"), async || {
        let page = app.read_tx::<_, StoreError, _>(move |tx| product_page(tx, slug)).await?;
        let page = page.ok_or_else(|| ApiError::not_found("page"))?;
        let structured = structured::product_page(&app.config, &page);
        let result = ProductPageResult { page: page.into() };
        Ok(Page {
            title: result.page.title.clone(),
            description: result.page.lead.clone(),
            canonical: Some(result.page.path.clone()),
            chunk: "product",
            main: Product { page: &result.page, limit_reached }.render()?,
            structured: Some(structured),
            queries: vec![Query { key: json!(["visitor", "product", slug]), data: json!(result) }],
            ..Page::default()
        })
    })
    .await
}
