//! What can be bought, for how much, and what members have of it.
//!
//! # What it owns
//!
//! The plans (`billing.plan-table`): they stand in the database, where the back office edits them. Everything that names a
//! price reads it here. Carts and coupons: what a purchase costs. The ledger: what happened to whose money and plans. What follows
//! from it: entitlements (who is paid until when), subscriptions, and what was bought once. [`gateway`]: the port to payment
//! providers. [`settlement`]: the movements that record what they say.
//!
//! # What always holds
//!
//! - A price is whole cents, USD, and never below zero.
//! - The trial is three days, on subscriptions only (`billing.trial-length`).
//! - One function computes an amount ([`Cart::quote`]): what is shown is what is charged.
//! - A movement is recorded once and never changed; its entries add up to zero (`billing.ledger-append`).
//! - Nobody owns the same thing by two charges: what is surplus is given back ([`surplus()`]).
//! - No credit of a switch outlives its payment, and codes follow the money that paid for them ([`CodeStanding::of`]).
//! - What a member has is a pure function of the ledger ([`MemberPlan::of`]). What is stored of it is written in the transaction
//!   that records a movement.
//!
//! # Words
//!
//! *Checkout*: one for each idempotency key; its reference is the purchase's key. *Payer*: who pays, a member or a guest; the ledger names payers, so that it can stay when an account is deleted. *Movement*: one
//! transaction of the ledger. *Purchase*: what ties a charge, its renewals and its refunds together.

mod cart;
mod checkout;
mod code;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod coupon;
mod entitlement;
mod error;
pub mod gateway;
mod gift;
#[cfg(any(test, feature = "testing"))]
pub mod histories;
mod ledger;
mod member_plan;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod quiet;
mod random_text;
mod reward;
mod service;
pub mod settlement;
mod standing;
mod store;
mod surplus;
mod terms;
mod timeline;
mod trial;

pub use cart::{AddOn, Cart, CartError, CartRequest, InvalidPercent, OrderRefusal, Percent, Quote, RenewalTerms};
pub use checkout::{
    Checkout, CheckoutError, CheckoutKey, CheckoutOrder, CheckoutState, ClaimToken, RECONCILE_AFTER, SWEEP_AFTER,
    SWEEP_OLD, StartedCheckout, SweepStep, UnknownCheckoutState,
};
pub use code::{
    CODE_MIN_CHARS, CODE_MONTHS_MAX, Code, CodeError, CodeKind, CodeMonthsError, CodeStanding, CodeTerms, InvalidCode,
    StoredCode, UnknownCodeKind, months_of_codes, months_of_redemption,
};
pub use coupon::{Coupon, CouponCode, CouponError, CouponUseError};
pub use entitlement::Entitlement;
pub use error::BillingError;
pub use gift::{GIFT_DAYS_AHEAD, Gift, GiftDelivery, InvalidDeliveryDay, delivery_moment, delivery_of};
pub use ledger::{
    Account, Entry, InvalidMovement, Movement, MovementKind, PAUSE_MAX_MONTHS, PurchaseKey, UnknownAccount,
    UnknownMovementKind,
};
pub use member_plan::{GRACE, MemberPlan, OwnedItem, Subscription, SubscriptionState};
pub use model::{
    BULK_MAX, BULK_MIN, Plan, PlanKind, STARTING_PLANS, StartingPlan, TRIAL_DAYS, UnknownPlanKind, name_of_former_plan,
};
pub use quiet::{QUIET_MONTHS, is_pause_due};
pub use reward::{FirstCharge, charged_purchases, first_charge_of, reward_change};
pub use service::Billing;
pub use standing::{PlanStanding, PlanState, RenewalStep, UnknownPlanState};
pub use store::{BillingCommands, BillingQueries, BillingStore, DueSubscription, LockedPayer};
pub use surplus::{PurchaseConflict, PurchasedPlan, Surplus, are_rivals, charges_to_give_back, conflict, surplus};
pub use terms::{SwitchRefusal, switch_terms};
pub use timeline::{REFUND_DAYS, TimelineEntry, TimelineKind, UnknownTimelineKind, refundable_until, timeline};
pub use trial::{TRIAL_NOTICE, TrialIdentity, trial_end, trial_notice_at};
