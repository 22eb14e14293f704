//! What the account shows of a member's plan, and everything charged, due and promised.

use std::collections::HashMap;

use billing::{
    BillingQueries, Checkout, MemberPlan, Movement, MovementKind, Plan, PlanStanding, TimelineEntry,
    gateway::{CheckoutReference, GatewayProvider, Lookup, PaymentMethod, SubscriptionId},
    refundable_until, timeline,
};
use identity::IdentityQueries;
use kernel::{StoreError, UserId};
use support::{NewMessage, SupportCommands, SupportError};

use crate::{
    billing::{payments::PaymentFlows, receipts::receipt_link},
    tx::Tx,
};

/// A member's plan with all that is shown of it.
#[derive(Clone, Debug)]
pub struct MemberBilling {
    /// How the plan stands.
    pub standing: PlanStanding,
    /// What was, what is due, what is promised.
    pub timeline: Vec<TimelineEntry>,
    /// What the addresses of receipts end with, by the id of the line in the timeline.
    pub receipts: HashMap<String, String>,
    /// Who takes the money of the subscription that runs.
    pub provider: Option<GatewayProvider>,
    /// With what it is paid, as far as the provider tells now.
    pub method: Option<PaymentMethod>,
    /// Whether another card can be stored here.
    pub can_change_method: bool,
    /// The plans to which it can be switched here.
    pub switch_to: Vec<String>,
}

impl PaymentFlows {
    /// A member's plan and timeline. A provider that does not answer leaves the payment method out.
    pub async fn member_billing(&self, member: UserId) -> Result<MemberBilling, StoreError> {
        let (mut billing, checkout) = self.transactions.read(move |tx| read_billing(tx, member)).await?;
        let Some((checkout, id)) = checkout.and_then(|one| Some((one.order.provider, one.provider_id?))) else {
            return Ok(billing);
        };
        billing.provider = Some(checkout);
        // A payer of PayPal's does both there.
        let is_ours = checkout.switches_plans() && self.gateway(checkout).is_some();
        billing.can_change_method = is_ours && billing.standing.can_change_method();
        if !(is_ours && billing.standing.can_switch()) {
            billing.switch_to.clear();
        }
        if let Some(gateway) = self.gateway(checkout) {
            let id = SubscriptionId::new(id);
            match gateway.find_subscription(Lookup::Id(&id)).await {
                Ok(found) => billing.method = found.and_then(|one| one.method),
                Err(error) => tracing::warn!(%error, "a payment provider could not say with what a plan is paid"),
            }
        }
        Ok(billing)
    }
}

fn read_billing<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<(MemberBilling, Option<Checkout>), StoreError> {
    let now = tx.now();
    let movements = tx.pg.movements_of(member)?;
    let plan = MemberPlan::of(&movements);
    let mut standing = PlanStanding::of(&plan, now);
    // What an earlier version or the demo content wrote without a movement.
    let stored = tx.pg.entitlements_of(member, now)?;
    if standing.entitlement.is_none() && !stored.is_empty() {
        standing = PlanStanding::of(&MemberPlan { entitlements: stored, ..plan.clone() }, now);
    }
    let checkout = match &standing.subscription {
        Some(running) => tx.pg.find_checkout(&CheckoutReference::new(running.purchase.as_str()))?,
        None => None,
    };
    let timeline = timeline(&movements, &plan, now);
    let receipts = movements.iter().filter_map(|one| Some((one.key.clone(), receipt_link(tx, one)?))).collect();
    let running = standing.subscription.as_ref().filter(|_| checkout.is_some()).map(|one| one.plan_id.clone());
    let switch_to = match running {
        Some(running) => switch_targets(tx.pg.plans()?, &running),
        None => Vec::new(),
    };
    let billing = MemberBilling {
        standing,
        timeline,
        receipts,
        provider: None,
        method: None,
        can_change_method: false,
        switch_to,
    };
    Ok((billing, checkout))
}

/// The plans to which a running one can be switched.
fn switch_targets(plans: Vec<Plan>, running: &str) -> Vec<String> {
    plans.into_iter().filter(|plan| plan.kind.is_subscription() && plan.id != running).map(|plan| plan.id).collect()
}

/// Why a refund can't be asked for.
#[derive(Debug, thiserror::Error)]
pub enum RefundRequestError {
    /// The member has no such charge.
    #[error("There is no such receipt.")]
    Unknown,
    /// It was refunded, or is too long ago.
    #[error("You can ask for a refund once, within 14 days of a charge. Please contact us if something went wrong.")]
    TooLate,
    /// The reason is too long.
    #[error(transparent)]
    Support(#[from] SupportError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Puts a member's request for a refund into the inbox.
pub fn request_refund(tx: &mut Tx<'_, '_>, member: UserId, key: &str, reason: &str) -> Result<(), RefundRequestError> {
    let now = tx.now();
    let movements = tx.pg.movements_of(member)?;
    let is_charge = |one: &&Movement| one.key == key && one.kind == MovementKind::Charged;
    let charge = movements.iter().find(is_charge).ok_or(RefundRequestError::Unknown)?;
    refundable_until(charge, &movements, now).ok_or(RefundRequestError::TooLate)?;
    let user = tx.pg.user(member)?.ok_or(RefundRequestError::Unknown)?;
    let cents = charge.amount.cents();
    let what = format!("{}, {}.{:02} USD, {}", charge.plan_name, cents / 100, cents % 100, charge.key);
    let message = NewMessage::refund_request(&user.email, &what, reason)?;
    tx.pg.insert_message(&message, now)?;
    Ok(())
}
