//! Calls to the outside. Each goes between two calls of the database, never inside one.

pub mod speech;
