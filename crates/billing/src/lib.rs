//! What can be bought, for how much, and what members have of it.
//!
//! # What it owns
//!
//! The plans (`decisions.md` 33): they stand in the database, where the back office edits them. Everything that names a
//! price reads it here. The entitlements: who is paid until when. [`gateway`]: the port to payment providers.
//!
//! # What always holds
//!
//! - A price is whole cents, USD, and never below zero.
//! - The trial is three days, on subscriptions only (`decisions.md` 35).

mod cart;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod coupon;
mod entitlement;
pub mod gateway;
#[cfg(test)]
mod histories;
mod ledger;
mod member_plan;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod store;
mod trial;

pub use cart::{AddOn, Cart, CartError, CartRequest, InvalidPercent, Percent, Quote, RenewalTerms};
pub use coupon::{Coupon, CouponCode, CouponError};
pub use entitlement::Entitlement;
pub use ledger::{
    Account, Entry, InvalidMovement, Movement, MovementKind, PAUSE_MAX_MONTHS, PurchaseKey, UnknownAccount,
    UnknownMovementKind,
};
pub use member_plan::{GRACE, MemberPlan, OwnedItem, Subscription, SubscriptionState};
pub use model::{BULK_MAX, BULK_MIN, Plan, PlanKind, STARTING_PLANS, StartingPlan, TRIAL_DAYS, UnknownPlanKind};
pub use store::{BillingCommands, BillingQueries};
pub use trial::{TRIAL_NOTICE, TrialIdentity, trial_end};
