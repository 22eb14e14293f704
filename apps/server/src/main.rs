//! The server.
fn main() {}
