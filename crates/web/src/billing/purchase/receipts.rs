//! Receipts, as a page and as a PDF. The URL is a capability: it contains its own proof, and only the payer gets it.

use actix_web::{
    HttpResponse, get,
    http::header::{self, ContentDisposition, DispositionParam, DispositionType},
    web::{self, Data},
};
use kernel::Money;
use workflows::billing::receipts::{Receipt, ReceiptLine};

use crate::{
    app::App,
    cached_responses::HTML,
    extract::Path,
    http::{error::ApiError, openapi::NotFound},
};

/// The page has inline styles. It may not run scripts, load files or submit forms.
const PAGE_CSP: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The URL path of a receipt's page.
pub fn receipt_url(link: &str) -> String {
    format!("/api/charge/receipt/{link}")
}

/// The URL path of a receipt's PDF.
pub fn receipt_pdf_url(link: &str) -> String {
    format!("{}/pdf", receipt_url(link))
}

/// The receipt of a charge, as a page. Its address stands in the payer's timeline and in the result of the purchase, and is
/// good for a day.
#[utoipa::path(tag = "billing", params(("receipt" = String, Path, description = "The receipt's code, from its URL.")), responses((status = 200, description = "The receipt.", content_type = "text/html", body = String), NotFound), security(()))]
#[get("/api/charge/receipt/{receipt}")]
pub(super) async fn receipt_page(app: Data<App>, link: Path<String>) -> Result<HttpResponse, ApiError> {
    let receipt = find(&app, &link).await?;
    let html = pages::receipt::html(&receipt, &receipt_pdf_url(&link))?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, HTML))
        .insert_header((header::CONTENT_SECURITY_POLICY, PAGE_CSP))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(html))
}

/// The receipt of a charge, as a PDF.
#[utoipa::path(tag = "billing", params(("receipt" = String, Path, description = "The receipt's code, from its URL.")), responses((status = 200, description = "The receipt.", content_type = "application/pdf", body = Vec<u8>), NotFound), security(()))]
#[get("/api/charge/receipt/{receipt}/pdf")]
pub(super) async fn receipt_pdf(app: Data<App>, link: Path<String>) -> Result<HttpResponse, ApiError> {
    let receipt = find(&app, &link).await?;
    let name = format!("receipt-{}.pdf", receipt.number);
    let file = web::block(move || documents::receipt_pdf(&printed(&receipt))).await.map_err(ApiError::internal)?;
    let disposition =
        ContentDisposition { disposition: DispositionType::Inline, parameters: vec![DispositionParam::Filename(name)] };
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/pdf"))
        .insert_header(disposition)
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file.map_err(ApiError::internal)?))
}

async fn find(app: &App, link: &str) -> Result<Receipt, ApiError> {
    app.payments.receipt(link).await?.ok_or_else(|| ApiError::not_found("receipt"))
}

/// Converts a receipt to the input of its page and PDF.
fn printed(receipt: &Receipt) -> documents::Receipt {
    let amount = |sum: Money| sum.to_string().replace('-', "−");
    let line = |one: &ReceiptLine| documents::ReceiptLine {
        text: one.text.clone(),
        note: one.note.clone(),
        amount: amount(one.amount),
    };
    documents::Receipt {
        number: receipt.number.clone(),
        site: receipt.site.clone(),
        url: receipt.url.clone(),
        facts: receipt.facts.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect(),
        lines: receipt.lines.iter().map(line).collect(),
        total: amount(receipt.total),
        after: receipt.after.iter().map(line).collect(),
        notes: receipt.notes.clone(),
    }
}
