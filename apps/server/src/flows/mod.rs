//! Stories that cross domains: each a function on one transaction, so that it happens whole or not at all.

pub mod account;
pub mod archive;
pub mod deliver;
pub mod discovery;
pub mod download;
pub mod editorial;
pub mod invite;
pub mod leave;
pub mod lists;
pub mod narration;
pub mod open_book;
pub mod product;
pub mod protection;
pub mod provider;
pub mod reading;
pub mod recordings;
pub mod recovery;
pub mod replaced;
pub mod sign_in;
pub mod tries;
pub mod visuals;
pub mod write_to_us;
