//! Money: checkouts, memberships, receipts, refunds, and the back office's money pages.

pub mod admin_money;
pub mod checkout;
pub mod given_gift;
pub mod ledger_check;
pub mod membership;
pub mod payments;
pub mod receipts;
pub mod refunds;
