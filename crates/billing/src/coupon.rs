//! Coupons: a percentage or an amount off the first charge or off each, for all plans or some, with a validity period and a
//! maximum number of uses (`billing.coupon-terms`).

use std::fmt;

use kernel::{Period, StoreError, Timestamp};

use crate::{CouponTerms, Discount, Plan};

/// The maximum length of a coupon code, in characters.
const MAX_CHARS: usize = 40;

/// A coupon code, compared ignoring case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CouponCode(String);

impl CouponCode {
    /// Parses user input: up to 40 letters, digits, `-`, `_` and `%`.
    pub fn parse(text: &str) -> Result<Self, CouponError> {
        let text = text.trim();
        let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '%');
        if text.is_empty() || text.len() > MAX_CHARS || !text.chars().all(is_fine) {
            return Err(CouponError::Unknown);
        }
        Ok(Self(text.to_ascii_uppercase()))
    }

    /// The code in upper case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CouponCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A discount that buyers get with a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupon {
    pub code: CouponCode,
    pub terms: CouponTerms,
    /// The ids of the plans that it can be used for, where `book` stands for each book; empty for all.
    pub plans: Vec<String>,
    /// The campaign that it belongs to, by which the back office finds it.
    pub campaign: Option<String>,
    pub valid: Period,
    /// The maximum number of purchases; `None` for no limit.
    pub max_uses: Option<u32>,
}

/// Why a coupon can't be used. The messages are shown to members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CouponError {
    /// There is no coupon with this code.
    #[error("This coupon does not exist.")]
    Unknown,
    /// Its validity period has not started.
    #[error("This coupon is not valid yet.")]
    NotYet,
    /// Its validity period is over.
    #[error("This coupon has expired.")]
    Expired,
    /// It has reached its maximum number of uses.
    #[error("This coupon has been used up.")]
    UsedUp,
    /// It is for other plans.
    #[error("This coupon is not for this plan.")]
    OtherPlan,
    /// A running subscription is switched to another plan, which costs what that plan costs.
    #[error("A coupon can't be used to switch plans.")]
    PlanSwitch,
}

/// Why a purchase could not use a coupon.
#[derive(Debug, thiserror::Error)]
pub enum CouponUseError {
    /// The coupon is not valid.
    #[error(transparent)]
    Coupon(#[from] CouponError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Coupon {
    /// A coupon for the first charge of any plan, for any number of purchases.
    pub const fn new(code: CouponCode, discount: Discount, valid: Period) -> Self {
        let terms = CouponTerms { discount, every_charge: false };
        Self { code, terms, plans: Vec::new(), campaign: None, valid, max_uses: None }
    }

    /// The terms for a purchase of a plan at `now`, after `uses` earlier purchases. A single book is `book-{subid}`.
    pub fn terms_for(&self, plan_id: &str, uses: u32, now: Timestamp) -> Result<CouponTerms, CouponError> {
        let plan_id = Plan::priced_by(plan_id);
        if !self.plans.is_empty() && !self.plans.iter().any(|id| id == plan_id) {
            return Err(CouponError::OtherPlan);
        }
        if self.valid.is_over(now) {
            return Err(CouponError::Expired);
        }
        if !self.valid.contains(now) {
            return Err(CouponError::NotYet);
        }
        if self.max_uses.is_some_and(|most| uses >= most) {
            return Err(CouponError::UsedUp);
        }
        Ok(self.terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Percent;

    #[test]
    fn a_code_is_compared_without_regard_to_case() {
        assert_eq!(CouponCode::parse(" spring-40% "), CouponCode::parse("SPRING-40%"));
        assert_eq!(CouponCode::parse("spring").unwrap().to_string(), "SPRING");
        assert_eq!(CouponCode::parse("spring").unwrap().as_str(), "SPRING");
        for text in ["", " ", "a b", "ü", "';--", &"x".repeat(MAX_CHARS + 1)] {
            assert_eq!(CouponCode::parse(text), Err(CouponError::Unknown), "{text:?}");
        }
        assert!(CouponCode::parse(&"x".repeat(MAX_CHARS)).is_ok());
    }

    #[test]
    fn a_coupon_counts_in_its_time_and_for_so_many_purchases() {
        let at = Timestamp::from_millis;
        let (code, forty) = (CouponCode::parse("x").unwrap(), Discount::Percent(Percent::new(40).unwrap()));
        let valid = Period { starts_at: at(10), ends_at: Some(at(20)) };
        let coupon = Coupon { max_uses: Some(2), ..Coupon::new(code, forty, valid) };
        for (uses, now, result) in [
            (0, 9, Err(CouponError::NotYet)),
            (0, 10, Ok(coupon.terms)),
            (1, 19, Ok(coupon.terms)),
            (2, 19, Err(CouponError::UsedUp)),
            (3, 19, Err(CouponError::UsedUp)),
            (0, 20, Err(CouponError::Expired)),
            (9, 20, Err(CouponError::Expired)),
        ] {
            assert_eq!(coupon.terms_for("yearly", uses, at(now)), result, "{uses} {now}");
        }
        let always = Coupon { valid: Period { ends_at: None, ..coupon.valid }, max_uses: None, ..coupon };
        assert_eq!(always.terms_for("yearly", u32::MAX, at(i64::MAX)), Ok(always.terms));
        let for_some = Coupon { plans: vec!["yearly".to_owned(), "book".to_owned()], ..always };
        for (plan_id, result) in [
            ("yearly", Ok(for_some.terms)),
            ("book-walden", Ok(for_some.terms)),
            ("monthly", Err(CouponError::OtherPlan)),
            ("book", Ok(for_some.terms)),
        ] {
            assert_eq!(for_some.terms_for(plan_id, 0, at(10)), result, "{plan_id}");
        }
    }
}
