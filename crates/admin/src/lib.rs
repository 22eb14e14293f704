//! The back office: what people wrote to the house, and whether somebody has seen to it.
//!
//! # What it owns
//!
//! The inbox (`decisions.md` 53): messages from the contact form, the suggestions, the feedback form, and of members who
//! leave or cancel. The rules of those forms are here too, with the trap for programs that fill them in.
//!
//! # What always holds
//!
//! - A message that was acknowledged is kept until somebody deletes it; seeing to it changes nothing of what it says.
//! - A message's name is one line and its text has no control characters, whatever was typed.
//! - What somebody wrote who leaves bears no name.
//!
//! # Words
//!
//! *Message*: what somebody wrote to the house. *Kind*: where it was written. *Done*: somebody has seen to it.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
mod form;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod service;
mod store;
mod trap;

pub use error::{AdminError, Field};
pub use form::{BODY_MAX_CHARS, NAME_MAX_CHARS, Written};
pub use model::{Filter, INBOX_PAGE, InvalidKind, Kind, Message};
pub use service::Admin;
pub use store::AdminStore;
pub use trap::{LEAST_TIME_TO_WRITE, Trap};
