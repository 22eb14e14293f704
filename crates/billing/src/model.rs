//! Plans and their initial prices.

use std::str::FromStr;

use kernel::Money;

/// Prefix of the plan id of a single book: `book-{subid}`.
pub(crate) const BOOK_PREFIX: &str = "book-";
/// The plan that sets the price of every single book.
pub(crate) const BOOK: &str = "book";
/// The length of a free trial, in days (`billing.trial-length`).
pub const TRIAL_DAYS: u32 = 3;
/// The plan to which the free trial of visitors leads (`identity.free-trial`).
pub const TRIAL_PLAN: &str = "yearly";
/// The minimum number of seats of a bulk purchase (`billing.seat-quantity`).
pub const BULK_MIN: u32 = 20;
/// The maximum number of seats of a bulk purchase.
pub const BULK_MAX: u32 = 200;
/// The maximum number of months that a code can give.
pub const CODE_MONTHS_MAX: u32 = 1_200;

/// The kind of a plan: how it is paid and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    Monthly,
    Yearly,
    /// Paid once, valid for life.
    Lifetime,
    /// A year for another person, paid once.
    Gift,
    /// A year for each seat, paid once.
    Bulk,
    /// A single item such as a book or a quiz, paid once.
    Once,
}

/// The text is not a kind of plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such kind of plan")]
pub struct UnknownPlanKind;

impl PlanKind {
    pub const ALL: [Self; 6] = [Self::Monthly, Self::Yearly, Self::Lifetime, Self::Gift, Self::Bulk, Self::Once];

    /// The name in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monthly => "monthly",
            Self::Yearly => "yearly",
            Self::Lifetime => "lifetime",
            Self::Gift => "gift",
            Self::Bulk => "bulk",
            Self::Once => "once",
        }
    }

    /// Whether it renews until it is canceled.
    pub const fn is_subscription(self) -> bool {
        matches!(self, Self::Monthly | Self::Yearly)
    }

    /// Whether it gives a plan to the buyer: a subscription or a lifetime plan.
    pub const fn is_for_oneself(self) -> bool {
        self.is_subscription() || matches!(self, Self::Lifetime)
    }

    /// The kind of the plan with this id; [`Self::Once`] for a single book and for an unknown id.
    pub fn of_plan(plans: &[Plan], id: &str) -> Self {
        plans.iter().find(|plan| plan.id == id).map_or(Self::Once, |plan| plan.kind)
    }

    /// Whether a code can give a plan of this kind.
    pub const fn is_given_by_codes(self) -> bool {
        matches!(self, Self::Monthly | Self::Yearly | Self::Lifetime | Self::Gift)
    }

    /// The length of its free trial in days; 0 without one.
    pub const fn trial_days(self) -> u32 {
        if self.is_subscription() { TRIAL_DAYS } else { 0 }
    }

    /// The number of calendar months that a renewal pays for; `None` if it does not renew.
    pub const fn renewal_months(self) -> Option<u32> {
        match self {
            Self::Monthly => Some(1),
            Self::Yearly => Some(12),
            Self::Lifetime | Self::Gift | Self::Bulk | Self::Once => None,
        }
    }

    /// The minimum and maximum quantity in one purchase.
    pub const fn quantity(self) -> (u32, u32) {
        match self {
            Self::Bulk => (BULK_MIN, BULK_MAX),
            Self::Monthly | Self::Yearly | Self::Lifetime | Self::Gift | Self::Once => (1, 1),
        }
    }
}

impl FromStr for PlanKind {
    type Err = UnknownPlanKind;

    fn from_str(text: &str) -> Result<Self, UnknownPlanKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownPlanKind)
    }
}

/// A product with its price: a plan or a single item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The id in URLs: `monthly`. The plan `book` sets the price of every `book-{subid}`.
    pub id: String,
    /// The display name.
    pub name: String,
    pub kind: PlanKind,
    /// The price of one.
    pub price: Money,
    /// Not sold any more. Who has it keeps it, at the price of their purchase (`billing.plan-archive`).
    pub archived: bool,
}

/// Why a plan can't be added or archived. The messages are shown to admins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanChangeError {
    /// The id is not 2 to 40 lower-case letters, digits and dashes, or names a book.
    #[error("Please choose an ID of 2 to 40 lowercase letters, digits, and dashes. It can't start with 'book'.")]
    InvalidId,
    /// Only plans that a member buys for themselves can be added and archived.
    #[error("Only monthly, yearly, and lifetime plans can be added or archived.")]
    NotForOneself,
    /// The free trial of visitors leads to this plan.
    #[error("The free trial leads to this plan, so it can't be archived.")]
    TrialPlan,
}

impl Plan {
    /// A new plan (`billing.plan-add`).
    pub fn new(id: &str, name: String, kind: PlanKind, price: Money) -> Result<Self, PlanChangeError> {
        let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !(2..=40).contains(&id.len()) || !id.chars().all(is_fine) || id.starts_with(BOOK) {
            return Err(PlanChangeError::InvalidId);
        }
        if !kind.is_for_oneself() {
            return Err(PlanChangeError::NotForOneself);
        }
        Ok(Self { id: id.to_owned(), name, kind, price, archived: false })
    }

    /// Whether it can be taken off sale (`billing.plan-archive`).
    pub fn check_archivable(&self) -> Result<(), PlanChangeError> {
        if !self.kind.is_for_oneself() {
            Err(PlanChangeError::NotForOneself)
        } else if self.id == TRIAL_PLAN {
            Err(PlanChangeError::TrialPlan)
        } else {
            Ok(())
        }
    }

    /// The id of the plan that has the price of an id in a cart: `book` for each `book-{subid}`.
    pub fn priced_by(id: &str) -> &str {
        if id.starts_with(BOOK_PREFIX) { BOOK } else { id }
    }
}

/// The display name for an id whose plan no longer exists (`billing.legacy-plan-names`). Such a plan can't be bought.
pub fn name_of_former_plan(id: &str) -> &'static str {
    if id.contains("monthly") || id.contains("price") {
        "Monthly"
    } else if id.contains("yearly") {
        "Yearly"
    } else {
        "Lifetime"
    }
}

/// A plan of a new database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartingPlan {
    /// The id in URLs.
    pub id: &'static str,
    /// The display name.
    pub name: &'static str,
    pub kind: PlanKind,
    /// The price of one.
    pub price: Money,
}

impl From<&StartingPlan> for Plan {
    fn from(plan: &StartingPlan) -> Self {
        Self { id: plan.id.to_owned(), name: plan.name.to_owned(), kind: plan.kind, price: plan.price, archived: false }
    }
}

const fn plan(id: &'static str, name: &'static str, kind: PlanKind, cents: i64) -> StartingPlan {
    StartingPlan { id, name, kind, price: Money::from_cents(cents) }
}

/// The plans of a new database (`billing.plan-table`). The migration inserts the same rows; a test compares them.
pub const STARTING_PLANS: [StartingPlan; 10] = [
    plan("monthly", "Monthly", PlanKind::Monthly, 999),
    plan("yearly", "Yearly", PlanKind::Yearly, 5_999),
    plan("lifetime", "Lifetime", PlanKind::Lifetime, 14_900),
    plan("gift", "Gift", PlanKind::Gift, 4_499),
    plan("bulk", "Teams", PlanKind::Bulk, 2_999),
    plan("infographics-20", "20 infographics", PlanKind::Once, 1_099),
    plan("infographics-50", "50 infographics", PlanKind::Once, 2_999),
    plan("quiz", "Intelligence quiz", PlanKind::Once, 299),
    plan("personality-quiz", "Personality quiz", PlanKind::Once, 299),
    plan("book", "Book summary", PlanKind::Once, 499),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_numbers() {
        assert_eq!((TRIAL_DAYS, BULK_MIN, BULK_MAX), (3, 20, 200));
        let prices: Vec<(&str, String)> = STARTING_PLANS.iter().map(|plan| (plan.id, plan.price.to_string())).collect();
        let wanted = [
            ("monthly", "$9.99"),
            ("yearly", "$59.99"),
            ("lifetime", "$149.00"),
            ("gift", "$44.99"),
            ("bulk", "$29.99"),
            ("infographics-20", "$10.99"),
            ("infographics-50", "$29.99"),
            ("quiz", "$2.99"),
            ("personality-quiz", "$2.99"),
            ("book", "$4.99"),
        ];
        assert_eq!(prices, wanted.map(|(id, price)| (id, price.to_owned())));
    }

    #[test]
    fn a_former_plan_is_named_by_the_documents_rule() {
        for (id, name) in [
            ("pith-monthly-2021", "Monthly"),
            ("price_1HxYz", "Monthly"),
            ("yearly-price", "Monthly"),
            ("old-yearly", "Yearly"),
            ("whatever", "Lifetime"),
        ] {
            assert_eq!(name_of_former_plan(id), name, "{id}");
        }
    }

    #[test]
    fn only_what_renews_is_tried_for_nothing() {
        for kind in PlanKind::ALL {
            assert_eq!(kind.trial_days() > 0, matches!(kind, PlanKind::Monthly | PlanKind::Yearly), "{kind:?}");
            assert_eq!(kind.renewal_months().is_some(), kind.is_subscription(), "{kind:?}");
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!("weekly".parse::<PlanKind>(), Err(UnknownPlanKind));
        assert_eq!((PlanKind::Bulk.quantity(), PlanKind::Gift.quantity()), ((20, 200), (1, 1)));
    }
}
