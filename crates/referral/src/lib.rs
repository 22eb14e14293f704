//! Bringing friends and customers: invitations by mail, links, and what they earn.
//!
//! # What it owns
//!
//! Who has invited whom, and the rules for it (`referral.invitation-limit`). The friend to whom a member's first invitation was sent is
//! noted on the member; the rules of reading give one more summary for it (`referral.invitation-reward`). The links of members and
//! affiliates, their clicks, the rewards of purchases through them, and payouts (`referral.reward-shares`). The ledger is not its: what
//! it says of a change is recorded there.
//!
//! # What always holds
//!
//! - A member invites an address once, whatever is pressed how often and at the same moment.
//! - No member invites more than twenty within a day.
//! - A purchase is rewarded once, a friend once; nobody earns from their own purchase. A reward is never below zero and follows what
//!   is left of the payment.
//! - Only members whose own address is confirmed invite, and never themselves.
//!
//! # Words
//!
//! *Owner*: whose link it is. *Net*: what was charged less what was given back. *Inviter*: the member who invites. *Friend*: whose address was typed; whether they are a member is neither asked nor
//! told.

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
