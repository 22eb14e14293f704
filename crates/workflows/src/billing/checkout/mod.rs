//! Checkouts: what a purchase costs, its states at a payment provider, and what follows when it is paid
//! (`billing.server-prices`, `billing.idempotency-key`).
//!
//! A checkout is recorded before the provider is called, under the page's idempotency key. [`PaymentFlows::apply`] applies the
//! provider's data, whether it comes from a response, an event or a sweep. Movements are recorded once by the provider's ids, so
//! repetitions and order do not matter.
//!
//! [`PaymentFlows::apply`]: crate::billing::payments::PaymentFlows::apply

pub mod claim;
pub(crate) mod details;
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
