//! Derives what a member recognises a session by from a request: the device from its `User-Agent`, the country from its
//! IP address; and the client's IP address behind trusted proxies. Pure: no HTTP types, no I/O.

mod device;
mod network;
mod place;

pub use device::device_of;
pub use network::{InvalidNetwork, Network, client_address};
pub use place::place_of;
