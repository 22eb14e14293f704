//! Editing books, and what they are sorted by.

pub mod books;
pub mod categories;
mod changes;
pub mod collections;
pub mod delete_book;
pub mod goals;
pub mod names;
pub mod visuals;
