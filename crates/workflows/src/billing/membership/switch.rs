//! Switches a running plan to another one (`billing.plan-switch`): a preview shows the cost, and exactly that is charged.

use billing::{
    BillingQueries, SwitchRefusal,
    gateway::{CheckoutReference, GatewayError, IdempotencyKey, Lookup, SubscriptionTerms, SwitchPreview, SwitchStart},
    switch_terms,
};
use kernel::{HOUR, Money, Timestamp, UserId};
use serde::{Deserialize, Serialize};

use crate::billing::membership::renewal::{RenewalError, Target, read_target};
use crate::{
    billing::{checkout::purchase::ProviderObject, payments::PaymentFlows},
    sealed_link::{open_link, seal_link},
    tx::Tx,
};

/// The purpose for which the token of a preview is sealed.
const PURPOSE: &[u8] = b"switch of plan";
/// How long a preview is valid, in milliseconds.
const VALID: i64 = HOUR;

/// A switch and its cost, before it is made.
#[derive(Clone, Debug)]
pub struct SwitchOffer {
    pub from_plan_name: String,
    /// What the switch costs, as the provider has computed it.
    pub preview: SwitchPreview,
    /// The token for [`PaymentFlows::switch_plan`].
    pub token: String,
}

/// The sealed content of the token: whose subscription, the plan to switch to, and the preview.
#[derive(Debug, Serialize, Deserialize)]
struct SwitchToken {
    member: i64,
    purchase: String,
    plan_id: String,
    price: i64,
    /// How many trials and charges the purchase had: with another number, the preview is outdated.
    periods: usize,
    starts_now: bool,
    charged_now: i64,
    credit_left: i64,
    next_charge: i64,
    next_charge_at: i64,
    computed_at: i64,
}

impl SwitchToken {
    fn preview(&self) -> SwitchPreview {
        SwitchPreview {
            starts: if self.starts_now { SwitchStart::Now } else { SwitchStart::NextPeriod },
            charged_now: Money::from_cents(self.charged_now),
            credit_left: Money::from_cents(self.credit_left),
            next_charge: Money::from_cents(self.next_charge),
            next_charge_at: Timestamp::from_millis(self.next_charge_at),
            computed_at: Timestamp::from_millis(self.computed_at),
        }
    }
}

/// A subscription, and the plan that it is to be switched to.
struct SwitchTarget {
    target: Target,
    terms: SubscriptionTerms,
}

impl PaymentFlows {
    /// Computes what a switch of a member's plan would cost now.
    pub async fn preview_switch(&self, member: UserId, plan_id: String) -> Result<SwitchOffer, RenewalError> {
        let wanted = plan_id.clone();
        let read = self.transactions.read(move |tx| read_switch(tx, member, &wanted)).await?;
        let SwitchTarget { target, terms } = read.ok_or(RenewalError::RunsAlready)?;
        let gateway = self.gateway(target.provider).ok_or(RenewalError::Unavailable)?;
        let preview = gateway.preview_switch(&target.id, &terms).await?;
        if preview.starts == SwitchStart::NextPeriod {
            // A payer at PayPal has to approve a switch there.
            return Err(RenewalError::NotNow);
        }
        let token = SwitchToken {
            member: member.get(),
            purchase: target.purchase().as_str().to_owned(),
            plan_id,
            price: terms.price.cents(),
            periods: target.periods,
            starts_now: true,
            charged_now: preview.charged_now.cents(),
            credit_left: preview.credit_left.cents(),
            next_charge: preview.next_charge.cents(),
            next_charge_at: preview.next_charge_at.millis(),
            computed_at: preview.computed_at.millis(),
        };
        let token = seal_link(self.transactions.seal(), PURPOSE, &token, &*self.env);
        Ok(SwitchOffer { from_plan_name: target.subscription.plan_name, preview, token })
    }

    /// Switches a member's plan as the preview showed it. A repeated token acts once.
    pub async fn switch_plan(&self, member: UserId, plan_id: &str, token: &str) -> Result<(), RenewalError> {
        let opened = open_link::<SwitchToken>(self.transactions.seal(), PURPOSE, token, self.env.now());
        let token = opened.filter(|one| one.member == member.get() && one.plan_id == plan_id);
        let token = token.ok_or(RenewalError::PriceChanged)?;
        let wanted = token.plan_id.clone();
        let Some(switching) = self.transactions.read(move |tx| read_switch(tx, member, &wanted)).await? else {
            return Ok(());
        };
        let SwitchTarget { target, terms } = switching;
        let preview = token.preview();
        let is_as_shown = target.purchase().as_str() == token.purchase
            && target.periods == token.periods
            && terms.price.cents() == token.price
            && self.env.now().since(preview.computed_at) < VALID;
        if !is_as_shown {
            return Err(RenewalError::PriceChanged);
        }
        let gateway = self.gateway(target.provider).ok_or(RenewalError::Unavailable)?;
        let computed_at = preview.computed_at.millis();
        let step = format!("switched:{}:{plan_id}:{computed_at}", target.periods);
        let key = IdempotencyKey::new(format!("{}:{step}", target.purchase()));
        let switched = match gateway.switch_plan(&key, &target.id, &terms, &preview).await {
            Err(GatewayError::KeyReused) => {
                let found = gateway.find_subscription(Lookup::Id(&target.id)).await?;
                found.ok_or(RenewalError::Unavailable)?
            }
            switched => switched?,
        };
        let reference = CheckoutReference::new(target.purchase().as_str());
        self.apply(&reference, ProviderObject::Subscription(switched)).await?;
        Ok(())
    }
}

/// Reads what a switch of a member's plan needs; `None` if the member has this plan already.
fn read_switch<A>(tx: &mut Tx<'_, '_, A>, member: UserId, plan_id: &str) -> Result<Option<SwitchTarget>, RenewalError> {
    let plan =
        tx.pg.plans()?.into_iter().find(|plan| plan.id == plan_id && plan.kind.is_subscription() && !plan.archived);
    let plan = plan.ok_or(RenewalError::UnknownPlan)?;
    let (standing, target) = read_target(tx, member)?;
    let terms = switch_terms(&standing, target.provider, &plan).map_err(|refusal| match refusal {
        SwitchRefusal::UnknownPlan => RenewalError::UnknownPlan,
        SwitchRefusal::NotNow => RenewalError::NotNow,
        SwitchRefusal::NotAtProvider => RenewalError::NoSwitchAtProvider,
    })?;
    Ok(terms.map(|terms| SwitchTarget { target, terms }))
}
