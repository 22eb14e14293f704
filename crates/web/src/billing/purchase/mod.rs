//! Prices, checkouts and payment webhooks.

mod checkout;
mod claim;
mod paypal;
mod price;
mod receipts;
mod sandbox;
mod settings;
mod types;
mod webhooks;

use crate::http::openapi::Routes;

pub(crate) use receipts::{receipt_pdf_url, receipt_url};
pub(crate) use types::{GiftResult, PriceSwitch};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(settings::settings).service(price::price).service(price::coupon);
    config.service(checkout::process).service(checkout::confirm).service(checkout::state);
    config.service(checkout::authenticate).service(claim::mark_as_paid);
    config.service(receipts::receipt_page).service(receipts::receipt_pdf);
    config.service(paypal::order).service(paypal::capture);
    config.service(sandbox::dispute).service(sandbox::decline).service(sandbox::time);
    config.service(webhooks::stripe).service(webhooks::paypal);
}
