//! Stopping renewal, turning it on again, and pausing (`billing.cancel-renewal`).
//!
//! The provider is asked between two transactions. The key of each step counts what the member did before, so a step that is
//! repeated after a crash, or made in two tabs, acts once at the provider and is recorded once.

use billing::{
    Billing, BillingError, BillingQueries, MemberPlan, Movement, MovementKind, PAUSE_MAX_MONTHS, PlanStanding,
    PurchaseKey, RenewalStep, Subscription,
    gateway::{CheckoutReference, GatewayError, GatewayProvider, IdempotencyKey, PaymentGateway, SubscriptionId},
};
use identity::IdentityQueries;
use kernel::{PayerId, StoreError, UserId};
use mail::Mail;
use support::{CancelReason, NewMessage, SupportCommands};

use crate::{
    billing::{checkout::purchase::ApplyError, payments::PaymentFlows},
    tx::Tx,
};

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RenewalError {
    /// Nothing renews.
    #[error("You have no plan that renews.")]
    NoSubscription,
    /// The plan's state does not allow it.
    #[error("Your plan can't be changed that way right now.")]
    NotNow,
    /// The provider can't switch the plan.
    #[error(
        "Your plan is paid through PayPal and can't be switched here. Turn off its renewal in your account; once it has ended, you can choose another plan."
    )]
    NoSwitchAtProvider,
    /// The pause is too short or too long.
    #[error("Please choose a pause of 1 to 3 months.")]
    PauseLength,
    /// There is no such plan to switch to.
    #[error("Invalid plan id")]
    UnknownPlan,
    /// The plan runs already.
    #[error("You already have this plan.")]
    RunsAlready,
    /// What was shown of a switch is not what it costs by now.
    #[error("The price has changed. Please check it before you pay.")]
    PriceChanged,
    /// The provider declined.
    #[error("{0}")]
    Declined(String),
    /// The provider can't be reached, or it is not known what it did: the same can be tried again.
    #[error("We could not reach the payment provider. Please try again in a moment.")]
    Unavailable,
    /// What the provider said could not be applied.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// It could not be recorded.
    #[error(transparent)]
    Billing(#[from] BillingError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<GatewayError> for RenewalError {
    fn from(error: GatewayError) -> Self {
        tracing::warn!(%error, "a payment provider did not change a subscription");
        match error {
            GatewayError::Declined(decline) => Self::Declined(decline.message),
            GatewayError::Refused(_) | GatewayError::KeyReused | GatewayError::Unsupported(_) => Self::NotNow,
            GatewayError::Unreachable(_)
            | GatewayError::UnknownOutcome(_)
            | GatewayError::RateLimited { .. }
            | GatewayError::Malformed(_) => Self::Unavailable,
        }
    }
}

/// A subscription that a step is made with.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) payer: PayerId,
    pub(super) provider: GatewayProvider,
    pub(super) id: SubscriptionId,
    pub(super) subscription: Subscription,
    /// How many steps were made before.
    steps: usize,
    /// How many trials and charges it had.
    pub(super) periods: usize,
}

impl Target {
    pub(super) fn purchase(&self) -> &PurchaseKey {
        &self.subscription.purchase
    }

    /// The key of a step, for the provider and for the ledger.
    pub(super) fn key(&self, kind: MovementKind) -> String {
        format!("{}:{}:{}", self.purchase(), kind.as_str(), self.steps)
    }

    fn movement(&self, kind: MovementKind, tx: &Tx<'_, '_>) -> Movement {
        Movement {
            plan_id: self.subscription.plan_id.clone(),
            plan_name: self.subscription.plan_name.clone(),
            ..Movement::new(kind, self.key(kind), self.purchase(), tx.now())
        }
    }
}

/// A purchase's subscription at its provider; `None`: no provider has it. `movements` are those that the subscription was
/// derived from: counted from a later read, a step that was made in between would look like one made before.
pub(super) fn target_of<A>(
    tx: &mut Tx<'_, '_, A>,
    subscription: Subscription,
    movements: &[Movement],
) -> Result<Option<Target>, StoreError> {
    let reference = CheckoutReference::new(subscription.purchase.as_str());
    let Some(checkout) = tx.pg.find_checkout(&reference)? else { return Ok(None) };
    let Some(id) = checkout.provider_id else { return Ok(None) };
    let count = |counts: fn(MovementKind) -> bool| {
        movements.iter().filter(|one| one.purchase == subscription.purchase && counts(one.kind)).count()
    };
    let (steps, periods) = (count(MovementKind::is_change_of_renewal), count(MovementKind::may_renew));
    let (payer, provider) = (checkout.order.payer, checkout.order.provider);
    Ok(Some(Target { payer, provider, id: SubscriptionId::new(id), subscription, steps, periods }))
}

/// The standing of a member's plan, and its subscription at the provider.
pub(super) fn read_target<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<(PlanStanding, Target), RenewalError> {
    let now = tx.now();
    let movements = tx.pg.movements_of(member)?;
    let standing = PlanStanding::of(&MemberPlan::of(&movements), now);
    let subscription = standing.subscription.clone().ok_or(RenewalError::NoSubscription)?;
    let target = target_of(tx, subscription, &movements)?.ok_or(RenewalError::NoSubscription)?;
    Ok((standing, target))
}

impl PaymentFlows {
    pub(super) async fn target(
        &self,
        member: UserId,
    ) -> Result<(PlanStanding, Target, &dyn PaymentGateway), RenewalError> {
        let (standing, target) = self.transactions.read(move |tx| read_target(tx, member)).await?;
        let gateway = self.gateway(target.provider).ok_or(RenewalError::Unavailable)?;
        Ok((standing, target, &**gateway))
    }

    async fn record(&self, target: Target, kind: MovementKind, months: Option<u32>) -> Result<(), RenewalError> {
        self.transactions
            .write(move |tx| {
                let movement = Movement { months, ..target.movement(kind, tx) };
                tx.pg.record_movement(target.payer, &movement)?;
                Ok(())
            })
            .await
    }

    /// Stops renewal. The plan stays until its period ends; a mail says so, and the reason goes into the inbox. A plan that is
    /// cancelled already stays so.
    pub async fn cancel_renewal(&self, member: UserId, reason: CancelReason) -> Result<(), RenewalError> {
        let (standing, target, gateway) = self.target(member).await?;
        let kind = match standing.cancellation() {
            RenewalStep::Record(kind) => kind,
            RenewalStep::AsItIs => return Ok(()),
            RenewalStep::Refused => return Err(RenewalError::NotNow),
        };
        let key = IdempotencyKey::new(target.key(kind));
        gateway.cancel_at_period_end(&key, &target.id).await?;
        self.transactions.write(move |tx| record_cancellation(tx, member, &target, reason)).await
    }

    /// Turns renewal on again, or ends a pause. A plan that renews stays so.
    pub async fn resume_renewal(&self, member: UserId) -> Result<(), RenewalError> {
        let (standing, target, gateway) = self.target(member).await?;
        let kind = match standing.resumption() {
            RenewalStep::Record(kind) => kind,
            RenewalStep::AsItIs => return Ok(()),
            RenewalStep::Refused => return Err(RenewalError::NotNow),
        };
        let key = IdempotencyKey::new(target.key(kind));
        if kind == MovementKind::PauseEnded {
            gateway.resume_collection(&key, &target.id).await?;
        } else {
            gateway.resume_renewal(&key, &target.id).await?;
        }
        self.record(target, kind, None).await
    }

    /// Pauses the plan for some months after its period.
    pub async fn pause_renewal(&self, member: UserId, months: u32) -> Result<(), RenewalError> {
        if !(1..=PAUSE_MAX_MONTHS).contains(&months) {
            return Err(RenewalError::PauseLength);
        }
        let (standing, target, gateway) = self.target(member).await?;
        if !standing.can_pause() {
            return Err(RenewalError::NotNow);
        }
        let until = target.subscription.due_at.plus_months(months);
        let key = IdempotencyKey::new(format!("{}:{months}", target.key(MovementKind::Paused)));
        gateway.pause_collection(&key, &target.id, until).await?;
        self.record(target, MovementKind::Paused, Some(months)).await
    }
}

fn record_cancellation(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    target: &Target,
    reason: CancelReason,
) -> Result<(), RenewalError> {
    // The plan was read before the provider was asked, without a lock: of several presses at once, one writes.
    tx.pg.lock_payers(&[target.payer])?;
    if !read_target(tx, member)?.0.can_cancel() {
        return Ok(());
    }
    let movement = target.movement(MovementKind::Canceled, tx);
    if !tx.pg.record_movement(target.payer, &movement)? {
        return Ok(());
    }
    let Some(user) = tx.pg.user(member)? else { return Ok(()) };
    let now = tx.now();
    tx.pg.insert_message(&NewMessage::cancellation(&user.email, reason), now)?;
    let mail = Mail::PlanCanceled {
        first_name: user.first_name,
        plan: target.subscription.plan_name.clone(),
        until: target.subscription.paid_until.millis(),
        link: tx.settings.link("/account"),
        timezone: user.timezone,
    };
    Ok(tx.queue_mail(&user.email, &mail)?)
}
