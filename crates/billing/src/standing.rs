//! How a member's plan stands at a moment: what the account shows, and what can be done with it.

use kernel::{Money, Timestamp};

use crate::{Entitlement, GRACE, MemberPlan, MovementKind, Subscription, SubscriptionState, ledger::named};

named! {
    /// How a member's plan stands.
    PlanState, UnknownPlanState, "state of a plan":
    /// There was never one.
    Free = "free",
    /// Nothing was charged yet.
    Trial = "trial",
    /// It is paid and renews.
    Active = "active",
    /// The charge that is due failed.
    PastDue = "past_due",
    /// It ends with its period.
    Canceled = "canceled",
    /// It goes on after the pause.
    Paused = "paused",
    /// It is over.
    Ended = "ended",
    /// It is for life.
    Lifetime = "lifetime",
    /// A code or an admin gave it for a time, and nothing renews.
    Code = "code",
}

/// What a change of renewal does, by how the plan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenewalStep {
    /// The provider is told, and a movement of this kind recorded.
    Record(MovementKind),
    /// Nothing: it is so already.
    AsItIs,
    /// There is nothing that could be changed so.
    Refused,
}

/// A member's plan at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStanding {
    /// How it stands.
    pub state: PlanState,
    /// The best right to read that runs.
    pub entitlement: Option<Entitlement>,
    /// The subscription that runs.
    pub subscription: Option<Subscription>,
    /// When the next charge is due, and what it is.
    pub next_charge: Option<(Timestamp, Money)>,
    /// The end of the pause.
    pub paused_until: Option<Timestamp>,
    /// Up to when the plan stays while its charge has failed.
    pub grace_ends_at: Option<Timestamp>,
}

impl PlanStanding {
    /// The standing at `now`.
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

    /// Whether renewal can be stopped.
    pub const fn can_cancel(&self) -> bool {
        matches!(self.state, PlanState::Trial | PlanState::Active | PlanState::PastDue | PlanState::Paused)
    }

    /// Whether renewal can be turned on again, or the pause be ended.
    pub const fn can_resume(&self) -> bool {
        matches!(self.state, PlanState::Canceled | PlanState::Paused)
    }

    /// What stopping renewal does: what is stopped already stays so.
    pub const fn cancellation(&self) -> RenewalStep {
        if self.can_cancel() {
            RenewalStep::Record(MovementKind::Canceled)
        } else if self.can_resume() {
            RenewalStep::AsItIs
        } else {
            RenewalStep::Refused
        }
    }

    /// What turning renewal on again does: it ends a pause, and what renews stays so.
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

    /// Whether the plan can be paused after its period.
    pub const fn can_pause(&self) -> bool {
        matches!(self.state, PlanState::Active)
    }

    /// Whether the card can be changed.
    pub const fn can_change_method(&self) -> bool {
        self.can_cancel()
    }

    /// Whether another plan can take its place. A renewal that is put off comes first.
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
