//! Buying with a card: `POST /api/charge/process/{planId}`, and the state of the checkout after it.

use actix_web::{HttpRequest, HttpResponse, Responder, get, http::header, post, web::Data};
use billing::{CheckoutKey, CheckoutState, gateway::CheckoutReference};
use catalogue::{BookRef, CatalogueQueries};
use identity::RateLimitBucket;
use kernel::{StoreError, network_of};
use workflows::delivery::book_files::Format;
use workflows::{billing::checkout::purchase::CheckoutOutcome, rate_limits};

use crate::{
    app::App,
    billing::purchase::types::{ChargeResult, ConfirmBody, ProcessBody, SandboxAuthentication, StateParams},
    extract::{Body, ClientAddress, Path, Query, Viewer},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, PaymentRequired, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// The header with the idempotency key of the checkout page.
const KEY: &str = "idempotency-key";

/// Buys something. Sent again with the same `Idempotency-Key` it charges once and answers alike. A book's purchase answers its
/// PDF, unless the payer has to authenticate first.
#[utoipa::path(
    tag = "billing", request_body = ProcessBody,
    params(("planId" = String, Path, description = "The plan, or `book-{subid}`."), ("Idempotency-Key" = Option<String>, Header, description = "An idempotency key, made when the page opens; a new one after a decline.")),
    responses((status = 200, description = "It went through, or the payer has to authenticate (`requiresAction`). A book's purchase answers `application/pdf`.", body = Answer<ChargeResult>), NotFound, PaymentRequired, Conflict, TooManyTries),
    security((), ("token" = []))
)]
#[post("/api/charge/process/{planId}")]
pub(super) async fn process(
    app: Data<App>,
    viewer: Viewer,
    plan: Path<String>,
    ClientAddress(address): ClientAddress,
    request: HttpRequest,
    Body(body): Body<ProcessBody>,
) -> Result<HttpResponse, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Checkout, network_of(address)).await?;
    let key = key_of(&app, &request)?;
    let purchase = body.read(plan.into_inner(), key, viewer.0.map(|claims| claims.user), app.env.now())?;
    let outcome = app.payments.purchase(purchase).await?;
    answer(&app, outcome, &request).await
}

/// Goes on after the payer authenticated.
#[utoipa::path(tag = "billing", request_body = ConfirmBody, responses((status = 200, description = "The state of the purchase; the file (`application/pdf`) of a book that was paid.", body = Answer<ChargeResult>), NotFound, PaymentRequired, Conflict), security((), ("token" = [])))]
#[post("/api/charge/confirm")]
pub(super) async fn confirm(
    app: Data<App>,
    viewer: Viewer,
    request: HttpRequest,
    Body(body): Body<ConfirmBody>,
) -> Result<HttpResponse, ApiError> {
    let reference = CheckoutReference::new(body.checkout);
    let outcome = app.payments.confirm_authenticated(reference, viewer.0.map(|claims| claims.user)).await?;
    answer(&app, outcome, &request).await
}

/// How a checkout stands that was left: for its member, or with its `chargeId`.
#[utoipa::path(tag = "billing", params(("reference" = String, Path, description = "The checkout."), StateParams), responses((status = 200, description = "The state of the purchase.", body = Answer<ChargeResult>), PaymentRequired, Conflict), security((), ("token" = [])))]
#[get("/api/charge/checkout/{reference}")]
pub(super) async fn state(
    app: Data<App>,
    viewer: Viewer,
    reference: Path<String>,
    query: Query<StateParams>,
) -> Result<Answer<ChargeResult>, ApiError> {
    let (reference, charge_id) = (CheckoutReference::new(reference.into_inner()), query.into_inner().charge_id);
    let outcome = app.payments.checkout_state(reference, charge_id, viewer.0.map(|claims| claims.user)).await?;
    Ok(Answer::new((&outcome).into()))
}

/// The bank's page of the sandbox: the payer authenticates, or fails to. Only where payments are pretended.
#[utoipa::path(tag = "billing", request_body = SandboxAuthentication, responses((status = 200, description = "It is done.", body = Answer<Nothing>), NotFound), security(()))]
#[post("/api/charge/sandbox/authenticate")]
pub(super) async fn authenticate(
    app: Data<App>,
    Body(body): Body<SandboxAuthentication>,
) -> Result<Answer<Nothing>, ApiError> {
    let sandbox = app.gateways.sandbox().ok_or_else(|| ApiError::not_found("page"))?;
    sandbox.authenticate(&body.client_secret, body.succeeds).map_err(|_| ApiError::not_found("authentication"))?;
    Ok(Answer::new(Nothing {}))
}

/// The checkout page's idempotency key; generated when the header is missing.
pub(super) fn key_of(app: &App, request: &HttpRequest) -> Result<CheckoutKey, ApiError> {
    match request.headers().get(KEY) {
        None => Ok(CheckoutKey::generate(&*app.env)),
        Some(value) => Ok(CheckoutKey::parse(value.to_str().unwrap_or_default())?),
    }
}

/// Responds with the result of a checkout, or with the PDF of the book when one was paid.
pub(super) async fn answer(
    app: &App,
    outcome: CheckoutOutcome,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let order = &outcome.checkout.order;
    let book = order.plan_id.strip_prefix("book-").and_then(BookRef::parse);
    let (Some(book), CheckoutState::Paid) = (book, outcome.checkout.state) else {
        return Ok(Answer::new(ChargeResult::from(&outcome)).respond_to(request));
    };
    let found = app.db.read::<_, StoreError, _>(move |pg| pg.book(&book)).await?;
    // The book may have been withdrawn since the payment.
    let Some(book) = found else { return Ok(Answer::new(ChargeResult::from(&outcome)).respond_to(request)) };
    let file = app.book_files.get_or_make(&book, Format::Pdf).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, Format::Pdf.content_type()))
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"summary.pdf\""))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}
