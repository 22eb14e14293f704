//! Messages to support, and answers.

pub mod messages;
