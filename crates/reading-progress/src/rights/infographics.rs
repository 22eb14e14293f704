//! Who may download infographics in one file (`catalogue.infographic-add-ons`). Which ones an add-on has, the catalogue says.

use kernel::Timestamp;

use crate::{Action, DenialReason, Grant, Refusal, has_plan};

/// How many infographics a plan gives in one file.
pub const INFOGRAPHICS_OF_A_PLAN: u32 = 50;

/// An add-on of infographics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfographicsAddOn {
    /// How many.
    pub count: u32,
    /// When it was bought.
    pub at: Timestamp,
}

/// What a member may download in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfographicsDownload {
    /// How many of the newest of today: a plan gives them while it runs.
    pub newest: u32,
    /// The add-ons that were bought, which stay the member's for good.
    pub bought: Vec<InfographicsAddOn>,
}

/// What a member with these grants and add-ons may download in one file.
pub fn infographics(
    grants: &[Grant],
    bought: &[InfographicsAddOn],
    now: Timestamp,
) -> Result<InfographicsDownload, Refusal> {
    let newest = if has_plan(grants, now) { INFOGRAPHICS_OF_A_PLAN } else { 0 };
    if newest == 0 && bought.is_empty() {
        return Err(Refusal { action: Action::DownloadInfographic, reason: DenialReason::UpgradeRequired });
    }
    Ok(InfographicsDownload { newest, bought: bought.to_vec() })
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
        let may = |newest, bought: &[_]| Ok(InfographicsDownload { newest, bought: bought.to_vec() });
        assert_eq!(infographics(&[plan(0)], &[add_on], NOW), may(0, &[add_on]));
        assert_eq!(infographics(&[plan(1)], &[add_on], NOW), may(INFOGRAPHICS_OF_A_PLAN, &[add_on]));
        assert_eq!(infographics(&[plan(1)], &[], NOW), may(INFOGRAPHICS_OF_A_PLAN, &[]));
        let refusal = infographics(&[plan(0)], &[], NOW).unwrap_err();
        assert_eq!(refusal.to_string(), "Please upgrade to download infographics.");
    }
}
