//! Signed-in devices on the wire.

use identity::Device;
use kernel::SessionId;
use serde::Serialize;
use utoipa::ToSchema;

/// A device on which the member is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceSession {
    /// The session's id.
    id: i64,
    /// What the device says that it is, such as `Firefox on Windows`.
    device: String,
    /// Where it was when it was last seen: a country, or `This network`, or the beginning of the network's address.
    place: String,
    /// When somebody signed in on it, in ms since the epoch.
    created_at: i64,
    /// When it last renewed its access, in ms since the epoch.
    last_seen_at: i64,
    /// Whether it is the device that asks.
    current: bool,
}

impl DeviceSession {
    /// A device, seen from one of them.
    pub fn seen_from(current: SessionId, device: Device) -> Self {
        let Device { session, device, place } = device;
        Self {
            id: session.id.get(),
            device,
            place,
            created_at: session.created_at.millis(),
            last_seen_at: session.last_seen_at.millis(),
            current: session.id == current,
        }
    }
}

/// The devices on which the member is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// The last seen first.
    pub sessions: Vec<DeviceSession>,
}
