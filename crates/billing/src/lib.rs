//! Billing: plans and prices, carts, checkouts, the ledger, and what members own.
//!
//! # What it owns
//!
//! - Plans (`billing.plan-table`). They are stored in the database and edited in the back office. Every price is read
//!   from here.
//! - Carts and coupons: what a purchase costs.
//! - The ledger: all movements of money and plans, and what is derived from them: entitlements (paid until when),
//!   subscriptions, and items bought once.
//! - [`gateway`]: the port to payment providers. [`settlement`]: turns what providers report into movements.
//!
//! # Invariants
//!
//! - A price is in whole US cents and never negative.
//! - The trial is three days, on subscriptions only (`billing.trial-length`).
//! - [`Cart::quote`] is the only function that computes an amount, so the amount shown is the amount charged.
//! - A movement is recorded once and never changed; its entries sum to zero (`billing.ledger-append`).
//! - Nobody pays twice for the same thing: surplus charges are refunded ([`surplus()`]).
//! - Credit from a plan switch is void once its source payment is refunded. Codes follow the payment that bought them
//!   ([`CodeStanding::of`]).
//! - What a member has is a pure function of the ledger ([`MemberPlan::of`]). The stored copy is written in the same
//!   transaction as the movement.
//!
//! # Words
//!
//! *Checkout*: one purchase attempt per idempotency key; its reference is the purchase key. *Payer*: who pays, a member
//! or a guest. The ledger refers to payers, not members, so it survives the deletion of an account. *Movement*: one
//! transaction of the ledger. *Purchase*: groups a charge with its renewals and refunds.

mod cart;
mod checkout;
mod code;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod coupon;
mod discount;
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
mod reward;
mod service;
pub mod settlement;
mod standing;
mod store;
mod surplus;
mod terms;
mod timeline;
mod trial;

pub use cart::{AddOn, Cart, CartError, CartRequest, OrderRefusal, Quote, RenewalTerms};
pub use checkout::{
    Checkout, CheckoutError, CheckoutKey, CheckoutOrder, CheckoutState, ClaimToken, RECONCILE_AFTER, SWEEP_AFTER,
    SWEEP_OLD, SweepStep, UnknownCheckoutState,
};
pub use code::{
    CODE_MIN_CHARS, Code, CodeError, CodeKind, CodeMonthsError, CodeStanding, CodeTerms, InvalidCode, StoredCode,
    TeamSeat, UnknownCodeKind, months_of_codes, months_of_redemption,
};
pub use coupon::{Coupon, CouponCode, CouponError, CouponUseError};
pub use discount::{CouponTerms, Discount, InvalidPercent, Percent};
pub use entitlement::Entitlement;
pub use error::BillingError;
pub use gift::{GIFT_DAYS_AHEAD, Gift, GiftDelivery, InvalidDeliveryDay, delivery_moment, delivery_of};
pub use ledger::{
    Account, Entry, InvalidMovement, Movement, MovementKind, PAUSE_MAX_MONTHS, PurchaseKey, UnknownAccount,
    UnknownMovementKind,
};
pub use member_plan::{GRACE, MemberPlan, OwnedItem, Subscription, SubscriptionState};
pub use model::{
    BULK_MAX, BULK_MIN, CODE_MONTHS_MAX, Plan, PlanChangeError, PlanKind, STARTING_PLANS, StartingPlan, TRIAL_DAYS,
    TRIAL_PLAN, UnknownPlanKind, name_of_former_plan,
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
