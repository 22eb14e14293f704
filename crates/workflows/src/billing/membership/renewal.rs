//! Canceling, resuming and pausing renewal (`billing.cancel-renewal`).
//!
//! The provider is called between two transactions. Each step's idempotency key counts the member's earlier steps, so a step that
//! is repeated after a crash, or made in two tabs, acts once at the provider and is recorded once.

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

/// Why a plan was not changed.
#[derive(Debug, thiserror::Error)]
pub enum RenewalError {
    /// The member has no plan that renews.
    #[error("You have no plan that renews.")]
    NoSubscription,
    /// The plan's state does not allow it.
    #[error("Your plan can't be changed that way right now.")]
    NotNow,
    /// The plan's provider can't switch plans.
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
    /// The member has this plan already.
    #[error("You already have this plan.")]
    RunsAlready,
    /// The switch costs another amount than was shown.
    #[error("The price has changed. Please check it before you pay.")]
    PriceChanged,
    /// The provider declined.
    #[error("{0}")]
    Declined(String),
    /// The provider can't be reached, or its outcome is unknown: the same step can be tried again.
    #[error("We could not reach the payment provider. Please try again in a moment.")]
    Unavailable,
    /// The provider's data could not be applied.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// The ledger refused the movement.
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

/// A subscription with the data that its next step needs.
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

/// A purchase's subscription at its provider; `None` if no provider has it. `movements` must be those that the subscription was
/// derived from: with a later read, a step made in between would count as an earlier one.
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

/// The state of a member's plan, and its subscription at the provider.
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

    /// Cancels renewal. The plan stays until its period ends; a mail confirms it, and the reason goes into the support inbox.
    /// Canceling again changes nothing.
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

    /// Resumes renewal, or ends a pause. A plan that renews stays as it is.
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

    /// Pauses the plan for some months after its current period.
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
    // The plan was read without a lock before the provider was called: of concurrent requests, one writes.
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
