//! The status of a member's plan at a given time, and the changes that it allows.

use kernel::{Money, Timestamp};

use crate::{Entitlement, GRACE, MemberPlan, MovementKind, Subscription, SubscriptionState, ledger::named};

named! {
    /// The status of a member's plan.
    PlanState, UnknownPlanState, "state of a plan":
    /// The member has never had a plan.
    Free = "free",
    /// Nothing was charged yet.
    Trial = "trial",
    /// It is paid and renews.
    Active = "active",
    /// The due charge failed; the grace period runs.
    PastDue = "past_due",
    /// Renewal is off; it ends with its period.
    Canceled = "canceled",
    /// It renews after the pause.
    Paused = "paused",
    Ended = "ended",
    /// It never ends.
    Lifetime = "lifetime",
    /// A code or an admin gave it for a limited time; nothing renews.
    Code = "code",
}

/// What a request to change renewal does, depending on the status of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenewalStep {
    /// Call the provider, then record a movement of this kind.
    Record(MovementKind),
    /// Do nothing: the plan is already in the requested state.
    AsItIs,
    /// The plan's status does not allow the change.
    Refused,
}

/// The status of a member's plan at a given time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStanding {
    pub state: PlanState,
    /// The best entitlement that is valid now.
    pub entitlement: Option<Entitlement>,
    /// The running subscription.
    pub subscription: Option<Subscription>,
    /// The time and amount of the next charge.
    pub next_charge: Option<(Timestamp, Money)>,
    /// The end of the pause; `None` unless paused.
    pub paused_until: Option<Timestamp>,
    /// The end of the grace period; `None` unless past due.
    pub grace_ends_at: Option<Timestamp>,
}

impl PlanStanding {
    pub fn of(plan: &MemberPlan, now: Timestamp) -> Self {
        let entitlement = Entitlement::best(&plan.entitlements, now).cloned();
        let subscription = plan.running(now).cloned();
        let is_for_life = entitlement.as_ref().is_some_and(|one| one.ends_at.is_none());
        let state = match &subscription {
            _ if is_for_life => PlanState::Lifetime,
            Some(one) => match one.state_at(now) {
                SubscriptionState::Trial => PlanState::Trial,
                SubscriptionState::Active => PlanState::Active,
                SubscriptionState::PastDue => PlanState::PastDue,
                SubscriptionState::Canceled => PlanState::Canceled,
                SubscriptionState::Paused => PlanState::Paused,
                SubscriptionState::Ended => PlanState::Ended,
            },
            None if entitlement.is_some() => PlanState::Code,
            None if plan.entitlements.iter().any(|one| one.starts_at <= now) => PlanState::Ended,
            None => PlanState::Free,
        };
        let due = |wanted| subscription.as_ref().filter(|_| state == wanted).map(|one| one.due_at);
        Self {
            state,
            next_charge: subscription.as_ref().and_then(|one| one.next_charge_at(now)),
            paused_until: due(PlanState::Paused),
            grace_ends_at: due(PlanState::PastDue).map(|at| at.plus(GRACE)),
            entitlement,
            subscription,
        }
    }

    /// Whether renewal can be turned off.
    pub const fn can_cancel(&self) -> bool {
        matches!(self.state, PlanState::Trial | PlanState::Active | PlanState::PastDue | PlanState::Paused)
    }

    /// Whether renewal can be turned on again or the pause can be ended.
    pub const fn can_resume(&self) -> bool {
        matches!(self.state, PlanState::Canceled | PlanState::Paused)
    }

    /// The effect of a cancellation request; none if renewal is already off.
    pub const fn cancellation(&self) -> RenewalStep {
        if self.can_cancel() {
            RenewalStep::Record(MovementKind::Canceled)
        } else if self.can_resume() {
            RenewalStep::AsItIs
        } else {
            RenewalStep::Refused
        }
    }

    /// The effect of a request to resume: it turns renewal on, or ends a pause; none if the plan already renews.
    pub const fn resumption(&self) -> RenewalStep {
        if self.can_resume() {
            let is_paused = self.paused_until.is_some();
            RenewalStep::Record(if is_paused { MovementKind::PauseEnded } else { MovementKind::Resumed })
        } else if self.can_cancel() {
            RenewalStep::AsItIs
        } else {
            RenewalStep::Refused
        }
    }

    /// Whether the plan can be paused at the end of its period.
    pub const fn can_pause(&self) -> bool {
        matches!(self.state, PlanState::Active)
    }

    /// Whether the payment method can be changed.
    pub const fn can_change_method(&self) -> bool {
        self.can_cancel()
    }

    /// Whether the plan can be switched. Not while the next charge is deferred beyond the paid period.
    pub fn can_switch(&self) -> bool {
        matches!(self.state, PlanState::Trial | PlanState::Active)
            && self.subscription.as_ref().is_some_and(|one| one.due_at == one.paid_until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(state: PlanState, paused_until: Option<Timestamp>) -> PlanStanding {
        PlanStanding {
            state,
            entitlement: None,
            subscription: None,
            next_charge: None,
            paused_until,
            grace_ends_at: None,
        }
    }

    #[test]
    fn renewal_is_stopped_and_turned_on_by_how_the_plan_stands() {
        use MovementKind::{Canceled, PauseEnded, Resumed};
        use RenewalStep::{AsItIs, Record, Refused};
        for state in PlanState::ALL.iter().copied() {
            let paused_until = (state == PlanState::Paused).then_some(Timestamp::from_millis(5));
            let one = standing(state, paused_until);
            let expected = match state {
                PlanState::Trial | PlanState::Active | PlanState::PastDue => (Record(Canceled), AsItIs),
                PlanState::Canceled => (AsItIs, Record(Resumed)),
                PlanState::Paused => (Record(Canceled), Record(PauseEnded)),
                PlanState::Free | PlanState::Ended | PlanState::Lifetime | PlanState::Code => (Refused, Refused),
            };
            assert_eq!((one.cancellation(), one.resumption()), expected, "{state:?}");
        }
    }
}
