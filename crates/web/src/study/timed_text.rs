//! A value that was set at a moment, on the wire.

use serde::Serialize;
use utoipa::ToSchema;

/// A value, and when it was set, in ms since the epoch.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TimedText {
    pub(super) value: String,
    pub(super) at: i64,
}
