//! The base of workflows that take money: transactions, and the payment providers that are called between them.

use std::{sync::Arc, time::Duration};

use billing::{
    Subscription,
    gateway::{GatewayError, GatewayProvider, PaymentGateway, SubscriptionId, SubscriptionTerms, SwitchPreview},
};
use kernel::Env;
use moka::future::Cache;

use crate::tx::Transactions;

/// How long a switch's price is cached for display. The switch itself has a preview of its own.
const PREVIEW_TTL: Duration = Duration::from_secs(30);
/// How many prices are cached.
const MAX_PREVIEWS: u64 = 10_000;

/// Workflows that call payment providers. A call is made between two transactions, never inside one. Cheap to clone.
#[derive(Clone)]
pub struct PaymentFlows {
    pub transactions: Transactions,
    /// Clock and randomness.
    pub env: Arc<dyn Env>,
    gateways: Arc<[Arc<dyn PaymentGateway>]>,
    shown_previews: Cache<(Subscription, SubscriptionTerms), SwitchPreview>,
}

impl std::fmt::Debug for PaymentFlows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PaymentFlows").field("gateways", &self.gateways).finish_non_exhaustive()
    }
}

impl PaymentFlows {
    pub fn new(
        transactions: Transactions,
        env: Arc<dyn Env>,
        gateways: impl IntoIterator<Item = Arc<dyn PaymentGateway>>,
    ) -> Self {
        let shown_previews = Cache::builder().max_capacity(MAX_PREVIEWS).time_to_live(PREVIEW_TTL).build();
        Self { transactions, env, gateways: gateways.into_iter().collect(), shown_previews }
    }

    /// The gateway of a provider; `None` if it is not configured.
    pub fn gateway(&self, provider: GatewayProvider) -> Option<&Arc<dyn PaymentGateway>> {
        self.gateways.iter().find(|gateway| gateway.provider() == provider)
    }

    /// The gateway that takes cards: Stripe or the sandbox.
    pub fn cards(&self) -> Option<&Arc<dyn PaymentGateway>> {
        self.gateway(GatewayProvider::Sandbox).or_else(|| self.gateway(GatewayProvider::Stripe))
    }

    /// What a switch of this subscription costs, for display. A form requests its price at each change, so the provider's
    /// preview is cached.
    pub(crate) async fn shown_preview(
        &self,
        running: Subscription,
        gateway: &dyn PaymentGateway,
        id: &SubscriptionId,
        terms: &SubscriptionTerms,
    ) -> Result<SwitchPreview, GatewayError> {
        let asked = gateway.preview_switch(id, terms);
        let preview = self.shown_previews.try_get_with((running, terms.clone()), asked).await;
        preview.map_err(Arc::unwrap_or_clone)
    }

    pub fn gateways(&self) -> impl Iterator<Item = &Arc<dyn PaymentGateway>> {
        self.gateways.iter()
    }
}
