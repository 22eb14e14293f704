//! Describes the client of a request: the device from its `User-Agent`, the country from its IP address, and the
//! client's IP address behind trusted proxies. Members recognize their sessions by device and country. Pure: no HTTP
//! types, no I/O.

mod device;
mod network;
mod place;

pub use device::device_of;
pub use network::{InvalidNetwork, Network, client_address};
pub use place::place_of;
