//! `GET /api/product-pages/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use crate::{
    app::App,
    error::ApiError,
    extract::{self, Viewer},
    flows::product,
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{Answer, product::ProductPageResult},
};

/// A page that tells what can be had, with the prices of this moment: try, teams, giftcard, affiliate. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(("slug" = String, Path, description = "Its name in addresses.")),
    responses(
        (status = 200, description = "The page.", body = Answer<ProductPageResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/product-pages/{slug}")]
pub(super) async fn product_page(
    app: Data<App>,
    _: Viewer,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    remembered(&app, None, &request, async {
        let config = app.config.clone();
        let found = app.db.read(move |pg| product::page(pg, &slug, &config)).await?;
        Ok((found.ok_or_else(|| ApiError::not_found("page"))?, None))
    })
    .await
}
