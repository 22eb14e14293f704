//! `GET /api/charge/settings`.

use actix_web::{get, web::Data};
use billing::{BillingQueries, gateway::GatewayProvider};
use kernel::StoreError;

use crate::{
    app::App,
    billing::purchase::types::ChargeSettings,
    extract::Viewer,
    http::{error::ApiError, wire::Answer},
};

/// The plans with their prices, and what a page needs to take money for them.
#[utoipa::path(tag = "billing", responses((status = 200, description = "Plans and payment providers.", body = Answer<ChargeSettings>)), security((), ("token" = [])))]
#[get("/api/charge/settings")]
pub(super) async fn settings(app: Data<App>, _: Viewer) -> Result<Answer<ChargeSettings>, ApiError> {
    let mut plans = app.db.read::<_, StoreError, _>(|pg| pg.plans()).await?;
    plans.retain(|plan| !plan.archived);
    let cards = app.payments.cards().map(|gateway| gateway.page_settings());
    let paypal = app.payments.gateway(GatewayProvider::PayPal).map(|gateway| gateway.page_settings());
    Ok(Answer::new(ChargeSettings::new(&plans, cards, paypal)))
}
