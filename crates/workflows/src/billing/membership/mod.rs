//! A member's plan: its timeline, canceling and resuming, switching, codes and seats (`billing.one-subscription`).

pub mod billing_page;
pub mod codes;
pub mod method;
pub mod pause_offers;
pub mod renewal;
pub mod renewal_jobs;
pub mod switch;
