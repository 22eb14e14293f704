//! The checkout page. The plan's id is in the URL.

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::StatusCode,
    web::{Data, ServiceConfig},
};
use pages::{Page, text};
use workflows::billing::checkout::price::{PriceError, check_plan};

use crate::{
    app::App,
    extract::Path,
    http::error::{ApiError, Code},
    pages::{cached, plain},
};

const CHUNK: &str = "payment";
const TITLE: &str = "Checkout";

/// Registers the page routes of this module.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(payment_page).service(payment_without_plan);
}

/// The checkout page of a plan. It also shows the result of a purchase, so it exists for a plan that is no longer sold.
#[get("/payment/{planId}")]
pub(super) async fn payment_page(
    app: Data<App>,
    plan: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    if request.query_string().split('&').any(|pair| pair.starts_with("checkout=")) {
        return plain(&app, &request, StatusCode::OK, CHUNK, TITLE, None).await;
    }
    let id = plan.into_inner();
    let key = format!("page payment {id}");
    let page = cached(&app, &request, StatusCode::OK, &key, async || {
        app.read_tx::<_, PriceError, _>(move |tx| check_plan(tx, &id)).await?;
        let (title, description) = (TITLE.to_owned(), TITLE.to_owned());
        Ok(Page {
            title,
            description,
            chunk: CHUNK,
            main: text::plain(TITLE, None)?,
            waits_for_app: true,
            ..Page::default()
        })
    });
    match page.await {
        Err(error) if error.code() == Code::UnknownPlan => nothing_sold(&app, &request).await,
        page => page,
    }
}

/// The checkout page without a plan: status 404.
#[get("/payment")]
pub(super) async fn payment_without_plan(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    nothing_sold(&app, &request).await
}

/// The 404 page for an unknown plan (`billing.unknown-plan`).
async fn nothing_sold(app: &App, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    cached(app, request, StatusCode::NOT_FOUND, "page payment of no plan", async || {
        let main = text::plain("Invalid plan id", Some("There is nothing to buy at this address."))?;
        let (title, description) = (TITLE.to_owned(), "Invalid plan id".to_owned());
        Ok(Page { title, description, chunk: CHUNK, main, ..Page::default() })
    })
    .await
}
