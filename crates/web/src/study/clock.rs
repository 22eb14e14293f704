//! The moments of a report, by the clock of the device that sends it.

use kernel::{Device, Timestamp, correct_moment, moment};
use serde_json::Number;

use crate::http::{error::ApiError, whole::whole};

/// The clock of a device, as a report tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeviceClock {
    sent: Option<Timestamp>,
    /// The server's time.
    now: Timestamp,
}

impl DeviceClock {
    /// Parses when the report was sent, and checks the device's name.
    pub(super) fn read(sent: Option<&Number>, device: Option<&str>, now: Timestamp) -> Result<Self, ApiError> {
        if device.is_some_and(|name| Device::parse(name).is_none()) {
            return Err(ApiError::invalid("device", "A device name has up to 64 letters and digits."));
        }
        Ok(Self { sent: sent.map(|sent| time("sent", sent)).transpose()?, now })
    }

    /// When something was made, put right.
    pub(super) fn made(self, at: Timestamp) -> Timestamp {
        moment(Some(at), self.sent, self.now)
    }

    /// When a part was set, put right. That may be long ago.
    pub(super) fn set(self, at: Timestamp) -> Timestamp {
        correct_moment(at, self.sent, self.now)
    }
}

/// Parses a moment, which is not put right yet.
pub(super) fn time(field: &'static str, given: &Number) -> Result<Timestamp, ApiError> {
    let millis = whole(given).ok_or_else(|| ApiError::invalid(field, "Please specify the time in milliseconds."))?;
    Ok(Timestamp::from_millis(millis.max(0)))
}
