//! What stories that take money work with: transactions, and between them the payment providers.

use std::sync::Arc;

use billing::gateway::{GatewayProvider, PaymentGateway};
use kernel::Env;

use crate::tx::Transactions;

/// Stories that call payment providers. A call is made between two transactions, never inside one. Cheap to clone.
#[derive(Clone)]
pub struct PaymentFlows {
    /// Runs the transactions.
    pub transactions: Transactions,
    /// Time and randomness.
    pub env: Arc<dyn Env>,
    gateways: Arc<[Arc<dyn PaymentGateway>]>,
}

impl std::fmt::Debug for PaymentFlows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PaymentFlows").field("gateways", &self.gateways).finish_non_exhaustive()
    }
}

impl PaymentFlows {
    /// Flows with these providers.
    pub fn new(
        transactions: Transactions,
        env: Arc<dyn Env>,
        gateways: impl IntoIterator<Item = Arc<dyn PaymentGateway>>,
    ) -> Self {
        Self { transactions, env, gateways: gateways.into_iter().collect() }
    }

    /// The gateway of a provider, when it is set up.
    pub fn gateway(&self, provider: GatewayProvider) -> Option<&Arc<dyn PaymentGateway>> {
        self.gateways.iter().find(|gateway| gateway.provider() == provider)
    }

    /// The gateway that takes cards: Stripe or the sandbox.
    pub fn cards(&self) -> Option<&Arc<dyn PaymentGateway>> {
        self.gateway(GatewayProvider::Sandbox).or_else(|| self.gateway(GatewayProvider::Stripe))
    }

    /// All gateways.
    pub fn gateways(&self) -> impl Iterator<Item = &Arc<dyn PaymentGateway>> {
        self.gateways.iter()
    }
}
