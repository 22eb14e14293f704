//! What may be fetched and what may not: by IP address, and from a real server.

mod addresses;
mod server;
mod web;
