//! The inbox: messages from the public forms, and whether an admin has dealt with them.
//!
//! # What it owns
//!
//! The inbox (`support.message-list`): messages from the contact form, the suggestion form and the feedback form,
//! requests for refunds, and messages of members who delete their account or cancel; the replies by mail; and how often
//! each reason for leaving was given. The validation of those forms is here too, with the [`Honeypot`] against bots.
//!
//! # Invariants
//!
//! - An accepted message is kept for as long as the operator has configured; marking it as done does not change its text.
//! - A message's name is one line and its text has no control characters, whatever was typed.
//! - The message of a member who deletes their account has no name.
//!
//! # Words
//!
//! *Message*: what a person sent with a form. *Kind*: which form. *Done*: an admin has dealt with it. *Answer*: an
//! admin's reply by mail.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
mod form;
mod honeypot;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod service;
mod store;

pub use error::{Field, SupportError};
pub use form::{BODY_MAX_CHARS, CANCEL_REASONS, CancelReason, NAME_MAX_CHARS, NewMessage};
pub use honeypot::{Honeypot, MIN_FILL_TIME};
pub use model::{
    INBOX_PAGE, InvalidMessageKind, Message, MessageAnswer, MessageFilter, MessageKind, REASONS_SHOWN, ReasonCount,
    count_reasons,
};
pub use service::Support;
pub use store::{SupportCommands, SupportQueries, SupportStore};
