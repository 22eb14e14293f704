//! The pages that tell what can be had, and for how much.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use askama::Template;
use kernel::{Money, StoreError};
use pages::{
    self, Page, Query,
    structured::{breadcrumbs, graph, publisher},
};
use serde_json::{Value, json};
use workflows::product_pages::product_page;

use super::{found, render};
use crate::{
    app::App,
    error::ApiError,
    routes::editorial::product_types::{ProductPage, ProductPageResult},
};

#[derive(Template)]
#[template(path = "product.html")]
struct Product<'a> {
    page: &'a ProductPage,
    limit_reached: bool,
}

/// A product page, at any of its addresses.
pub(super) async fn show(app: Data<App>, request: HttpRequest, slug: &'static str) -> Result<HttpResponse, ApiError> {
    let limit_reached = request.query_string().split('&').any(|pair| pair == "limit_reached=yes");
    found(&app, &request, &format!("page product {slug} {limit_reached}"), async |banner| {
        let found = app.read_tx::<_, StoreError, _>(move |tx| product_page(tx, slug)).await?;
        let found = found.ok_or_else(|| ApiError::not_found("page"))?;
        let result = ProductPageResult { page: found.into() };
        let page = Page {
            title: &result.page.title,
            description: &result.page.lead,
            canonical: Some(result.page.path.clone()),
            chunk: "product",
            main: Product { page: &result.page, limit_reached }.render().map_err(ApiError::internal)?,
            structured: Some(structured(&app, &result.page)),
            queries: vec![Query { key: json!(["visitor", "product", slug]), data: json!(result) }],
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}

fn structured(app: &App, page: &ProductPage) -> Value {
    let answers: Vec<Value> = page
        .questions
        .iter()
        .map(|one| {
            json!({
                "@type": "Question",
                "name": one.question,
                "acceptedAnswer": { "@type": "Answer", "text": one.answer },
            })
        })
        .collect();
    let mut things = vec![
        json!({ "@type": "FAQPage", "url": app.link(&page.path), "mainEntity": answers }),
        breadcrumbs(&app.config, &[(&page.title, &page.path)]),
    ];
    if !page.offers.is_empty() {
        let offers: Vec<Value> = page
            .offers
            .iter()
            .map(|offer| {
                json!({
                    "@type": "Offer",
                    "name": offer.name,
                    "description": offer.terms,
                    "price": Money::from_cents(offer.price).decimal(),
                    "priceCurrency": "USD",
                    "availability": "https://schema.org/InStock",
                    "url": app.link(&offer.link.href),
                })
            })
            .collect();
        things.push(json!({
            "@type": "Product",
            "name": format!("{} Premium", app.config.site.name),
            "description": page.lead,
            "brand": publisher(&app.config),
            "offers": offers,
        }));
    }
    graph(&things)
}
