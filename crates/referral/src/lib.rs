//! Referrals: invitations by e-mail, referral links, and the rewards they earn.
//!
//! # What it owns
//!
//! - Invitations and their limits (`referral.invitation-limit`). The first friend a member has invited is stored with the
//!   member; the reading rules grant one more summary for it (`referral.invitation-reward`).
//! - The links of members and affiliates, their clicks, the rewards for purchases through them, and payouts
//!   (`referral.reward-shares`). Changes of rewards are recorded in the ledger, which billing owns.
//!
//! # Invariants
//!
//! - A member invites an address only once, even with repeated or concurrent requests.
//! - A member sends at most twenty invitations within 24 hours.
//! - Each purchase is rewarded at most once, and for friends each buyer at most once. Nobody earns from their own
//!   purchase. A reward is never negative and follows what is left of the payment.
//! - Only members with a confirmed e-mail address can invite, and never themselves.
//!
//! # Words
//!
//! *Owner*: the member who owns a link. *Net*: the amount charged less refunds. *Inviter*: the member who invites.
//! *Friend*: the person with the invited address; whether they are a member is neither checked nor revealed.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
#[cfg(test)]
mod histories;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod reward;
mod service;
mod store;

pub use error::{Field, ReferralError, Wait};
pub use model::{
    FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, InvitationForm, Inviter, NAME_MAX_CHARS, SentInvitation,
};
pub use reward::{
    AFFILIATE_PERCENT, Earnings, FRIEND_PERCENT, InvalidLinkId, Link, LinkId, LinkKind, Person, REWARD_PENDING,
    ReferredPurchase, Reward, RewardChange, UnknownLinkKind, earns, judge,
};
pub use service::{PayoutOutcome, Referral};
pub use store::{ReferralCommands, ReferralQueries, ReferralStore};
