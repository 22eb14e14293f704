//! Referrals: invitations, and links of members and affiliates.

pub mod invite_friend;
pub mod referral_links;
