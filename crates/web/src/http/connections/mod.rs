//! Connections of clients: how many each may hold, how slowly it may read, how much of a response it is handed at once, and
//! the listening socket that they come from. No HTTP: the server speaks it over a [`ClientStream`].
//!
//! Invariants: a [`Slot`] counts until it is dropped; a client that takes nothing of what waits for [`WRITE_DEADLINE`] loses
//! its connection; a response is never copied whole into a connection's buffer.

mod limit;
mod listener;
mod parts;
mod stream;

pub use limit::{Connections, Slot};
pub use listener::{close_listener, configure_listener, raise_open_files};
pub use parts::{PART, take_part};
pub use stream::{ClientStream, WRITE_DEADLINE};
