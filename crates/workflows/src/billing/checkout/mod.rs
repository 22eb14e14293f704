//! Checkouts: what a purchase costs, its way through a payment provider, and what follows when it went through
//! (`billing.server-prices`, `billing.idempotency-key`).
//!
//! A checkout is recorded before the provider is asked, under the page's key. What the provider says is applied by
//! one function ([`PaymentFlows::apply`]), whether it comes with the answer, with an event or by a sweep: movements are recorded once
//! by the provider's ids, so it does not matter how often and in which order.
//!
//! [`PaymentFlows::apply`]: crate::billing::payments::PaymentFlows::apply

pub mod claim;
mod details;
pub mod error;
pub mod events;
mod fulfil;
mod gift_delivery;
mod gifts;
pub mod price;
pub mod purchase;
pub(crate) mod rewards;
pub mod settle;
pub mod sweeps;

pub use details::GiftDetails;
pub use fulfil::MailTrialNotice;
pub(crate) use fulfil::{STOP_RENEWAL, queue_for_purchase};
pub use gift_delivery::DeliverGift;
