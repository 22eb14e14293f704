//! Who may download infographics in one file (`catalogue.infographic-add-ons`). The catalogue decides which ones an
//! add-on includes.

use kernel::Timestamp;

use crate::{Action, DenialReason, Grant, Refusal, has_plan};

/// The number of infographics that a member with a plan may download in one file.
pub const INFOGRAPHICS_OF_A_PLAN: u32 = 50;

/// A purchased add-on of infographics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfographicsAddOn {
    /// The number of infographics that it includes.
    pub count: u32,
    /// When it was bought.
    pub at: Timestamp,
}

/// What a member may download in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfographicsDownload {
    /// The number of newest infographics, which a running plan gives; 0 without one.
    pub newest: u32,
    /// The purchased add-ons, which never expire.
    pub bought: Vec<InfographicsAddOn>,
}

/// What a member with these grants and add-ons may download in one file. Refused with [`DenialReason::UpgradeRequired`]
/// without a running plan and without add-ons.
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
