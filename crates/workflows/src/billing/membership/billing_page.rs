//! A member's plan as the account page shows it, with all past charges, the next charge and future plans.

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

/// A member's plan and timeline.
#[derive(Clone, Debug)]
pub struct MemberBilling {
    /// The state of the plan.
    pub standing: PlanStanding,
    /// Past charges, the next charge, and future plans.
    pub timeline: Vec<TimelineEntry>,
    /// The last part of each receipt's URL, by the id of its line in the timeline.
    pub receipts: HashMap<String, String>,
    /// The provider of the running subscription.
    pub provider: Option<GatewayProvider>,
    /// The payment method; `None` if the provider does not tell it now.
    pub method: Option<PaymentMethod>,
    /// Whether the payment method can be changed on this site.
    pub can_change_method: bool,
    /// Ids of the plans that the plan can be switched to on this site.
    pub switch_to: Vec<String>,
}

impl PaymentFlows {
    /// Reads a member's plan and timeline. If the provider does not respond, the payment method is left out.
    pub async fn member_billing(&self, member: UserId) -> Result<MemberBilling, StoreError> {
        let (mut billing, checkout) = self.transactions.read(move |tx| read_billing(tx, member)).await?;
        let Some((checkout, id)) = checkout.and_then(|one| Some((one.order.provider, one.provider_id?))) else {
            return Ok(billing);
        };
        billing.provider = Some(checkout);
        // A payer at PayPal switches and changes the method there.
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
    // Includes entitlements without a movement, written by an earlier version or the demo content.
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

/// The ids of the plans that a running one can be switched to.
fn switch_targets(plans: Vec<Plan>, running: &str) -> Vec<String> {
    let is_target = |plan: &Plan| plan.kind.is_subscription() && !plan.archived && plan.id != running;
    plans.into_iter().filter(is_target).map(|plan| plan.id).collect()
}

/// Why a refund can't be requested.
#[derive(Debug, thiserror::Error)]
pub enum RefundRequestError {
    /// The member has no such charge.
    #[error("There is no such receipt.")]
    Unknown,
    /// It was refunded, or was too long ago.
    #[error("You can ask for a refund once, within 14 days of a charge. Please contact us if something went wrong.")]
    TooLate,
    /// The reason is too long.
    #[error(transparent)]
    Support(#[from] SupportError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Puts a member's refund request into the support inbox.
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
