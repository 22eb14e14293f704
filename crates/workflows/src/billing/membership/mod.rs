//! What a member has and can do with it: the plan and its timeline, leaving it and coming back, codes and seats
//! (`billing.one-subscription`).

pub mod billing_page;
pub mod codes;
pub mod method;
pub mod pause_offers;
pub mod renewal;
pub mod renewal_jobs;
pub mod switch;
