//! Push messages to members' browsers (`study.push-messages`): Web Push with an encrypted message (RFC 8030, RFC 8291), sent in the name of
//! this server (VAPID, RFC 8292).
//!
//! # What always holds
//!
//! - A push service can't read a message: only the browser has the key.
//! - Private addresses are not posted to, unless the operator allows them (`page_fetch::Poster`).

mod key;
mod sender;

pub use key::{InvalidPushKey, PushKey};
pub use sender::{PushError, PushMessage, PushOutcome, PushSender};
