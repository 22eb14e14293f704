//! What members keep of what they read.

mod commitments;
mod exports;
mod highlights;
mod lists;
mod notices;
mod places;
mod review;
mod session;
mod team_lists;

use serde_json::Value;

use crate::harness::Reply;

/// The same with another field.
pub(crate) fn with(mut report: Value, field: &str, value: Value) -> Value {
    report[field] = value;
    report
}

/// Fails unless the call was refused in this way; returns the refusal.
pub(crate) fn refusal(reply: &Reply, status: u16, code: &str) -> Value {
    let refusal = reply.json();
    assert_eq!((reply.status.as_u16(), refusal["code"].as_str()), (status, Some(code)), "{refusal}");
    refusal
}
