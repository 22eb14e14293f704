//! The page of a receipt, to read and to print.

use askama::Template;
use workflows::billing::receipts::Receipt;

#[derive(Template)]
#[template(path = "receipt.html")]
struct ReceiptPage<'a> {
    receipt: &'a Receipt,
    pdf_url: &'a str,
}

/// The page of a receipt. `pdf_url` is the URL of its PDF.
pub fn html(receipt: &Receipt, pdf_url: &str) -> Result<String, askama::Error> {
    ReceiptPage { receipt, pdf_url }.render()
}
