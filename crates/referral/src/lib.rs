//! Bringing friends: invitations by mail.
//!
//! # What it owns
//!
//! Who has invited whom, and the rules for it (`decisions.md` 46). The friend to whom a member's first invitation was sent is
//! noted on the member; the rules of reading give one more summary for it (`decisions.md` 23).
//!
//! # What always holds
//!
//! - A member invites an address once, whatever is pressed how often and at the same moment.
//! - No member invites more than twenty within a day.
//! - Only members whose own address is confirmed invite, and never themselves.
//!
//! # Words
//!
//! *Inviter*: the member who invites. *Friend*: whose address was typed; whether they are a member is neither asked nor
//! told.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod service;
mod store;

pub use error::{Field, ReferralError, Wait};
pub use model::{
    FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, InvitationForm, Inviter, NAME_MAX_CHARS, SentInvitation,
};
pub use service::Referral;
pub use store::{ReferralQueries, ReferralStore};
