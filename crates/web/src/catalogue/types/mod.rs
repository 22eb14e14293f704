//! Wire types of the catalogue. Other features use them for books too.

pub mod book;
pub mod book_name;
pub mod directory;
pub mod idea_links;
pub mod list;
pub mod place;
