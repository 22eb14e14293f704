//! Client connections: the limit per client, the write timeout for slow readers, the size of the parts in which bodies are
//! sent, and the listening socket. No HTTP: the server speaks it over a [`ClientStream`].
//!
//! Invariants: a [`Slot`] counts until it is dropped; a client that reads nothing for [`WRITE_DEADLINE`] while data is pending
//! loses its connection; a response is never copied as a whole into a connection's buffer.

mod limit;
mod listener;
mod parts;
mod stream;

pub use limit::{Connections, Slot};
pub use listener::{close_listener, configure_listener, raise_open_files};
pub use parts::{PART, take_part};
pub use stream::{ClientStream, WRITE_DEADLINE};
