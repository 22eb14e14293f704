//! What may be fetched, and what may not: on addresses, and on a real server.

mod addresses;
mod server;
mod web;
