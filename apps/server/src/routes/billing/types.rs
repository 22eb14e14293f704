//! What goes over the wire for money. Sums are cents, times milliseconds.

use billing::{
    Plan,
    gateway::{GatewayProvider, PageSettings},
};
use serde::Serialize;
use utoipa::ToSchema;

/// What a plan is and costs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanOffer {
    /// Its name in addresses; `book` stands for `book-{subid}`.
    id: String,
    /// Its name for people.
    name: String,
    /// What sort of thing it is.
    #[schema(pattern = "^(monthly|yearly|lifetime|gift|bulk|once)$")]
    kind: &'static str,
    /// What one costs, in cents.
    price: i64,
    /// How many months a renewal pays for; null: it does not renew.
    #[schema(required)]
    renewal_months: Option<u32>,
    /// How many days a person who had no trial may try it.
    trial_days: u32,
    /// The fewest in one purchase.
    min_quantity: u32,
    /// The most in one purchase.
    max_quantity: u32,
}

impl From<&Plan> for PlanOffer {
    fn from(plan: &Plan) -> Self {
        let (min_quantity, max_quantity) = plan.kind.quantity();
        Self {
            id: plan.id.clone(),
            name: plan.name.clone(),
            kind: plan.kind.as_str(),
            price: plan.price.cents(),
            renewal_months: plan.kind.renewal_months(),
            trial_days: plan.kind.trial_days(),
            min_quantity,
            max_quantity,
        }
    }
}

/// What a page needs to sell.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChargeSettings {
    /// Who takes cards; null: nobody does.
    #[schema(required, pattern = "^(stripe|sandbox)$")]
    provider: Option<&'static str>,
    /// The publishable key of the card form.
    #[schema(required)]
    public_key: Option<String>,
    /// Whether payments are pretended: the page says so.
    sandbox: bool,
    /// The client id of PayPal's buttons; null: no PayPal.
    #[schema(required)]
    paypal_client_id: Option<String>,
    /// What can be bought.
    plans: Vec<PlanOffer>,
}

impl ChargeSettings {
    pub(super) fn new(plans: &[Plan], cards: Option<PageSettings>, paypal: Option<PageSettings>) -> Self {
        let provider = cards.as_ref().map(|settings| settings.provider);
        Self {
            provider: provider.map(GatewayProvider::as_str),
            sandbox: provider == Some(GatewayProvider::Sandbox),
            public_key: cards.and_then(|settings| settings.public_key),
            paypal_client_id: paypal.and_then(|settings| settings.public_key),
            plans: plans.iter().map(PlanOffer::from).collect(),
        }
    }
}
