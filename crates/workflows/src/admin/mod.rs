//! People in the back office.

pub mod people;
