//! Buying, what members have of it, and money that goes back.

mod checkout;
mod checkout_crash;
mod codes;
mod gifts;
mod ledger_check;
mod membership;
mod money_back;
mod money_histories;
mod money_joined;
mod money_lists;
mod paypal_webhooks;
mod plan_changes;
mod sandbox_controls;
