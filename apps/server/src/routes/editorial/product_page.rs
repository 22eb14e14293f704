//! `GET /api/product-pages/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::StoreError;

use crate::{
    app::App,
    error::ApiError,
    extract::{self, Viewer},
    flows::product_pages,
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
        let found = app.read_tx::<_, StoreError, _>(move |tx| product_pages::product_page(tx, &slug)).await?;
        let page = found.ok_or_else(|| ApiError::not_found("page"))?.into();
        Ok((ProductPageResult { page }, None))
    })
    .await
}
