//! Who may download infographics in one file (`decisions.md` 28).

use kernel::Timestamp;

use crate::{Action, DenialReason, Grant, Refusal, has_plan};

/// How many infographics a plan gives in one file.
pub const INFOGRAPHICS_OF_A_PLAN: u32 = 50;

/// An add-on of infographics: the newest of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfographicsAddOn {
    /// How many.
    pub count: u32,
    /// The moment at which they were the newest: of the purchase.
    pub at: Timestamp,
}

/// What a member with these grants and add-ons may download in one file: an add-on stays the member's for good, a plan gives
/// the newest of today while it runs.
pub fn infographics(
    grants: &[Grant],
    bought: &[InfographicsAddOn],
    now: Timestamp,
) -> Result<Vec<InfographicsAddOn>, Refusal> {
    let plan = InfographicsAddOn { count: INFOGRAPHICS_OF_A_PLAN, at: now };
    let of_plan = has_plan(grants, now).then_some(plan);
    let all: Vec<InfographicsAddOn> = of_plan.into_iter().chain(bought.iter().copied()).collect();
    if all.is_empty() {
        return Err(Refusal { action: Action::DownloadInfographic, reason: DenialReason::UpgradeRequired });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use kernel::Period;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);

    #[test]
    fn an_add_on_stays_a_plan_lapses_and_without_both_there_is_none() {
        let plan = |end: i64| Grant::Plan(Period { starts_at: NOW.plus(-10), ends_at: Some(NOW.plus(end)) });
        let add_on = InfographicsAddOn { count: 20, at: NOW.plus(-1_000) };
        let newest = InfographicsAddOn { count: INFOGRAPHICS_OF_A_PLAN, at: NOW };
        assert_eq!(infographics(&[plan(0)], &[add_on], NOW), Ok(vec![add_on]));
        assert_eq!(infographics(&[plan(1)], &[add_on], NOW), Ok(vec![newest, add_on]));
        assert_eq!(infographics(&[plan(1)], &[], NOW), Ok(vec![newest]));
        let refusal = infographics(&[plan(0)], &[], NOW).unwrap_err();
        assert_eq!(refusal.to_string(), "Please upgrade to download infographics.");
    }
}
