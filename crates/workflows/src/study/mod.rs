//! What members keep of what they read.

pub mod anki;
pub mod cards;
pub mod changes;
pub mod commitments;
pub mod exports;
mod heard;
pub mod highlights;
pub mod lists;
pub mod notices;
pub mod picture;
pub mod places;
pub mod push;
pub mod review;
pub mod session;
pub mod settings;
pub mod shown;
mod webhook_queue;
pub mod webhooks;
