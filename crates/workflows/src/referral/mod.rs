//! What brings people in: invitations and links.

pub mod invite_friend;
pub mod referral_links;
