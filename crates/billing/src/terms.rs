//! Subscription terms as sent to the provider, for a new subscription and for a plan switch (`billing.plan-switch`).

use kernel::Money;

use crate::{
    Plan, PlanStanding, RenewalTerms, TRIAL_DAYS,
    gateway::{GatewayProvider, RenewalInterval, SubscriptionTerms},
};

impl SubscriptionTerms {
    /// The terms of a plan with this id and display name.
    pub fn new((plan_id, name): (&str, &str), renewal: RenewalTerms, has_trial: bool, first_charge: Money) -> Self {
        Self {
            plan_id: plan_id.to_owned(),
            name: name.to_owned(),
            price: renewal.price,
            interval: if renewal.months == 12 { RenewalInterval::Year } else { RenewalInterval::Month },
            trial_days: if has_trial { TRIAL_DAYS } else { 0 },
            first_charge,
        }
    }
}

/// Why a plan is not switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchRefusal {
    #[error("no such subscription is sold")]
    UnknownPlan,
    /// No plan runs, or the running one is not paid and renewing.
    #[error("the plan can't be switched now")]
    NotNow,
    #[error("the provider does not switch plans")]
    NotAtProvider,
}

/// The terms for switching the running subscription to another plan; `Ok(None)` if it already runs.
///
/// A running trial continues, without a new one. The price is the plan's current price.
pub fn switch_terms(
    standing: &PlanStanding,
    provider: GatewayProvider,
    plan: &Plan,
) -> Result<Option<SubscriptionTerms>, SwitchRefusal> {
    let months = plan.kind.renewal_months().ok_or(SwitchRefusal::UnknownPlan)?;
    let running = standing.subscription.as_ref().ok_or(SwitchRefusal::NotNow)?;
    if running.plan_id == plan.id {
        return Ok(None);
    }
    if !standing.can_switch() {
        return Err(SwitchRefusal::NotNow);
    }
    if !provider.switches_plans() {
        return Err(SwitchRefusal::NotAtProvider);
    }
    let renewal = RenewalTerms { price: plan.price, months };
    Ok(Some(SubscriptionTerms::new((&plan.id, &plan.name), renewal, false, plan.price)))
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, Period, Timestamp};

    use super::*;
    use crate::{MemberPlan, Movement, MovementKind, PurchaseKey, STARTING_PLANS};

    const START: Timestamp = Timestamp::from_millis(1_832_932_800_000);

    fn plan(id: &str) -> Plan {
        STARTING_PLANS.iter().find(|one| one.id == id).map(Plan::from).unwrap()
    }

    fn of_subscription(kind: MovementKind) -> Movement {
        Movement::new(kind, kind.as_str(), &PurchaseKey::new("sub"), START)
    }

    fn monthly() -> Movement {
        let price = plan("monthly").price;
        Movement {
            plan_id: "monthly".to_owned(),
            amount: price,
            period: Some(Period { starts_at: START, ends_at: Some(START.plus_months(1)) }),
            renewal: Some(RenewalTerms { price, months: 1 }),
            ..of_subscription(MovementKind::Charged)
        }
    }

    fn standing(movements: &[Movement]) -> PlanStanding {
        PlanStanding::of(&MemberPlan::of(movements), START.plus(DAY))
    }

    #[test]
    fn terms_are_those_of_a_month_or_a_year_with_the_trial_that_was_promised() {
        let renewal = |months| RenewalTerms { price: Money::from_cents(999), months };
        let terms =
            |months, has_trial| SubscriptionTerms::new(("p", "P"), renewal(months), has_trial, Money::from_cents(500));
        for (months, interval) in [(1, RenewalInterval::Month), (12, RenewalInterval::Year)] {
            let one = terms(months, false);
            assert_eq!(
                (one.interval, one.trial_days, one.price.cents(), one.first_charge.cents()),
                (interval, 0, 999, 500)
            );
            assert_eq!(terms(months, true), SubscriptionTerms { trial_days: TRIAL_DAYS, ..one });
        }
    }

    #[test]
    fn a_switch_has_the_price_of_today_and_no_trial() {
        let terms = switch_terms(&standing(&[monthly()]), GatewayProvider::Stripe, &plan("yearly")).unwrap().unwrap();
        assert_eq!((terms.plan_id.as_str(), terms.interval, terms.trial_days), ("yearly", RenewalInterval::Year, 0));
        assert_eq!((terms.price, terms.first_charge), (plan("yearly").price, plan("yearly").price));
    }

    #[test]
    fn the_plan_that_runs_is_not_switched_to_itself_whatever_its_state() {
        for kind in [MovementKind::Canceled, MovementKind::ChargeFailed] {
            let there = standing(&[monthly(), of_subscription(kind)]);
            assert_eq!(switch_terms(&there, GatewayProvider::PayPal, &plan("monthly")), Ok(None));
        }
    }

    #[test]
    fn only_a_plan_that_is_paid_and_renews_is_switched_to_another_subscription_where_the_provider_can() {
        let (stripe, paid) = (GatewayProvider::Stripe, standing(&[monthly()]));
        let switch = |standing: &PlanStanding, provider, id| switch_terms(standing, provider, &plan(id));
        for id in ["lifetime", "gift", "bulk", "quiz"] {
            assert_eq!(switch(&paid, stripe, id), Err(SwitchRefusal::UnknownPlan), "{id}");
        }
        assert_eq!(switch(&standing(&[]), stripe, "yearly"), Err(SwitchRefusal::NotNow));
        let canceled = standing(&[monthly(), of_subscription(MovementKind::Canceled)]);
        assert_eq!(switch(&canceled, stripe, "yearly"), Err(SwitchRefusal::NotNow));
        let paused = Movement { months: Some(1), ..of_subscription(MovementKind::Paused) };
        assert_eq!(switch(&standing(&[monthly(), paused]), stripe, "yearly"), Err(SwitchRefusal::NotNow));
        assert_eq!(switch(&paid, GatewayProvider::PayPal, "yearly"), Err(SwitchRefusal::NotAtProvider));
        assert!(switch(&paid, GatewayProvider::Sandbox, "yearly").is_ok());
    }
}
