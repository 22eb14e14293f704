//! What the calls about the catalogue are asked and respond, on the wire. Other domains name books by these types too.

pub mod book;
pub mod directory;
pub mod list;
pub mod place;
